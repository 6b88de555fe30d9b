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
import { getLink } from '../../src/store/payment-links/payment-links.ts'
import { runAllDue } from '../../src/workers/due.ts'
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
  const notice = (reference: string, update: Parameters<typeof receiveNotice>[1]['update']) =>
    receiveNotice(world.ctx, {
      rail: 'BRE_B',
      noticeId: randomUUID(),
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

  it('charges back less than what is in suspense: all of it leaves the books, and a person is told', async () => {
    const { suspenseId, payinId, paymentId, amountInCents } = await newSuspense()
    const update = { kind: 'payin.chargeback', amountInCents: amountInCents - 1n, paymentId } as const
    await notice(referenceOf('payin', payinId), update)
    await world.work()
    assert.equal((await suspended(payinId))[0]?.state, 'CHARGED_BACK')
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${suspenseId}`)
    assert.deepEqual(
      json.data.map((one: { booking: string; amountInCents: number }) => [one.booking, one.amountInCents]),
      [
        ['suspense charged back', Number(amountInCents)],
        ['money in suspense', Number(amountInCents)],
      ],
    )
    const alarms = (await listOpenAlarms(world.db)).filter((alarm) => alarm.subjectId === payinId)
    assert.deepEqual(
      alarms.map(({ kind }) => kind),
      ['payin-contradiction'],
    )
  })
})
