// What becomes of a payout when the network answers or tells something. Money is reserved exactly while a payout is
// PROCESSING and SENDING or SENT; every end releases or posts it.

import type { Instant } from './instant.ts'
import type { Booking } from './ledger.ts'
import { endPayout, type Payout, type PayoutErrorCode } from './payout.ts'
import type { PayoutHappening } from './rail-notice.ts'

export type PayoutStep = {
  readonly next?: Payout
  readonly bookings: readonly Booking[]
  readonly alarm?: string
}

const NOTHING: PayoutStep = { bookings: [] }

export function isReserved(payout: Payout): boolean {
  return payout.status === 'PROCESSING' && (payout.stage === 'SENDING' || payout.stage === 'SENT')
}

export function settlePayout(
  payout: Payout,
  happening: PayoutHappening,
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
  if (payout.stage !== 'CREATED') return undefined
  const next = endPayout(payout, { how: 'cancel', errorCode: 'CANCELED_BY_MERCHANT', networkCode: null }, now)
  return next && { next, bookings: [] }
}

// Reserved and about to be handed over, in one step: from here on only the network can end it.
export function reservePayout(payout: Payout, availableInCents: bigint, now: Instant): PayoutStep {
  if (payout.stage !== 'CREATED') throw new Error(`a payout that is ${payout.stage} cannot be reserved`)
  if (availableInCents < payout.amountInCents) return declinePayout(payout, 'INSUFFICIENT_FUNDS', null, now)
  return {
    next: { ...payout, stage: 'SENDING', version: payout.version + 1, updatedAt: now },
    bookings: ['payout reserved'],
  }
}

export function markSent(payout: Payout, now: Instant): Payout {
  return { ...payout, stage: 'SENT', version: payout.version + 1, updatedAt: now }
}
