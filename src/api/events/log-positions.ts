// The highest event and redelivery sequences of each organization with open streams. One poll serves all streams of an
// organization, and a signal from a worker triggers one at once. Organizations without streams are not polled.

import type { Context } from '../../flows/context.ts'
import { endOfLog, type LogPosition } from '../../store/events/events.ts'

export type WatchedPosition = {
  // The highest sequences seen.
  readonly position: LogPosition
  // Resolves when one of them is above that of `known`, or when `signal` aborts.
  readonly waitForNewer: (known: LogPosition, signal: AbortSignal) => Promise<void>
}

export type LogEnds = {
  readonly watch: (organizationId: string, signal: AbortSignal) => WatchedPosition
}

// If a signal is lost, an event is at most this late.
const POLL_INTERVAL_MS = 250

export function createLogPositions(ctx: Context): LogEnds {
  const watched = new Map<string, Watched>()
  ctx.signals.onWork((kind, organizationId) => {
    if (kind !== 'streams') return
    if (organizationId !== undefined) watched.get(organizationId)?.poll()
    else for (const logEnd of watched.values()) logEnd.poll()
  })
  return {
    watch: (organizationId, signal) => {
      const logEnd = watched.get(organizationId) ?? startWatching(ctx, organizationId)
      watched.set(organizationId, logEnd)
      logEnd.listeners += 1
      const unwatch = (): void => {
        logEnd.listeners -= 1
        if (logEnd.listeners > 0) return
        logEnd.stop()
        watched.delete(organizationId)
      }
      // A signal that has aborted never tells again.
      if (signal.aborted) unwatch()
      else signal.addEventListener('abort', unwatch, { once: true })
      return logEnd
    },
  }
}

type Watched = WatchedPosition & { listeners: number; poll: () => void; stop: () => void }

function startWatching(ctx: Context, organizationId: string): Watched {
  let position: LogPosition = { sequence: 0, redelivery: 0 }
  let isPolling = false
  let pollAgain = false
  const waiting = new Set<() => void>()

  const poll = (): void => {
    // A signal that arrives during a poll may be about events that this poll no longer sees.
    pollAgain = isPolling
    if (isPolling) return
    isPolling = true
    endOfLog(ctx.db, organizationId)
      .then((latest) => {
        if (!isAbove(latest, position)) return
        position = latest
        for (const resume of waiting) resume()
      })
      // The database is unavailable. The next poll tries again.
      .catch(() => {})
      .finally(() => {
        isPolling = false
        if (pollAgain) poll()
      })
  }
  const timer = setInterval(poll, POLL_INTERVAL_MS)
  poll()

  return {
    listeners: 0,
    get position() {
      return position
    },
    waitForNewer: (known, signal) =>
      new Promise((resolve) => {
        if (isAbove(position, known) || signal.aborted) return resolve()
        const resume = (): void => {
          if (!isAbove(position, known) && !signal.aborted) return
          waiting.delete(resume)
          signal.removeEventListener('abort', resume)
          resolve()
        }
        waiting.add(resume)
        signal.addEventListener('abort', resume)
      }),
    poll,
    stop: () => clearInterval(timer),
  }
}

function isAbove(one: LogPosition, other: LogPosition): boolean {
  return one.sequence > other.sequence || one.redelivery > other.redelivery
}
