// Whose turn it is to be told. A page that is told asks for itself again, so what is told in a second is bounded by what the
// answers take: a list of a few payins is answered in milliseconds, one of a large merchant in many more, and everything takes
// longer on a busy machine. Organizations take turns, so that one with a thousand open consoles delays only its own.

export type Turns = {
  // Whoever waits already keeps their place.
  readonly add: (organizationId: string, tell: () => void) => void
  readonly remove: (organizationId: string, tell: () => void) => void
  // A page that was told has been answered, after so long.
  readonly answered: (tookMs: number) => void
  readonly stop: () => void
}

// Of the time in which pages are answered, how much is for those that were told.
export type TurnLimits = { readonly msPerSecond: number; readonly burstMs: number }

const TICK_MS = 50
// Before the first page was answered.
const FIRST_GUESS_MS = 5
// How much one answer counts in the guess of the next.
const WEIGHT = 0.2

export function createTurns({ msPerSecond, burstMs }: TurnLimits): Turns {
  // In the order of their turns.
  const waiting = new Map<string, Set<() => void>>()
  let leftMs = burstMs
  let guessMs = FIRST_GUESS_MS
  let timer: NodeJS.Timeout | undefined

  const take = (): void => {
    for (const [organizationId, tells] of waiting) {
      if (leftMs <= 0) break
      const [tell] = tells
      tells.delete(tell as () => void)
      waiting.delete(organizationId)
      // Behind the others. The loop comes back to it.
      if (tells.size > 0) waiting.set(organizationId, tells)
      leftMs -= guessMs
      tell?.()
    }
    if (leftMs < burstMs) timer ??= setInterval(tick, TICK_MS).unref()
  }
  const tick = (): void => {
    leftMs = Math.min(burstMs, leftMs + (msPerSecond * TICK_MS) / 1_000)
    take()
    if (leftMs < burstMs) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    add: (organizationId, tell) => {
      const tells = waiting.get(organizationId) ?? new Set()
      waiting.set(organizationId, tells.add(tell))
      take()
    },
    remove: (organizationId, tell) => {
      const tells = waiting.get(organizationId)
      tells?.delete(tell)
      if (tells?.size === 0) waiting.delete(organizationId)
    },
    answered: (tookMs) => {
      // As much was taken when it was told.
      leftMs -= Math.max(0, tookMs - guessMs)
      guessMs += (tookMs - guessMs) * WEIGHT
    },
    stop: () => clearInterval(timer),
  }
}
