// When an event is sent again, and when we give up. The schedule is data: after the last wait the delivery has failed, but
// it is kept, and can be sent again by hand.

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
// Many endpoints that failed together must not all come back at the same moment.
const JITTER = 0.1
// An endpoint that has answered nothing but failures for this long is switched off, and its merchant told.
export const DISABLE_AFTER_MS = 5 * DAY_MS
// Straight failures after which an endpoint is tried by one probe at a time.
export const BREAKER_FAILURES = 5
export const BREAKER_REST_MS = 5_000

// Events that an endpoint is to be told for the first time wait in batches. The numbers in one lie in the same hundred of the
// log, so that a batch is found by any of them.
export const FIRST_ATTEMPT_BATCH_SIZE = 100

// What came of one attempt. Any 2xx acknowledges.
export type AttemptResult = {
  readonly status: number | null
  readonly latencyMs: number
  // The first KiB of the answer.
  readonly response: string
  readonly failure: string | null
  readonly retryAfterSeconds: number | null
  readonly delivered: boolean
  readonly gone: boolean
}

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED'

export type DeliveryStep = { state: DeliveryState; dueAt: Instant | null }

// `triesBefore` counts attempts since the delivery was made or sent again by hand; `chance` lies in [0, 1).
export function afterAttempt(
  result: AttemptResult,
  triesBefore: number,
  schedule: readonly number[],
  chance: number,
  now: Instant,
): DeliveryStep {
  if (result.delivered) return { state: 'DELIVERED', dueAt: null }
  const wait = schedule[triesBefore]
  if (wait === undefined || result.gone) return { state: 'FAILED', dueAt: null }
  const jittered = wait * (1 - JITTER + 2 * JITTER * chance)
  const asked = (result.retryAfterSeconds ?? 0) * 1_000
  return { state: 'PENDING', dueAt: now + Math.round(Math.max(jittered, asked)) }
}
