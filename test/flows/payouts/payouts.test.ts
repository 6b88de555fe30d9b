// Payouts: reserved, sent once, settled or released, whatever the network does; and the key look-up before them.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'

let count = 0

function payoutBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1
  return {
    amountInCents: 1_000_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: `payout-${count}`,
    inlineCustomer: CUSTOMER,
    breb: { keyString: '@ANAGOMEZ' },
    ...changes,
  }
}

const to = (idNumber: string) => ({ inlineCustomer: { ...CUSTOMER, idNumber } })

describe('payouts', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (body: Record<string, unknown>) => (await world.client('POST', '/payouts', body)).json
  const read = async (id: string) => (await world.client('GET', `/payouts/${id}`)).json
  const balance = async () => (await world.client('GET', '/balance')).json
  const ends = (id: string, status: string) =>
    eventually(
      async () => {
        await world.work()
        return read(id)
      },
      (payout) => payout.status === status,
    )
  const debitsOf = (id: string) => {
    const reference = railReference('payout', world.organization.organizationId, id)
    return world.sandbox.log().filter((entry) => entry.reference === reference)
  }

  it('a payout answers PROCESSING, is reserved, leaves once and is confirmed', async () => {
    const before = await balance()
    const { status, json: payout } = await world.client('POST', '/payouts', payoutBody())
    assert.equal(status, 201)
    assert.equal(payout.status, 'PROCESSING')
    assert.equal(payout.amount, 10_000)
    assert.deepEqual(payout.sourceData, { keyString: '@ANAGOMEZ', canonicalKeyString: '@ANAGOMEZ' })
    await world.work()
    assert.equal((await balance()).reservedInCents, 1_000_000)
    await world.passTime(1_000)
    const confirmed = await ends(payout.id, 'CONFIRMED')
    assert.equal(confirmed.errorCode, null)
    assert.ok(Date.parse(confirmed.resultAt) >= Date.parse(payout.createdAt) + 1_000)
    assert.deepEqual(
      [payout.updatedAt, payout.resultAt, confirmed.createdAt, confirmed.updatedAt],
      [payout.createdAt, null, payout.createdAt, confirmed.resultAt],
    )
    const left = await balance()
    assert.equal(left.reservedInCents, 0)
    assert.equal(left.availableInCents, before.availableInCents - 1_000_000)
    assert.equal(debitsOf(payout.id).length, 1)
  })

  it('1000000003 is declined and the money is available again', async () => {
    const before = await balance()
    const payout = await create(payoutBody(to('1000000003')))
    await world.passTime(1_000)
    const declined = await ends(payout.id, 'DECLINED')
    assert.ok(declined.errorCode)
    assert.deepEqual(await balance(), before)
    assert.equal(debitsOf(payout.id).length, 0)
  })

  it('1000000015 sends no notice: the money stays reserved until a query answers', async () => {
    const payout = await create(payoutBody(to('1000000015')))
    await world.passTime(2_000)
    assert.equal((await read(payout.id)).status, 'PROCESSING')
    assert.equal((await balance()).reservedInCents, 1_000_000)
    await world.passTime(60_000)
    await ends(payout.id, 'CONFIRMED')
    assert.equal(debitsOf(payout.id).length, 1)
  })

  it('1000000007 waits until simulated, and can be simulated to fail', async () => {
    const payout = await create(payoutBody(to('1000000007')))
    await world.passTime(2_000)
    const simulated = await world.client('POST', `/sandbox/payouts/${payout.id}/simulate`, {
      outcome: 'declined',
      errorCode: 'RECEIVER_ACCOUNT_INVALID',
    })
    assert.equal(simulated.status, 200)
    assert.equal((await ends(payout.id, 'DECLINED')).errorCode, 'RECEIVER_ACCOUNT_INVALID')
  })

  it('a payout to a suspended or missing key is declined with that reason', async () => {
    const suspended = await create(payoutBody({ breb: { keyString: '@SUSPENDIDA1' } }))
    const missing = await create(payoutBody({ breb: { keyString: '@NOEXISTE1' } }))
    await world.work()
    assert.equal((await ends(suspended.id, 'DECLINED')).errorCode, 'KEY_SUSPENDED')
    assert.equal((await ends(missing.id, 'DECLINED')).errorCode, 'KEY_NOT_FOUND')
    assert.equal((await balance()).reservedInCents, 0)
  })

  it('a payout whose key cannot be resolved is not sent: it can be canceled, and ends after half an hour', async () => {
    const before = await balance()
    const toCancel = await create(payoutBody({ breb: { keyString: '@CAIDA1' } }))
    const left = await create(payoutBody({ breb: { keyString: '@CAIDA2' } }))
    await world.work()
    assert.equal((await read(left.id)).status, 'PROCESSING')
    assert.equal((await balance()).reservedInCents, before.reservedInCents + 2_000_000)
    const canceled = await world.client('POST', `/payouts/${toCancel.id}/cancel`)
    assert.equal(canceled.json.status, 'CANCELED', canceled.text)
    await world.passTime(31 * 60_000)
    assert.equal((await ends(left.id, 'DECLINED')).errorCode, 'PARTICIPANT_UNAVAILABLE')
    assert.deepEqual(await balance(), before)
    assert.equal(debitsOf(left.id).length + debitsOf(toCancel.id).length, 0)
  })

  it('gives a key back as it was sent, with its canonical form beside it, which is what is looked up', async () => {
    await world.client('PATCH', '/organization', { requireKeyLookup: true })
    for (const [keyString, canonicalKeyString] of [
      ['@anagomez', '@ANAGOMEZ'],
      ['+57 300 123 4567', '3001234567'],
      ['Ana@Example.com', 'ana@example.com'],
    ] as const) {
      const { json: found } = await world.client('GET', `/breb/keys/${encodeURIComponent(keyString)}`)
      assert.equal(found.keyString, canonicalKeyString)
      const payout = await create(payoutBody({ breb: { keyString } }))
      assert.deepEqual(payout.sourceData, { keyString, canonicalKeyString })
      await world.passTime(1_000)
      const confirmed = await ends(payout.id, 'CONFIRMED')
      assert.deepEqual(confirmed.sourceData, { keyString, canonicalKeyString })
    }
    await world.client('PATCH', '/organization', { requireKeyLookup: false })
  })

  it('payout.processing tells once that the network has it', async () => {
    const payout = await create(payoutBody(to('1000000007')))
    const told = async () =>
      (await world.client('GET', `/events?objectId=${payout.id}`)).json.data.map(
        ({ event, version, data }: { event: string; version: number; data: { status: string } }) =>
          `${event} ${version} ${data.status}`,
      )
    assert.deepEqual(await told(), [])
    await world.work()
    assert.deepEqual(await told(), ['payout.processing 3 PROCESSING'])
    await world.passTime(30_000)
    assert.equal((await told()).length, 1)
  })

  it('1000000005: the network calls the payout off, and the money is available again', async () => {
    const before = await balance()
    const payout = await create(payoutBody(to('1000000005')))
    await world.passTime(1_000)
    const canceled = await ends(payout.id, 'CANCELED')
    assert.equal(canceled.errorCode, 'RAIL_ERROR')
    assert.deepEqual(debitsOf(payout.id), [])
    assert.deepEqual(await balance(), before)
    const { json } = await world.client('GET', '/events?type=payout.canceled')
    assert.equal(json.data.at(-1)?.data.id, payout.id)
  })

  it('a simulated end takes the codes that the network can have, and waits for the hand-over', async () => {
    const simulate = (id: string, body: object) =>
      world.client('POST', `/sandbox/payouts/${id}/simulate`, body)
    for (const [outcome, errorCode] of [
      ['canceled', 'RAIL_ERROR'],
      ['declined', 'RAIL_ERROR'],
    ] as const) {
      const payout = await create(payoutBody(to('1000000007')))
      const pending = simulate(payout.id, { outcome, errorCode })
      // The request is there before any worker is.
      await read(payout.id)
      await world.work()
      assert.deepEqual([(await pending).status, (await pending).text], [200, '{"done":true}'])
      const ended = await ends(payout.id, outcome.toUpperCase())
      assert.equal(ended.errorCode, errorCode)
    }
    const payout = await create(payoutBody(to('1000000007')))
    await world.work()
    for (const [outcome, errorCode] of [
      ['canceled', 'KEY_NOT_FOUND'],
      ['declined', 'CANCELED_BY_MERCHANT'],
      ['confirmed', 'RAIL_ERROR'],
    ] as const) {
      const refused = await simulate(payout.id, { outcome, errorCode })
      assert.deepEqual([refused.status, refused.json.code], [400, 'INVALID_INPUT'], refused.text)
      assert.equal(refused.json.errors[0].path, '/errorCode')
    }
  })

  it('a payout can be canceled before it is sent, not after', async () => {
    const payout = await create(payoutBody(to('1000000007')))
    const canceled = await world.client('POST', `/payouts/${payout.id}/cancel`)
    assert.equal(canceled.status, 200)
    assert.equal(canceled.json.status, 'CANCELED')
    assert.equal(canceled.json.errorCode, 'CANCELED_BY_MERCHANT')
    await world.passTime(2_000)
    assert.deepEqual(await read(payout.id), canceled.json)
    assert.equal(debitsOf(payout.id).length, 0)
    const sent = await create(payoutBody(to('1000000007')))
    await world.work()
    const late = await world.client('POST', `/payouts/${sent.id}/cancel`)
    assert.equal(late.status, 409)
    assert.equal(late.json.code, 'PAYOUT_NOT_CANCELABLE')
    assert.match(late.json.detail, /is with the network already/)
    assert.match((await world.client('POST', `/payouts/${payout.id}/cancel`)).json.detail, /is CANCELED/)
  })

  it('wrong keys, amounts above the cap and missing fields are refused at once', async () => {
    const wrong = await world.client('POST', '/payouts', payoutBody({ breb: { keyString: '@ab' } }))
    assert.equal(wrong.status, 400)
    assert.equal(wrong.json.code, 'KEY_INVALID')
    const above = await world.client('POST', '/payouts', payoutBody({ amountInCents: 1_211_000_001 }))
    assert.equal(above.json.code, 'AMOUNT_ABOVE_MAXIMUM')
    const pse = await world.client('POST', '/payouts', payoutBody({ rail: 'PSE', inlineCustomer: undefined }))
    assert.deepEqual(pse.json.errors.map((error: { path: string }) => error.path).sort(), [
      '/inlineCustomer',
      '/rail',
    ])
  })

  it('an Idempotency-Key makes one payout of many requests', async () => {
    const body = payoutBody()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.client('POST', '/payouts', body, { 'idempotency-key': 'once' })),
    )
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    const other = await world.client('POST', '/payouts', payoutBody(), { 'idempotency-key': 'once' })
    assert.equal(other.status, 422)
  })

  it('a network that pays after it has rejected stops the payout and raises an alarm', async () => {
    const payout = await create(payoutBody(to('1000000003')))
    await world.passTime(1_000)
    const declined = await ends(payout.id, 'DECLINED')
    await world.ctx.batched.insertNotice({
      organizationId: world.organization.organizationId,
      rail: 'BRE_B',
      noticeId: 'contradiction',
      subjectKind: 'payout',
      subjectId: payout.id,
      update: { kind: 'payout.completed', traceId: null },
      networkCode: '',
      occurredAt: world.ctx.clock.now(),
      receivedAt: world.ctx.clock.now(),
    })
    await world.work()
    const after = await read(payout.id)
    assert.equal(after.status, declined.status)
    const alarms = (await listOpenAlarms(world.db)).filter((alarm) => alarm.subjectId === payout.id)
    assert.equal(alarms.length, 1)
    assert.equal(alarms[0]?.kind, 'payout-contradiction')
    assert.equal(alarms[0]?.detail, `the network paid a payout that is DECLINED (${declined.errorCode})`)
  })

  const notify = (payoutId: string, noticeId: string, traceId: string) =>
    world.ctx.batched.insertNotice({
      organizationId: world.organization.organizationId,
      rail: 'BRE_B',
      noticeId,
      subjectKind: 'payout',
      subjectId: payoutId,
      update: { kind: 'payout.completed', traceId },
      networkCode: '',
      occurredAt: world.ctx.clock.now(),
      receivedAt: world.ctx.clock.now(),
    })
  const alarmsOf = async (payoutId: string) =>
    (await listOpenAlarms(world.db)).filter((alarm) => alarm.subjectId === payoutId)
  const rowOf = async (payoutId: string) => {
    const { rows } = await world.db.query<{ trace_id: string | null; stage: string; status: string }>({
      text: 'select trace_id, stage, status from payouts where payout_id = $1',
      values: [payoutId],
    })
    return rows[0]
  }

  it('a payout confirmed by notice keeps its end-to-end id, and a second one raises one alarm', async () => {
    const payout = await create(payoutBody(to('1000000007')))
    await world.work()
    await notify(payout.id, 'first', 'E2E-FIRST')
    await ends(payout.id, 'CONFIRMED')
    assert.equal((await rowOf(payout.id))?.trace_id, 'E2E-FIRST')
    await notify(payout.id, 'repeated', 'E2E-FIRST')
    await world.work()
    assert.deepEqual(await alarmsOf(payout.id), [])
    await notify(payout.id, 'second', 'E2E-SECOND')
    await notify(payout.id, 'second-again', 'E2E-SECOND')
    await world.work()
    await world.work()
    assert.deepEqual(
      (await alarmsOf(payout.id)).map(({ kind }) => kind),
      ['payout-contradiction'],
    )
    assert.equal((await rowOf(payout.id))?.trace_id, 'E2E-FIRST')
    // The network keeps it open, so that its own log agrees with ours in the end.
    await world.client('POST', `/sandbox/payouts/${payout.id}/simulate`, { outcome: 'confirmed' })
  })

  it('lists page like those of payins and filter by status and reference', async () => {
    const first = await world.client('GET', '/payouts?pageSize=3')
    const second = await world.client('GET', `/payouts?pageSize=3&cursor=${first.json.pageInfo.nextCursor}`)
    assert.equal(new Set([...first.json.data, ...second.json.data].map((payout) => payout.id)).size, 6)
    const back = await world.client(
      'GET',
      `/payouts?pageSize=3&cursor=${second.json.pageInfo.previousCursor}`,
    )
    assert.deepEqual(back.json.data, first.json.data)
    const declined = await world.client('GET', '/payouts?status=DECLINED&pageSize=100')
    assert.ok(declined.json.data.length > 0)
    assert.ok(declined.json.data.every((payout: { status: string }) => payout.status === 'DECLINED'))
  })

  it('200 payouts at once against money for 100: exactly 100 leave, and nothing is overdrawn', async () => {
    const merchant = await world.newMerchant()
    const { availableInCents } = (await merchant.client('GET', '/balance')).json
    const amountInCents = 1_000_000_000
    const spare = availableInCents - 100 * amountInCents
    assert.equal(spare, 0)
    const bodies = Array.from({ length: 200 }, () => payoutBody({ amountInCents }))
    const made = await Promise.all(
      bodies.map(async (body) => (await merchant.client('POST', '/payouts', body)).json.id),
    )
    await Promise.all([world.work(), world.work(), world.work()])
    await world.passTime(1_000)
    const statuses = await eventually(
      async () => {
        await world.work()
        return Promise.all(made.map(async (id) => (await merchant.client('GET', `/payouts/${id}`)).json))
      },
      (payouts) => payouts.every((payout) => payout.status !== 'PROCESSING'),
    )
    assert.equal(statuses.filter((payout) => payout.status === 'CONFIRMED').length, 100)
    assert.equal(statuses.filter((payout) => payout.errorCode === 'INSUFFICIENT_FUNDS').length, 100)
    assert.equal((await merchant.client('GET', '/balance')).json.availableInCents, 0)
  })
})

describe('key look-up', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const lookUp = (key: string) => world.client('GET', `/breb/keys/${encodeURIComponent(key)}`)
  const left = (headers: Record<string, string>) => Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])

  it('answers in canonical form, with people masked', async () => {
    const askedAt = world.ctx.clock.now()
    const { status, json } = await lookUp('+57 300 123 4567')
    assert.equal(status, 200)
    assert.equal(json.keyString, '3001234567')
    assert.equal(json.keyType, 'PHONE')
    assert.equal(json.status, 'ACTIVE')
    assert.match(json.account.lastFour, /^\d{4}$/)
    assert.equal(json.holder.personType, 'INDIVIDUAL')
    assert.match(json.holder.name, /\*\*\*/)
    assert.match(json.holder.idNumber, /\*\*\*/)
    assert.ok(json.participant.name)
    assert.ok(Date.parse(json.resolvedAt) >= askedAt, 'it is of this moment')
    const { holder } = (await lookUp('900123456')).json
    assert.equal(holder.personType, 'BUSINESS')
    assert.ok(!`${holder.name} ${holder.idNumber}`.includes('*'), 'businesses are public')
  })

  it('names what is wrong with a key', async () => {
    assert.equal((await lookUp('@x')).json.code, 'KEY_INVALID')
    for (const length of [101, 200, 4_000]) {
      const { status, json } = await lookUp('x'.repeat(length))
      assert.deepEqual([status, json.code], [400, 'KEY_INVALID'], `${length} characters`)
    }
    assert.equal((await lookUp('@NOEXISTE9')).json.code, 'KEY_NOT_FOUND')
    assert.equal((await lookUp('@NOEXISTE9')).status, 404)
    assert.equal((await lookUp('@SUSPENDIDA9')).status, 422)
    const away = await lookUp('@CAIDA9')
    assert.equal(away.status, 503)
    assert.equal(away.json.code, 'DIRECTORY_UNAVAILABLE')
    assert.ok(away.headers['retry-after'])
  })

  it('a missing and a suspended key differ in their code and in nothing else', async () => {
    const { client } = await world.newMerchant()
    const asked = async (key: string) => {
      const { headers, json, status } = await client('GET', `/breb/keys/${encodeURIComponent(key)}`)
      assert.ok(status === 404 || status === 422)
      const {
        code: _code,
        detail: _detail,
        requestId: _id,
        title: _title,
        type: _type,
        status: _status,
        ...rest
      } = json
      return {
        headers: Object.keys(headers).sort(),
        fields: Object.keys(json).sort(),
        rest,
        budget: left(headers),
      }
    }
    const full = await asked('@NOEXISTE2')
    const missing = await asked('@NOEXISTE3')
    const suspended = await asked('@SUSPENDIDA3')
    assert.deepEqual(suspended.headers, missing.headers)
    assert.deepEqual(suspended.fields, missing.fields)
    assert.deepEqual(suspended.rest, missing.rest)
    const cost = (before: { budget: number }, after: { budget: number }) => before.budget - after.budget
    assert.ok(Math.abs(cost(full, missing) - cost(missing, suspended)) <= 1, 'they cost the same')
  })

  it('a hit costs little, a miss much, and a spent budget refuses', async () => {
    const { client } = await world.newMerchant()
    const ask = (key: string) => client('GET', `/breb/keys/${encodeURIComponent(key)}`)
    const first = await ask('@ANAGOMEZ')
    const second = await ask('@ANAGOMEZ')
    // The budget refills at one a second meanwhile. test/flows/directory/look-up-key.test.ts counts with a clock that stands.
    assert.ok(left(first.headers) < 1_000)
    assert.ok(left(second.headers) <= left(first.headers))
    const miss = await ask('@NOEXISTE1')
    const cost = left(second.headers) - left(miss.headers)
    assert.ok(cost > 10 && cost <= 20, `a miss cost ${cost}`)
    let answer = miss
    for (let index = 0; index < 60 && answer.status !== 429; index += 1) answer = await ask('@NOEXISTE1')
    assert.equal(answer.status, 429)
    assert.ok(answer.headers['retry-after'])
    assert.equal((await lookUp('@ANAGOMEZ')).status, 200)
  })

  it('an organization can choose to pay only to keys it looked up in the last half hour', async () => {
    const { client } = await world.newMerchant()
    await client('PATCH', '/organization', { requireKeyLookup: true })
    const refused = await eventually(
      () => client('POST', '/payouts', payoutBody({ breb: { keyString: '@NUEVA123' } })),
      (answer) => answer.status === 422,
    )
    assert.equal(refused.json.code, 'KEY_NOT_LOOKED_UP')
    await client('GET', '/breb/keys/%40nueva123')
    assert.equal(
      (await client('POST', '/payouts', payoutBody({ breb: { keyString: '@nueva123' } }))).status,
      201,
    )
    world.advance(31 * 60_000)
    assert.equal(
      (await client('POST', '/payouts', payoutBody({ breb: { keyString: '@NUEVA123' } }))).status,
      422,
    )
  })
})
