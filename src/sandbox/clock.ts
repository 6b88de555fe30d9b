// The networks' time: the machine's, moved forward by whoever tests. It never goes back, and how far it was moved is
// remembered, because what is due was written down in this time.

import type { Instant } from '../core/instant.ts'

export type Clock = {
  now: () => Instant
  /** The time nobody has moved; what belongs to the wire itself (access tokens) lives in it. */
  unmoved: () => Instant
  advance: (ms: number) => void
  /** Waits in this clock's time; false where the clock was stopped meanwhile. */
  sleep: (ms: number) => Promise<boolean>
  stop: () => void
}

// A clock that is handed in may jump without telling us.
export const MAX_WAIT_MS = 1_000

export function createClock(
  unmoved: () => Instant,
  offsetMs: number,
  remember: (offsetMs: number) => void,
): Clock {
  let offset = offsetMs
  let stopped = false
  let moved = Promise.withResolvers<void>()
  const now = () => unmoved() + offset
  const wakeSleepers = () => {
    moved.resolve()
    moved = Promise.withResolvers<void>()
  }
  return {
    now,
    unmoved,
    advance: (ms) => {
      offset += ms
      remember(offset)
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
