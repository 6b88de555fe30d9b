// Refunds: each way, each bad input, and what happens when money, answers or chargebacks come in another order.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { unknown } from '../../../src/rails/rail.ts'
import { listOpenAlarms, resolveAlarm } from '../../../src/store/ledger/alarms.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { AMOUNT, refunding } from './refunding.ts'

describe('a refund', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())
  const {
    ask,
    asked,
    balance,
    bookingsOf,
    chargeBack,
    confirmed,
    ends,
    eventsOf,
    leftOf,
    payin,
    proven,
    reaches,
    refund,
    settle,
    worked,
  } = refunding(() => world)
  afterEach(() => proven())

  for (const rail of ['BRE_B', 'PSE'] as const) {
    it(`over ${rail} goes back the way the money came, once, and the payin shows it`, async () => {
      const id = await confirmed({}, rail)
      const before = await balance()
      const made = await asked(id, { amountInCents: 2_000_000 })
      assert.equal(made.way, 'RAIL')
      assert.equal(made.status, 'PROCESSING')
      const done = await ends(made.id, 'CONFIRMED')
      assert.equal(done.stage, 'DONE')
      assert.ok(done.resultAt)
      assert.deepEqual(leftOf('return', made.id), [2_000_000])
      assert.deepEqual(await bookingsOf(made.id), ['refund reserved', 'refund given back'])
      const shown = await payin(id)
      assert.equal(shown.refundedAmountInCents, 2_000_000)
      assert.equal(shown.status, 'CONFIRMED')
      const left = await balance()
      assert.equal(left.availableInCents, before.availableInCents - 2_000_000)
      assert.equal(left.reservedInCents, before.reservedInCents)
      assert.deepEqual(await eventsOf(made.id), ['refund.confirmed', 'refund.created'])
    })
  }

  it('without an amount gives back all that is left', async () => {
    const id = await confirmed()
    await asked(id, { amountInCents: 1_500_000 })
    const rest = await asked(id)
    assert.equal(rest.amountInCents, AMOUNT - 1_500_000)
    await ends(rest.id, 'CONFIRMED')
    assert.equal((await payin(id)).refundedAmountInCents, AMOUNT)
  })

  it('after settlement is the same', async () => {
    const id = await confirmed()
    await settle(id)
    const made = await asked(id)
    await ends(made.id, 'CONFIRMED')
    assert.equal((await payin(id)).settlementStatus, 'SETTLED')
  })

  it('of more than is left, of nothing, or of less than nothing is refused, and nothing is written', async () => {
    const id = await confirmed()
    await asked(id, { amountInCents: 3_000_000 })
    const above = await ask(id, { amountInCents: 2_000_001 })
    assert.equal(above.status, 422)
    assert.equal(above.json.code, 'REFUND_ABOVE_REMAINING')
    assert.match(above.json.detail, /20000\.00/)
    for (const amountInCents of [0, -1, 1.5, '7']) {
      const wrong = await ask(id, { amountInCents })
      assert.equal(wrong.status, 400, wrong.text)
      assert.equal(wrong.json.errors[0].path, '/amountInCents')
    }
    assert.equal((await ask(id, { amountInCents: 2_000_000 })).status, 201)
    const none = await ask(id)
    assert.equal(none.json.code, 'REFUND_ABOVE_REMAINING')
    assert.equal((await world.client('GET', `/refunds?payinId=${id}`)).json.data.length, 2)
  })

  it('needs a reason of the list', async () => {
    const id = await confirmed()
    for (const reason of [undefined, 'BECAUSE', 7]) {
      const answer = await ask(id, { reason })
      assert.equal(answer.status, 400)
      assert.equal(answer.json.errors[0].path, '/reason')
    }
  })

  it('of a payin that is not confirmed is refused', async () => {
    const open = (await world.client('POST', '/payins', brebPayin())).json.id
    assert.equal((await ask(open)).json.code, 'PAYIN_NOT_REFUNDABLE')
    await world.client('POST', `/payins/${open}/cancel`)
    assert.equal((await ask(open)).status, 409)
    assert.equal((await ask('nonsense')).status, 404)
  })

  it('of another organization’s payin does not exist', async () => {
    const id = await confirmed()
    const other = await world.newMerchant()
    const answer = await other.client('POST', `/payins/${id}/refunds`, { reason: 'OTHER' })
    assert.equal(answer.status, 404)
    const made = await asked(id, { way: 'CLAIM' })
    assert.equal((await other.client('GET', `/refunds/${made.id}`)).status, 404)
    assert.equal((await other.client('POST', `/refunds/${made.id}/cancel`)).status, 404)
    assert.deepEqual((await other.client('GET', '/refunds')).json.data, [])
  })

  it('asked for twice under one Idempotency-Key is one refund', async () => {
    const id = await confirmed()
    const headers = { 'idempotency-key': `refund-${id}` }
    const [first, second] = await Promise.all([
      ask(id, { amountInCents: 1_000_000 }, headers),
      ask(id, { amountInCents: 1_000_000 }, headers),
    ])
    const again = await ask(id, { amountInCents: 1_000_000 }, headers)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    for (const answer of [first, second].filter(({ status }) => status === 201))
      assert.equal(answer.text, again.text)
    assert.equal((await world.client('GET', `/refunds?payinId=${id}`)).json.data.length, 1)
    await ends(again.json.id, 'CONFIRMED')
  })

  it('two at once never give back more than arrived', async () => {
    const id = await confirmed()
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(id, { amountInCents: 2_000_000 })))
    assert.equal(answers.filter(({ status }) => status === 201).length, 2)
    for (const answer of answers.filter(({ status }) => status !== 201))
      assert.equal(answer.json.code, 'REFUND_ABOVE_REMAINING')
    for (const answer of answers.filter(({ status }) => status === 201))
      await ends(answer.json.id, 'CONFIRMED')
    assert.equal((await payin(id)).refundedAmountInCents, 4_000_000)
  })

  it('is canceled while nothing was sent, and what it held can be given back again', async () => {
    const id = await confirmed()
    const made = await asked(id, { way: 'CLAIM' })
    assert.equal((await ask(id)).json.code, 'REFUND_ABOVE_REMAINING')
    assert.equal((await payin(id)).refundedAmountInCents, 0, 'it has given nothing back yet')
    const canceled = await world.client('POST', `/refunds/${made.id}/cancel`)
    assert.equal(canceled.status, 200)
    assert.equal(canceled.json.status, 'CANCELED')
    assert.equal(canceled.json.errorCode, 'CANCELED_BY_MERCHANT')
    const next = await asked(id)
    await ends(next.id, 'CONFIRMED')
    const late = await world.client('POST', `/refunds/${next.id}/cancel`)
    assert.equal(late.status, 409)
    assert.equal(late.json.code, 'REFUND_NOT_CANCELABLE')
    assert.match(late.json.detail, /is CONFIRMED/)
    assert.equal((await refund(made.id)).status, 'CANCELED')
    assert.deepEqual(await eventsOf(made.id), ['refund.canceled', 'refund.created'])
  })

  it('shows by when the law wants the money back, as an estimate', async () => {
    const id = await confirmed()
    const reversal = await asked(id, { amountInCents: 1, reason: 'DEFECTIVE' })
    assert.equal(reversal.legalDeadline.rule, 'REVERSAL')
    assert.equal(reversal.legalDeadline.isEstimate, true)
    const withdrawal = await asked(id, { amountInCents: 1, reason: 'WITHDRAWAL' })
    const days = (Date.parse(withdrawal.legalDeadline.day) - Date.parse(withdrawal.createdAt)) / 86_400_000
    assert.ok(days > 28 && days < 31)
    assert.equal((await asked(id, { amountInCents: 1, reason: 'OTHER' })).legalDeadline, null)
  })

  it('to a key of the payer’s own is a payout to it, linked both ways', async () => {
    const document = { ...CUSTOMER, idNumber: '1020304050' }
    const id = await confirmed({ inlineCustomer: document })
    const made = await asked(id, { breb: { keyString: '1020304050' } })
    assert.equal(made.way, 'KEY')
    assert.equal(made.claim.match, 'SAME')
    assert.equal(made.stage, 'READY')
    const done = await ends(made.id, 'CONFIRMED')
    const paid = (await world.client('GET', `/payouts/${done.payoutId}`)).json
    assert.equal(paid.refundId, made.id)
    assert.equal(paid.status, 'CONFIRMED')
    assert.equal(paid.amountInCents, AMOUNT)
    assert.deepEqual(leftOf('payout', done.payoutId), [AMOUNT])
    assert.deepEqual(leftOf('return', made.id), [])
    assert.equal((await payin(id)).refundedAmountInCents, AMOUNT)
    // In the books it is a refund, and no payout of the merchant's own.
    assert.deepEqual(await bookingsOf(done.payoutId), ['payout reserved', 'refund paid'])
    const { rows } = await world.db.query({
      text: 'select customer, key_string, key_string_sent from payouts where payout_id = $1',
      values: [done.payoutId],
    })
    assert.equal(rows.length, 1)
    const stored = JSON.stringify(rows)
    for (const text of ['1020304050', CUSTOMER.name]) assert.ok(!stored.includes(text), 'it is sealed')
  })

  it('that is held back since a restore stays so, whatever becomes of its payout', async () => {
    const document = { ...CUSTOMER, idNumber: '1020304050' }
    const id = await confirmed({ inlineCustomer: document })
    const made = await asked(id, { breb: { keyString: '1020304050' } })
    const { payoutId } = await worked(
      () => refund(made.id),
      (one) => one.payoutId !== null,
    )
    const setDue = (dueAt: string) =>
      world.db.query({
        text: 'update refunds set due_at = $2 where refund_id = $1',
        values: [made.id, dueAt],
      })
    await setDue('infinity')
    await ends(
      payoutId,
      'CONFIRMED',
      async (payout) => (await world.client('GET', `/payouts/${payout}`)).json,
    )
    const { rows } = await world.db.query({
      text: `select status, due_at = 'infinity' as is_held from refunds where refund_id = $1`,
      values: [made.id],
    })
    assert.deepEqual(rows, [{ status: 'PROCESSING', is_held: true }])
    await setDue('now')
    await ends(made.id, 'CONFIRMED')
  })

  it('to somebody else’s key waits for a person, and sends nothing', async () => {
    const id = await confirmed()
    const made = await asked(id, { way: 'KEY', breb: { keyString: '@OTRAPERSONA' } })
    assert.equal(made.claim.match, 'OTHER')
    assert.equal(made.stage, 'AWAITING_APPROVAL')
    await world.passTime(60_000)
    assert.equal((await refund(made.id)).payoutId, null)
    await world.client('POST', `/refunds/${made.id}/cancel`)
  })

  it('to a key that is wrong, missing or suspended is refused', async () => {
    const id = await confirmed()
    const codeOf = async (keyString: string) => (await ask(id, { breb: { keyString } })).json.code
    assert.equal(await codeOf('@x'), 'KEY_INVALID')
    assert.equal(await codeOf('@NOEXISTE1'), 'KEY_NOT_FOUND')
    assert.equal(await codeOf('@SUSPENDIDA1'), 'KEY_SUSPENDED')
    assert.equal((await ask(id, { way: 'KEY' })).json.errors[0].path, '/breb')
    assert.equal((await ask(id, { way: 'RAIL', breb: { keyString: '@ANAGOMEZ' } })).status, 400)
  })

  it('above what one Bre-B payout carries is refused by payout, and goes back over its rail', async () => {
    const large = 1_300_000_000
    const id = await confirmed({ amountInCents: large }, 'PSE')
    const refused = await ask(id, { way: 'CLAIM' })
    assert.equal(refused.status, 400)
    assert.equal(refused.json.code, 'AMOUNT_ABOVE_MAXIMUM')
    assert.match(refused.json.errors[0].message, /several refunds/)
    const [cap] = /\d+/.exec(refused.json.errors[0].message) ?? []
    assert.equal((await ask(id, { way: 'CLAIM', amountInCents: Number(cap) + 1 })).status, 400)
    const most = await asked(id, { way: 'CLAIM', amountInCents: Number(cap) })
    await world.client('POST', `/refunds/${most.id}/cancel`)
    const made = await asked(id)
    await ends(made.id, 'CONFIRMED')
    assert.deepEqual(leftOf('return', made.id), [large])
  })

  it('that the rail refuses is declined, and the money is available again', async () => {
    const id = await confirmed()
    const before = await balance()
    await withReturn(async () => ({ outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'B106' }))
    const made = await asked(id)
    const declined = await ends(made.id, 'DECLINED')
    assert.equal(declined.errorCode, 'RAIL_ERROR')
    assert.deepEqual(await bookingsOf(made.id), ['refund reserved', 'refund released'])
    assert.deepEqual(await balance(), before)
    restore()
    assert.equal((await ask(id)).status, 201)
  })

  it('without an answer stays reserved, cannot be canceled, and is asked about under the same reference', async () => {
    const id = await confirmed()
    const references: string[] = []
    const really = world.ctx.networks.payins.BRE_B.returnPayment
    // The money leaves, and the answer is lost, three times.
    await withReturn(async (reference, paymentId, amountInCents) => {
      references.push(reference)
      const answer = await really?.(reference, paymentId, amountInCents)
      return references.length <= 3 || answer === undefined ? unknown('timeout', 'silent') : answer
    })
    const before = await balance()
    const made = await asked(id, { amountInCents: 1_000_000 })
    await reaches(made.id, 'SENDING')
    assert.equal((await balance()).reservedInCents, before.reservedInCents + 1_000_000)
    const late = await world.client('POST', `/refunds/${made.id}/cancel`)
    assert.equal(late.status, 409)
    assert.match(late.json.detail, /is with the network already/)
    // What is left to take is not known, so a chargeback waits.
    await chargeBack(id, BigInt(AMOUNT))
    assert.equal((await payin(id)).chargebackAt, null)
    await ends(made.id, 'CONFIRMED')
    assert.ok(references.length > 3)
    assert.equal(new Set(references).size, 1)
    assert.deepEqual(leftOf('return', made.id), [1_000_000])
    restore()
    await world.passTime(120_000)
    // The rail gave a part back, so only the rest can have been taken.
    assert.equal((await payin(id)).chargebackAmountInCents, AMOUNT - 1_000_000)
  })

  it('without an answer for a day raises an alarm, again a day after that was resolved, and is asked about on', async () => {
    const id = await confirmed()
    await withReturn(async () => unknown('timeout', 'silent'))
    const made = await asked(id)
    await reaches(made.id, 'SENDING')
    const alarms = async () =>
      (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === made.id)
    for (let hours = 0; hours < 30; hours += 3) await world.passTime(3 * 3_600_000)
    assert.deepEqual(
      (await alarms()).map(({ kind }) => kind),
      ['refund-unresolved'],
    )
    await resolveAlarm(world.db, (await alarms())[0]?.alarmId as string, world.ctx.clock.now())
    for (let hours = 0; hours < 18; hours += 6) await world.passTime(6 * 3_600_000)
    assert.deepEqual(await alarms(), [], 'a person has looked at it')
    for (let hours = 0; hours < 12; hours += 6) await world.passTime(6 * 3_600_000)
    assert.equal((await alarms()).length, 1, 'it is still so a day after a person looked at it')
    restore()
    for (let hours = 0; hours < 30; hours += 6) await world.passTime(6 * 3_600_000)
    await ends(made.id, 'CONFIRMED')
  })

  it('without an answer is told of as soon as the day is over, however seldom it is asked about by then', async () => {
    const id = await confirmed()
    await withReturn(async () => unknown('timeout', 'silent'))
    const made = await asked(id)
    const { updatedAt } = await reaches(made.id, 'SENDING')
    const nextLook = async () => {
      const { rows } = await world.db.query<{ due_at: number }>({
        text: 'select due_at from refunds where refund_id = $1',
        values: [made.id],
      })
      return rows[0]?.due_at as number
    }
    const dayIsOver = Date.parse(updatedAt) + 24 * 3_600_000
    for (let at = await nextLook(); at < dayIsOver; at = await nextLook())
      await world.passTime(Math.max(1, at - world.ctx.clock.now()))
    await world.passTime(dayIsOver - world.ctx.clock.now())
    const alarms = (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === made.id)
    assert.deepEqual(
      alarms.map(({ kind }) => kind),
      ['refund-unresolved'],
    )
    restore()
    await world.passTime(24 * 3_600_000)
    await ends(made.id, 'CONFIRMED')
  })

  it('over its rail, and then a chargeback of all: only what the rail had not given back is booked', async () => {
    const id = await confirmed()
    const made = await asked(id, { amountInCents: 2_000_000 })
    await ends(made.id, 'CONFIRMED')
    await chargeBack(id, BigInt(AMOUNT))
    const charged = await payin(id)
    assert.equal(charged.chargebackAmountInCents, AMOUNT - 2_000_000)
    assert.notEqual(charged.settlementStatus, 'REVERSED')
    assert.equal((await ask(id)).json.code, 'REFUND_ABOVE_REMAINING')
    await settle(id)
    assert.equal((await alarmsOf(id)).length, 1)
  })

  it('of all over its rail, and then a chargeback: nothing is booked, and a person is told', async () => {
    const id = await confirmed()
    await ends((await asked(id)).id, 'CONFIRMED')
    await chargeBack(id, BigInt(AMOUNT))
    assert.equal((await payin(id)).chargebackAt, null)
    assert.match((await alarmsOf(id))[0] ?? '', /nothing is left/)
  })

  it('by payout, and then a chargeback: both have left, and a person is told', async () => {
    const id = await confirmed({ inlineCustomer: { ...CUSTOMER, idNumber: '1020304050' } })
    await ends((await asked(id, { breb: { keyString: '1020304050' } })).id, 'CONFIRMED')
    await chargeBack(id, BigInt(AMOUNT))
    assert.equal((await payin(id)).chargebackAmountInCents, AMOUNT)
    assert.match((await alarmsOf(id))[0] ?? '', /refunded by payout/)
  })

  it('that nobody has claimed is canceled when its payin is charged back', async () => {
    const id = await confirmed()
    const made = await asked(id, { way: 'CLAIM' })
    await chargeBack(id, BigInt(AMOUNT))
    const canceled = await ends(made.id, 'CANCELED')
    assert.equal(canceled.errorCode, 'CHARGED_BACK')
  })

  const alarmsOf = async (id: string): Promise<string[]> =>
    (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === id).map(({ detail }) => detail)

  type Return = NonNullable<(typeof world.ctx.networks.payins.BRE_B)['returnPayment']>
  let original: Return | undefined
  const withReturn = async (returnPayment: Return) => {
    const rail = world.ctx.networks.payins.BRE_B as { returnPayment: Return | null }
    original ??= rail.returnPayment ?? undefined
    rail.returnPayment = returnPayment
  }
  const restore = () => {
    const rail = world.ctx.networks.payins.BRE_B as { returnPayment: Return | null }
    rail.returnPayment = original ?? rail.returnPayment
  }

  it('are listed by status and reason, each alone and both together', async () => {
    const merchant = await world.newMerchant()
    const payin = (await merchant.client('POST', '/payins', brebPayin())).json
    await world.passTime(2_000)
    const made = async (reason: string) => {
      const body = { reason, amountInCents: 1_000, way: 'CLAIM' }
      const { json, text } = await merchant.client('POST', `/payins/${payin.id}/refunds`, body)
      assert.ok(json.id, text)
      return json.id as string
    }
    const [open, canceled, other] = [
      await made('NOT_RECEIVED'),
      await made('NOT_RECEIVED'),
      await made('OTHER'),
    ]
    await merchant.client('POST', `/refunds/${canceled}/cancel`)
    const listed = async (query: string) =>
      (await merchant.client('GET', `/refunds?${query}`)).json.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(await listed('reason=NOT_RECEIVED'), [canceled, open])
    assert.deepEqual(await listed('status=PROCESSING'), [other, open])
    assert.deepEqual(await listed('status=CANCELED&reason=NOT_RECEIVED'), [canceled])
    assert.deepEqual(await listed('status=PROCESSING&reason=NOT_RECEIVED'), [open])
    assert.deepEqual(await listed('status=CANCELED&reason=OTHER'), [])
    assert.deepEqual(await listed(`payinId=${payin.id}&status=CANCELED`), [canceled])
  })
})
