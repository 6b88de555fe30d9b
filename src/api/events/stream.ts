// GET /events/stream: events as they are numbered, as server-sent events. A stream reads the log from where its client
// stands and never ahead of what the client takes, so it holds a page of events at most, whoever listens however slowly.

import type { ServerResponse } from 'node:http'
import type { Context } from '../../flows/context.ts'
import { StoreBusy, StoreUnavailable } from '../../store/db.ts'
import {
  type EventFilters,
  type LogPosition,
  listEvents,
  type StoredEvent,
} from '../../store/events/events.ts'
import { listRedeliveries, matchesFilter } from '../../store/events/redeliveries.ts'
import type { LogEnd } from './log-ends.ts'
import { eventText } from './schema.ts'

export type StreamTimes = {
  readonly heartbeatMs: number
  // Who has taken nothing for so long has gone, or never reads.
  readonly stallMs: number
  // How often we look whether the credential still holds.
  readonly recheckMs: number
}

export const STREAM_TIMES: StreamTimes = { heartbeatMs: 15_000, stallMs: 10_000, recheckMs: 2_000 }

// After so long the client may come back.
const RETRY_MS = 1_000
const READ_AT_ONCE = 50
const STORE_REST_MS = 500
// A client that takes the end of its stream gets it; one that does not is cut off after this.
const GOODBYE_MS = 1_000

export type Stream = {
  readonly organizationId: string
  readonly from: LogPosition
  readonly filters: EventFilters
  readonly response: ServerResponse
  readonly head: LogEnd
  readonly isWelcome: () => Promise<boolean>
}

// Runs until `ended` is told, which is told as well when the client is cut off or loses its right to listen.
export async function serveStream(
  ctx: Context,
  times: StreamTimes,
  stream: Stream,
  ended: AbortController,
): Promise<void> {
  const { response, head } = stream
  const { signal } = ended
  response.on('error', () => ended.abort())
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': heartbeat\n\n')
  }, times.heartbeatMs)
  const recheck = setInterval(() => {
    stream.isWelcome().then(
      (isWelcome) => isWelcome || ended.abort(),
      // The database is away: nothing can be read without it either.
      () => {},
    )
  }, times.recheckMs)

  try {
    // Names the place at once: a client that loses us before the first event misses none.
    response.write(`retry: ${RETRY_MS}\nid: ${stream.from.sequence}\n\n`)
    for (let place = stream.from; !signal.aborted; ) {
      await head.above(place, signal)
      if (signal.aborted) break
      const news = await readOn(ctx, stream, place).catch(away)
      if (news === undefined) {
        await rest(STORE_REST_MS, signal)
        continue
      }
      for (const frame of news.frames) {
        if (signal.aborted) break
        if (!response.write(frame) && !(await drained(response, times.stallMs, signal))) ended.abort()
      }
      place = news.place
    }
  } finally {
    clearInterval(heartbeat)
    clearInterval(recheck)
    sayGoodbye(response)
  }
}

// The log first: what is sent again comes after what was there before it was asked for.
async function readOn(
  ctx: Context,
  { head, organizationId, filters }: Stream,
  place: LogPosition,
): Promise<{ frames: string[]; place: LogPosition }> {
  // Taken before the log is read: what has a number up to here is in what we read.
  const known = head.position
  if (known.sequence > place.sequence) {
    const events = await listEvents(ctx.db, organizationId, place.sequence, filters, READ_AT_ONCE)
    const last = events.at(-1)?.sequence ?? place.sequence
    const sequence = events.length === READ_AT_ONCE ? last : Math.max(last, known.sequence)
    const frames = events.map((event) => `id: ${event.sequence}\n${frameOf(event)}`)
    return { frames, place: { ...place, sequence } }
  }
  const redeliveries = await listRedeliveries(ctx.db, organizationId, place.redelivery, READ_AT_ONCE)
  const redelivery = redeliveries.at(-1)?.number ?? known.redelivery
  const frames = redeliveries.filter((one) => matchesFilter(one, filters)).map(({ event }) => frameOf(event))
  return { frames, place: { ...place, redelivery } }
}

function frameOf(event: StoredEvent): string {
  return `event: ${event.type}\ndata: ${eventText(event)}\n\n`
}

function away(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable || error instanceof StoreBusy)) throw error
  return undefined
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}

// Whether the client took what was written, in time.
function drained(response: ServerResponse, stallMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isDrained: boolean): void => {
      clearTimeout(timer)
      response.off('drain', onDrain)
      signal.removeEventListener('abort', onAbort)
      resolve(isDrained)
    }
    const onDrain = (): void => settle(true)
    const onAbort = (): void => settle(false)
    const timer = setTimeout(() => settle(false), stallMs)
    response.on('drain', onDrain)
    signal.addEventListener('abort', onAbort)
  })
}

function sayGoodbye(response: ServerResponse): void {
  if (response.writableNeedDrain) response.destroy()
  else response.end()
  const timer = setTimeout(() => response.destroy(), GOODBYE_MS).unref()
  response.once('close', () => clearTimeout(timer))
}
