// The outcome of a payin: every state against every possible update, written out; and invariants after any sequence of
// updates, whatever a network reports and in whatever order.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { PayinUpdate } from '../../../src/core/connections/notice.ts'
import type { Instant } from '../../../src/core/instant.ts'
import { ACCOUNTS, type Account, type Booking, transfer } from '../../../src/core/ledger/bookings.ts'
import { type ChargebackFacts, readChargebackPart } from '../../../src/core/ledger/chargebacks.ts'
import { NO_CHARGES } from '../../../src/core/ledger/charges.ts'
import { newOrganization } from '../../../src/core/organizations/organization.ts'
import { cancelPayin, isOpen, newPayin, type Payin } from '../../../src/core/payins/payin.ts'
import {
  type HeldPayment,
  type PayinStep,
  type PaymentPlace,
  preparePayin,
  settleFunds,
  settlePayin,
} from '../../../src/core/payins/settle.ts'

const NOW: Instant = Date.UTC(2026, 10, 15, 12)
const AMOUNT = 5_000_000n
const OTHER_AMOUNT = 2_500_000n
const PART = 1_000_000n
const OWN_PAYMENT = 'the-first-payment'

const organization = newOrganization('0199a0b0-0000-7000-8000-000000000001', 'Café La Palma', NOW)
const base = newPayin(organization, '0199a0b0-0000-7000-8000-000000000002', {
  amountInCents: AMOUNT,
  reference: 'order-1',
  customer: null,
  callbackUrl: null,
  way: { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
})
const paidBy = (paymentId: string) => ({ progress: { ...base.progress, paymentId } })
const confirmed: Payin = {
  ...base,
  status: 'CONFIRMED',
  settlementStatus: 'PENDING_SETTLEMENT',
  confirmedAmountInCents: AMOUNT,
  resultAt: NOW,
  ...paidBy(OWN_PAYMENT),
}

const STATES = {
  PENDING: { ...base, status: 'PENDING' },
  PROCESSING: { ...base, status: 'PROCESSING' },
  CONFIRMED: confirmed,
  SETTLED: { ...confirmed, settlementStatus: 'SETTLED' },
  'CONFIRMED, partly charged back': { ...confirmed, chargedBackInCents: PART, chargebackAt: NOW },
  'SETTLED, partly charged back': {
    ...confirmed,
    settlementStatus: 'SETTLED',
    chargedBackInCents: PART,
    chargebackAt: NOW,
  },
  REVERSED: { ...confirmed, settlementStatus: 'REVERSED', chargedBackInCents: AMOUNT, chargebackAt: NOW },
  CANCELED: { ...base, status: 'CANCELED', errorCode: 'CANCELED_BY_MERCHANT', resultAt: NOW },
  DECLINED: { ...base, status: 'DECLINED', errorCode: 'BANK_DECLINED', resultAt: NOW },
  'DECLINED with money': {
    ...base,
    status: 'DECLINED',
    errorCode: 'AMOUNT_MISMATCH',
    resultAt: NOW,
    ...paidBy(OWN_PAYMENT),
  },
} as const satisfies Record<string, Payin>
type State = keyof typeof STATES

const known = (payin: Payin, onAmountMismatch: 'decline' | 'accept' = 'decline') => ({
  paymentId: payin.progress.paymentId,
  onAmountMismatch,
})
// What is known of chargebacks, and the notice that tells of one.
type Told = { noticeId: string; chargebacks: ChargebackFacts }
type Apply = (payin: Payin, told?: Told) => PayinStep
const reported =
  (update: PayinUpdate, onAmountMismatch?: 'accept'): Apply =>
  (payin, told) =>
    settlePayin(payin, update, { ...known(payin, onAmountMismatch), ...told }, NOW)
const paid = (amountInCents: bigint, paymentId: string): PayinUpdate => ({
  kind: 'payin.paid',
  amountInCents,
  paymentId,
})
const chargedBack = (amountInCents: bigint, chargebackId?: string): PayinUpdate => ({
  kind: 'payin.chargeback',
  amountInCents,
  paymentId: OWN_PAYMENT,
  ...(chargebackId !== undefined && { chargebackId }),
})
// A part is booked that was told before, by a notice or by the statement.
const afterPart =
  (update: PayinUpdate, toldBy: string, chargebackId: string | null = null) =>
  (payin: Payin): PayinStep => {
    const part = { chargebackId, amountInCents: OTHER_AMOUNT }
    const chargebacks = { booked: [part], reportedBefore: [{ noticeId: toldBy, ...part }] }
    return reported(update)(payin, { noticeId: 'notice-2', chargebacks })
  }
const HELD = { suspenseId: 'a-suspense-item', amountInCents: AMOUNT, isFree: true, isOwn: true }
const held =
  (changes: Partial<HeldPayment> = {}, amountInCents = AMOUNT) =>
  (payin: Payin): PayinStep => {
    const facts = { ...known(payin), held: { ...HELD, ...changes } }
    return settlePayin(payin, paid(amountInCents, 'a-new-payment'), facts, NOW)
  }
const elsewhere =
  (kind: PaymentPlace['kind'], amountInCents = AMOUNT) =>
  (payin: Payin): PayinStep => {
    const facts = { ...known(payin), elsewhere: { kind, organizationId: 'another-merchant', id: 'another' } }
    return settlePayin(payin, paid(amountInCents, 'a-new-payment'), facts, NOW)
  }
const asStep = (next: Payin | undefined): PayinStep => (next === undefined ? {} : { next })

const UPDATES = {
  paid: reported(paid(AMOUNT, 'a-new-payment')),
  'paid, reported again': reported(paid(AMOUNT, OWN_PAYMENT)),
  'paid, reported again with another amount': reported(paid(OTHER_AMOUNT, OWN_PAYMENT)),
  'paid, and in suspense already': held(),
  'paid, and in suspense already with another amount': held({ amountInCents: OTHER_AMOUNT }),
  'paid, and in suspense of nobody': held({ isOwn: false }),
  'paid, and no longer free in suspense': held({ isFree: false }),
  'paid, and no longer free in suspense of nobody': held({ isFree: false, isOwn: false }),
  'paid another amount, and in suspense already': held({ amountInCents: OTHER_AMOUNT }, OTHER_AMOUNT),
  'paid another amount, and in suspense of nobody': held(
    { amountInCents: OTHER_AMOUNT, isOwn: false },
    OTHER_AMOUNT,
  ),
  'paid, and another payin’s': elsewhere('payin'),
  'paid, and in suspense of another merchant': elsewhere('suspense'),
  'paid another amount, and another payin’s': elsewhere('payin', OTHER_AMOUNT),
  'paid another amount': reported(paid(OTHER_AMOUNT, 'a-new-payment')),
  'paid another amount, which is accepted': reported(paid(OTHER_AMOUNT, 'a-new-payment'), 'accept'),
  'paid another amount on a link': (payin: Payin) =>
    reported(paid(OTHER_AMOUNT, 'a-new-payment'), 'accept')({ ...payin, paymentLinkId: payin.payinId }),
  declined: reported({ kind: 'payin.declined', reason: 'INSUFFICIENT_FUNDS' }),
  canceled: reported({ kind: 'payin.canceled', reason: 'CANCELED_BY_PAYER' }),
  'charged back': reported(chargedBack(AMOUNT)),
  'charged back in part': reported(chargedBack(OTHER_AMOUNT)),
  'charged back in part, as another notice told': afterPart(chargedBack(OTHER_AMOUNT), 'notice-1'),
  'charged back in part, as the statement told': afterPart(chargedBack(OTHER_AMOUNT), 'statement:1'),
  'charged back in part, under a known id': afterPart(chargedBack(OTHER_AMOUNT, 'CB1'), 'notice-1', 'CB1'),
  'charged back in part, under another id': afterPart(chargedBack(OTHER_AMOUNT, 'CB2'), 'notice-1', 'CB1'),
  'prepared by the bank': (payin: Payin) => asStep(preparePayin(payin, NOW)),
  'canceled by the merchant': (payin: Payin) => asStep(cancelPayin(payin, 'CANCELED_BY_MERCHANT', NOW)),
  expired: (payin: Payin) => asStep(cancelPayin(payin, 'EXPIRED', NOW)),
  'settled a day later': (payin: Payin) => settleFunds(payin, NO_CHARGES, NOW),
} as const satisfies Record<string, (payin: Payin) => PayinStep>
type Update = keyof typeof UPDATES

const NOTHING = 'nothing'
const ELSEWHERE = 'taken back elsewhere'
const LATE = 'suspense LATE'
const MISMATCH = 'DECLINED AMOUNT_MISMATCH; suspense AMOUNT_MISMATCH'
const CONFIRMS = 'CONFIRMED PENDING_SETTLEMENT; payin confirmed'
const CONTRADICTED = 'DECLINED RAIL_ERROR; alarm'
const VERSION = 'a new version'
const CONFIRMS_OTHER = 'CONFIRMED PENDING_SETTLEMENT of 2500000; payin confirmed of 2500000'

const WHILE_OPEN = {
  paid: CONFIRMS,
  'paid, reported again': CONFIRMS,
  'paid, reported again with another amount': MISMATCH,
  'paid, and in suspense already': 'CONFIRMED PENDING_SETTLEMENT; payin confirmed from suspense; counted',
  'paid, and in suspense already with another amount': CONTRADICTED,
  'paid, and in suspense of nobody': `${CONFIRMS}; counted`,
  'paid, and no longer free in suspense': CONTRADICTED,
  'paid, and no longer free in suspense of nobody': CONTRADICTED,
  'paid another amount, and in suspense already': 'DECLINED AMOUNT_MISMATCH',
  'paid another amount, and in suspense of nobody': 'DECLINED AMOUNT_MISMATCH; alarm',
  'paid, and another payin’s': CONTRADICTED,
  'paid, and in suspense of another merchant': CONFIRMS,
  'paid another amount, and another payin’s': 'DECLINED AMOUNT_MISMATCH; alarm',
  'paid another amount': MISMATCH,
  'paid another amount, which is accepted': CONFIRMS_OTHER,
  'paid another amount on a link': MISMATCH,
  declined: 'DECLINED INSUFFICIENT_FUNDS',
  canceled: 'CANCELED CANCELED_BY_PAYER',
  'charged back': ELSEWHERE,
  'charged back in part': ELSEWHERE,
  'charged back in part, as another notice told': ELSEWHERE,
  'charged back in part, as the statement told': ELSEWHERE,
  'charged back in part, under a known id': ELSEWHERE,
  'charged back in part, under another id': ELSEWHERE,
  'canceled by the merchant': 'CANCELED CANCELED_BY_MERCHANT',
  expired: 'CANCELED EXPIRED',
  'settled a day later': NOTHING,
} as const
// It stays there, and nothing is booked again. What is in suspense of nobody is shown as this payin's.
const IN_SUSPENSE = {
  'paid, and in suspense already': NOTHING,
  'paid, and in suspense already with another amount': 'alarm',
  'paid, and in suspense of nobody': 'alarm',
  'paid, and no longer free in suspense': NOTHING,
  'paid, and no longer free in suspense of nobody': 'alarm',
  'paid another amount, and in suspense already': NOTHING,
  'paid another amount, and in suspense of nobody': 'alarm',
  'paid, and another payin’s': 'alarm',
  'paid, and in suspense of another merchant': 'alarm',
  'paid another amount, and another payin’s': 'alarm',
} as const
const AFTER_CONFIRMATION = {
  paid: 'suspense SECOND_PAYMENT',
  'paid, reported again': NOTHING,
  'paid, reported again with another amount': 'alarm',
  ...IN_SUSPENSE,
  'paid another amount': 'suspense SECOND_PAYMENT',
  'paid another amount, which is accepted': 'suspense SECOND_PAYMENT',
  'paid another amount on a link': 'suspense SECOND_PAYMENT',
  declined: 'alarm',
  canceled: 'alarm',
  'charged back in part, as another notice told': 'alarm',
  'charged back in part, as the statement told': VERSION,
  'charged back in part, under a known id': NOTHING,
  'prepared by the bank': NOTHING,
  'canceled by the merchant': NOTHING,
  expired: NOTHING,
  'settled a day later': NOTHING,
} as const
const WITHOUT_MONEY = {
  paid: LATE,
  'paid, reported again': LATE,
  'paid, reported again with another amount': LATE,
  ...IN_SUSPENSE,
  'paid another amount': LATE,
  'paid another amount, which is accepted': LATE,
  'paid another amount on a link': LATE,
  declined: NOTHING,
  canceled: NOTHING,
  'charged back': ELSEWHERE,
  'charged back in part': ELSEWHERE,
  'charged back in part, as another notice told': ELSEWHERE,
  'charged back in part, as the statement told': ELSEWHERE,
  'charged back in part, under a known id': ELSEWHERE,
  'charged back in part, under another id': ELSEWHERE,
  'prepared by the bank': NOTHING,
  'canceled by the merchant': NOTHING,
  expired: NOTHING,
  'settled a day later': NOTHING,
} as const

const TABLE: Readonly<Record<State, Readonly<Record<Update, string>>>> = {
  PENDING: { ...WHILE_OPEN, 'prepared by the bank': 'PROCESSING' },
  PROCESSING: { ...WHILE_OPEN, 'prepared by the bank': NOTHING },
  CONFIRMED: {
    ...AFTER_CONFIRMATION,
    'charged back': 'CONFIRMED REVERSED; payin charged back before settlement',
    'charged back in part':
      'CONFIRMED PENDING_SETTLEMENT; payin charged back before settlement of 2500000; alarm',
    'charged back in part, under another id':
      'CONFIRMED PENDING_SETTLEMENT; payin charged back before settlement of 2500000; alarm',
    'settled a day later': 'CONFIRMED SETTLED; payin settled',
  },
  SETTLED: {
    ...AFTER_CONFIRMATION,
    'charged back': 'CONFIRMED REVERSED; payin charged back after settlement',
    'charged back in part': 'CONFIRMED SETTLED; payin charged back after settlement of 2500000; alarm',
    'charged back in part, under another id':
      'CONFIRMED SETTLED; payin charged back after settlement of 2500000; alarm',
  },
  'CONFIRMED, partly charged back': {
    ...AFTER_CONFIRMATION,
    'charged back': 'CONFIRMED REVERSED; payin charged back before settlement of 4000000; alarm',
    'charged back in part':
      'CONFIRMED PENDING_SETTLEMENT; payin charged back before settlement of 2500000; alarm',
    'charged back in part, under another id':
      'CONFIRMED PENDING_SETTLEMENT; payin charged back before settlement of 2500000; alarm',
    'settled a day later': 'CONFIRMED SETTLED; payin settled of 4000000',
  },
  'SETTLED, partly charged back': {
    ...AFTER_CONFIRMATION,
    'charged back': 'CONFIRMED REVERSED; payin charged back after settlement of 4000000; alarm',
    'charged back in part': 'CONFIRMED SETTLED; payin charged back after settlement of 2500000; alarm',
    'charged back in part, under another id':
      'CONFIRMED SETTLED; payin charged back after settlement of 2500000; alarm',
  },
  REVERSED: {
    ...AFTER_CONFIRMATION,
    'charged back': 'alarm',
    'charged back in part': 'alarm',
    'charged back in part, under another id': 'alarm',
  },
  CANCELED: WITHOUT_MONEY,
  DECLINED: WITHOUT_MONEY,
  'DECLINED with money': {
    ...WITHOUT_MONEY,
    'paid, reported again': NOTHING,
    'paid, reported again with another amount': NOTHING,
  },
}

function inWords(payin: Payin, step: PayinStep): string {
  const { next, booking, suspense, otherPaymentChargedBack: otherChargedBack, alarm, counted } = step
  if (next !== undefined && isDeepStrictEqual({ ...next, version: payin.version }, payin)) return VERSION
  const of = (cents: bigint | null) => (cents === null || cents === AMOUNT ? '' : ` of ${cents}`)
  const words = [
    next &&
      [next.status, next.settlementStatus, next.errorCode].filter((word) => word !== null).join(' ') +
        of(next.confirmedAmountInCents),
    booking && booking.booking + of(booking.amountInCents),
    suspense && `suspense ${suspense.reason}`,
    otherChargedBack && ELSEWHERE,
    alarm && 'alarm',
    counted && 'counted',
  ].filter((word) => word !== undefined)
  return words.length === 0 ? NOTHING : words.join('; ')
}

describe('a payin', () => {
  for (const [state, payin] of Object.entries(STATES)) {
    for (const [update, apply] of Object.entries(UPDATES)) {
      const expected = TABLE[state as State][update as Update]
      it(`${state}, ${update}: ${expected}`, () => {
        const step = apply(payin)
        assert.equal(inWords(payin, step), expected)
        if (step.next === undefined) return
        assert.ok(step.next.version > payin.version)
        if (expected === VERSION) return
        assert.equal(step.next.updatedAt, NOW)
        if (!isOpen(payin) || isOpen(step.next)) return
        assert.equal(step.next.resultAt, NOW)
        const isPaid = update.startsWith('paid')
        const payment = update.includes('reported again') ? OWN_PAYMENT : 'a-new-payment'
        assert.equal(step.paymentId, isPaid ? payment : undefined, 'the payment that decided it')
      })
    }
  }

  it('whose own payment is in suspense too has nothing new to say of it, unless its amount differs', () => {
    const payin = STATES['DECLINED with money']
    const told = (heldInCents: bigint, isOwn: boolean) => {
      const facts = { ...known(payin), held: { ...HELD, amountInCents: heldInCents, isOwn } }
      return inWords(payin, settlePayin(payin, paid(AMOUNT, OWN_PAYMENT), facts, NOW))
    }
    for (const isOwn of [true, false])
      assert.deepEqual([told(AMOUNT, isOwn), told(OTHER_AMOUNT, isOwn)], [NOTHING, 'alarm'])
  })

  it('that is not confirmed by money in suspense says where the money is, and whether somebody dealt with it', () => {
    const free = held({ amountInCents: OTHER_AMOUNT })(STATES.PROCESSING).alarm
    assert.match(free ?? '', /is in suspense as a-suspense-item with 2500000 cents$/)
    const spent = held({ isFree: false })(STATES.PROCESSING).alarm
    assert.match(
      spent ?? '',
      /is in suspense as a-suspense-item with 5000000 cents, and was dealt with there$/,
    )
  })

  it('keeps the money that came with a wrong amount, to the cent', () => {
    const { suspense } = UPDATES['paid another amount'](STATES.PROCESSING)
    assert.deepEqual(suspense, {
      reason: 'AMOUNT_MISMATCH',
      amountInCents: OTHER_AMOUNT,
      paymentId: 'a-new-payment',
    })
  })
})

// Five payments, each with a fixed amount. The network reports them in any order and any number of times.
const PAYMENTS: Readonly<Record<string, bigint>> = {
  one: AMOUNT,
  two: AMOUNT,
  three: AMOUNT,
  small: OTHER_AMOUNT,
  large: AMOUNT * 2n,
}

const anyUpdate: fc.Arbitrary<Apply> = fc.oneof(
  fc.constantFrom(...Object.keys(PAYMENTS)).map((id) => reported(paid(PAYMENTS[id] as bigint, id))),
  fc.constantFrom(...Object.keys(PAYMENTS)).map((id) => reported(paid(PAYMENTS[id] as bigint, id), 'accept')),
  fc
    .tuple(
      fc.constantFrom(...Object.keys(PAYMENTS)),
      fc.constantFrom(PART, OTHER_AMOUNT, AMOUNT, AMOUNT * 2n),
    )
    .map(([paymentId, amountInCents]) => reported({ kind: 'payin.chargeback', amountInCents, paymentId })),
  fc.constantFrom(
    UPDATES.declined,
    UPDATES.canceled,
    UPDATES['prepared by the bank'],
    UPDATES['canceled by the merchant'],
    UPDATES.expired,
    UPDATES['settled a day later'],
  ),
)

// Applies updates as the flows and the store do: the payment that ended the payin is remembered, and a payment goes to
// suspense once.
function applyAll(payin: Payin, updates: readonly Apply[]) {
  const history: Payin[] = [payin]
  const bookings: NonNullable<PayinStep['booking']>[] = []
  const suspense = new Map<string, bigint>()
  let current = payin
  for (const [number, apply] of updates.entries()) {
    const booked = bookings.flatMap(({ part, amountInCents }) =>
      part === undefined ? [] : [readChargebackPart(part, amountInCents)],
    )
    const reportedBefore = booked.map((part) => ({ noticeId: 'earlier', ...part }))
    const step = apply(current, { noticeId: `notice-${number}`, chargebacks: { booked, reportedBefore } })
    if (step.booking) bookings.push(step.booking)
    if (step.suspense && !suspense.has(step.suspense.paymentId)) {
      suspense.set(step.suspense.paymentId, step.suspense.amountInCents)
      bookings.push({ booking: 'money in suspense', amountInCents: step.suspense.amountInCents })
    }
    if (step.next === undefined) continue
    const paymentId = step.paymentId ?? current.progress.paymentId
    current = { ...step.next, progress: { ...step.next.progress, paymentId } }
    history.push(current)
  }
  return { history, current, bookings, suspense }
}

function balancesOf(bookings: readonly { booking: Booking; amountInCents: bigint }[]) {
  const balances = Object.fromEntries(ACCOUNTS.map((account) => [account, 0n])) as Record<Account, bigint>
  for (const { booking, amountInCents } of bookings) {
    const { organizationId, payinId: subjectId } = base
    const of = { organizationId, transferId: subjectId, subjectId, amountInCents, createdAt: NOW }
    const { debit, credit } = transfer(booking, 'PSE', of)
    balances[debit] -= amountInCents
    balances[credit] += amountInCents
  }
  return balances
}

describe('any sequence of updates of a payin', () => {
  const assertAlways = (
    holds: (result: ReturnType<typeof applyAll>, paymentIds: readonly string[]) => void,
  ) =>
    fc.assert(
      fc.property(
        fc.constantFrom(STATES.PENDING, STATES.PROCESSING),
        fc.array(anyUpdate, { maxLength: 25 }),
        (payin, updates) => {
          // The reported payments, seen from outside.
          const names: string[] = []
          const recorded = updates.map(
            (apply): Apply =>
              (current, told) => {
                const step = apply(current, told)
                const id = step.paymentId ?? step.suspense?.paymentId
                if (id !== undefined) names.push(id)
                return step
              },
          )
          holds(applyAll(payin, recorded), names)
        },
      ),
      { numRuns: 500 },
    )

  it('never leaves a final state', () => {
    assertAlways(({ history }) => {
      const end = history.findIndex((payin) => !isOpen(payin))
      if (end < 0) return
      const final = history[end] as Payin
      for (const later of history.slice(end)) {
        assert.equal(later.status, final.status)
        assert.equal(later.resultAt, final.resultAt)
        assert.equal(later.confirmedAmountInCents, final.confirmedAmountInCents)
        assert.equal(later.errorCode, final.errorCode)
      }
    })
  })

  it('increments its version with every change', () => {
    assertAlways(({ history }) => {
      for (const [index, payin] of history.entries())
        if (index > 0) assert.ok(payin.version > (history[index - 1] as Payin).version)
    })
  })

  it('books no part twice but money for suspense, and is confirmed at most once', () => {
    assertAlways(({ bookings, current }) => {
      const own = bookings.filter(({ booking }) => booking !== 'money in suspense')
      const names = own.map(({ booking, part = '' }) => `${booking} ${part}`)
      assert.equal(new Set(names).size, names.length)
      assert.equal(names.includes('payin confirmed '), current.status === 'CONFIRMED')
    })
  })

  it('has a confirmed amount exactly if it is confirmed', () => {
    assertAlways(({ history }) => {
      for (const payin of history)
        assert.equal(payin.confirmedAmountInCents !== null, payin.status === 'CONFIRMED')
    })
  })

  it('holds its money where its settlement status says, and the ledger sums to zero', () => {
    assertAlways(({ bookings, current, suspense }) => {
      const balances = balancesOf(bookings)
      const held = (current.confirmedAmountInCents ?? 0n) - current.chargedBackInCents
      const { settlementStatus } = current
      assert.equal(balances.PENDING_SETTLEMENT, settlementStatus === 'PENDING_SETTLEMENT' ? held : 0n)
      assert.equal(balances.AVAILABLE, settlementStatus === 'SETTLED' ? held : 0n)
      assert.equal(
        balances.SUSPENSE,
        [...suspense.values()].reduce((sum, cents) => sum + cents, 0n),
      )
      assert.equal(
        Object.values(balances).reduce((sum, cents) => sum + cents, 0n),
        0n,
      )
    })
  })

  it('counts every reported payment once: as its own or in suspense', () => {
    assertAlways(({ bookings, current }, names) => {
      const reportedCents = [...new Set(names)].reduce((sum, id) => sum + (PAYMENTS[id] as bigint), 0n)
      const { CLEARING_PSE } = balancesOf(bookings)
      assert.equal(-CLEARING_PSE + current.chargedBackInCents, reportedCents)
    })
  })
})

describe('what a settlement takes', () => {
  const fee = { fixedInCents: 0n, basisPoints: 100, taxBasisPoints: 1_900 }
  const charges = { fees: { PSE: fee, BRE_B: fee }, payoutFees: {}, withholdings: [] }

  it('is of what was left of the payin', () => {
    const { charges: taken } = settleFunds({ ...confirmed, chargedBackInCents: PART }, charges, NOW)
    assert.equal(taken?.[0]?.amountInCents, (AMOUNT - PART + 50n) / 100n)
  })

  it('is nothing of a payin over a connection, which its provider charges', () => {
    const connection = { connectionId: 'c', provider: 'wompi' } as const
    assert.deepEqual(settleFunds({ ...confirmed, connection }, charges, NOW).charges, [])
  })

  it('is nothing of a payin that was settled before', () => {
    assert.deepEqual(settleFunds({ ...confirmed, settlementStatus: 'SETTLED' }, charges, NOW), {})
  })
})
