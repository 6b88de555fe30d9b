// The networks' time: the machine's time plus an offset that testers increase. It never goes back. The offset is stored,
// because due times are stored in this time.

import type { Instant } from '../core/instant.ts'

export type Clock = {
  now: () => Instant
  /** The time without the offset. Access tokens use it, because they belong to the wire itself. */
  realNow: () => Instant
  advance: (ms: number) => void
  /** Waits in this clock's time; false if the clock was stopped meanwhile. */
  sleep: (ms: number) => Promise<boolean>
  stop: () => void
}

// A clock that a test passes in may jump unnoticed, so no wait is longer than this.
export const MAX_WAIT_MS = 1_000

export function createClock(
  realNow: () => Instant,
  offsetMs: number,
  storeOffset: (offsetMs: number) => void,
): Clock {
  let offset = offsetMs
  let stopped = false
  let moved = Promise.withResolvers<void>()
  const now = () => realNow() + offset
  const wakeSleepers = () => {
    moved.resolve()
    moved = Promise.withResolvers<void>()
  }
  return {
    now,
    realNow,
    advance: (ms) => {
      offset += ms
      storeOffset(offset)
      wakeSleepers()
    },
    sleep: async (ms) => {
      const until = now() + ms
      while (!stopped && now() < until) await elapsedOr(Math.min(until - now(), MAX_WAIT_MS), moved.promise)
      return !stopped
    },
    stop: () => {
      stopped = true
      wakeSleepers()
    },
  }
}

async function elapsedOr(ms: number, other: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([elapsed, other])
  clearTimeout(timer)
}
