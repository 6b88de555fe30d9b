// Networks that leave us in doubt: they do not answer, contradict themselves, or report more than we asked for. Their own
// notices are all lost here, and some of their answers are as the test says; everything else is real.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { railReference } from '../../src/core/connections/reference.ts'
import type { PaymentLink } from '../../src/core/payment-links/payment-link.ts'
import { receiveNotice } from '../../src/flows/connections/receive-notice.ts'
import type { Context } from '../../src/flows/context.ts'
import { attachSuspense, returnSuspense } from '../../src/flows/ledger/clear-suspense.ts'
import { startAttempt } from '../../src/flows/payment-links/start-attempt.ts'
import { type Directory, type PayinRail, type PayoutRail, unknown } from '../../src/rails/rail.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { listOpenAlarms } from '../../src/store/ledger/alarms.ts'
import { listSuspense, type SuspenseItem } from '../../src/store/ledger/suspense.ts'
import { verifyLedger } from '../../src/store/ledger/verify.ts'
import { getLink } from '../../src/store/payment-links/payment-links.ts'
import { runAllDue } from '../../src/workers/start.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../world.ts'

const OPEN = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
const NO_ANSWER = unknown('timeout', 'the test says so')
// Longer than a lease, and than any wait between two queries.
const LATER_MS = 3 * 60_000

type Scripted = { payouts?: Partial<PayoutRail>; breb?: Partial<PayinRail>; directory?: Directory }

describe('a network in doubt', () => {
  let world: World
  const failures: string[] = []
  const log = pino({ level: 'error', base: null }, { write: (line: string) => failures.push(line) })
  before(async () => {
    world = await createWorld({ sandbox: { faults: { ...NO_FAULTS, noticeLost: 1 } } })
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    assert.deepEqual(failures, [])
  })

  const networksThat = ({ payouts, breb, directory }: Scripted): Context => {
    const { networks } = world.ctx
    return {
      ...world.ctx,
      networks: {
        ...networks,
        payouts: { ...networks.payouts, ...payouts },
        payins: { ...networks.payins, BRE_B: { ...networks.payins.BRE_B, ...breb } },
        ...(directory && { directory }),
      },
    }
  }
  const work = (scripted: Scripted) => runAllDue(networksThat(scripted), log)
  // Records every call, and answers each kind as given.
  const recorder = (answers: PayoutRail): { calls: string[]; payouts: PayoutRail } => {
    const calls: string[] = []
    return {
      calls,
      payouts: {
        submit: (order) => {
          calls.push('submit')
          return answers.submit(order)
        },
        query: (reference) => {
          calls.push('query')
          return answers.query(reference)
        },
      },
    }
  }
  const newPayout = async (): Promise<string> => {
    const { json, text } = await world.client('POST', '/payouts', {
      amountInCents: 1_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: randomUUID(),
      breb: { keyString: '@ANAGOMEZ' },
      ...OPEN,
    })
    assert.ok(json.id, text)
    return json.id
  }
  const payout = async (id: string) => (await world.client('GET', `/payouts/${id}`)).json
  const payin = async (id: string) => (await world.client('GET', `/payins/${id}`)).json
  // The payer pays at the network.
  const confirm = async (id: string) => {
    const { status, text } = await world.client('POST', `/sandbox/payins/${id}/simulate`, {
      outcome: 'confirmed',
    })
    assert.equal(status, 200, text)
  }
  const reservedInCents = async () => (await world.client('GET', '/balance')).json.reservedInCents
  const notice = (
    reference: string,
    update: Parameters<typeof receiveNotice>[1]['update'],
    noticeId: string = randomUUID(),
  ) =>
    receiveNotice(world.ctx, {
      rail: 'BRE_B',
      noticeId,
      reference,
      update,
      networkCode: 'X',
      occurredAt: world.ctx.clock.now(),
    })
  const referenceOf = (kind: 'payin' | 'payout', id: string) =>
    railReference(kind, world.organization.organizationId, id)
  const suspended = async (payinId: string): Promise<SuspenseItem[]> =>
    (await listSuspense(world.db, true)).filter((item) => item.payinId === payinId)
  // Half of a payin's money arrived, and waits in suspense.
  const newSuspense = async (): Promise<SuspenseItem & { payinId: string }> => {
    const { json } = await world.client('POST', '/payins', brebPayin(OPEN))
    await world.work()
    const update = { kind: 'payin.paid', amountInCents: 2_500_000n, paymentId: randomUUID() } as const
    await notice(referenceOf('payin', json.id), update)
    await world.work()
    const [item] = await suspended(json.id)
    assert.equal(item?.state, 'OPEN')
    return { ...(item as SuspenseItem), payinId: json.id }
  }

  it('is asked what became of a payout before the payout is submitted again', async () => {
    const id = await newPayout()
    await work({ payouts: { submit: async () => NO_ANSWER } })
    const { calls, payouts } = recorder({
      query: async () => ({ outcome: 'accepted', value: { state: 'completed', traceId: 'T1' } }),
      submit: async () => assert.fail('it was sent twice'),
    })
    world.advance(LATER_MS)
    await work({ payouts })
    assert.deepEqual(calls, ['query'])
    assert.equal((await payout(id)).status, 'CONFIRMED')
  })

  it('gets a payout again that it has no record of, though the key is gone: only it can reject now', async () => {
    const id = await newPayout()
    await work({ payouts: { submit: async () => NO_ANSWER } })
    const { calls, payouts } = recorder({
      query: async () => ({ outcome: 'accepted', value: { state: 'absent' } }),
      submit: async () => ({ outcome: 'accepted', value: { state: 'processing' } }),
    })
    const directory: Directory = {
      lookUp: async () => ({ outcome: 'rejected', reason: 'KEY_NOT_FOUND', networkCode: 'X' }),
    }
    world.advance(LATER_MS)
    await work({ payouts, directory })
    assert.deepEqual(calls, ['query', 'submit'])
    assert.equal((await payout(id)).status, 'PROCESSING')
    world.advance(LATER_MS)
    await work({
      payouts: { query: async () => ({ outcome: 'accepted', value: { state: 'completed', traceId: 'T2' } }) },
    })
    assert.equal((await payout(id)).status, 'CONFIRMED')
  })

  it('is called by one worker at a time: while a payout is under way, another leaves it alone', async () => {
    const id = await newPayout()
    const answered = Promise.withResolvers<void>()
    let isSubmitting = false
    const first = work({
      payouts: {
        submit: async () => {
          isSubmitting = true
          await answered.promise
          return { outcome: 'accepted', value: { state: 'completed', traceId: 'T3' } }
        },
      },
    })
    await eventually(async () => isSubmitting, Boolean)
    const { calls, payouts } = recorder({ query: async () => NO_ANSWER, submit: async () => NO_ANSWER })
    world.advance(59_000)
    await work({ payouts })
    assert.deepEqual(calls, [])
    answered.resolve()
    await first
    assert.equal((await payout(id)).status, 'CONFIRMED')
  })

  it('is not believed when it rejects a payout by notice: the money stays reserved until a query says so', async () => {
    const before = await reservedInCents()
    const id = await newPayout()
    const processing = async () => ({ outcome: 'accepted', value: { state: 'processing' } }) as const
    await work({ payouts: { submit: processing } })
    await notice(referenceOf('payout', id), { kind: 'payout.rejected', reason: 'RISK_REJECTED' })
    const { calls, payouts } = recorder({ query: processing, submit: processing })
    await work({ payouts })
    assert.deepEqual(calls, ['query'])
    assert.equal((await payout(id)).status, 'PROCESSING')
    assert.equal(await reservedInCents(), before + 1_000_000)
    world.advance(LATER_MS)
    const rejected = { state: 'rejected', reason: 'RISK_REJECTED', networkCode: 'X' } as const
    await work({ payouts: { query: async () => ({ outcome: 'accepted', value: rejected }) } })
    assert.equal((await payout(id)).status, 'DECLINED')
    assert.equal(await reservedInCents(), before)
  })

  it('reports two payments on one key: the first confirms, the other goes to suspense at once', async () => {
    const { json } = await world.client('POST', '/payins', brebPayin(OPEN))
    await world.work()
    // Two people pay, and no notice of it arrives.
    const fields = { llave: json.sourceData.keyString, act: 'pay-twice' }
    await fetch(world.sandbox.appUrl, { method: 'POST', body: new URLSearchParams(fields) })
    world.advance(LATER_MS)
    await world.work()
    assert.equal((await payin(json.id)).status, 'CONFIRMED')
    assert.deepEqual(
      (await suspended(json.id)).map(({ amountInCents, reason }) => [amountInCents, reason]),
      [[5_000_000n, 'SECOND_PAYMENT']],
    )
  })

  it('decides whether a link was paid in time: while it does not answer, the link does not expire', async () => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: randomUUID(),
      callbackUrl: 'https://shop.example/',
    })
    const read = async () =>
      (await getLink(world.db, world.organization.organizationId, json.paymentLinkId)) as PaymentLink
    const way = { rail: 'BRE_B', keyType: 'SINGLE_USE' } as const
    world.advance(50 * 60_000)
    const customer = OPEN.inlineCustomer
    const attempt = await startAttempt(world.ctx, world.organization, await read(), { customer, way })
    await world.work()
    await confirm(attempt?.payin.payinId ?? '')
    world.advance(10 * 60_000)
    await work({ breb: { query: async () => NO_ANSWER, cancel: async () => NO_ANSWER } })
    assert.equal((await read()).status, 'PENDING')
    world.advance(60_000)
    await world.work()
    assert.equal((await read()).status, 'COMPLETED')
  })

  it('refuses to return money: it is in suspense again, and a person can decide otherwise', async () => {
    const { suspenseId, payinId } = await newSuspense()
    const refusing = networksThat({
      breb: {
        returnPayment: async () => ({ outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'X' }),
      },
    })
    const refused = await returnSuspense(refusing, suspenseId)
    assert.match('problem' in refused ? refused.problem : '', /refused/)
    assert.equal((await suspended(payinId))[0]?.state, 'OPEN')
    const attached = await attachSuspense(world.ctx, suspenseId, payinId)
    assert.equal('item' in attached && attached.item.state, 'ATTACHED')
  })

  const bookingsOf = async (suspenseId: string) => {
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${suspenseId}`)
    return json.data
      .map((one: { booking: string; amountInCents: number }) => [one.booking, one.amountInCents])
      .reverse()
  }
  const chargeBack = async (
    { payinId, paymentId }: { payinId: string; paymentId: string },
    cents: bigint,
    noticeId?: string,
  ) => {
    const update = { kind: 'payin.chargeback', amountInCents: cents, paymentId } as const
    await notice(referenceOf('payin', payinId), update, noticeId)
    await world.work()
  }
  const alarmsOf = async (payinId: string): Promise<string[]> =>
    (await listOpenAlarms(world.db))
      .filter(({ kind, subjectId }) => kind === 'payin-contradiction' && subjectId === payinId)
      .map(({ detail }) => detail)
  const booksHold = async () => assert.deepEqual(await verifyLedger(world.db), [])

  it('charges back a part of what is in suspense: that part leaves the books, and the rest can be returned', async () => {
    const item = await newSuspense()
    const { suspenseId, payinId } = item
    await chargeBack(item, 1_000_000n)
    const [left] = await suspended(payinId)
    assert.deepEqual([left?.state, left?.chargedBackInCents], ['OPEN', 1_000_000n])
    assert.equal((await alarmsOf(payinId)).length, 1)
    await booksHold()
    // The payment itself is reported again, and is still known with all of its money.
    const again = { kind: 'payin.paid', amountInCents: 2_500_000n, paymentId: item.paymentId } as const
    await notice(referenceOf('payin', payinId), again)
    await world.work()
    assert.equal((await alarmsOf(payinId)).length, 1)
    const asked: bigint[] = []
    const returning = networksThat({
      breb: {
        returnPayment: async (_reference, _paymentId, amountInCents) => {
          asked.push(amountInCents)
          return { outcome: 'accepted', value: undefined } as never
        },
      },
    })
    const returned = await returnSuspense(returning, suspenseId)
    assert.equal('item' in returned && returned.item.state, 'RETURNED')
    assert.deepEqual(asked, [1_500_000n])
    assert.deepEqual(await bookingsOf(suspenseId), [
      ['money in suspense', 2_500_000],
      ['suspense charged back', 1_000_000],
      ['suspense returned', 1_500_000],
    ])
    await booksHold()
  })

  it('charges back a part once more: it is not booked twice, and a person is told', async () => {
    const item = await newSuspense()
    await chargeBack(item, 1_000_000n)
    await chargeBack(item, 1_000_000n)
    assert.deepEqual(await bookingsOf(item.suspenseId), [
      ['money in suspense', 2_500_000],
      ['suspense charged back', 1_000_000],
    ])
    assert.match(
      (await alarmsOf(item.payinId)).join('\n'),
      /1000000 cents.*not booked: one of this amount is/,
    )
    assert.equal((await suspended(item.payinId))[0]?.state, 'OPEN')
    await booksHold()
  })

  it('charges back a part that its statement tells too: it is booked once, and another part is booked again', async () => {
    const item = await newSuspense()
    await chargeBack(item, 1_000_000n)
    await chargeBack(item, 1_000_000n, `statement:2026-11-15:chargeback:${item.paymentId}`)
    assert.equal((await alarmsOf(item.payinId)).length, 1)
    await chargeBack(item, 700_000n)
    await attachSuspense(world.ctx, item.suspenseId, item.payinId)
    await chargeBack(item, 700_000n, `statement:2026-11-16:chargeback:${item.paymentId}`)
    await chargeBack(item, 800_000n)
    assert.deepEqual(await bookingsOf(item.suspenseId), [
      ['money in suspense', 2_500_000],
      ['suspense charged back', 1_000_000],
      ['suspense charged back', 700_000],
      ['suspense attached', 800_000],
      ['suspense charged back after attaching', 800_000],
    ])
    assert.equal((await alarmsOf(item.payinId)).length, 2)
    await chargeBack(item, 123_456n)
    assert.match((await alarmsOf(item.payinId)).at(-1) ?? '', /123456 cents.*CHARGED_BACK/)
    await booksHold()
  })

  it('charges back what was returned: nothing is booked, and a person is told how much', async () => {
    const item = await newSuspense()
    const accepting = networksThat({
      breb: { returnPayment: async () => ({ outcome: 'accepted', value: { traceId: null } }) },
    })
    assert.ok('item' in (await returnSuspense(accepting, item.suspenseId)))
    await chargeBack(item, 123_456n)
    assert.match((await alarmsOf(item.payinId)).join(), /123456 cents.*RETURNED/)
    assert.equal((await bookingsOf(item.suspenseId)).length, 2)
  })

  it('charges back the rest after it was attached: the merchant loses that part only, and the item is closed', async () => {
    const item = await newSuspense()
    await chargeBack(item, 1_000_000n)
    await attachSuspense(world.ctx, item.suspenseId, item.payinId)
    await chargeBack(item, 1_500_000n)
    assert.deepEqual(await bookingsOf(item.suspenseId), [
      ['money in suspense', 2_500_000],
      ['suspense charged back', 1_000_000],
      ['suspense attached', 1_500_000],
      ['suspense charged back after attaching', 1_500_000],
    ])
    assert.equal((await suspended(item.payinId))[0]?.state, 'CHARGED_BACK')
    assert.equal((await alarmsOf(item.payinId)).length, 1, 'the rest is what was expected')
    await booksHold()
  })

  it('charges back a part of what was attached: the item stays attached, with the rest', async () => {
    const item = await newSuspense()
    await attachSuspense(world.ctx, item.suspenseId, item.payinId)
    await chargeBack(item, 500_000n)
    await chargeBack(item, 500_000n)
    assert.deepEqual((await bookingsOf(item.suspenseId)).slice(2), [
      ['suspense charged back after attaching', 500_000],
    ])
    assert.equal((await suspended(item.payinId))[0]?.state, 'ATTACHED')
    assert.equal((await alarmsOf(item.payinId)).length, 2)
    await booksHold()
  })

  it('charges back more than what is in suspense: only what is there is booked, and a person is told', async () => {
    const item = await newSuspense()
    await chargeBack(item, 2_500_001n)
    assert.deepEqual((await bookingsOf(item.suspenseId)).slice(1), [['suspense charged back', 2_500_000]])
    assert.equal((await suspended(item.payinId))[0]?.state, 'CHARGED_BACK')
    assert.equal((await alarmsOf(item.payinId)).length, 1)
    await booksHold()
  })
})
