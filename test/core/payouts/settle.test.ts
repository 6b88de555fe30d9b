// The outcome of a payout: every state against every possible update, written out; and invariants after any sequence of
// updates. The most important one: money is reserved exactly while it may be leaving.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Instant } from '../../../src/core/instant.ts'
import { ACCOUNTS, type Account, type Booking, transfer } from '../../../src/core/ledger/bookings.ts'
import { newPayout, PAYOUT_STAGES, type Payout } from '../../../src/core/payouts/payout.ts'
import {
  cancelPayout,
  deferForKey,
  fundsAfter,
  isReserved,
  KEY_UNRESOLVED_MS,
  markSent,
  type PayoutStep,
  partsOf,
  reservePayout,
  returnPayout,
  settlePayout,
} from '../../../src/core/payouts/settle.ts'

const NOW: Instant = Date.UTC(2026, 10, 15, 12)
const AMOUNT = 1_000_000n
const funds = (availableInCents: bigint, depositedInCents = 0n) => ({ availableInCents, depositedInCents })

const base = newPayout('0199a0b0-0000-7000-8000-000000000001', '0199a0b0-0000-7000-8000-000000000003', {
  amountInCents: AMOUNT,
  reference: 'wages-1',
  customer: { name: 'Ana', idType: 'CO_CC', idNumber: '1000000001', phone: '+573001234567', email: 'a@b.co' },
  keyString: '@ANAGOMEZ',
  keyType: 'ALPHANUMERIC',
})
const ended = (status: Payout['status'], errorCode: Payout['errorCode']): Payout => ({
  ...base,
  status,
  stage: 'DONE',
  errorCode,
  resultAt: NOW,
})

const STATES = {
  CREATED: base,
  AWAITING_APPROVAL: { ...base, stage: 'AWAITING_APPROVAL' },
  RESERVED: { ...base, stage: 'RESERVED' },
  SENDING: { ...base, stage: 'SENDING' },
  SENT: { ...base, stage: 'SENT' },
  CONFIRMED: { ...ended('CONFIRMED', null), traceId: 'E2E1' },
  DECLINED: ended('DECLINED', 'RISK_REJECTED'),
  CANCELED: ended('CANCELED', 'CANCELED_BY_MERCHANT'),
  'DECLINED and STOPPED': { ...ended('DECLINED', 'RISK_REJECTED'), stage: 'STOPPED', traceId: 'E2E1' },
  'PROCESSING and STOPPED': { ...base, stage: 'STOPPED', traceId: 'E2E1' },
} as const satisfies Record<string, Payout>
type State = keyof typeof STATES

const COMPLETED = { kind: 'payout.completed', traceId: 'E2E1' } as const
const COMPLETED_AGAIN = { kind: 'payout.completed', traceId: 'E2E2' } as const
const REJECTED = { kind: 'payout.rejected', reason: 'RECEIVER_LIMIT_EXCEEDED' } as const
const NOTHING_STEP: PayoutStep = { bookings: [] }

const UPDATES = {
  completed: (payout: Payout) => settlePayout(payout, COMPLETED, 'OK', NOW),
  'completed under another id': (payout: Payout) => settlePayout(payout, COMPLETED_AGAIN, 'OK', NOW),
  rejected: (payout: Payout) => settlePayout(payout, REJECTED, 'B107', NOW),
  'canceled by the merchant': (payout: Payout) => cancelPayout(payout, NOW) ?? NOTHING_STEP,
} as const satisfies Record<string, (payout: Payout) => PayoutStep>
type Update = keyof typeof UPDATES

const NOTHING = 'nothing'
const CONFIRMS = 'CONFIRMED DONE; payout confirmed'
const RELEASES = 'DECLINED DONE RECEIVER_LIMIT_EXCEEDED; payout released'

const TABLE: Readonly<Record<State, Readonly<Record<Update, string>>>> = {
  CREATED: {
    completed: 'PROCESSING STOPPED; payout paid after rejection; alarm',
    'completed under another id': 'PROCESSING STOPPED; payout paid after rejection; alarm',
    rejected: 'DECLINED DONE RECEIVER_LIMIT_EXCEEDED',
    'canceled by the merchant': 'CANCELED DONE CANCELED_BY_MERCHANT',
  },
  // It was never sent. Whatever the network means by it, the money that was set aside is not there twice.
  AWAITING_APPROVAL: {
    completed: CONFIRMS,
    'completed under another id': CONFIRMS,
    rejected: RELEASES,
    'canceled by the merchant': 'CANCELED DONE CANCELED_BY_MERCHANT; payout released',
  },
  RESERVED: {
    completed: CONFIRMS,
    'completed under another id': CONFIRMS,
    rejected: RELEASES,
    'canceled by the merchant': 'CANCELED DONE CANCELED_BY_MERCHANT; payout released',
  },
  SENDING: {
    completed: CONFIRMS,
    'completed under another id': CONFIRMS,
    rejected: RELEASES,
    'canceled by the merchant': NOTHING,
  },
  SENT: {
    completed: CONFIRMS,
    'completed under another id': CONFIRMS,
    rejected: RELEASES,
    'canceled by the merchant': NOTHING,
  },
  CONFIRMED: {
    completed: NOTHING,
    'completed under another id': 'alarm',
    rejected: 'alarm',
    'canceled by the merchant': NOTHING,
  },
  DECLINED: {
    completed: 'DECLINED STOPPED RISK_REJECTED; payout paid after rejection; alarm',
    'completed under another id': 'DECLINED STOPPED RISK_REJECTED; payout paid after rejection; alarm',
    rejected: NOTHING,
    'canceled by the merchant': NOTHING,
  },
  CANCELED: {
    completed: 'CANCELED STOPPED CANCELED_BY_MERCHANT; payout paid after rejection; alarm',
    'completed under another id': 'CANCELED STOPPED CANCELED_BY_MERCHANT; payout paid after rejection; alarm',
    rejected: NOTHING,
    'canceled by the merchant': NOTHING,
  },
  'DECLINED and STOPPED': {
    completed: NOTHING,
    'completed under another id': 'alarm',
    rejected: NOTHING,
    'canceled by the merchant': NOTHING,
  },
  'PROCESSING and STOPPED': {
    completed: NOTHING,
    'completed under another id': 'alarm',
    rejected: NOTHING,
    'canceled by the merchant': NOTHING,
  },
}

function inWords({ next, bookings, alarm }: PayoutStep): string {
  const words = [
    ...(next ? [[next.status, next.stage, next.errorCode].filter((word) => word !== null).join(' ')] : []),
    ...bookings,
    ...(alarm ? ['alarm'] : []),
  ]
  return words.length === 0 ? NOTHING : words.join('; ')
}

describe('a payout', () => {
  it('has every stage in this table', () => {
    assert.deepEqual(new Set(Object.values(STATES).map(({ stage }) => stage)), new Set(PAYOUT_STAGES))
  })

  for (const [state, payout] of Object.entries(STATES)) {
    for (const [update, apply] of Object.entries(UPDATES)) {
      const expected = TABLE[state as State][update as Update]
      it(`${state}, ${update}: ${expected}`, () => {
        const step = apply(payout)
        assert.equal(inWords(step), expected)
        if (step.next === undefined) return
        assert.equal(step.next.version, payout.version + 1)
        assert.equal(step.next.updatedAt, NOW)
        if (payout.status !== step.next.status) assert.equal(step.next.resultAt, NOW)
      })
    }

    const holds = ['AWAITING_APPROVAL', 'RESERVED', 'SENDING', 'SENT'].includes(state)
    it(`${state} ${holds ? 'has its money reserved' : 'holds no money'}`, () => {
      assert.equal(isReserved(payout), holds)
    })

    it(`${state} is reserved ${state === 'CREATED' ? 'if the balance is enough' : 'never again'}`, () => {
      if (state === 'RESERVED')
        return assert.equal(inWords(reservePayout(payout, funds(0n), NOW)), 'PROCESSING SENDING')
      if (state !== 'CREATED') return assert.throws(() => reservePayout(payout, funds(AMOUNT), NOW))
      assert.equal(inWords(reservePayout(payout, funds(AMOUNT), NOW)), 'PROCESSING SENDING; payout reserved')
      const short = reservePayout(payout, funds(AMOUNT - 1n), NOW)
      assert.equal(inWords(short), 'DECLINED DONE INSUFFICIENT_FUNDS')
    })
  }
})

describe('a payout and the deposits', () => {
  const connection = { connectionId: base.payoutId, provider: 'mono' } as const
  const over = { ...base, connection }
  const rest = AMOUNT - 1n

  it('over a connection is paid from them, and from nothing else', () => {
    // What is available, or owed after a chargeback, is no matter of the money at the provider.
    for (const available of [0n, AMOUNT, -5n]) {
      const before = funds(available, AMOUNT + 5n)
      const step = reservePayout(over, before, NOW)
      assert.equal(step.next?.depositInCents, AMOUNT)
      assert.deepEqual(fundsAfter(before, step), funds(available, 5n))
    }
    const little = funds(AMOUNT * 2n, rest)
    const short = reservePayout(over, little, NOW)
    assert.equal(inWords(short), 'DECLINED DONE INSUFFICIENT_FUNDS')
    assert.equal(short.next?.missingInCents, 1n)
    assert.deepEqual(fundsAfter(little, short), little)
  })

  it('over the installation’s own network is never paid from them', () => {
    assert.equal(inWords(reservePayout(base, funds(rest, AMOUNT), NOW)), 'DECLINED DONE INSUFFICIENT_FUNDS')
    assert.equal(reservePayout(base, funds(AMOUNT, AMOUNT), NOW).next?.depositInCents, 0n)
  })

  it('is released to both if it was reserved of both once, and comes back to them as a whole', () => {
    const parts = (booking: Booking, depositInCents: bigint) => partsOf(booking, { ...over, depositInCents })
    assert.deepEqual(parts('payout reserved', 0n), [['payout reserved', AMOUNT]])
    assert.deepEqual(parts('payout reserved', AMOUNT), [['payout reserved from deposits', AMOUNT]])
    assert.deepEqual(parts('payout reserved', 1n), [
      ['payout reserved', rest],
      ['payout reserved from deposits', 1n],
    ])
    assert.deepEqual(parts('payout released', 1n), [
      ['payout released', rest],
      ['payout released to deposits', 1n],
    ])
    for (const ofDeposits of [0n, 1n, AMOUNT])
      assert.deepEqual(parts('payout returned', ofDeposits), [['payout returned to deposits', AMOUNT]])
    assert.deepEqual(partsOf('payout released', base), [['payout released', AMOUNT]])
    assert.deepEqual(parts('payout confirmed', 1n), [['payout confirmed', AMOUNT]])
  })

  it('has left them if it was paid after its rejection, and otherwise what is in suspense', () => {
    const after = 'payout paid after rejection'
    const fee = { feeInCents: 3n, feeTaxInCents: 1n }
    for (const depositInCents of [0n, AMOUNT])
      assert.deepEqual(partsOf(after, { ...over, ...fee, depositInCents }), [
        [`${after} from deposits`, AMOUNT],
      ])
    assert.deepEqual(partsOf(after, { ...base, ...fee }), [[after, AMOUNT]])
  })

  it('was set aside, and is not sent while less than nothing is left where it was taken from', () => {
    const reserved = { ...base, stage: 'RESERVED' } as const
    const atProvider = { ...over, stage: 'RESERVED', depositInCents: AMOUNT } as const
    assert.equal(reservePayout(reserved, funds(0n, -1n), NOW).next?.stage, 'SENDING')
    assert.equal(reservePayout(atProvider, funds(-1n, 0n), NOW).next?.stage, 'SENDING')
    const before = funds(-2n, -3n)
    const owed = reservePayout(reserved, before, NOW)
    assert.equal(inWords(owed), 'DECLINED DONE INSUFFICIENT_FUNDS; payout released')
    assert.equal(owed.next?.missingInCents, 2n)
    assert.deepEqual(fundsAfter(before, owed), funds(AMOUNT - 2n, -3n))
    const owedThere = reservePayout(atProvider, before, NOW)
    assert.equal(inWords(owedThere), 'DECLINED DONE INSUFFICIENT_FUNDS; payout released')
    assert.deepEqual(fundsAfter(before, owedThere), funds(-2n, AMOUNT - 3n))
    // A refund set its money aside for it a moment ago, and asked what was left then.
    const ofRefund = { ...reserved, refundId: base.payoutId }
    assert.equal(reservePayout(ofRefund, before, NOW).next?.stage, 'SENDING')
  })
})

describe('the network’s own code for a payout', () => {
  it('is that of its last word: a payment after a rejection, and money that came back', () => {
    const declined = { ...STATES.DECLINED, networkCode: 'B103' }
    assert.equal(settlePayout(declined, COMPLETED, 'PAID_LATE', NOW).next?.networkCode, 'PAID_LATE')
    assert.equal(returnPayout(STATES.CONFIRMED, 'REVERSED', NOW).next?.networkCode, 'REVERSED')
  })
})

describe('the end-to-end id of a payout', () => {
  it('is kept when the payout is confirmed or stopped, and learned later with a new version', () => {
    assert.equal(UPDATES.completed(STATES.SENT).next?.traceId, 'E2E1')
    assert.equal(UPDATES.completed(STATES.DECLINED).next?.traceId, 'E2E1')
    const { next } = UPDATES.completed({ ...STATES.CONFIRMED, traceId: null })
    assert.deepEqual(next, { ...STATES.CONFIRMED, version: STATES.CONFIRMED.version + 1 })
  })
})

describe('a payout whose key cannot be resolved', () => {
  it('is deferred with its money reserved, and ends after half an hour', () => {
    const held = deferForKey(STATES.SENDING, base.createdAt + KEY_UNRESOLVED_MS - 1)
    assert.equal(inWords(held), 'PROCESSING RESERVED')
    const over = deferForKey(STATES.SENDING, base.createdAt + KEY_UNRESOLVED_MS)
    assert.equal(inWords(over), 'DECLINED DONE PARTICIPANT_UNAVAILABLE; payout released')
  })
})

type Act = (payout: Payout) => PayoutStep
const reserve =
  (available: bigint): Act =>
  (payout) =>
    payout.stage === 'CREATED' || payout.stage === 'RESERVED'
      ? reservePayout(payout, funds(available), NOW)
      : NOTHING_STEP
const hold: Act = (payout) => (payout.stage === 'SENDING' ? deferForKey(payout, NOW) : NOTHING_STEP)
const send: Act = (payout) =>
  payout.stage === 'SENDING' ? { next: markSent(payout, NOW), bookings: [] } : NOTHING_STEP

function applyAll(acts: readonly Act[]) {
  const history: Payout[] = [base]
  const bookings: Booking[] = []
  const steps: { before: Payout; step: PayoutStep }[] = []
  for (const act of acts) {
    const before = history.at(-1) as Payout
    const step = act(before)
    steps.push({ before, step })
    bookings.push(...step.bookings)
    if (step.next !== undefined) history.push(step.next)
  }
  return { history, bookings, steps, current: history.at(-1) as Payout }
}

function balancesOf(bookings: readonly Booking[]): Record<Account, bigint> {
  const balances = Object.fromEntries(ACCOUNTS.map((account) => [account, 0n])) as Record<Account, bigint>
  for (const booking of bookings) {
    const { organizationId, payoutId: subjectId } = base
    const of = { organizationId, transferId: subjectId, subjectId, amountInCents: AMOUNT, createdAt: NOW }
    const { debit, credit } = transfer(booking, 'BRE_B', of)
    balances[debit] -= AMOUNT
    balances[credit] += AMOUNT
  }
  return balances
}

describe('any sequence of updates of a payout', () => {
  const assertAlways = (holds: (result: ReturnType<typeof applyAll>) => void) => {
    const anyAct = fc.constantFrom<Act[]>(
      reserve(AMOUNT),
      reserve(AMOUNT),
      reserve(AMOUNT - 1n),
      send,
      send,
      hold,
      UPDATES.completed,
      UPDATES['completed under another id'],
      UPDATES.rejected,
      UPDATES['canceled by the merchant'],
    )
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 20 }), (acts) => holds(applyAll(acts))),
      { numRuns: 500 },
    )
  }

  it('never leaves a final status', () => {
    assertAlways(({ history }) => {
      const final = history.find(({ status }) => status !== 'PROCESSING')
      if (final === undefined) return
      for (const later of history.slice(history.indexOf(final))) {
        assert.equal(later.status, final.status)
        assert.equal(later.resultAt, final.resultAt)
        assert.equal(later.errorCode, final.errorCode)
      }
    })
  })

  it('increments its version with every change', () => {
    assertAlways(({ history }) => {
      for (const [index, payout] of history.entries()) assert.equal(payout.version, index + 1)
    })
  })

  it('has money reserved exactly while it is PROCESSING and RESERVED, SENDING or SENT', () => {
    assertAlways(({ bookings, current }) => {
      const mayBeLeaving =
        current.status === 'PROCESSING' && ['RESERVED', 'SENDING', 'SENT'].includes(current.stage)
      assert.equal(isReserved(current), mayBeLeaving)
      assert.equal(balancesOf(bookings).RESERVED, mayBeLeaving ? AMOUNT : 0n)
    })
  })

  it('books nothing twice', () => {
    assertAlways(({ bookings }) => assert.equal(new Set(bookings).size, bookings.length))
  })

  it('debits the merchant exactly if it is confirmed', () => {
    assertAlways(({ bookings, current }) => {
      const { AVAILABLE, RESERVED } = balancesOf(bookings)
      assert.equal(AVAILABLE + RESERVED, current.status === 'CONFIRMED' ? -AMOUNT : 0n)
      assert.equal(bookings.includes('payout confirmed'), current.status === 'CONFIRMED')
    })
  })

  it('raises an alarm with every contradiction, and stops if money is gone', () => {
    assertAlways(({ steps }) => {
      for (const { before, step } of steps) {
        const lost = step.bookings.includes('payout paid after rejection')
        if (lost) assert.equal(step.next?.stage, 'STOPPED')
        if (lost) assert.ok(step.alarm)
        if (before.stage === 'STOPPED') assert.deepEqual([step.next, step.bookings], [undefined, []])
      }
    })
  })
})
