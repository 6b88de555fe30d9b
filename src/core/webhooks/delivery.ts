// When an event is sent again, and when we give up. The schedule is data: after the last wait the delivery has failed,
// but it is kept and can be sent again by hand.

import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts'

export const RETRY_AFTER_MS: readonly number[] = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
// Endpoints that failed at the same time must not all be retried at the same moment.
const JITTER = 0.1
// An endpoint that returned only failures for this long is disabled, and its merchant is notified.
export const DISABLE_AFTER_MS = 5 * DAY_MS
// After this many consecutive failures, an endpoint gets one probe at a time.
export const BREAKER_FAILURES = 5
export const BREAKER_REST_MS = 5_000

// An endpoint's first attempts wait in batches. The sequences in a batch lie in the same hundred of the log, so that
// any of them identifies the batch.
export const FIRST_ATTEMPT_BATCH_SIZE = 100

// The result of one attempt. Any 2xx acknowledges.
export type AttemptResult = {
  readonly status: number | null
  readonly latencyMs: number
  // The first KiB of the response.
  readonly response: string
  readonly failure: string | null
  readonly retryAfterSeconds: number | null
  readonly delivered: boolean
  readonly gone: boolean
}

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED'

export type DeliveryStep = { state: DeliveryState; dueAt: Instant | null }

// `attemptsBefore` counts attempts since the delivery was made or sent again by hand; `random` lies in [0, 1).
export function afterAttempt(
  result: AttemptResult,
  attemptsBefore: number,
  schedule: readonly number[],
  random: number,
  now: Instant,
): DeliveryStep {
  if (result.delivered) return { state: 'DELIVERED', dueAt: null }
  const waitMs = schedule[attemptsBefore]
  if (waitMs === undefined || result.gone) return { state: 'FAILED', dueAt: null }
  const jitteredMs = waitMs * (1 - JITTER + 2 * JITTER * random)
  const requestedMs = (result.retryAfterSeconds ?? 0) * 1_000
  return { state: 'PENDING', dueAt: now + Math.round(Math.max(jitteredMs, requestedMs)) }
}
