// What a network's update does to a payin. The result is a step: the payin's next version if it changes, the bookings
// that go with it, money for suspense, or an alarm. Nothing is lost: money that fits no open payin goes to suspense,
// and a contradiction raises an alarm for a person.

import { bogotaDay } from '../bogota-day.ts'
import type { PayinUpdate } from '../connections/notice.ts'
import type { Instant } from '../instant.ts'
import type { Booking } from '../ledger/bookings.ts'
import {
  type ChargebackFacts,
  chargebackInWords,
  chargebackPart,
  recognizeChargeback,
  WHY_NOT_BOOKED,
} from '../ledger/chargebacks.ts'
import { type Charge, type Charges, chargesOf } from '../ledger/charges.ts'
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
  // What is taken of it with its settlement.
  readonly charges?: readonly Charge[]
  readonly suspense?: {
    readonly reason: SuspenseReason
    readonly amountInCents: bigint
    readonly paymentId: string
  }
  // The network charged back a payment that is not the payin's own. If we have it, it is in suspense or another payin's.
  readonly otherPaymentChargedBack?: Chargeback
  readonly alarm?: string
  // The network's id of the payment that decided the payin.
  readonly paymentId?: string
  // The payment that confirms the payin is in suspense, and must not stay there.
  readonly counted?: HeldPayment
}

// A payment that is or was in suspense: of the payin's own organization, or of nobody. It is free until somebody returns,
// attaches, counts or charges back any of it.
export type HeldPayment = {
  readonly suspenseId: string
  readonly amountInCents: bigint
  readonly isFree: boolean
  readonly isOwn: boolean
}

// Where a payment of a network is counted: by the payin that it confirmed, or in suspense.
export type PaymentPlace = {
  readonly organizationId: string
  readonly kind: 'payin' | 'suspense'
  readonly id: string
}

// Over its own rail, the network has given the money back itself. What was paid out left in another way.
export type GivenBack = { readonly byRailInCents: bigint; readonly byPayoutInCents: bigint }

export type PayinFacts = {
  // The payment that confirmed or ended the payin, if any.
  readonly paymentId: string | null
  readonly onAmountMismatch: 'decline' | 'accept'
  // The reported payment, if it is or was in suspense.
  readonly held?: HeldPayment | undefined
  // Where else the reported payment is counted, in any organization, if that was looked for. See mayBeElsewhere.
  readonly elsewhere?: PaymentPlace | undefined
  // The notice that reports a chargeback, and what is known of others, if some of the payin was charged back before.
  readonly noticeId?: string
  readonly chargebacks?: ChargebackFacts | undefined
  // What refunds have given back of the payin, over its rail and by payouts.
  readonly refunds?: GivenBack | undefined
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
      return chargeBackPayin(payin, update, facts, now)
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
    if (facts.paymentId === paymentId && payin.status === 'CONFIRMED')
      return repeated(paymentId, payin.confirmedAmountInCents as bigint, amountInCents)
    if (facts.paymentId === paymentId)
      return facts.held === undefined ? {} : repeated(paymentId, facts.held.amountInCents, amountInCents)
    const reason = payin.status === 'CONFIRMED' ? 'SECOND_PAYMENT' : 'LATE'
    return suspended(reason, amountInCents, paymentId, facts)
  }
  if (facts.linkHasEnded === true) {
    return {
      next: moved(payin, 'cancel', now, { errorCode: 'EXPIRED' }),
      ...suspended('LATE', amountInCents, paymentId, facts),
      paymentId,
    }
  }
  const amountMatches = amountInCents === payin.amountInCents
  // A payment link promises its exact amount, so its payins accept no other.
  if (!amountMatches && (facts.onAmountMismatch === 'decline' || payin.paymentLinkId !== null)) {
    return {
      next: moved(payin, 'decline', now, { errorCode: 'AMOUNT_MISMATCH' }),
      ...suspended('AMOUNT_MISMATCH', amountInCents, paymentId, facts),
      paymentId,
    }
  }
  const { held, elsewhere } = facts
  // An item in suspense elsewhere is released. Another payin keeps what it has.
  if (elsewhere?.kind === 'payin') {
    return {
      next: moved(payin, 'decline', now, { errorCode: 'RAIL_ERROR' }),
      alarm: isElsewhere(paymentId, amountInCents, elsewhere),
      paymentId,
    }
  }
  if (held !== undefined && !(held.isFree && held.amountInCents === amountInCents)) {
    return {
      next: moved(payin, 'decline', now, { errorCode: 'RAIL_ERROR' }),
      alarm: contradictsSuspense(paymentId, amountInCents, held),
      paymentId,
    }
  }
  return {
    next: moved(prepared(payin, now), 'confirm', now, {
      confirmedAmountInCents: amountInCents,
      settlementStatus: 'PENDING_SETTLEMENT',
    }),
    booking: {
      booking: held?.isOwn === true ? 'payin confirmed from suspense' : 'payin confirmed',
      amountInCents,
    },
    paymentId,
    ...(held && { counted: held }),
    ...(namesOtherSession(payin, paymentId) && {
      alarm: `the network reported payment ${paymentId}, and had opened this payin's session as ${payin.progress.traceId}`,
    }),
  }
}

// PSE gives a payment its id when it opens the session. A payment under another id may be that of another session.
function namesOtherSession({ source, progress }: Payin, paymentId: string): boolean {
  return source.rail === 'PSE' && progress.traceId !== null && progress.traceId !== paymentId
}

// Whether to look for the payment in every organization before the step is written. That is dear, so it is done only if the
// money would go to suspense, or the network contradicts itself: a payment is nearly always its payin's.
export function mayBeElsewhere(payin: Payin, step: PayinStep): boolean {
  if (step.suspense !== undefined) return true
  return step.paymentId !== undefined && namesOtherSession(payin, step.paymentId)
}

// Money that the payin cannot take goes to suspense, unless it is there already.
function suspended(
  reason: SuspenseReason,
  amountInCents: bigint,
  paymentId: string,
  { held, elsewhere }: PayinFacts,
): Pick<PayinStep, 'suspense' | 'alarm'> {
  if (elsewhere !== undefined) return { alarm: isElsewhere(paymentId, amountInCents, elsewhere) }
  if (held === undefined) return { suspense: { reason, amountInCents, paymentId } }
  if (held.isOwn || held.amountInCents !== amountInCents)
    return repeated(paymentId, held.amountInCents, amountInCents)
  return {
    alarm: `payment ${paymentId} of ${amountInCents} cents came for this payin, and is in suspense of nobody as ${held.suspenseId}`,
  }
}

function isElsewhere(paymentId: string, amountInCents: bigint, place: PaymentPlace): string {
  return `the network reported payment ${paymentId} of ${amountInCents} cents here, but ${placeInWords(place)}`
}

export function placeInWords({ kind, organizationId, id }: PaymentPlace): string {
  const counted = kind === 'payin' ? `confirmed payin ${id}` : `is in suspense as ${id}`
  return `it ${counted} of organization ${organizationId}`
}

export function contradictsSuspense(
  paymentId: string,
  amountInCents: bigint,
  { suspenseId, amountInCents: heldInCents, isFree }: HeldPayment,
): string {
  const held = `is in suspense as ${suspenseId} with ${heldInCents} cents${isFree ? '' : ', and was dealt with there'}`
  return `the network reported payment ${paymentId} of ${amountInCents} cents here, but the payment ${held}`
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

export function chargeBackPayin(
  payin: Payin,
  update: Chargeback,
  facts: Pick<PayinFacts, 'paymentId' | 'noticeId' | 'chargebacks' | 'refunds'>,
  now: Instant,
): PayinStep {
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
    const problem = WHY_NOT_BOOKED[recognition]
    return problem === undefined ? {} : { alarm: `${inWords}, ${problem}` }
  }
  const { byRailInCents, byPayoutInCents } = facts.refunds ?? NOTHING_GIVEN_BACK
  const wholeInCents = confirmedInCents - payin.chargedBackInCents
  // The network cannot take what it has given back already.
  const leftInCents = wholeInCents - byRailInCents
  if (leftInCents <= 0n) return { alarm: `${inWords}, not booked: nothing is left of the payin` }
  const takenInCents = amountInCents < leftInCents ? amountInCents : leftInCents
  const isRefunded = takenInCents > leftInCents - byPayoutInCents
  return {
    next: {
      ...payin,
      version: payin.version + 1,
      // Money that is left is settled, or stays settled.
      settlementStatus: takenInCents === wholeInCents ? 'REVERSED' : payin.settlementStatus,
      chargedBackInCents: payin.chargedBackInCents + takenInCents,
      chargebackAt: now,
      updatedAt: now,
    },
    booking: {
      booking:
        payin.settlementStatus !== 'SETTLED'
          ? 'payin charged back before settlement'
          : payin.connection === null
            ? 'payin charged back after settlement'
            : 'payin charged back from deposits',
      part: chargebackPart(reported),
      amountInCents: takenInCents,
    },
    ...((amountInCents !== leftInCents || isRefunded) && {
      alarm: isRefunded
        ? `${inWords}, after ${byPayoutInCents} cents of it were refunded by payout`
        : inWords,
    }),
  }
}

const NOTHING_GIVEN_BACK: GivenBack = { byRailInCents: 0n, byPayoutInCents: 0n }

// A payment can be reported before its bank session. The payin then passes through PROCESSING.
function prepared(payin: Payin, now: Instant): Payin {
  return payin.status === 'PENDING' ? moved(payin, 'prepare', now, {}) : payin
}

export function preparePayin(payin: Payin, now: Instant): Payin | undefined {
  return payin.status === 'PENDING' ? moved(payin, 'prepare', now, {}) : undefined
}

// What is charged of it is taken in the same step. What came over a connection is in the merchant's account at its provider, and stays
// apart from what the installation's networks would pay.
export function settleFunds(payin: Payin, charges: Charges, now: Instant): PayinStep {
  if (payin.settlementStatus !== 'PENDING_SETTLEMENT') return {}
  const amountInCents = (payin.confirmedAmountInCents as bigint) - payin.chargedBackInCents
  const isOurs = payin.connection === null
  return {
    next: { ...payin, version: payin.version + 1, settlementStatus: 'SETTLED', updatedAt: now },
    booking: { booking: isOurs ? 'payin settled' : 'payin settled to deposits', amountInCents },
    charges: isOurs ? chargesOf(charges, payin.source.rail, amountInCents, bogotaDay(now)) : [],
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
