// What a payout is made of, which of its fields each step changes, and what a person reads where a network contradicts itself.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PayoutUpdate } from '../../../src/core/connections/notice.ts'
import { instantOfId } from '../../../src/core/ids.ts'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { endPayout, newPayout, PAYOUT_STAGES, type Payout } from '../../../src/core/payouts/payout.ts'
import {
  approvePayout,
  cancelByNetwork,
  cancelPayout,
  declinePayout,
  deferForKey,
  fundsAfter,
  isCancelable,
  markSent,
  type PayoutStep,
  partsOf,
  reserveAhead,
  reserveForApproval,
  reservePayout,
  returnPayout,
  sendAgain,
  settlePayout,
} from '../../../src/core/payouts/settle.ts'
import { changedFieldsOf } from '../changed-fields.ts'

const ORGANIZATION_ID = '0199a0b0-0000-7000-8000-000000000001'
const PAYOUT_ID = '0199a0b0-0000-7000-8000-000000000003'
const CREATED = instantOfId(PAYOUT_ID)
const NOW = CREATED + 7 * MINUTE_MS
const customer = { name: 'Ana', idType: 'CO_CC', idNumber: '1000000001', phone: null, email: null } as const
const FEE = { feeInCents: 30n, feeTaxInCents: 5n }
const REQUEST = {
  amountInCents: 1_000n,
  reference: 'wages-1',
  customer: customer as unknown as Parameters<typeof newPayout>[2]['customer'],
  keyString: '@ANAGOMEZ',
  keyType: 'ALPHANUMERIC',
} as const
const created: Payout = newPayout(ORGANIZATION_ID, PAYOUT_ID, { ...REQUEST, fee: FEE })
const at = (stage: Payout['stage'], changes: Partial<Payout> = {}): Payout => ({
  ...created,
  version: 4,
  stage,
  ...changes,
})
const sent = at('SENT')
const confirmed = at('DONE', { status: 'CONFIRMED', traceId: 'E2E1', resultAt: CREATED })
const declined = at('DONE', { status: 'DECLINED', errorCode: 'RISK_REJECTED', resultAt: CREATED })
const stopped = at('STOPPED', { status: 'DECLINED', errorCode: 'RISK_REJECTED', traceId: 'E2E1' })
const route = { connectionId: 'c', provider: 'mono' } as NonNullable<Parameters<typeof newPayout>[3]>
const connection = { connectionId: 'c', provider: 'mono' } as const

const told = (payout: Payout, { next, ...rest }: PayoutStep) => ({
  ...rest,
  ...(next && { changes: changedFieldsOf(payout, next) }),
})
const completed = (changes: object = {}): PayoutUpdate => ({
  kind: 'payout.completed',
  traceId: 'E2E1',
  ...changes,
})
const rejected: PayoutUpdate = { kind: 'payout.rejected', reason: 'RECEIVER_LIMIT_EXCEEDED' }
const settle = (payout: Payout, update: PayoutUpdate) => told(payout, settlePayout(payout, update, 'N1', NOW))
const END = { stage: 'DONE', version: 5, updatedAt: NOW, resultAt: NOW } as const
const funds = (availableInCents: bigint, depositedInCents = 0n) => ({ availableInCents, depositedInCents })

describe('a new payout', () => {
  const NEW = {
    organizationId: ORGANIZATION_ID,
    payoutId: PAYOUT_ID,
    version: 1,
    connection: null,
    providerId: null,
    status: 'PROCESSING',
    stage: 'CREATED',
    amountInCents: 1_000n,
    depositInCents: 0n,
    feeInCents: 0n,
    feeTaxInCents: 0n,
    currency: 'COP',
    reference: 'wages-1',
    receiver: { customer, keyString: '@ANAGOMEZ', keyStringSent: '@ANAGOMEZ' },
    note: null,
    keyType: 'ALPHANUMERIC',
    errorCode: null,
    networkCode: null,
    missingInCents: null,
    traceId: null,
    createdAt: CREATED,
    updatedAt: CREATED,
    resultAt: null,
    returnedAt: null,
    refundId: null,
  }

  it('has nothing yet but what was asked for', () => {
    assert.deepEqual(newPayout(ORGANIZATION_ID, PAYOUT_ID, REQUEST), NEW)
  })

  it('costs what the operator has set, and nothing over a connection, whose provider charges it', () => {
    assert.deepEqual(created, { ...NEW, ...FEE })
    assert.deepEqual(newPayout(ORGANIZATION_ID, PAYOUT_ID, { ...REQUEST, fee: FEE }, route), {
      ...NEW,
      connection,
    })
  })

  it('keeps the key as it was sent, its note, and the refund that it pays', () => {
    const note = { description: 'Nómina' } as unknown as NonNullable<Payout['note']>
    const more = { keyStringSent: '@anagomez', note: note as never, refundId: 'r-1' }
    assert.deepEqual(newPayout(ORGANIZATION_ID, PAYOUT_ID, { ...REQUEST, ...more }), {
      ...NEW,
      receiver: { customer, keyString: '@ANAGOMEZ', keyStringSent: '@anagomez' },
      note,
      refundId: 'r-1',
    })
  })
})

describe('a step of a payout changes this and nothing else', () => {
  it('its payment, whose fees are booked with it', () => {
    const changes = { ...END, status: 'CONFIRMED', traceId: 'E2E1' }
    const fees = ['payout fee', 'payout fee tax']
    const failedBefore = at('SENT', { errorCode: 'RAIL_ERROR', networkCode: 'N0' })
    assert.deepEqual(settle(sent, completed()), { changes, bookings: ['payout confirmed', ...fees] })
    assert.deepEqual(settle(failedBefore, completed()).changes, {
      ...changes,
      errorCode: null,
      networkCode: null,
    })
    const bookings = (more: Partial<Payout>) => settle(at('SENT', more), completed()).bookings
    assert.deepEqual(bookings({ feeTaxInCents: 0n }), ['payout confirmed', 'payout fee'])
    assert.deepEqual(bookings({ feeInCents: 0n, feeTaxInCents: 0n }), ['payout confirmed'])
    assert.deepEqual(bookings({ feeInCents: 1n, feeTaxInCents: 1n }), ['payout confirmed', ...fees])
    assert.deepEqual(bookings({ refundId: 'r-1', feeInCents: 0n, feeTaxInCents: 0n }), ['refund paid'])
  })

  it('its rejection, and what the network called off', () => {
    const why = { errorCode: 'RECEIVER_LIMIT_EXCEEDED', networkCode: 'N1' }
    const bookings = ['payout released']
    assert.deepEqual(settle(sent, rejected), { changes: { ...END, ...why, status: 'DECLINED' }, bookings })
    const offByNetwork = cancelByNetwork(sent, 'RECEIVER_LIMIT_EXCEEDED', 'N1', NOW)
    assert.deepEqual(told(sent, offByNetwork), { changes: { ...END, ...why, status: 'CANCELED' }, bookings })
    const known = at('SENT', { traceId: 'E2E0' })
    assert.equal(settlePayout(known, rejected, 'N1', NOW).next?.traceId, 'E2E0')
    assert.deepEqual(declinePayout(created, 'RISK_REJECTED', null, NOW).bookings, [])
    assert.deepEqual(declinePayout(declined, 'RISK_REJECTED', null, NOW), { bookings: [] })
  })

  it('its cancelation, while nothing was sent', () => {
    const changes = { ...END, status: 'CANCELED', errorCode: 'CANCELED_BY_MERCHANT' }
    const cancelable = PAYOUT_STAGES.filter((stage) => isCancelable({ stage }))
    assert.deepEqual([...cancelable].sort(), ['AWAITING_APPROVAL', 'CREATED', 'RESERVED'])
    for (const stage of cancelable) {
      const bookings = stage === 'CREATED' ? [] : ['payout released']
      const payout = at(stage)
      assert.deepEqual(told(payout, cancelPayout(payout, NOW) as PayoutStep), { changes, bookings }, stage)
    }
    for (const payout of [sent, at('SENDING'), confirmed, stopped])
      assert.equal(cancelPayout(payout, NOW), undefined)
  })

  it('a payment that nobody expects any more, under the network’s own code', () => {
    const changes = { stage: 'STOPPED', networkCode: 'N1', traceId: 'E2E1', version: 5, updatedAt: NOW }
    assert.deepEqual(settle(declined, completed()), {
      changes,
      bookings: ['payout paid after rejection'],
      alarm: 'the network paid a payout that is DECLINED (RISK_REJECTED)',
    })
    const never = at('CREATED')
    assert.equal(settle(never, completed()).alarm, 'the network paid a payout that is PROCESSING (CREATED)')
    assert.deepEqual(settle(stopped, rejected), { bookings: [] })
  })

  it('money that came back, once', () => {
    const changes = { networkCode: 'N1', returnedAt: NOW, version: 5, updatedAt: NOW }
    const step = returnPayout(confirmed, 'N1', NOW)
    assert.deepEqual(told(confirmed, step), { changes, bookings: ['payout returned'] })
    assert.deepEqual(returnPayout(step.next as Payout, 'N2', NOW), { bookings: [] })
  })

  it('its reservation: its amount and its fees', () => {
    const moved = { version: 5, updatedAt: NOW }
    const bookings = ['payout reserved']
    const payout = at('CREATED')
    const enough = funds(1_035n)
    assert.deepEqual(told(payout, reservePayout(payout, enough, NOW)), {
      changes: { ...moved, stage: 'SENDING' },
      bookings,
    })
    assert.deepEqual(told(payout, reserveForApproval(payout, enough, NOW)), {
      changes: { ...moved, stage: 'AWAITING_APPROVAL' },
      bookings,
    })
    assert.deepEqual(told(payout, reserveAhead(payout, enough, NOW)), {
      changes: { ...moved, stage: 'RESERVED' },
      bookings,
    })
    const short = { ...END, status: 'DECLINED', errorCode: 'INSUFFICIENT_FUNDS', missingInCents: 1n }
    for (const reserve of [reservePayout, reserveForApproval, reserveAhead])
      assert.deepEqual(told(payout, reserve(payout, funds(1_034n), NOW)), { changes: short, bookings: [] })
    const over = at('CREATED', { connection })
    assert.deepEqual(told(over, reservePayout(over, funds(0n, 1_035n), NOW)).changes, {
      ...moved,
      stage: 'SENDING',
      depositInCents: 1_035n,
    })
  })

  it('its way to the network', () => {
    const moved = { version: 5, updatedAt: NOW }
    assert.deepEqual(told(at('RESERVED'), reservePayout(at('RESERVED'), funds(0n), NOW)), {
      changes: { ...moved, stage: 'SENDING' },
      bookings: [],
    })
    assert.deepEqual(told(at('AWAITING_APPROVAL'), approvePayout(at('AWAITING_APPROVAL'), NOW)), {
      changes: { ...moved, stage: 'RESERVED' },
      bookings: [],
    })
    assert.deepEqual(told(sent, sendAgain(sent, NOW)), {
      changes: { ...moved, stage: 'SENDING' },
      bookings: [],
    })
    assert.deepEqual(changedFieldsOf(at('SENDING'), markSent(at('SENDING'), NOW)), {
      ...moved,
      stage: 'SENT',
    })
    assert.deepEqual(told(at('SENDING'), deferForKey(at('SENDING'), NOW)), {
      changes: { ...moved, stage: 'RESERVED' },
      bookings: [],
    })
    for (const stage of ['CREATED', 'RESERVED', 'SENDING', 'SENT', 'DONE'] as const)
      assert.throws(() => approvePayout(at(stage), NOW), new RegExp(`${stage} awaits nobody`))
    for (const stage of ['AWAITING_APPROVAL', 'RESERVED', 'SENDING', 'SENT', 'DONE'] as const)
      assert.throws(() => reserveForApproval(at(stage), funds(9_999n), NOW), /cannot be reserved/)
  })

  it('one that people approved has half an hour for its key from then', () => {
    const late = CREATED + 60 * MINUTE_MS
    const since = late - 30 * MINUTE_MS
    assert.equal(deferForKey(at('SENDING'), late, since + 1).next?.stage, 'RESERVED')
    assert.equal(deferForKey(at('SENDING'), late, since).next?.errorCode, 'PARTICIPANT_UNAVAILABLE')
  })
})

describe('an alarm about a payout says', () => {
  it('that it was paid once more under another id, and learns the first one silently', () => {
    const again = completed({ traceId: 'E2E2' })
    for (const payout of [confirmed, stopped])
      assert.deepEqual(settle(payout, again), {
        bookings: [],
        alarm: 'the network paid this payout as E2E1, and again as E2E2',
      })
    for (const traceId of ['E2E1', null])
      assert.deepEqual(settle(confirmed, completed({ traceId })), { bookings: [] })
    const unnamed = { ...confirmed, traceId: null }
    assert.deepEqual(settle(unnamed, again), { changes: { traceId: 'E2E2', version: 5 }, bookings: [] })
  })

  it('that another amount was paid, beside whatever else is wrong', () => {
    const problem = 'the network says that it paid 999 cents of a payout of 1000'
    const less = completed({ amountInCents: 999n })
    const paidLess = settle(sent, less)
    assert.deepEqual([paidLess.alarm, paidLess.changes?.status], [problem, 'CONFIRMED'])
    assert.equal(settle(confirmed, less).alarm, problem)
    assert.equal(
      settle(declined, less).alarm,
      `the network paid a payout that is DECLINED (RISK_REJECTED); ${problem}`,
    )
    assert.equal(settle(sent, completed({ amountInCents: 1_000n })).alarm, undefined)
  })

  it('that it was rejected after it was paid, or came back before', () => {
    const bookings: string[] = []
    assert.deepEqual(settle(confirmed, rejected), {
      bookings,
      alarm: 'the network rejected (N1) a payout it had paid',
    })
    assert.equal(
      declinePayout(confirmed, 'RISK_REJECTED', null, NOW).alarm,
      'the network rejected (RISK_REJECTED) a payout it had paid',
    )
    assert.deepEqual(returnPayout(sent, 'N1', NOW), {
      bookings,
      alarm: 'the network returned (N1) a payout that is PROCESSING',
    })
  })
})

describe('the money of a payout', () => {
  it('is booked with its fees where it is set aside, and without them where it moves', () => {
    assert.deepEqual(partsOf('payout reserved', created), [['payout reserved', 1_035n]])
    assert.deepEqual(partsOf('payout released', created), [['payout released', 1_035n]])
    assert.deepEqual(partsOf('payout confirmed', created), [['payout confirmed', 1_000n]])
    assert.deepEqual(partsOf('refund paid', created), [['refund paid', 1_000n]])
    assert.deepEqual(partsOf('payout fee', created), [['payout fee', 30n]])
    assert.deepEqual(partsOf('payout fee tax', created), [['payout fee tax', 5n]])
    assert.deepEqual(partsOf('payout returned', created), [['payout returned', 1_000n]])
  })

  it('is counted off what is left, and given back to it, as the step says', () => {
    const payout = at('CREATED')
    const before = funds(2_000n, 3_000n)
    assert.deepEqual(fundsAfter(before, reservePayout(payout, before, NOW)), funds(965n, 3_000n))
    const released = cancelPayout(at('RESERVED'), NOW) as PayoutStep
    assert.deepEqual(fundsAfter(before, released), funds(3_035n, 3_000n))
    const mixed = cancelPayout(at('RESERVED', { depositInCents: 35n }), NOW) as PayoutStep
    assert.deepEqual(fundsAfter(before, mixed), funds(3_000n, 3_035n))
    assert.deepEqual(fundsAfter(before, { bookings: [] }), before)
    assert.deepEqual(fundsAfter(before, settlePayout(sent, completed(), 'N1', NOW)), before)
  })

  it('is told once: what has ended ends no second time', () => {
    const end = { how: 'decline', errorCode: 'RISK_REJECTED', networkCode: null } as const
    for (const payout of [confirmed, declined]) assert.equal(endPayout(payout, end, NOW), undefined)
  })
})
