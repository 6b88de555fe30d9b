// What to do about a payin next, and when. We query its network after a long silence, end the payin at its expiry, and
// settle it some time after the money arrived.

import { backoffMs, patientBackoffMs } from '../backoff.ts'
import type { Rail } from '../connections/rail.ts'
import type { Instant } from '../instant.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../instant.ts'
import { awaitsPayer, isOpen, type Payin } from './payin.ts'

export type PayinWork = 'submit' | 'query' | 'expire' | 'close' | 'settle' | 'review' | 'nothing'

// How long a worker has a payin: longer than any call to a network with its retries.
export const PAYIN_LEASE_MS = MINUTE_MS
// How long a network may be silent before the first query, and the interval after that. PSE asks us not to query sooner
// or more often.
const QUERY_AFTER_MS: Readonly<Record<Rail, { first: number; then: number }>> = {
  BRE_B: { first: 30_000, then: 2 * MINUTE_MS },
  PSE: { first: 7 * MINUTE_MS, then: 12 * MINUTE_MS },
}
// However often a payer says that it is paid, the network is asked once in this time.
export function queryPauseMs(rail: Rail): number {
  return QUERY_AFTER_MS[rail].then
}

// If the network does not answer at expiry, we keep asking for this long. Then the payin ends without its answer.
const GRACE_AFTER_EXPIRY_MS = HOUR_MS
// A question that has been without an answer for this long needs a person.
const UNRESOLVED_AFTER_MS = DAY_MS

export function dueWork(payin: Payin, now: Instant): PayinWork {
  if (!isOpen(payin)) {
    const { stage } = payin.progress
    if (stage === 'TO_SETTLE') return 'settle'
    if (payin.status === 'CONFIRMED' && payin.connection !== null) return 'review'
    return stage === 'TO_CLOSE' || (stage === 'DONE' && payin.status !== 'CONFIRMED') ? 'close' : 'nothing'
  }
  if (now >= payin.expiresAt) return 'expire'
  // The network gets it once the payer has filled in the page.
  if (awaitsPayer(payin)) return 'nothing'
  return payin.progress.stage === 'TO_OPEN' ? 'submit' : 'query'
}

// No worker has had it, so the network never heard of it. `wasClaimed`: a lease stands in its row, even one that has run out.
export function isUnknownToNetwork({ progress }: Payin, wasClaimed: boolean): boolean {
  return progress.stage === 'TO_OPEN' && progress.attempts === 0 && !wasClaimed
}

// It waited for its payer all its time, and without the payer nothing is ordered. So nobody needs to be asked.
export function wasNeverOrdered(payin: Payin): boolean {
  return awaitsPayer(payin) && payin.progress.attempts === 0
}

// A worker that had the payin when it ended may be handing it over, as long as its lease lasts. Until then a network that
// does not know the payin may know it soon.
export function mayBeOnItsWay(payin: Payin, now: Instant): boolean {
  return payin.resultAt !== null && now < payin.resultAt + PAYIN_LEASE_MS
}

export function isPastGracePeriod(payin: Payin, now: Instant): boolean {
  return now >= payin.expiresAt + GRACE_AFTER_EXPIRY_MS
}

// When to query after the network accepted the payin, if it stays silent. Never later than the expiry.
export function firstQueryAt(payin: Payin, now: Instant): Instant {
  return Math.min(payin.expiresAt, now + QUERY_AFTER_MS[payin.source.rail].first)
}

export function nextQueryAt(payin: Payin, now: Instant): Instant {
  return Math.min(payin.expiresAt, now + QUERY_AFTER_MS[payin.source.rail].then)
}

// The provider has the payin, and the payer waits for what is still to come: the bank's page, or a key.
export function askWhetherReadyAt(payin: Payin, now: Instant): Instant {
  return Math.min(
    payin.expiresAt,
    now + READY_AFTER_MS * 2 ** Math.min(payin.progress.attempts, READY_DOUBLINGS),
  )
}

// A second is what a payer notices, and a minute is what a provider may take.
const READY_AFTER_MS = 500
const READY_DOUBLINGS = 6

// After a failed attempt. An open payin is due again at its expiry at the latest.
export function retryAt(payin: Payin, now: Instant): Instant {
  const wait = backoffMs(payin.progress.attempts)
  return isOpen(payin) && now < payin.expiresAt ? Math.min(payin.expiresAt, now + wait) : now + wait
}

// When to ask again about a payin that has its outcome: whether the network has closed it, or what it was paid. `isOpenAtNetwork`:
// the network says that the payment can still be made.
export function askAgainAt(
  payin: Payin,
  now: Instant,
  isOpenAtNetwork: boolean,
  settlementDelayMs: number,
): Instant {
  // After the outcome nobody waits for us, but a payer may still be debited.
  const pause = patientBackoffMs(payin.progress.attempts)
  const alarmAt = unresolvedAt(payin, settlementDelayMs)
  const next = now < alarmAt ? Math.min(now + pause, alarmAt) : now + pause
  const isAtBank = isOpenAtNetwork && payin.source.rail === 'PSE'
  return isAtBank ? Math.max(next, now + QUERY_AFTER_MS.PSE.then) : next
}

// When we have waited a day for the network's answer, and a person must look. The day begins at the outcome or the expiry, and
// for a payin that waits for settlement when the settlement was due.
export function unresolvedAt(payin: Payin, settlementDelayMs: number): Instant {
  const since = payin.resultAt ?? payin.expiresAt
  return since + (payin.progress.stage === 'TO_SETTLE' ? settlementDelayMs : 0) + UNRESOLVED_AFTER_MS
}

// When the merchant may spend the money of a confirmed payin.
export function settlementAt(payin: Payin, settlementDelayMs: number): Instant {
  return (payin.resultAt ?? payin.updatedAt) + settlementDelayMs
}

// The rail stage after the outcome, and when the payin is due again. A notice may be wrong, or a later one may be lost.
// So a payin that a notice ended without money is withdrawn, and the network's answer to that is final. A payin
// that was declined although its money arrived is withdrawn too, so that nobody can pay its key again. So is one whose order was
// refused although an earlier one may have landed.
export function stageAfterOutcome(
  payin: Payin,
  cause: 'answer' | 'notice',
  settlementDelayMs: number,
  now: Instant,
): { payin: Payin; dueAt: Instant | null } {
  if (payin.status === 'CONFIRMED' && payin.settlementStatus === 'PENDING_SETTLEMENT') {
    return { payin: withStage(payin, 'TO_SETTLE'), dueAt: settlementAt(payin, settlementDelayMs) }
  }
  const mayBePaid = payin.progress.paymentId !== null || mayHaveLanded(payin, now)
  if (payin.status !== 'CONFIRMED' && (cause === 'notice' || mayBePaid)) {
    return { payin: withStage(payin, 'TO_CLOSE'), dueAt: now }
  }
  return { payin: withStage(payin, 'DONE'), dueAt: null }
}

// An order was sent before, and got no answer; or a worker may have sent one and died. For half a lease nobody but the first worker
// can have had the payin, whatever the clocks of the processes say.
export function mayHaveLanded({ progress, createdAt }: Payin, now: Instant): boolean {
  return progress.stage === 'TO_OPEN' && (progress.attempts > 0 || now >= createdAt + PAYIN_LEASE_MS / 2)
}

export function withStage(payin: Payin, stage: Payin['progress']['stage']): Payin {
  return { ...payin, progress: { ...payin.progress, stage, attempts: 0 } }
}

export function afterFailedAttempt(payin: Payin): Payin {
  return { ...payin, progress: { ...payin.progress, attempts: payin.progress.attempts + 1 } }
}
