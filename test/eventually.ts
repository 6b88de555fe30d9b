// Polls until a condition holds; fails with the condition and the last value. It looks more and more rarely: whoever asks a hundred
// times a second takes the time that the answer needs. The limit is for what never comes: a busy machine is slow, and that is no failure.

const FIRST_PAUSE_MS = 5
const LAST_PAUSE_MS = 50
const PATIENCE_MS = 120_000

export async function eventually<Value>(
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
  withinMs = PATIENCE_MS,
): Promise<Value> {
  const deadline = performance.now() + withinMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LAST_PAUSE_MS)) {
    const value = await read()
    if (holds(value)) return value
    if (performance.now() > deadline)
      throw new Error(`not within ${withinMs} ms: ${holds}; last seen: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
