// What a network's answer or notice does to a payout. Money is reserved exactly while a payout is PROCESSING and
// AWAITING_APPROVAL, RESERVED, SENDING or SENT; every end releases or posts it.

import { type PayoutFunds, spendable } from '../connections/movement.ts'
import type { PayoutUpdate } from '../connections/notice.ts'
import type { Instant } from '../instant.ts'
import type { Booking } from '../ledger/bookings.ts'
import { endPayout, type Payout, type PayoutEnd, type PayoutErrorCode, type PayoutStage } from './payout.ts'

export type PayoutStep = {
  readonly next?: Payout
  readonly bookings: readonly Booking[]
  readonly alarm?: string
}

const NO_CHANGE: PayoutStep = { bookings: [] }

export function isReserved(payout: Payout): boolean {
  return payout.status === 'PROCESSING' && RESERVED_STAGES.includes(payout.stage)
}

const RESERVED_STAGES: readonly PayoutStage[] = ['AWAITING_APPROVAL', 'RESERVED', 'SENDING', 'SENT']

export function settlePayout(
  payout: Payout,
  update: PayoutUpdate,
  networkCode: string,
  now: Instant,
): PayoutStep {
  const step = stepOf(payout, update, networkCode, now)
  const paidInCents = update.kind === 'payout.completed' ? update.amountInCents : undefined
  if (paidInCents === undefined || paidInCents === payout.amountInCents) return step
  // The order named the amount, so what was booked stays.
  const problem = `the network says that it paid ${paidInCents} cents of a payout of ${payout.amountInCents}`
  return { ...step, alarm: step.alarm === undefined ? problem : `${step.alarm}; ${problem}` }
}

function stepOf(payout: Payout, update: PayoutUpdate, networkCode: string, now: Instant): PayoutStep {
  if (update.kind === 'payout.completed' && (payout.stage === 'STOPPED' || payout.status === 'CONFIRMED'))
    return completedAgain(payout, update.traceId)
  // The loss is already booked and has its alarm. From here on a person decides, whatever the network reports.
  if (payout.stage === 'STOPPED') return NO_CHANGE
  if (update.kind === 'payout.rejected') return declinePayout(payout, update.reason, networkCode, now)
  const { traceId } = update
  if (isReserved(payout)) {
    const next = endPayout(payout, { how: 'confirm', traceId }, now) as Payout
    // A payout that gives a payin's money back is a refund in the books, and not one of the merchant's own.
    return {
      next,
      bookings: [payout.refundId === null ? 'payout confirmed' : 'refund paid', ...feesOf(payout)],
    }
  }
  // Paid although it was rejected or never sent. The merchant's books stay as reported, and the loss raises an alarm.
  return {
    next: { ...payout, stage: 'STOPPED', networkCode, traceId, version: payout.version + 1, updatedAt: now },
    bookings: ['payout paid after rejection'],
    alarm: `the network paid a payout that is ${payout.status} (${payout.errorCode ?? payout.stage})`,
  }
}

function feesOf({ feeInCents, feeTaxInCents }: Payout): Booking[] {
  return [
    ...(feeInCents > 0n ? ['payout fee' as const] : []),
    ...(feeTaxInCents > 0n ? ['payout fee tax' as const] : []),
  ]
}

// The network reports a transfer that we have counted. Under another id it is another transfer: the money left twice.
function completedAgain(payout: Payout, traceId: string | null): PayoutStep {
  if (traceId === null || traceId === payout.traceId) return NO_CHANGE
  // A new version, although merchants do not see the id: of two ids that are told at once, the second must find the first.
  if (payout.traceId === null)
    return { next: { ...payout, traceId, version: payout.version + 1 }, bookings: [] }
  return { bookings: [], alarm: `the network paid this payout as ${payout.traceId}, and again as ${traceId}` }
}

export function declinePayout(
  payout: Payout,
  reason: PayoutErrorCode,
  networkCode: string | null,
  now: Instant,
): PayoutStep {
  return endWithoutMoney(payout, { how: 'decline', errorCode: reason, networkCode }, now)
}

// The network called the transfer off before any money moved.
export function cancelByNetwork(
  payout: Payout,
  reason: PayoutErrorCode,
  networkCode: string,
  now: Instant,
): PayoutStep {
  return endWithoutMoney(payout, { how: 'cancel', errorCode: reason, networkCode }, now)
}

function endWithoutMoney(
  payout: Payout,
  end: Exclude<PayoutEnd, { how: 'confirm' }>,
  now: Instant,
): PayoutStep {
  if (payout.status === 'CONFIRMED') {
    const code = end.networkCode ?? end.errorCode
    return { bookings: [], alarm: `the network rejected (${code}) a payout it had paid` }
  }
  const next = endPayout(payout, end, now)
  if (next === undefined) return NO_CHANGE
  return { next, bookings: isReserved(payout) ? ['payout released'] : [] }
}

// The money of a confirmed payout came back, once.
export function returnPayout(payout: Payout, networkCode: string, now: Instant): PayoutStep {
  if (payout.status !== 'CONFIRMED')
    return { bookings: [], alarm: `the network returned (${networkCode}) a payout that is ${payout.status}` }
  if (payout.returnedAt !== null) return NO_CHANGE
  const next = { ...payout, networkCode, returnedAt: now, version: payout.version + 1, updatedAt: now }
  return { next, bookings: ['payout returned'] }
}

// It is handed over once more, under the same reference. When that was is written down first.
export function sendAgain(payout: Payout, now: Instant): PayoutStep {
  return { next: moveTo(payout, 'SENDING', now), bookings: [] }
}

export function isCancelable({ stage }: Pick<Payout, 'stage'>): boolean {
  return stage === 'CREATED' || stage === 'AWAITING_APPROVAL' || stage === 'RESERVED'
}

// Only before anything was submitted to the network.
export function cancelPayout(payout: Payout, now: Instant): PayoutStep | undefined {
  if (!isCancelable(payout)) return undefined
  const next = endPayout(payout, { how: 'cancel', errorCode: 'CANCELED_BY_MERCHANT', networkCode: null }, now)
  return next && { next, bookings: isReserved(payout) ? ['payout released'] : [] }
}

// Reserved and about to be submitted, in one step. From here on only the network can end it. What was set aside before is not sent while
// less than nothing is left: money that was charged back since is owed first. A refund's has just been set aside for it.
export function reservePayout(payout: Payout, funds: PayoutFunds, now: Instant): PayoutStep {
  if (payout.stage !== 'RESERVED') return reserveFor(payout, 'SENDING', funds, now)
  const left = spendable(funds, payout.connection !== null)
  if (left >= 0n || payout.refundId !== null) return { next: moveTo(payout, 'SENDING', now), bookings: [] }
  return declinePayout({ ...payout, missingInCents: -left }, 'INSUFFICIENT_FUNDS', null, now)
}

// Reserved, and sent once people have approved it.
export function reserveForApproval(payout: Payout, funds: PayoutFunds, now: Instant): PayoutStep {
  return reserveFor(payout, 'AWAITING_APPROVAL', funds, now)
}

// From now on the dispatcher may send it.
export function approvePayout(payout: Payout, now: Instant): PayoutStep {
  if (payout.stage !== 'AWAITING_APPROVAL') throw new Error(`a payout that is ${payout.stage} awaits nobody`)
  return { next: moveTo(payout, 'RESERVED', now), bookings: [] }
}

function reserveFor(payout: Payout, stage: PayoutStage, funds: PayoutFunds, now: Instant): PayoutStep {
  if (payout.stage !== 'CREATED') throw new Error(`a payout that is ${payout.stage} cannot be reserved`)
  const isConnected = payout.connection !== null
  const neededInCents = reservedInCents(payout)
  const missingInCents = neededInCents - spendable(funds, isConnected)
  if (missingInCents > 0n)
    return declinePayout({ ...payout, missingInCents }, 'INSUFFICIENT_FUNDS', null, now)
  return {
    next: { ...moveTo(payout, stage, now), depositInCents: isConnected ? neededInCents : 0n },
    bookings: ['payout reserved'],
  }
}

// Reserved, and not submitted yet: a worker does that when its turn comes.
export function reserveAhead(payout: Payout, funds: PayoutFunds, now: Instant): PayoutStep {
  const step = reservePayout(payout, funds, now)
  return step.next?.stage === 'SENDING' ? { ...step, next: { ...step.next, stage: 'RESERVED' } } : step
}

// What is left when the step has reserved its payout, or released it.
export function fundsAfter(
  { availableInCents, depositedInCents }: PayoutFunds,
  { next, bookings }: PayoutStep,
): PayoutFunds {
  const isReleased = bookings.includes('payout released')
  if (next === undefined || (!isReleased && !bookings.includes('payout reserved')))
    return { availableInCents, depositedInCents }
  const sign = isReleased ? -1n : 1n
  const { depositInCents } = next
  return {
    availableInCents: availableInCents - sign * (reservedInCents(next) - depositInCents),
    depositedInCents: depositedInCents - sign * depositInCents,
  }
}

// A booking of a payout, as the parts of it that are booked. One over a connection may have been reserved of both before schema 0060, and
// then of both it is released. What comes back after it was paid is at the merchant's provider again, all of it, and what is paid after a
// rejection has left from there.
export function partsOf(booking: Booking, payout: Payout): [Booking, bigint][] {
  const { amountInCents, feeInCents, feeTaxInCents, connection } = payout
  if (booking === 'payout fee') return [[booking, feeInCents]]
  if (booking === 'payout fee tax') return [[booking, feeTaxInCents]]
  const ofDeposit = DEPOSIT_BOOKINGS[booking]
  if (ofDeposit === undefined) return [[booking, amountInCents]]
  // What came back, or left after all, is the amount. The fee was for the transfer.
  const isSetAside = booking === 'payout reserved' || booking === 'payout released'
  const wholeInCents = isSetAside ? reservedInCents(payout) : amountInCents
  const ofProvider = connection === null ? 0n : wholeInCents
  const depositInCents = isSetAside ? payout.depositInCents : ofProvider
  const parts: [Booking, bigint][] = [
    [booking, wholeInCents - depositInCents],
    [ofDeposit, depositInCents],
  ]
  return parts.filter(([, cents]) => cents > 0n)
}

// What is set aside for a payout: its amount, and what it costs.
function reservedInCents({ amountInCents, feeInCents, feeTaxInCents }: Payout): bigint {
  return amountInCents + feeInCents + feeTaxInCents
}

const DEPOSIT_BOOKINGS: Readonly<Partial<Record<Booking, Booking>>> = {
  'payout reserved': 'payout reserved from deposits',
  'payout released': 'payout released to deposits',
  'payout returned': 'payout returned to deposits',
  'payout paid after rejection': 'payout paid after rejection from deposits',
}

// The payout was never submitted: its key could not be resolved. After a while it is declined. `since` is when it could first be sent:
// one that people approved counts from then.
export function deferForKey(payout: Payout, now: Instant, since: Instant = payout.createdAt): PayoutStep {
  return now - since < KEY_UNRESOLVED_MS
    ? { next: moveTo(payout, 'RESERVED', now), bookings: [] }
    : declinePayout(payout, 'PARTICIPANT_UNAVAILABLE', null, now)
}

// After this long, a merchant would rather send another payout than wait for the receiver's bank.
export const KEY_UNRESOLVED_MS = 30 * 60_000

export function markSent(payout: Payout, now: Instant): Payout {
  return moveTo(payout, 'SENT', now)
}

function moveTo(payout: Payout, stage: PayoutStage, now: Instant): Payout {
  return { ...payout, stage, version: payout.version + 1, updatedAt: now }
}
