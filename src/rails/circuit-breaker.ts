// Stops calling a network that does not answer. After enough failures in a row, every call is refused at once for a while.
// Then a single probe is let through, and its result decides for the rest. A refusal by the network counts as an answer.

export type CircuitBreaker = {
  // Undefined: the call is refused. Otherwise call the result exactly once, with whether the network answered.
  enter: () => ((answered: boolean) => void) | undefined
  // Calls are refused for the moment.
  isOpen: () => boolean
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
    isOpen: () => isOpen() && (probing || monotonicMs() < openUntilMs),
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
        // Calls that started before the circuit opened may fail later. They must not keep it open for longer.
        const opensNow = !isOpen()
        failuresInARow += 1
        if (isProbe || (opensNow && isOpen())) openUntilMs = monotonicMs() + limits.breakMs
      }
    },
  }
}
