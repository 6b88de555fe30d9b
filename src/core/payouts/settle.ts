// What becomes of a payout when the network answers or tells something. Money is reserved exactly while a payout is
// PROCESSING and RESERVED, SENDING or SENT; every end releases or posts it.

import type { PayoutUpdate } from '../connections/notice.ts'
import type { Instant } from '../instant.ts'
import type { Booking } from '../ledger/bookings.ts'
import { endPayout, type Payout, type PayoutErrorCode, type PayoutStage } from './payout.ts'

export type PayoutStep = {
  readonly next?: Payout
  readonly bookings: readonly Booking[]
  readonly alarm?: string
}

const NOTHING: PayoutStep = { bookings: [] }

export function isReserved(payout: Payout): boolean {
  return payout.status === 'PROCESSING' && HOLDING.includes(payout.stage)
}

const HOLDING: readonly PayoutStage[] = ['RESERVED', 'SENDING', 'SENT']

export function settlePayout(
  payout: Payout,
  happening: PayoutUpdate,
  networkCode: string,
  now: Instant,
): PayoutStep {
  // Its loss is booked and shown already; from there on a person decides, whatever else the network says.
  if (payout.stage === 'STOPPED') return NOTHING
  if (happening.kind === 'payout.rejected') return declinePayout(payout, happening.reason, networkCode, now)
  if (payout.status === 'CONFIRMED') return NOTHING
  if (isReserved(payout)) {
    return { next: endPayout(payout, { how: 'confirm' }, now) as Payout, bookings: ['payout confirmed'] }
  }
  // Paid, though it was rejected or never sent: the merchant's books stay as told, and the loss is shown.
  return {
    next: { ...payout, stage: 'STOPPED', networkCode, version: payout.version + 1, updatedAt: now },
    bookings: ['payout paid after rejection'],
    alarm: `the network paid a payout that is ${payout.status} (${payout.errorCode ?? payout.stage})`,
  }
}

export function declinePayout(
  payout: Payout,
  reason: PayoutErrorCode,
  networkCode: string | null,
  now: Instant,
): PayoutStep {
  if (payout.status === 'CONFIRMED') {
    return { bookings: [], alarm: `the network rejected (${networkCode ?? reason}) a payout it had paid` }
  }
  const next = endPayout(payout, { how: 'decline', errorCode: reason, networkCode }, now)
  if (next === undefined) return NOTHING
  return { next, bookings: isReserved(payout) ? ['payout released'] : [] }
}

// Only before anything was handed to the network.
export function cancelPayout(payout: Payout, now: Instant): PayoutStep | undefined {
  if (payout.stage !== 'CREATED' && payout.stage !== 'RESERVED') return undefined
  const next = endPayout(payout, { how: 'cancel', errorCode: 'CANCELED_BY_MERCHANT', networkCode: null }, now)
  return next && { next, bookings: isReserved(payout) ? ['payout released'] : [] }
}

// Reserved and about to be handed over, in one step: from here on only the network can end it.
export function reservePayout(payout: Payout, availableInCents: bigint, now: Instant): PayoutStep {
  if (payout.stage === 'RESERVED') return { next: moveTo(payout, 'SENDING', now), bookings: [] }
  if (payout.stage !== 'CREATED') throw new Error(`a payout that is ${payout.stage} cannot be reserved`)
  if (availableInCents < payout.amountInCents) return declinePayout(payout, 'INSUFFICIENT_FUNDS', null, now)
  return {
    next: moveTo(payout, 'SENDING', now),
    bookings: ['payout reserved'],
  }
}

// It was about to be handed over and was not: nobody knows whose the key is. After a while it ends.
export function deferForKey(payout: Payout, now: Instant): PayoutStep {
  return now - payout.createdAt < KEY_UNRESOLVED_MS
    ? { next: moveTo(payout, 'RESERVED', now), bookings: [] }
    : declinePayout(payout, 'PARTICIPANT_UNAVAILABLE', null, now)
}

// A merchant rather sends another payout than waits longer than this for the receiver's bank to come back.
export const KEY_UNRESOLVED_MS = 30 * 60_000

export function markSent(payout: Payout, now: Instant): Payout {
  return moveTo(payout, 'SENT', now)
}

function moveTo(payout: Payout, stage: PayoutStage, now: Instant): Payout {
  return { ...payout, stage, version: payout.version + 1, updatedAt: now }
}
