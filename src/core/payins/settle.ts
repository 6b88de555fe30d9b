// What a network's update does to a payin. The result is a step: the payin's next version if it changes, the bookings
// that go with it, money for suspense, or an alarm. Nothing is lost: money that fits no open payin goes to suspense,
// and a contradiction raises an alarm for a person.

import type { PayinUpdate } from '../connections/notice.ts'
import type { Instant } from '../instant.ts'
import type { Booking } from '../ledger/bookings.ts'
import {
  type ChargebackFacts,
  chargebackInWords,
  chargebackPart,
  NOT_BOOKED,
  recognizeChargeback,
} from '../ledger/chargebacks.ts'
import { nextState } from '../lifecycle.ts'
import { isOpen, PAYIN, type Payin, type PayinErrorCode, type PayinStatus } from './payin.ts'

// UNKNOWN_PAYIN: the organization has no such payin. UNATTRIBUTED: we have no such organization.
export const SUSPENSE_REASONS = [
  'LATE',
  'AMOUNT_MISMATCH',
  'SECOND_PAYMENT',
  'UNKNOWN_PAYIN',
  'UNATTRIBUTED',
] as const
export type SuspenseReason = (typeof SUSPENSE_REASONS)[number]

export type Chargeback = {
  readonly amountInCents: bigint
  readonly paymentId: string
  readonly chargebackId?: string
}

export type PayinStep = {
  // Absent if the payin does not change.
  readonly next?: Payin
  readonly booking?: { readonly booking: Booking; readonly amountInCents: bigint; readonly part?: string }
  readonly suspense?: {
    readonly reason: SuspenseReason
    readonly amountInCents: bigint
    readonly paymentId: string
  }
  // The network charged back a payment that is not the payin's own. If we have it, it is in suspense.
  readonly otherPaymentChargedBack?: Chargeback
  readonly alarm?: string
  // The network's id of the payment that decided the payin.
  readonly paymentId?: string
}

export type PayinFacts = {
  // The payment that confirmed or ended the payin, if any.
  readonly paymentId: string | null
  readonly onAmountMismatch: 'decline' | 'accept'
  // How much of the reported payment is in suspense already, if it is there.
  readonly suspendedInCents?: bigint | undefined
  // The notice that reports a chargeback, and what is known of others, if some of the payin was charged back before.
  readonly noticeId?: string
  readonly chargebacks?: ChargebackFacts | undefined
  // The payin was an attempt on a payment link that has since ended, so nobody expects its money.
  readonly linkHasEnded?: boolean
}

export function settlePayin(payin: Payin, update: PayinUpdate, facts: PayinFacts, now: Instant): PayinStep {
  switch (update.kind) {
    case 'payin.paid':
      return paid(payin, update.amountInCents, update.paymentId, facts, now)
    case 'payin.declined':
      return ended(payin, 'decline', update.reason, now)
    case 'payin.canceled':
      return ended(payin, 'cancel', update.reason, now)
    case 'payin.chargeback':
      return chargedBack(payin, update, facts, now)
  }
}

function paid(
  payin: Payin,
  amountInCents: bigint,
  paymentId: string,
  facts: PayinFacts,
  now: Instant,
): PayinStep {
  if (!isOpen(payin)) {
    const knownInCents =
      facts.paymentId === paymentId && payin.status === 'CONFIRMED'
        ? (payin.confirmedAmountInCents as bigint)
        : facts.suspendedInCents
    if (knownInCents !== undefined) return repeated(paymentId, knownInCents, amountInCents)
    if (facts.paymentId === paymentId) return {}
    const reason = payin.status === 'CONFIRMED' ? 'SECOND_PAYMENT' : 'LATE'
    return { suspense: { reason, amountInCents, paymentId } }
  }
  if (facts.linkHasEnded === true) {
    return {
      next: moved(payin, 'cancel', now, { errorCode: 'EXPIRED' }),
      suspense: { reason: 'LATE', amountInCents, paymentId },
      paymentId,
    }
  }
  const amountMatches = amountInCents === payin.amountInCents
  // A payment link promises its exact amount, so its payins accept no other.
  if (!amountMatches && (facts.onAmountMismatch === 'decline' || payin.paymentLinkId !== null)) {
    return {
      next: moved(payin, 'decline', now, { errorCode: 'AMOUNT_MISMATCH' }),
      suspense: { reason: 'AMOUNT_MISMATCH', amountInCents, paymentId },
      paymentId,
    }
  }
  return {
    next: moved(prepared(payin, now), 'confirm', now, {
      confirmedAmountInCents: amountInCents,
      settlementStatus: 'PENDING_SETTLEMENT',
    }),
    booking: { booking: 'payin confirmed', amountInCents },
    paymentId,
  }
}

// The network reports a payment we already have. What was booked stays, and another amount is a person's to look at.
function repeated(paymentId: string, knownInCents: bigint, amountInCents: bigint): PayinStep {
  if (amountInCents === knownInCents) return {}
  return {
    alarm: `the network reported payment ${paymentId} of ${knownInCents} cents again, with ${amountInCents} cents`,
  }
}

function ended(payin: Payin, how: 'decline' | 'cancel', errorCode: PayinErrorCode, now: Instant): PayinStep {
  if (isOpen(payin)) return { next: moved(payin, how, now, { errorCode }) }
  // Already final. Only a denial of money that we counted needs a person.
  return payin.status === 'CONFIRMED'
    ? { alarm: `the network says ${how} (${errorCode}) of a payin it had confirmed` }
    : {}
}

function chargedBack(payin: Payin, update: Chargeback, facts: PayinFacts, now: Instant): PayinStep {
  if (payin.status !== 'CONFIRMED' || facts.paymentId !== update.paymentId)
    return { otherPaymentChargedBack: update }
  const { amountInCents, chargebackId = null } = update
  const reported = { noticeId: facts.noticeId ?? '', chargebackId, amountInCents }
  const confirmedInCents = payin.confirmedAmountInCents as bigint
  const inWords = chargebackInWords(reported, confirmedInCents)
  const recognition = recognizeChargeback(reported, facts.chargebacks ?? { booked: [], reportedBefore: [] })
  // A new version, although nothing changes: of two that are reported at once, only one may be the one that is booked.
  if (recognition === 'matched') return { next: { ...payin, version: payin.version + 1 } }
  if (recognition !== 'new') {
    const problem = NOT_BOOKED[recognition]
    return problem === undefined ? {} : { alarm: `${inWords}, ${problem}` }
  }
  const leftInCents = confirmedInCents - payin.chargedBackInCents
  if (leftInCents === 0n) return { alarm: `${inWords}, not booked: nothing is left of the payin` }
  const takenInCents = amountInCents < leftInCents ? amountInCents : leftInCents
  return {
    next: {
      ...payin,
      version: payin.version + 1,
      // Money that is left is settled, or stays settled.
      settlementStatus: takenInCents === leftInCents ? 'REVERSED' : payin.settlementStatus,
      chargedBackInCents: payin.chargedBackInCents + takenInCents,
      chargebackAt: now,
      updatedAt: now,
    },
    booking: {
      booking:
        payin.settlementStatus === 'SETTLED'
          ? 'payin charged back after settlement'
          : 'payin charged back before settlement',
      part: chargebackPart(reported),
      amountInCents: takenInCents,
    },
    ...(amountInCents !== leftInCents && { alarm: inWords }),
  }
}

// A payment can be reported before its bank session. The payin then passes through PROCESSING.
function prepared(payin: Payin, now: Instant): Payin {
  return payin.status === 'PENDING' ? moved(payin, 'prepare', now, {}) : payin
}

export function preparePayin(payin: Payin, now: Instant): Payin | undefined {
  return payin.status === 'PENDING' ? moved(payin, 'prepare', now, {}) : undefined
}

export function settleFunds(payin: Payin, now: Instant): PayinStep {
  if (payin.settlementStatus !== 'PENDING_SETTLEMENT') return {}
  return {
    next: { ...payin, version: payin.version + 1, settlementStatus: 'SETTLED', updatedAt: now },
    booking: {
      booking: 'payin settled',
      amountInCents: (payin.confirmedAmountInCents as bigint) - payin.chargedBackInCents,
    },
  }
}

function moved(payin: Payin, action: string, now: Instant, changes: Partial<Payin>): Payin {
  const status = nextState<PayinStatus>(PAYIN, payin.status, action)
  if (status === undefined) throw new Error(`a ${payin.status} payin cannot ${action}`)
  const isResult = action !== 'prepare'
  return {
    ...payin,
    ...changes,
    status,
    version: payin.version + 1,
    updatedAt: now,
    ...(isResult && { resultAt: now }),
  }
}
