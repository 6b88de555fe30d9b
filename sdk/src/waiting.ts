// Waiting that always ends: by what is waited for, by the caller's signal, or by a limit.

// Timers take no more; a longer limit would fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1
const BACKOFF = { firstMs: 500, mostMs: 8_000 }

export type Watch = {
  readonly signal: AbortSignal
  /** Lets the signal abort after so long, unless this or `stop` is called before. */
  readonly limit: (ms: number, reason: () => unknown) => void
  /** Ends the limit, and what still goes on under the signal. */
  readonly stop: () => void
}

export function startWatch(caller: AbortSignal | undefined): Watch {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = (): void => controller.abort(caller?.reason)
  caller?.addEventListener('abort', follow)
  if (caller?.aborted) follow()
  return {
    signal: controller.signal,
    limit: (ms, reason) => {
      clearTimeout(timer)
      timer = setTimeout(() => controller.abort(reason()), Math.min(ms, LONGEST_TIMER_MS))
    },
    stop: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', follow)
      controller.abort()
    },
  }
}

/** Rejects when the signal comes. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Twice as long after each try, and never for all callers at the same moment. */
export async function rest(tries: number, leastMs: number, caller: AbortSignal | undefined): Promise<void> {
  const backoffMs = Math.min(BACKOFF.mostMs, BACKOFF.firstMs * 2 ** (tries - 1)) * (0.5 + Math.random() / 2)
  const watch = startWatch(caller)
  // The end of the rest is a signal like any other.
  watch.limit(Math.max(leastMs, backoffMs), () => {})
  await aborted(watch.signal).catch(() => watch.stop())
  caller?.throwIfAborted()
}
