// What happens to a refund, as steps: its next version, and what the books show of the difference. Money is set aside when the refund is made,
// or as soon as there is enough, and stays so until it has left over its rail, a payout has it, or the refund has ended.

import type { Instant } from '../instant.ts'
import type { Booking } from '../ledger/bookings.ts'
import { nextState } from '../lifecycle.ts'
import type { Payin } from '../payins/payin.ts'
import type { Payout, PayoutErrorCode } from '../payouts/payout.ts'
import {
  CLAIM_LIFE_MS,
  isPaidAfterAll,
  type NamedKey,
  REFUND,
  type Refund,
  type RefundErrorCode,
  type RefundStage,
  type RefundStatus,
  type WaitingCode,
} from './refund.ts'

// Without a next version the refund does not change.
export type RefundStep = { readonly next?: Refund }

export const NO_CHANGE: RefundStep = {}

// Null: it was not there before.
export function refundBookings(before: Refund | null, next: Refund): [Booking, bigint][] {
  if (before !== null && isSetAsideAlike(before, next)) return []
  if (next.status === 'CONFIRMED') return [['refund given back', before?.reservedInCents ?? 0n]]
  return [
    ...(before === null ? [] : withDeposits('refund released', 'refund released to deposits', before)),
    ...withDeposits('refund reserved', 'refund reserved from deposits', next),
  ]
}

function isSetAsideAlike(one: Refund, other: Refund): boolean {
  return one.reservedInCents === other.reservedInCents && one.depositInCents === other.depositInCents
}

function withDeposits(booking: Booking, ofDeposits: Booking, refund: Refund): [Booking, bigint][] {
  const { reservedInCents, depositInCents } = refund
  const parts: [Booking, bigint][] = [
    [booking, reservedInCents - depositInCents],
    [ofDeposits, depositInCents],
  ]
  return parts.filter(([, cents]) => cents > 0n)
}

const NOTHING_RESERVED = { reservedInCents: 0n, depositInCents: 0n } as const

// The network has taken back so much of the payin that its refunds would give back more than is left.
export function isOvertaken(payin: Payin): boolean {
  return payin.refundHeldInCents > (payin.confirmedAmountInCents ?? 0n) - payin.chargedBackInCents
}

export function cancelChargedBack(refund: Refund, now: Instant): RefundStep {
  return ended(refund, 'cancel', { errorCode: 'CHARGED_BACK' }, now)
}

// The money is set aside, and the rail is about to be asked. From here on only the rail can end it.
export function sendOverRail(refund: Refund, now: Instant): RefundStep {
  if (refund.reservedInCents !== refund.amountInCents) throw new Error('a refund is not sent unreserved')
  return { next: { ...moved(refund, 'SENDING', now), errorCode: null } }
}

// A payout has it, its money and its receiver.
export function payBy(refund: Refund, payoutId: string, now: Instant): RefundStep {
  const next = { ...moved(refund, 'PAYING', now), payoutId, receiver: null, keyType: null, errorCode: null }
  return { next: { ...next, ...NOTHING_RESERVED } }
}

// Its money is set aside now, and it waits on for whom it waited.
export function reserveWaiting(reserved: Refund, now: Instant): RefundStep {
  return { next: moved(reserved, reserved.stage, now) }
}

// The same reason again is no change: nobody is told twice. `reserved`: with its money set aside by now, if there was enough.
export function awaitFunds(refund: Refund, reserved: Refund, why: WaitingCode, now: Instant): RefundStep {
  const isSame = refund.stage === 'AWAITING_FUNDS' && refund.errorCode === why
  if (isSame && isSetAsideAlike(refund, reserved)) return NO_CHANGE
  return { next: { ...moved(reserved, 'AWAITING_FUNDS', now), errorCode: why } }
}

export function givenBack(refund: Refund, traceId: string | null, now: Instant): RefundStep {
  if (refund.stage !== 'SENDING') throw new Error(`a refund that is ${refund.stage} was not sent`)
  return ended(refund, 'confirm', { traceId }, now)
}

export function refusedByRail(refund: Refund, networkCode: string, now: Instant): RefundStep {
  const why = { errorCode: 'RAIL_ERROR', networkCode } as const
  return ended(refund, 'decline', why, now)
}

// What the payout that pays it has come to.
export function followPayout(refund: Refund, payout: Payout, now: Instant): RefundStep {
  if (refund.status === 'CONFIRMED') {
    if (payout.returnedAt === null || refund.returnedAt !== null) return NO_CHANGE
    return {
      next: { ...refund, returnedAt: payout.returnedAt, version: refund.version + 1, updatedAt: now },
    }
  }
  if (payout.stage === 'STOPPED') return paidAfterAll(refund, payout.networkCode, now)
  if (refund.stage !== 'PAYING' || payout.status === 'PROCESSING') return NO_CHANGE
  const { errorCode, networkCode, traceId } = payout
  if (payout.status === 'CONFIRMED') return ended(refund, 'confirm', { traceId, networkCode }, now)
  if (errorCode === 'CANCELED_BY_MERCHANT') return ended(refund, 'cancel', { errorCode }, now)
  return askForKey(refund, errorCode, now)
}

// The network paid what it had declined, and a person must find out what became of it: the payer is not asked for another key, and what
// had ended without money has given it back.
function paidAfterAll(refund: Refund, networkCode: string | null, now: Instant): RefundStep {
  if (refund.status === 'PROCESSING')
    return ended(refund, 'decline', { errorCode: 'RAIL_ERROR', networkCode }, now)
  if (isPaidAfterAll(refund)) return NO_CHANGE
  return {
    next: { ...refund, errorCode: 'RAIL_ERROR', networkCode, version: refund.version + 1, updatedAt: now },
  }
}

// The key was no good, or its bank would not take it. No money left, so the payer may name another.
function askForKey(refund: Refund, errorCode: PayoutErrorCode | null, now: Instant): RefundStep {
  const next: Refund = {
    ...moved(refund, 'AWAITING_CLAIM', now),
    way: 'CLAIM',
    errorCode,
    receiver: null,
    keyType: null,
    claim: null,
    claimExpiresAt: now + CLAIM_LIFE_MS,
  }
  return { next }
}

// Until its time is over, whether or not a worker has seen that yet.
export function isClaimable({ stage, claimExpiresAt }: Refund, now: Instant): boolean {
  return stage === 'AWAITING_CLAIM' && now < (claimExpiresAt ?? now + 1)
}

// Undefined unless it waits for the payer. `isAsked`: other people must approve the key.
export function claimRefund(
  refund: Refund,
  named: NamedKey,
  isAsked: boolean,
  now: Instant,
): RefundStep | undefined {
  if (!isClaimable(refund, now)) return undefined
  const next = moved(refund, isAsked ? 'AWAITING_APPROVAL' : 'READY', now)
  return { next: { ...next, ...named, errorCode: null, claimExpiresAt: null } }
}

export function expireClaim(refund: Refund, now: Instant): RefundStep {
  if (refund.stage !== 'AWAITING_CLAIM' || isClaimable(refund, now)) return NO_CHANGE
  return ended(refund, 'cancel', { errorCode: 'CLAIM_EXPIRED' }, now)
}

// Those who were asked have approved. Without a key the payer is asked for one now.
export function approveRefund(refund: Refund, now: Instant): RefundStep {
  if (refund.way === 'CLAIM' && refund.receiver === null) {
    const next = { ...moved(refund, 'AWAITING_CLAIM', now), claimExpiresAt: now + CLAIM_LIFE_MS }
    return { next }
  }
  return { next: moved(refund, 'READY', now) }
}

export function declineRefund(refund: Refund, errorCode: RefundErrorCode, now: Instant): RefundStep {
  return ended(refund, 'decline', { errorCode }, now)
}

// Only while nothing was sent. What a payout has is canceled with the payout.
export function cancelRefund(refund: Refund, now: Instant): RefundStep | undefined {
  return CANCELABLE.includes(refund.stage)
    ? ended(refund, 'cancel', { errorCode: 'CANCELED_BY_MERCHANT' }, now)
    : undefined
}

const CANCELABLE: readonly RefundStage[] = [
  'READY',
  'AWAITING_FUNDS',
  'AWAITING_CLAIM',
  'AWAITING_APPROVAL',
  'PAYING',
]

function ended(
  refund: Refund,
  how: 'confirm' | 'decline' | 'cancel',
  why: { errorCode?: RefundErrorCode; networkCode?: string | null; traceId?: string | null },
  now: Instant,
): RefundStep {
  const status = nextState<RefundStatus>(REFUND, refund.status, how)
  if (status === undefined) return NO_CHANGE
  const next: Refund = {
    ...moved(refund, 'DONE', now),
    ...NOTHING_RESERVED,
    status,
    errorCode: why.errorCode ?? null,
    networkCode: why.networkCode ?? null,
    traceId: why.traceId ?? null,
    receiver: null,
    keyType: null,
    claimExpiresAt: null,
    resultAt: now,
  }
  return { next }
}

function moved(refund: Refund, stage: RefundStage, now: Instant): Refund {
  return { ...refund, stage, version: refund.version + 1, updatedAt: now }
}
