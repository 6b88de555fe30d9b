// Whose turn it is to be told. A page that is told asks for itself again, so no more are told in a second than the server answers
// with ease: what is left of it is for payments. Organizations take turns, so that one with a thousand open consoles delays only
// its own.

export type Turns = {
  // Whoever waits already keeps their place.
  readonly add: (organizationId: string, tell: () => void) => void
  readonly remove: (organizationId: string, tell: () => void) => void
  readonly stop: () => void
}

export type TurnLimits = { readonly perSecond: number; readonly burst: number }

const TICK_MS = 100

export function createTurns({ perSecond, burst }: TurnLimits): Turns {
  // In the order of their turns.
  const waiting = new Map<string, Set<() => void>>()
  let left = burst
  let timer: NodeJS.Timeout | undefined

  const take = (): void => {
    for (const [organizationId, tells] of waiting) {
      if (left < 1) break
      const [tell] = tells
      tells.delete(tell as () => void)
      waiting.delete(organizationId)
      // Behind the others. The loop comes back to it.
      if (tells.size > 0) waiting.set(organizationId, tells)
      left -= 1
      tell?.()
    }
    timer ??= left < burst ? setInterval(tick, TICK_MS).unref() : undefined
  }
  const tick = (): void => {
    left = Math.min(burst, left + (perSecond * TICK_MS) / 1_000)
    take()
    if (left < burst) return
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
    stop: () => clearInterval(timer),
  }
}
