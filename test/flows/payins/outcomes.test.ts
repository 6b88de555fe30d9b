// Payins reach their outcome over the simulated networks: every scenario of a document number, on both rails, and what
// the ledger shows afterwards. Everything goes over real HTTP in both directions.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { attachSuspense, returnSuspense } from '../../../src/flows/ledger/clear-suspense.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { listSuspense, type SuspenseItem } from '../../../src/store/ledger/suspense.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, psePayin, type World } from '../../world.ts'

const withDocument = (idNumber: string) => ({ inlineCustomer: { ...CUSTOMER, idNumber } })
const RAILS = { BRE_B: brebPayin, PSE: psePayin }
type LateMoney = SuspenseItem & { payinId: string }
const SETTLEMENT_MS = 24 * 60 * 60_000

describe('payin outcomes', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (body: Record<string, unknown>) => (await world.client('POST', '/payins', body)).json
  const read = async (id: string) => (await world.client('GET', `/payins/${id}`)).json
  const simulate = (id: string, body: unknown) => world.client('POST', `/sandbox/payins/${id}/simulate`, body)
  const bookingsOf = async (id: string): Promise<string[]> => {
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${id}&pageSize=100`)
    return json.data.map((transfer: { booking: string }) => transfer.booking).reverse()
  }
  // A notification is asynchronous: it arrives a moment after its time.
  const ends = (id: string, status: string) =>
    eventually(
      async () => {
        await world.work()
        return read(id)
      },
      (payin) => payin.status === status,
    )

  for (const [rail, payinOf] of Object.entries(RAILS)) {
    it(`${rail}: 1000000001 is confirmed, booked once, and settled a day later`, async () => {
      const payin = await create(payinOf(withDocument('1000000001')))
      await world.passTime(1_000)
      const confirmed = await ends(payin.id, 'CONFIRMED')
      assert.equal(confirmed.confirmedAmountInCents, payin.amountInCents)
      assert.equal(confirmed.confirmedAmount, payin.amount)
      assert.equal(confirmed.settlementStatus, 'PENDING_SETTLEMENT')
      assert.equal(confirmed.errorCode, null)
      assert.ok(confirmed.resultAt)
      assert.deepEqual(await bookingsOf(payin.id), ['payin confirmed'])
      await world.passTime(SETTLEMENT_MS)
      const settled = await read(payin.id)
      assert.deepEqual([settled.settlementStatus, settled.resultAt], ['SETTLED', confirmed.resultAt])
      assert.deepEqual(await bookingsOf(payin.id), ['payin confirmed', 'payin settled'])
    })

    it(`${rail}: 1000000003 is declined with a reason and books nothing`, async () => {
      const payin = await create(payinOf(withDocument('1000000003')))
      await world.passTime(1_000)
      const declined = await ends(payin.id, 'DECLINED')
      assert.ok(declined.errorCode)
      assert.equal(declined.confirmedAmountInCents, null)
      assert.deepEqual(await bookingsOf(payin.id), [])
    })

    it(`${rail}: 1000000005 is canceled by the payer`, async () => {
      const payin = await create(payinOf(withDocument('1000000005')))
      await world.passTime(1_000)
      assert.equal((await ends(payin.id, 'CANCELED')).errorCode, 'CANCELED_BY_PAYER')
    })

    it(`${rail}: 1000000007 stays open until simulated`, async () => {
      const payin = await create(payinOf(withDocument('1000000007')))
      await world.passTime(60_000)
      assert.equal((await read(payin.id)).status, 'PROCESSING')
      assert.equal((await simulate(payin.id, { outcome: 'confirmed' })).status, 200)
      await ends(payin.id, 'CONFIRMED')
    })

    it(`${rail}: 1000000011 is notified three times and booked once`, async () => {
      const payin = await create(payinOf(withDocument('1000000011')))
      await world.passTime(60_000)
      await ends(payin.id, 'CONFIRMED')
      const noticed = () =>
        world.db.query<{ state: string }>({
          text: 'select state from rail_notices where organization_id = $1 and subject_id = $2',
          values: [world.organization.organizationId, payin.id],
        })
      await eventually(noticed, ({ rows }) => rows.length > 0 && rows.every((row) => row.state === 'DONE'))
      assert.deepEqual(await bookingsOf(payin.id), ['payin confirmed'])
    })

    it(`${rail}: 1000000015 sends no notice, and a later query finds it confirmed`, async () => {
      const payin = await create(payinOf(withDocument('1000000015')))
      await world.passTime(5_000)
      assert.equal((await read(payin.id)).status, 'PROCESSING')
      await world.passTime(8 * 60_000)
      await ends(payin.id, 'CONFIRMED')
      assert.deepEqual(await bookingsOf(payin.id), ['payin confirmed'])
    })

    it(`${rail}: 1000000017 is confirmed and charged back later, and the books are reversed`, async () => {
      const payin = await create(payinOf(withDocument('1000000017')))
      await world.passTime(1_000)
      await ends(payin.id, 'CONFIRMED')
      await world.passTime(60 * 60_000)
      const reversed = await eventually(
        async () => {
          await world.work()
          return read(payin.id)
        },
        (seen) => seen.settlementStatus === 'REVERSED',
      )
      assert.equal(reversed.status, 'CONFIRMED')
      assert.ok(Date.parse(reversed.chargebackAt) >= Date.parse(reversed.resultAt) + 60 * 60_000)
      assert.deepEqual(await bookingsOf(payin.id), [
        'payin confirmed',
        'payin charged back before settlement',
      ])
    })

    it(`${rail}: money that arrives after the end changes no status and goes to suspense`, async () => {
      const payin = await create(payinOf(withDocument('1000000007')))
      await world.passTime(15 * 60_000)
      const expired = await ends(payin.id, 'CANCELED')
      assert.equal(expired.errorCode, 'EXPIRED')
      assert.equal((await simulate(payin.id, { outcome: 'confirmed' })).status, 200)
      const [item] = await eventually(
        async () => {
          await world.work()
          return (await listSuspense(world.db, false)).filter((each) => each.payinId === payin.id)
        },
        (items) => items.length === 1,
      )
      assert.equal(item?.reason, 'LATE')
      assert.equal(item?.amountInCents, BigInt(payin.amountInCents))
      assert.deepEqual(await read(payin.id), expired)
    })

    it(`${rail}: a payin the merchant canceled refuses every later notification`, async () => {
      const payin = await create(payinOf(withDocument('1000000007')))
      await world.work()
      const { json: canceled } = await world.client('POST', `/payins/${payin.id}/cancel`)
      await simulate(payin.id, { outcome: 'declined' })
      await simulate(payin.id, { outcome: 'confirmed' })
      await world.passTime(60_000)
      assert.deepEqual(await read(payin.id), canceled)
      const again = await world.client('POST', `/payins/${payin.id}/cancel`)
      assert.equal(again.json.detail, 'The payin is CANCELED and stays so.')
      const { reference } = payin
      const twin = await world.client(
        'POST',
        '/payins',
        payinOf({ ...withDocument('1000000007'), reference }),
      )
      assert.deepEqual([twin.json.errors[0].path, twin.json.errors[0].payinId], ['/reference', payin.id])
    })
  }

  it('BRE_B: 1000000013 pays another amount, which is declined, and the money waits in suspense', async () => {
    const payin = await create(brebPayin(withDocument('1000000013')))
    await world.passTime(1_000)
    const declined = await ends(payin.id, 'DECLINED')
    assert.equal(declined.errorCode, 'AMOUNT_MISMATCH')
    const items = (await listSuspense(world.db, false)).filter((each) => each.payinId === payin.id)
    assert.equal(items.length, 1)
    assert.equal(items[0]?.reason, 'AMOUNT_MISMATCH')
    assert.notEqual(items[0]?.amountInCents, BigInt(payin.amountInCents))
  })

  it('BRE_B: for an organization that accepts other amounts it is confirmed with the amount paid', async () => {
    await world.client('PATCH', '/organization', { onAmountMismatch: 'accept' })
    const payin = await create(brebPayin(withDocument('1000000007')))
    await world.work()
    await simulate(payin.id, { outcome: 'confirmed', amountInCents: 123_400 })
    const confirmed = await ends(payin.id, 'CONFIRMED')
    assert.deepEqual([confirmed.confirmedAmountInCents, confirmed.confirmedAmount], [123_400, 1_234])
    assert.equal(confirmed.amountInCents, payin.amountInCents)
    await world.client('PATCH', '/organization', { onAmountMismatch: 'decline' })
  })

  const suspenseOf = (payinId: string, count: number) =>
    eventually(
      async () => {
        await world.work()
        return (await listSuspense(world.db, true)).filter((each) => each.payinId === payinId)
      },
      (items) => items.length === count,
    )
  const lateMoney = async (): Promise<LateMoney> => {
    const payin = await create(brebPayin(withDocument('1000000007')))
    await world.work()
    await world.client('POST', `/payins/${payin.id}/cancel`)
    await simulate(payin.id, { outcome: 'confirmed' })
    const [item] = await suspenseOf(payin.id, 1)
    return item as LateMoney
  }

  it('an operator returns money in suspense once, or assigns it to the merchant it was meant for', async () => {
    const back = await lateMoney()
    const returned = await returnSuspense(world.ctx, back.suspenseId)
    assert.ok('item' in returned && returned.item.state === 'RETURNED')
    assert.ok('problem' in (await returnSuspense(world.ctx, back.suspenseId)))
    assert.deepEqual(await bookingsOf(back.suspenseId), ['money in suspense', 'suspense returned'])
    assert.equal(world.sandbox.log().filter((entry) => entry.movement === 'return').length, 1)

    const kept = await lateMoney()
    const before = (await world.client('GET', '/balance')).json
    const attached = await attachSuspense(world.ctx, kept.suspenseId, kept.payinId)
    assert.ok('item' in attached && attached.item.state === 'ATTACHED')
    const after = (await world.client('GET', '/balance')).json
    assert.equal(BigInt(after.availableInCents - before.availableInCents), kept.amountInCents)
    assert.ok('problem' in (await attachSuspense(world.ctx, kept.suspenseId, kept.payinId)))
  })

  it('money in suspense that is charged back leaves the ledger, or leaves the merchant if it was assigned', async () => {
    const chargeBack = async (item: LateMoney): Promise<void> => {
      assert.equal((await simulate(item.payinId, { outcome: 'chargeback' })).status, 200)
      await eventually(
        async () => {
          const [now] = await suspenseOf(item.payinId, 1)
          return now?.state
        },
        (state) => state === 'CHARGED_BACK',
      )
    }
    const waiting = await lateMoney()
    const before = (await world.client('GET', '/balance')).json
    await chargeBack(waiting)
    assert.deepEqual(await bookingsOf(waiting.suspenseId), ['money in suspense', 'suspense charged back'])
    assert.equal((await world.client('GET', '/balance')).json.availableInCents, before.availableInCents)
    assert.ok('problem' in (await returnSuspense(world.ctx, waiting.suspenseId)))

    const given = await lateMoney()
    await attachSuspense(world.ctx, given.suspenseId, given.payinId)
    await chargeBack(given)
    assert.deepEqual(await bookingsOf(given.suspenseId), [
      'money in suspense',
      'suspense attached',
      'suspense charged back after attaching',
    ])
    assert.equal((await world.client('GET', '/balance')).json.availableInCents, before.availableInCents)
  })

  it('BRE_B: a second payment goes to suspense, and one whose notice was lost is found before settlement', async () => {
    const control = (plan: unknown) =>
      fetch(`http://127.0.0.1:${world.config.sandbox?.port}/control/faults`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${world.config.breb.clientSecret}` },
        body: JSON.stringify({ plan }),
      })
    const pay = (fields: Record<string, string>) =>
      fetch(world.sandbox.appUrl, { method: 'POST', body: new URLSearchParams(fields) })

    const notified = await create(brebPayin(withDocument('1000000007')))
    await world.work()
    await pay({ llave: notified.sourceData.keyString, act: 'pay-twice' })
    await ends(notified.id, 'CONFIRMED')
    assert.equal((await suspenseOf(notified.id, 1))[0]?.reason, 'SECOND_PAYMENT')

    const unnotified = await create(brebPayin(withDocument('1000000007')))
    await world.work()
    await pay({ llave: unnotified.sourceData.keyString, act: 'pay' })
    await ends(unnotified.id, 'CONFIRMED')
    assert.equal((await control({ noticeLost: 1 })).status, 200)
    await pay({ llave: unnotified.sourceData.keyString, act: 'pay-anyway', seen: '1' })
    assert.equal((await control('none')).status, 200)
    await world.passTime(60_000)
    await suspenseOf(unnotified.id, 0)
    await world.passTime(SETTLEMENT_MS)
    const [item] = await suspenseOf(unnotified.id, 1)
    assert.equal(item?.reason, 'SECOND_PAYMENT')
    assert.ok(
      (item?.createdAt ?? 0) > Date.parse(unnotified.createdAt) + SETTLEMENT_MS / 2,
      'found when it was found',
    )
    assert.equal((await read(unnotified.id)).settlementStatus, 'SETTLED')
  })

  it('a notice that arrives before our own commit waits for it', async () => {
    const organizationId = world.organization.organizationId
    const payinId = world.ctx.ids.next()
    await world.ctx.batched.insertNotice({
      organizationId,
      rail: 'BRE_B',
      noticeId: 'early-bird',
      subjectKind: 'payin',
      subjectId: payinId,
      update: { kind: 'payin.paid', amountInCents: 5_000_000n, paymentId: 'early-payment' },
      networkCode: '',
      occurredAt: world.ctx.clock.now(),
      receivedAt: world.ctx.clock.now(),
    })
    await world.work()
    const { newPayin } = await import('../../../src/core/payins/payin.ts')
    const payin = newPayin(world.organization, payinId, {
      amountInCents: 5_000_000n,
      reference: `early-${payinId}`,
      customer: null,
      callbackUrl: null,
      way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
    })
    await world.ctx.batched.insertPayin({ payin, record: null })
    await world.passTime(2_000)
    await ends(payinId, 'CONFIRMED')
    assert.deepEqual(await bookingsOf(payinId), ['payin confirmed'])
  })

  it('raises no alarm in any of these', async () => {
    assert.deepEqual(await listOpenAlarms(world.db), [])
  })
})
