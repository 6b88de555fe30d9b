// How far the numbers of an organization's events and redeliveries go, looked at often while somebody listens and not at
// all otherwise: one look serves every stream of the organization, and a hint from a worker makes it at once.

import type { Context } from '../../flows/context.ts'
import { endOfLog, type LogPosition } from '../../store/events/events.ts'

export type LogEnd = {
  // The highest numbers seen.
  readonly position: LogPosition
  // Fulfilled when one of them is above that of `place`, or when `signal` says stop.
  readonly above: (place: LogPosition, signal: AbortSignal) => Promise<void>
}

export type LogEnds = {
  readonly watch: (organizationId: string, signal: AbortSignal) => LogEnd
}

// Where a hint is lost, an event is this late at most.
const LOOK_EVERY_MS = 250

export function createLogEnds(ctx: Context): LogEnds {
  const watched = new Map<string, Watched>()
  ctx.signals.onWork((kind, organizationId) => {
    if (kind !== 'streams') return
    if (organizationId !== undefined) watched.get(organizationId)?.look()
    else for (const head of watched.values()) head.look()
  })
  return {
    watch: (organizationId, signal) => {
      const head = watched.get(organizationId) ?? startWatching(ctx, organizationId)
      watched.set(organizationId, head)
      head.listeners += 1
      const leave = (): void => {
        head.listeners -= 1
        if (head.listeners > 0) return
        head.stop()
        watched.delete(organizationId)
      }
      signal.addEventListener('abort', leave, { once: true })
      return head
    },
  }
}

type Watched = LogEnd & { listeners: number; look: () => void; stop: () => void }

function startWatching(ctx: Context, organizationId: string): Watched {
  let place: LogPosition = { sequence: 0, redelivery: 0 }
  let isLooking = false
  let lookAgain = false
  const waiting = new Set<() => void>()

  const look = (): void => {
    // A hint that comes during a look may tell of what this look no longer sees.
    lookAgain = isLooking
    if (isLooking) return
    isLooking = true
    endOfLog(ctx.db, organizationId)
      .then((seen) => {
        if (!isAbove(seen, place)) return
        place = seen
        for (const resume of waiting) resume()
      })
      // The database is away: the next look finds out whether it is back.
      .catch(() => {})
      .finally(() => {
        isLooking = false
        if (lookAgain) look()
      })
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  look()

  return {
    listeners: 0,
    get position() {
      return place
    },
    above: (known, signal) =>
      new Promise((resolve) => {
        if (isAbove(place, known) || signal.aborted) return resolve()
        const resume = (): void => {
          if (!isAbove(place, known) && !signal.aborted) return
          waiting.delete(resume)
          signal.removeEventListener('abort', resume)
          resolve()
        }
        waiting.add(resume)
        signal.addEventListener('abort', resume)
      }),
    look,
    stop: () => clearInterval(timer),
  }
}

function isAbove(one: LogPosition, other: LogPosition): boolean {
  return one.sequence > other.sequence || one.redelivery > other.redelivery
}
