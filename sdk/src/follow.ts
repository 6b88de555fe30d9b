// Follows the event log: every event once, in order, over whatever happens to the connection. The place in the log moves
// only when an event was handed over, so what was lost on the way is read again and what was handed over is not.

import { type Connection, isPassing, type Opened } from './connection.ts'
import { ConnectionError, TimeoutError } from './errors.ts'
import type { RecaudoEvent } from './event.ts'
import type { CallOptions } from './request.ts'
import { rest } from './waiting.ts'

export type FollowOptions = Omit<CallOptions, 'idempotencyKey'> & {
  /** Begin with the event after this `sequence`: 0 is the whole log. Default only what happens from now on. */
  after?: number | undefined
  /** Only events of this name. */
  type?: RecaudoEvent['event'] | undefined
  /** Also what somebody asks to be sent again while you listen: it comes once more, and your place in the log stays. */
  redeliveries?: boolean | undefined
  /** How long the server may be away, once it was reached, before the loop throws. Default five minutes. */
  giveUpAfterMs?: number | undefined
  /** How long the connection may be silent before a new one is made. Default 40,000; the server speaks every 15,000. */
  silenceMs?: number | undefined
}

const GIVE_UP_AFTER_MS = 300_000
const SILENCE_MS = 40_000

export async function* followEvents(
  connection: Connection,
  {
    giveUpAfterMs = GIVE_UP_AFTER_MS,
    silenceMs = SILENCE_MS,
    after,
    type,
    redeliveries,
    ...options
  }: FollowOptions,
): AsyncGenerator<RecaudoEvent, void, undefined> {
  const { signal } = options
  let heardAtMs = 0
  for (let failures = 1; !signal?.aborted; failures += 1) {
    let opened: Opened | undefined
    try {
      opened = await connection.open('GET /events/stream', { query: { after, type, redeliveries } }, options)
      for await (const { id, data } of frames(opened, silenceMs)) {
        // Sent twice, as by a proxy that repeats, it is handed over once.
        if (data && !(Number(id) <= (after ?? -1))) yield JSON.parse(data)
        if (id) after = Number(id)
        // After the caller's own time with the event, which is no silence.
        heardAtMs = performance.now()
        failures = 0
      }
      // What never said a word is no event stream.
      if (!heardAtMs) throw new ConnectionError('No event stream came: check baseUrl.')
    } catch (error) {
      if (signal?.aborted) return
      if (!heardAtMs || !isPassing(error, { isRepeatable: true })) throw error
      if (performance.now() - heardAtMs > giveUpAfterMs) {
        const text = `${(error as Error).message} No event is lost: follow again with after: ${after}.`
        throw new ConnectionError(text, { cause: error })
      }
    } finally {
      opened?.watch.stop()
    }
    await rest(failures, 0, signal).catch(() => {})
  }
}

type Frame = { id?: string; data?: string }

async function* frames({ response, watch }: Opened, silenceMs: number): AsyncGenerator<Frame> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  for (let text = ''; ; ) {
    const silence = `The event stream was silent for ${silenceMs} ms: the server hangs, or a proxy holds events back.`
    watch.limit(silenceMs, () => new TimeoutError(silence))
    const { done, value } = await reader.read().catch((cause) => {
      throw watch.signal.aborted
        ? watch.signal.reason
        : new ConnectionError('The event stream broke off.', { cause })
    })
    if (done) return
    const parts = (text + decoder.decode(value, { stream: true })).split('\n\n')
    text = parts.pop() as string
    for (const part of parts)
      yield Object.fromEntries(part.split('\n').map((line) => /^(\w*): ?(.*)/s.exec(line)?.slice(1) ?? []))
  }
}
