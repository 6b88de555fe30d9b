// What becomes of a payin: every state against everything that can happen to it, written out; and what must hold after any
// sequence of happenings, whatever a network tells and in whatever order.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { PayinUpdate } from '../../../src/core/connections/notice.ts'
import type { Instant } from '../../../src/core/instant.ts'
import { ACCOUNTS, type Account, type Booking, transfer } from '../../../src/core/ledger/bookings.ts'
import { newOrganization } from '../../../src/core/organizations/organization.ts'
import { cancelPayin, isOpen, newPayin, type Payin } from '../../../src/core/payins/payin.ts'
import { type PayinStep, preparePayin, settleFunds, settlePayin } from '../../../src/core/payins/settle.ts'

const NOW: Instant = Date.UTC(2026, 10, 15, 12)
const AMOUNT = 5_000_000n
const OTHER_AMOUNT = 2_500_000n
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
  REVERSED: { ...confirmed, settlementStatus: 'REVERSED', chargebackAt: NOW },
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
const told = (happening: PayinUpdate, onAmountMismatch?: 'accept') => (payin: Payin) =>
  settlePayin(payin, happening, known(payin, onAmountMismatch), NOW)
const paid = (amountInCents: bigint, paymentId: string): PayinUpdate => ({
  kind: 'payin.paid',
  amountInCents,
  paymentId,
})
const chargedBack = (amountInCents: bigint): PayinUpdate => ({
  kind: 'payin.chargeback',
  amountInCents,
  paymentId: OWN_PAYMENT,
})
const asStep = (next: Payin | undefined): PayinStep => (next === undefined ? {} : { next })

const HAPPENINGS = {
  paid: told(paid(AMOUNT, 'a-new-payment')),
  'paid, told again': told(paid(AMOUNT, OWN_PAYMENT)),
  'paid another amount': told(paid(OTHER_AMOUNT, 'a-new-payment')),
  'paid another amount, which is accepted': told(paid(OTHER_AMOUNT, 'a-new-payment'), 'accept'),
  'paid another amount on a link': (payin: Payin) =>
    told(paid(OTHER_AMOUNT, 'a-new-payment'), 'accept')({ ...payin, paymentLinkId: payin.payinId }),
  declined: told({ kind: 'payin.declined', reason: 'INSUFFICIENT_FUNDS' }),
  canceled: told({ kind: 'payin.canceled', reason: 'CANCELED_BY_PAYER' }),
  'charged back': told(chargedBack(AMOUNT)),
  'charged back in part': told(chargedBack(OTHER_AMOUNT)),
  'prepared by the bank': (payin: Payin) => asStep(preparePayin(payin, NOW)),
  'canceled by the merchant': (payin: Payin) => asStep(cancelPayin(payin, 'CANCELED_BY_MERCHANT', NOW)),
  expired: (payin: Payin) => asStep(cancelPayin(payin, 'EXPIRED', NOW)),
  'settled a day later': (payin: Payin) => settleFunds(payin, NOW),
} as const satisfies Record<string, (payin: Payin) => PayinStep>
type Happening = keyof typeof HAPPENINGS

const NOTHING = 'nothing'
const ELSEWHERE = 'taken back elsewhere'
const LATE = 'suspense LATE'
const MISMATCH = 'DECLINED AMOUNT_MISMATCH; suspense AMOUNT_MISMATCH'
const CONFIRMS = 'CONFIRMED PENDING_SETTLEMENT; payin confirmed'
const CONFIRMS_OTHER = 'CONFIRMED PENDING_SETTLEMENT of 2500000; payin confirmed of 2500000'

const WHILE_OPEN = {
  paid: CONFIRMS,
  'paid, told again': CONFIRMS,
  'paid another amount': MISMATCH,
  'paid another amount, which is accepted': CONFIRMS_OTHER,
  'paid another amount on a link': MISMATCH,
  declined: 'DECLINED INSUFFICIENT_FUNDS',
  canceled: 'CANCELED CANCELED_BY_PAYER',
  'charged back': ELSEWHERE,
  'charged back in part': ELSEWHERE,
  'canceled by the merchant': 'CANCELED CANCELED_BY_MERCHANT',
  expired: 'CANCELED EXPIRED',
  'settled a day later': NOTHING,
} as const
const AFTER_CONFIRMATION = {
  paid: 'suspense SECOND_PAYMENT',
  'paid, told again': NOTHING,
  'paid another amount': 'suspense SECOND_PAYMENT',
  'paid another amount, which is accepted': 'suspense SECOND_PAYMENT',
  'paid another amount on a link': 'suspense SECOND_PAYMENT',
  declined: 'alarm',
  canceled: 'alarm',
  'prepared by the bank': NOTHING,
  'canceled by the merchant': NOTHING,
  expired: NOTHING,
  'settled a day later': NOTHING,
} as const
const WITHOUT_MONEY = {
  paid: LATE,
  'paid, told again': LATE,
  'paid another amount': LATE,
  'paid another amount, which is accepted': LATE,
  'paid another amount on a link': LATE,
  declined: NOTHING,
  canceled: NOTHING,
  'charged back': ELSEWHERE,
  'charged back in part': ELSEWHERE,
  'prepared by the bank': NOTHING,
  'canceled by the merchant': NOTHING,
  expired: NOTHING,
  'settled a day later': NOTHING,
} as const

const TABLE: Readonly<Record<State, Readonly<Record<Happening, string>>>> = {
  PENDING: { ...WHILE_OPEN, 'prepared by the bank': 'PROCESSING' },
  PROCESSING: { ...WHILE_OPEN, 'prepared by the bank': NOTHING },
  CONFIRMED: {
    ...AFTER_CONFIRMATION,
    'charged back': 'CONFIRMED REVERSED; payin charged back before settlement',
    'charged back in part': 'CONFIRMED REVERSED; payin charged back before settlement; alarm',
    'settled a day later': 'CONFIRMED SETTLED; payin settled',
  },
  SETTLED: {
    ...AFTER_CONFIRMATION,
    'charged back': 'CONFIRMED REVERSED; payin charged back after settlement',
    'charged back in part': 'CONFIRMED REVERSED; payin charged back after settlement; alarm',
  },
  REVERSED: { ...AFTER_CONFIRMATION, 'charged back': NOTHING, 'charged back in part': NOTHING },
  CANCELED: WITHOUT_MONEY,
  DECLINED: WITHOUT_MONEY,
  'DECLINED with money': { ...WITHOUT_MONEY, 'paid, told again': NOTHING },
}

function inWords({ next, booking, suspense, otherPaymentChargedBack: takenBack, alarm }: PayinStep): string {
  const of = (cents: bigint | null) => (cents === null || cents === AMOUNT ? '' : ` of ${cents}`)
  const words = [
    next &&
      [next.status, next.settlementStatus, next.errorCode].filter((word) => word !== null).join(' ') +
        of(next.confirmedAmountInCents),
    booking && booking.booking + of(booking.amountInCents),
    suspense && `suspense ${suspense.reason}`,
    takenBack && ELSEWHERE,
    alarm && 'alarm',
  ].filter((word) => word !== undefined)
  return words.length === 0 ? NOTHING : words.join('; ')
}

describe('a payin', () => {
  for (const [state, payin] of Object.entries(STATES)) {
    for (const [happening, happens] of Object.entries(HAPPENINGS)) {
      const expected = TABLE[state as State][happening as Happening]
      it(`${state}, ${happening}: ${expected}`, () => {
        const step = happens(payin)
        assert.equal(inWords(step), expected)
        if (step.next === undefined) return
        assert.ok(step.next.version > payin.version)
        assert.equal(step.next.updatedAt, NOW)
        if (isOpen(payin) && !isOpen(step.next)) assert.equal(step.next.resultAt, NOW)
      })
    }
  }

  it('keeps the money that came with a wrong amount, to the cent', () => {
    const { suspense } = HAPPENINGS['paid another amount'](STATES.PROCESSING)
    assert.deepEqual(suspense, {
      reason: 'AMOUNT_MISMATCH',
      amountInCents: OTHER_AMOUNT,
      paymentId: 'a-new-payment',
    })
  })
})

// Five payments, each of one amount for good; the network tells of them as often and in whatever order it likes.
const PAYMENTS: Readonly<Record<string, bigint>> = {
  one: AMOUNT,
  two: AMOUNT,
  three: AMOUNT,
  small: OTHER_AMOUNT,
  large: AMOUNT * 2n,
}

const anyHappening = fc.oneof(
  fc.constantFrom(...Object.keys(PAYMENTS)).map((id) => told(paid(PAYMENTS[id] as bigint, id))),
  fc.constantFrom(...Object.keys(PAYMENTS)).map((id) => told(paid(PAYMENTS[id] as bigint, id), 'accept')),
  fc.constantFrom(
    HAPPENINGS.declined,
    HAPPENINGS.canceled,
    HAPPENINGS['charged back'],
    HAPPENINGS['charged back in part'],
    HAPPENINGS['prepared by the bank'],
    HAPPENINGS['canceled by the merchant'],
    HAPPENINGS.expired,
    HAPPENINGS['settled a day later'],
  ),
)

// A life as the flows and the store make it: the payment that ended the payin is remembered, and a payment is put in
// suspense once.
function live(payin: Payin, happenings: readonly ((payin: Payin) => PayinStep)[]) {
  const history: Payin[] = [payin]
  const bookings: { booking: Booking; amountInCents: bigint }[] = []
  const suspense = new Map<string, bigint>()
  let current = payin
  for (const happens of happenings) {
    const step = happens(current)
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

describe('any life of a payin', () => {
  const lives = (holds: (life: ReturnType<typeof live>, told: readonly string[]) => void) =>
    fc.assert(
      fc.property(
        fc.constantFrom(STATES.PENDING, STATES.PROCESSING),
        fc.array(anyHappening, { maxLength: 25 }),
        (payin, happenings) => {
          // What was told to have been paid, seen from outside.
          const names: string[] = []
          const watched = happenings.map((happens) => (current: Payin) => {
            const step = happens(current)
            const id = step.paymentId ?? step.suspense?.paymentId
            if (id !== undefined) names.push(id)
            return step
          })
          holds(live(payin, watched), names)
        },
      ),
      { numRuns: 500 },
    )

  it('never leaves a final state', () => {
    lives(({ history }) => {
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

  it('counts up its version with every change', () => {
    lives(({ history }) => {
      for (const [index, payin] of history.entries())
        if (index > 0) assert.ok(payin.version > (history[index - 1] as Payin).version)
    })
  })

  it('books nothing twice but money for suspense, and is confirmed at most once', () => {
    lives(({ bookings, current }) => {
      const own = bookings.map(({ booking }) => booking).filter((booking) => booking !== 'money in suspense')
      assert.equal(new Set(own).size, own.length)
      assert.equal(own.includes('payin confirmed'), current.status === 'CONFIRMED')
    })
  })

  it('knows an amount exactly where it is confirmed', () => {
    lives(({ history }) => {
      for (const payin of history)
        assert.equal(payin.confirmedAmountInCents !== null, payin.status === 'CONFIRMED')
    })
  })

  it('holds its money where its settlement says, and the books sum to zero', () => {
    lives(({ bookings, current, suspense }) => {
      const balances = balancesOf(bookings)
      const held = current.confirmedAmountInCents ?? 0n
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

  it('counts every payment it is told of once: as its own or in suspense', () => {
    lives(({ bookings, current }, names) => {
      const told = [...new Set(names)].reduce((sum, id) => sum + (PAYMENTS[id] as bigint), 0n)
      const { CLEARING_PSE } = balancesOf(bookings)
      const gone = current.settlementStatus === 'REVERSED' ? (current.confirmedAmountInCents as bigint) : 0n
      assert.equal(-CLEARING_PSE + gone, told)
    })
  })
})
