// What is to be done about a payin next, and when. A payin is asked about when its network has been silent for long, ends
// at its expiry, and is settled some time after the money came.

import type { Rail } from '../connections/rail.ts'
import type { Instant } from '../instant.ts'
import { HOUR_MS, MINUTE_MS } from '../instant.ts'
import { isOpen, type Payin } from './payin.ts'

export type PayinWork = 'submit' | 'query' | 'expire' | 'close' | 'settle' | 'nothing'

// How long a network may be silent before it is asked, and how often then. PSE asks not to be asked sooner or more often.
const QUERY_AFTER_MS: Readonly<Record<Rail, { first: number; then: number }>> = {
  BRE_B: { first: 30_000, then: 2 * MINUTE_MS },
  PSE: { first: 7 * MINUTE_MS, then: 12 * MINUTE_MS },
}
// A network that does not answer at expiry is asked on for this long; then the payin ends without it.
const GRACE_AFTER_EXPIRY_MS = HOUR_MS
// Withdrawing a key that nobody needs any more is a courtesy; it is not tried for ever.
const MAX_CLOSE_ATTEMPTS = 20
const BACKOFF_MS = [1_000, 2_000, 5_000, 10_000, 30_000, MINUTE_MS] as const

export function dueWork(payin: Payin, now: Instant): PayinWork {
  if (!isOpen(payin)) {
    if (payin.progress.stage === 'TO_CLOSE') return 'close'
    return payin.progress.stage === 'TO_SETTLE' ? 'settle' : 'nothing'
  }
  if (now >= payin.expiresAt) return 'expire'
  return payin.progress.stage === 'TO_OPEN' ? 'submit' : 'query'
}

export function isPastGracePeriod(payin: Payin, now: Instant): boolean {
  return now >= payin.expiresAt + GRACE_AFTER_EXPIRY_MS
}

// After the network took it: when to ask, if it says nothing until then. Never later than the expiry.
export function firstQueryAt(payin: Payin, now: Instant): Instant {
  return Math.min(payin.expiresAt, now + QUERY_AFTER_MS[payin.source.rail].first)
}

export function nextQueryAt(payin: Payin, now: Instant): Instant {
  return Math.min(payin.expiresAt, now + QUERY_AFTER_MS[payin.source.rail].then)
}

// After a try that came to nothing. An open payin is looked at again at its expiry at the latest.
export function retryAt(payin: Payin, now: Instant): Instant {
  const wait = backoffMs(payin.progress.attempts)
  return isOpen(payin) && now < payin.expiresAt ? Math.min(payin.expiresAt, now + wait) : now + wait
}

export function backoffMs(attempts: number): number {
  return BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] as number
}

export function givesUpClosing(payin: Payin): boolean {
  return payin.progress.attempts >= MAX_CLOSE_ATTEMPTS
}

// Where a payin stands with its network after its outcome, and when it is due again. A notice may be wrong, or overtaken by
// one that is lost: a payin that ended by it without money is withdrawn, and the network's answer to that is the last word.
export function afterOutcome(
  payin: Payin,
  cause: 'answer' | 'notice',
  settlementDelayMs: number,
  now: Instant,
): { payin: Payin; dueAt: Instant | null } {
  if (payin.status === 'CONFIRMED' && payin.settlementStatus === 'PENDING_SETTLEMENT') {
    return { payin: atStage(payin, 'TO_SETTLE'), dueAt: now + settlementDelayMs }
  }
  if (cause === 'notice' && payin.status !== 'CONFIRMED' && payin.progress.paymentId === null) {
    return { payin: atStage(payin, 'TO_CLOSE'), dueAt: now }
  }
  return { payin: atStage(payin, 'DONE'), dueAt: null }
}

export function atStage(payin: Payin, stage: Payin['progress']['stage']): Payin {
  return { ...payin, progress: { ...payin.progress, stage, attempts: 0 } }
}

export function afterFailedAttempt(payin: Payin): Payin {
  return { ...payin, progress: { ...payin.progress, attempts: payin.progress.attempts + 1 } }
}
