// The suspense desk of a merchant: what waits, which payins it may be meant for, and what is decided about it, once.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { sealStored } from '../../../src/flows/people/seal-stored.ts'
import { writeWords } from '../../../src/flows/search/write-words.ts'
import type { PayinRail } from '../../../src/rails/rail.ts'
import { chargeBackSuspense, lateMoney } from '../../late-money.ts'
import { brebPayin, CUSTOMER, createWorld, psePayin, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'

describe('the suspense desk', () => {
  let world: World
  let rail: PayinRail
  before(async () => {
    world = await createWorld()
    rail = world.ctx.networks.payins.BRE_B
  })
  after(() => world[Symbol.asyncDispose]())

  const post = (path: string, body?: unknown, key?: string) =>
    world.client('POST', path, body, key === undefined ? {} : { 'idempotency-key': key })
  const bookingsOf = async (id: string): Promise<string[]> =>
    (await world.client('GET', `/ledger/transfers?subjectId=${id}`)).json.data.map(
      ({ booking }: { booking: string }) => booking,
    )
  // The network answers returns like this, until the test ends.
  const returning = async (
    returnPayment: PayinRail['returnPayment'],
    run: () => Promise<void>,
  ): Promise<void> => {
    const { payins } = world.ctx.networks
    Object.assign(payins, { BRE_B: { ...rail, returnPayment } })
    try {
      await run()
    } finally {
      Object.assign(payins, { BRE_B: rail })
    }
  }

  it('lists what waits with reason, amount and age, newest first, by filter and page', async () => {
    const { client } = await world.newMerchant()
    const first = await lateMoney(world, client)
    world.advance(HOUR_MS)
    const second = await lateMoney(world, client, { amountInCents: 1_234_500 })
    const { data } = (await client('GET', '/suspense')).json
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [second.suspenseId, first.suspenseId],
    )
    const { createdAt, updatedAt, paymentId, ...item } = data[1]
    assert.ok(createdAt <= updatedAt && paymentId.length > 0)
    assert.ok(item.ageSeconds >= 3_600)
    assert.deepEqual(item, {
      id: first.suspenseId,
      state: 'OPEN',
      reason: 'LATE',
      rail: 'BRE_B',
      amount: 50_000,
      amountInCents: 5_000_000,
      leftInCents: 5_000_000,
      currency: 'COP',
      payinId: first.payinId,
      attachedTo: null,
      note: null,
      message: null,
      ageSeconds: item.ageSeconds,
    })
    const ids = async (query: string) =>
      (await client('GET', `/suspense?${query}`)).json.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(await ids('amountInCents=1234500'), [second.suspenseId])
    assert.deepEqual(await ids(`payinId=${first.payinId}`), [first.suspenseId])
    assert.deepEqual(await ids('state=RETURNED'), [])
    assert.deepEqual(await ids('reason=LATE&state=OPEN&rail=PSE'), [])
    const page = (await client('GET', '/suspense?pageSize=1')).json
    assert.equal(page.data[0].id, second.suspenseId)
    assert.deepEqual(await ids(`pageSize=1&cursor=${page.pageInfo.nextCursor}`), [first.suspenseId])
    for (const query of ['state=open', 'reason=none', 'amountInCents=0', 'payinId=one'])
      assertProblem(await client('GET', `/suspense?${query}`), 'INVALID_INPUT')
  })

  it('shows the payins that it may be meant for, the likeliest first, and why', async () => {
    const { client } = await world.newMerchant()
    const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }
    const stranger = { ...CUSTOMER, idNumber: '900800700', email: 'otra@example.com' }
    const payin = async (changes: Record<string, unknown>) =>
      (await client('POST', '/payins', brebPayin({ inlineCustomer: stranger, ...changes }))).json.id
    const old = await payin({})
    world.advance(2 * 24 * HOUR_MS)
    const days = (await client('POST', '/payins', psePayin({ inlineCustomer: stranger }))).json.id
    world.advance(6 * 24 * HOUR_MS)
    const amount = await payin({})
    world.advance(2 * HOUR_MS)
    await payin({ amountInCents: 7_700 })
    const payer = await payin({ inlineCustomer, amountInCents: 9_900 })
    const { suspenseId, payinId } = await lateMoney(world, client)
    const stranger2 = await world.newMerchant()
    await stranger2.client('POST', '/payins', brebPayin())
    world.advance(25 * HOUR_MS)
    const later = await payin({})
    world.advance(5 * MINUTE_MS)
    while ((await sealStored(world.ctx)) + (await writeWords(world.ctx)) > 0) {}
    const { candidates } = (await client('GET', `/suspense/${suspenseId}`)).json
    assert.deepEqual(
      candidates.map((one: { payinId: string; fits: string[] }) => [one.payinId, one.fits]),
      [
        [payinId, ['NAMED', 'SAME_AMOUNT', 'NEAR_IN_TIME']],
        [payer, ['SAME_PAYER', 'NEAR_IN_TIME']],
        [amount, ['SAME_AMOUNT']],
        [days, ['SAME_AMOUNT']],
      ],
    )
    const { fits: _, ...otherRail } = candidates[3]
    const known = (await client('GET', `/payins/${days}`)).json
    const { reference, status, rail: over, amountInCents, createdAt } = known
    assert.deepEqual(otherRail, { payinId: days, reference, status, rail: over, amountInCents, createdAt })
    assert.ok(!JSON.stringify(candidates).includes(old), 'a week is long enough')
    assert.ok(!JSON.stringify(candidates).includes(later), 'nobody pays a day before they are asked')
  })

  it('returns money once, and says so again only under the same key', async () => {
    const { suspenseId } = await lateMoney(world)
    const path = `/suspense/${suspenseId}/return`
    const first = await post(path, undefined, `return-${suspenseId}`)
    assert.deepEqual([first.status, first.json.state, first.json.message], [200, 'RETURNED', null])
    const again = await post(path, undefined, `return-${suspenseId}`)
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const acts = (await world.client('GET', `/audit?objectId=${suspenseId}`)).json.data
    assert.deepEqual(
      acts.map(({ act, changes }: { act: string; changes: { state: unknown } }) => [act, changes.state]),
      [
        ['suspense.return', { before: 'RETURNING', after: 'RETURNED' }],
        ['suspense.return', { before: 'OPEN', after: 'RETURNING' }],
      ],
    )
    assertProblem(await post(path), 'SUSPENSE_DECIDED')
    const attach = await post(`/suspense/${suspenseId}/attach`, { payinId: first.json.payinId })
    assertProblem(attach, 'SUSPENSE_DECIDED')
    assert.deepEqual(await bookingsOf(suspenseId), ['suspense returned', 'money in suspense'])
  })

  it('takes nothing from the merchant when money is charged back that was returned, and tells a person', async () => {
    const late = await lateMoney(world)
    assert.equal((await post(`/suspense/${late.suspenseId}/return`)).status, 200)
    const before = (await world.client('GET', '/balance')).json
    await chargeBackSuspense(world, late, 5_000_000n)
    assert.deepEqual((await world.client('GET', '/balance')).json, before)
    assert.deepEqual(await bookingsOf(late.suspenseId), ['suspense returned', 'money in suspense'])
    const { data } = (await world.client('GET', '/alarms?kind=payin-contradiction')).json
    assert.match(data[0].detail, /not booked: the payment is RETURNED$/)
  })

  it('tells an unknown answer as it is, and asking again uses the same reference', async () => {
    const { suspenseId } = await lateMoney(world)
    const path = `/suspense/${suspenseId}/return`
    const key = `unknown-${suspenseId}`
    const references: string[] = []
    await returning(
      async (reference) => {
        references.push(reference)
        return { outcome: 'unknown', kind: 'timeout', why: 'silence' }
      },
      async () => {
        const answer = await post(path, undefined, key)
        assert.deepEqual([answer.status, answer.json.state], [200, 'RETURNING'])
        assert.match(answer.json.message, /Ask again/)
        assert.equal((await post(path, undefined, key)).json.state, 'RETURNING')
        assertProblem(
          await post(`/suspense/${suspenseId}/attach`, { payinId: answer.json.payinId }),
          'SUSPENSE_DECIDED',
        )
      },
    )
    await returning(
      async (reference, ...rest) => {
        references.push(reference)
        return (rail.returnPayment as NonNullable<PayinRail['returnPayment']>)(reference, ...rest)
      },
      async () => assert.equal((await post(path, undefined, key)).json.state, 'RETURNED'),
    )
    assert.equal(references.length, 3)
    assert.equal(new Set(references).size, 1)
    assert.deepEqual(await bookingsOf(suspenseId), ['suspense returned', 'money in suspense'])
  })

  it('a key that another request has used returns nothing', async () => {
    const { suspenseId } = await lateMoney(world)
    const key = `used-${suspenseId}`
    assert.equal((await post('/payins', brebPayin(), key)).status, 201)
    await returning(
      () => assert.fail('the network must not be asked'),
      async () =>
        assertProblem(await post(`/suspense/${suspenseId}/return`, undefined, key), 'IDEMPOTENCY_KEY_REUSED'),
    )
    assert.equal((await world.client('GET', `/suspense/${suspenseId}`)).json.state, 'OPEN')
  })

  it('money that the network does not return stays open, and the answer says why', async () => {
    const { suspenseId } = await lateMoney(world)
    const path = `/suspense/${suspenseId}/return`
    await returning(
      async () => ({ outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'B106' }),
      async () => {
        const refused = await post(path)
        assertProblem(refused, 'RETURN_REFUSED')
        assert.match(refused.json.detail, /B106/)
      },
    )
    await returning(null, async () => assertProblem(await post(path), 'RETURN_REFUSED'))
    assert.equal((await world.client('GET', `/suspense/${suspenseId}`)).json.state, 'OPEN')
  })

  it('attaches money to a payin of the organization, and to no other', async () => {
    const { suspenseId, payinId } = await lateMoney(world)
    const path = `/suspense/${suspenseId}/attach`
    const stranger = await world.newMerchant()
    const theirs = (await stranger.client('POST', '/payins', brebPayin())).json.id
    for (const wrong of [theirs, world.ctx.ids.next(), 'one'])
      assertProblem(await post(path, { payinId: wrong }), 'INVALID_INPUT')
    assertProblem(await post(path, {}), 'INVALID_INPUT')
    const before = (await world.client('GET', '/balance')).json
    const attached = await post(path, { payinId: payinId.toUpperCase() }, `attach-${suspenseId}`)
    assert.deepEqual([attached.json.state, attached.json.attachedTo], ['ATTACHED', payinId])
    assert.equal(
      (await post(path, { payinId: payinId.toUpperCase() }, `attach-${suspenseId}`)).text,
      attached.text,
    )
    assertProblem(await post(path, { payinId }), 'SUSPENSE_DECIDED')
    assertProblem(await post(`/suspense/${suspenseId}/return`), 'SUSPENSE_DECIDED')
    const now = (await world.client('GET', '/balance')).json
    assert.equal(now.availableInCents - before.availableInCents, 5_000_000)
    assert.equal(before.suspenseInCents - now.suspenseInCents, 5_000_000)
    assert.equal((await world.client('GET', `/payins/${payinId}`)).json.status, 'CANCELED')
  })

  it('of money that the network took back in part, what is left is returned or attached', async () => {
    const [taken, left] = [1_000_000n, 4_000_000]
    const moved = async (step: 'return' | 'attach') => {
      const { suspenseId, payinId } = await lateMoney(world)
      await chargeBackSuspense(world, { suspenseId, payinId }, taken)
      assert.equal((await world.client('GET', `/suspense/${suspenseId}`)).json.leftInCents, left)
      const before = (await world.client('GET', '/balance')).json
      await post(`/suspense/${suspenseId}/${step}`, step === 'attach' ? { payinId } : undefined)
      const after = (await world.client('GET', '/balance')).json
      return [
        before.suspenseInCents - after.suspenseInCents,
        after.availableInCents - before.availableInCents,
      ]
    }
    const asked: bigint[] = []
    const send = rail.returnPayment as NonNullable<PayinRail['returnPayment']>
    const noting: PayinRail['returnPayment'] = (reference, paymentId, amountInCents) => {
      asked.push(amountInCents)
      return send(reference, paymentId, amountInCents)
    }
    await returning(noting, async () => assert.deepEqual(await moved('return'), [left, 0]))
    assert.deepEqual(asked, [BigInt(left)])
    assert.deepEqual(await moved('attach'), [left, left])
  })

  it('keeps a note, sealed where it is stored, in any state', async () => {
    const { suspenseId } = await lateMoney(world)
    const path = `/suspense/${suspenseId}`
    const note = 'Llamó Ana Gómez: pagó dos veces.'
    world.advance(HOUR_MS)
    const askedAt = new Date(world.ctx.clock.now()).toISOString()
    const { json: noted } = await world.client('PATCH', path, { note })
    assert.equal(noted.note, note)
    assert.ok(noted.ageSeconds >= 3_600, 'since it arrived')
    assert.ok(noted.updatedAt >= askedAt, noted.updatedAt)
    assert.equal((await world.client('GET', path)).json.note, note)
    const key = { 'idempotency-key': `noted-${suspenseId}` }
    assert.equal((await world.client('POST', `${path}/return`, undefined, key)).json.note, note)
    const { rows } = await world.db.query<{ stored: string }>({
      text: `select note || coalesce((select string_agg(body, '')
                                        from idempotency_records r
                                       where r.organization_id = s.organization_id and r.idempotency_key = $2), '') as stored
               from suspense_items s
              where suspense_id = $1`,
      values: [suspenseId, `noted-${suspenseId}`],
    })
    assert.ok(rows[0] !== undefined && !rows[0].stored.includes('Ana'))
    const audit = (await world.client('GET', `/audit?objectId=${suspenseId}&act=suspense.note`)).text
    assert.ok(!audit.includes('Ana'))
    assert.equal((await world.client('PATCH', path, { note: null })).json.note, null)
    for (const body of [{}, { note: '' }, { note: 'x'.repeat(1_001) }, { note: 7 }])
      assertProblem(await world.client('PATCH', path, body), 'INVALID_INPUT')
  })

  it('does not say whose payin counted a payment that is counted elsewhere', async () => {
    const { suspenseId } = await lateMoney(world)
    const theirs = world.ctx.ids.next()
    await world.db.query({
      text: `update suspense_items set state = 'COUNTED', attached_to = $2 where suspense_id = $1`,
      values: [suspenseId, theirs],
    })
    const { text } = await world.client('GET', `/suspense/${suspenseId}`)
    const refused = await post(`/suspense/${suspenseId}/return`)
    assertProblem(refused, 'SUSPENSE_DECIDED')
    assert.ok(!text.includes(theirs) && !refused.text.includes(theirs))
    await world.db.query({
      text: `update suspense_items set state = 'OPEN', attached_to = null where suspense_id = $1`,
      values: [suspenseId],
    })
  })
})
