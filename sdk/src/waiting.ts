// Waits that always end: by the result, by the caller's signal, or by a time limit.

// The longest delay of a timer. A longer one would fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1
const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 8_000

export type Watch = {
  readonly signal: AbortSignal
  /** Aborts the signal after this time, unless `limit` or `stop` is called before. */
  readonly limit: (ms: number, reason: () => unknown) => void
  /** Clears the limit and aborts whatever still uses the signal. */
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

/** Rejects when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Exponential backoff with jitter. Waits at least `leastMs`. */
export async function backOff(
  tries: number,
  leastMs: number,
  caller: AbortSignal | undefined,
): Promise<void> {
  const backoffMs =
    Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1)) * (0.5 + Math.random() / 2)
  const watch = startWatch(caller)
  // The end of the wait aborts this signal too.
  watch.limit(Math.max(leastMs, backoffMs), () => {})
  await aborted(watch.signal).catch(() => watch.stop())
  caller?.throwIfAborted()
}
