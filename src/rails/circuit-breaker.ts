// Leaves a network alone that does not answer. After enough failures in a row every call is turned away at once for a
// while; then a single one may try, and what becomes of it decides for the rest. A refusal is an answer like any other.

export type CircuitBreaker = {
  // Undefined: turned away. Otherwise to be called exactly once, when it is known whether anybody answered.
  enter: () => ((answered: boolean) => void) | undefined
}

export function circuitBreaker(
  limits: { breakAfterFailures: number; breakMs: number },
  monotonicMs: () => number,
): CircuitBreaker {
  let failuresInARow = 0
  let openUntilMs = 0
  let probing = false
  const isOpen = (): boolean => failuresInARow >= limits.breakAfterFailures

  return {
    enter: () => {
      const isProbe = isOpen()
      if (isProbe && (probing || monotonicMs() < openUntilMs)) return undefined
      if (isProbe) probing = true
      return (answered) => {
        if (isProbe) probing = false
        if (answered) {
          failuresInARow = 0
          return
        }
        // Calls that set out before it opened may fail after: they must not keep it open for longer.
        const opensNow = !isOpen()
        failuresInARow += 1
        if (isProbe || (opensNow && isOpen())) openUntilMs = monotonicMs() + limits.breakMs
      }
    },
  }
}
