// Follows the event log: every event once and in order, even if the connection breaks. The position in the log moves only
// after an event was handed to the caller, so lost events are read again and delivered ones are not.

import { type Connection, isTransient, type Opened } from './connection.ts'
import { ConnectionError, TimeoutError } from './errors.ts'
import type { RecaudoEvent } from './event.ts'
import type { CallOptions } from './request.ts'
import { backOff } from './waiting.ts'

export type FollowOptions = Omit<CallOptions, 'idempotencyKey'> & {
  /** Start with the event after this `sequence`. 0 reads the whole log. By default only new events. */
  after?: number | undefined
  /** Only events with this name. */
  type?: RecaudoEvent['event'] | undefined
  /** Also events that somebody redelivers while you listen. They come again, and your position in the log stays. */
  redeliveries?: boolean | undefined
  /** How long the server may be unreachable, after a first connection, before the loop throws. Default five minutes. */
  giveUpAfterMs?: number | undefined
  /** How long the connection may be silent before it is replaced. Default 40,000; the server sends something every 15,000. */
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
  let lastFrameAtMs = 0
  for (let failures = 1; !signal?.aborted; failures += 1) {
    let opened: Opened | undefined
    try {
      opened = await connection.open('GET /events/stream', { query: { after, type, redeliveries } }, options)
      for await (const { id, data } of frames(opened, silenceMs)) {
        // An event may arrive twice, for example through a proxy that repeats. It is yielded once.
        if (data && !(Number(id) <= (after ?? -1))) yield JSON.parse(data)
        if (id) after = Number(id)
        // Taken after the yield, so that the caller's own time does not count as silence.
        lastFrameAtMs = performance.now()
        failures = 0
      }
      // A response without any frame is not an event stream.
      if (!lastFrameAtMs) throw new ConnectionError('No event stream came: check baseUrl.')
    } catch (error) {
      if (signal?.aborted) return
      if (!lastFrameAtMs || !isTransient(error, { isRepeatable: true })) throw error
      if (performance.now() - lastFrameAtMs > giveUpAfterMs) {
        const text = `${(error as Error).message} No event is lost: follow again with after: ${after}.`
        throw new ConnectionError(text, { cause: error })
      }
    } finally {
      opened?.watch.stop()
    }
    await backOff(failures, 0, signal).catch(() => {})
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
