// GET /events/stream: server-sent events in the order of their sequence. A stream reads the log from its client's
// position and never ahead of what the client has read, so it holds at most one page of events, however slow the client
// is.

import type { ServerResponse } from 'node:http'
import { showPeople } from '../../core/people/shown.ts'
import type { Context } from '../../flows/context.ts'
import { fieldsShown, type Vault } from '../../flows/people/vault.ts'
import { StoreBusy, StoreUnavailable } from '../../store/db.ts'
import {
  type EventFilters,
  type LogPosition,
  listEvents,
  type StoredEvent,
} from '../../store/events/events.ts'
import { listRedeliveries, matchesFilter } from '../../store/events/redeliveries.ts'
import type { WatchedPosition } from './log-positions.ts'
import { eventText } from './schema.ts'

export type StreamTimes = {
  readonly heartbeatMs: number
  // A client that reads nothing for this long is gone or stuck, and is cut off.
  readonly stallMs: number
  // How often the credential is checked again. The answer comes from a cache that renews what is asked for: two checks
  // after its renewal is due, and within a second of a revocation, it is known.
  readonly recheckMs: number
}

export const STREAM_TIMES: StreamTimes = { heartbeatMs: 15_000, stallMs: 10_000, recheckMs: 200 }

// The reconnection delay that we send to clients.
const CLIENT_RETRY_MS = 1_000
const BATCH_SIZE = 50
const STORE_RETRY_MS = 500
// A client has this long to read the end of its stream. Then it is cut off.
const CLOSE_TIMEOUT_MS = 1_000

export type Stream = {
  readonly organizationId: string
  readonly from: LogPosition
  readonly filters: EventFilters
  readonly response: ServerResponse
  readonly logEnd: WatchedPosition
  readonly isAuthorized: () => Promise<boolean>
}

// Runs until `ended` is aborted. Aborts it itself when the client is cut off or loses its access.
export async function serveStream(
  ctx: Context,
  times: StreamTimes,
  stream: Stream,
  ended: AbortController,
): Promise<void> {
  const { response, logEnd } = stream
  const { signal } = ended
  response.on('error', () => ended.abort())
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': heartbeat\n\n')
  }, times.heartbeatMs)
  const recheck = setInterval(() => {
    stream.isAuthorized().then(
      (isAuthorized) => isAuthorized || ended.abort(),
      // The database is unavailable. Without it no event can be read either.
      () => {},
    )
  }, times.recheckMs)

  try {
    // Sends the position at once, so that a client that disconnects before the first event misses none.
    response.write(`retry: ${CLIENT_RETRY_MS}\nid: ${stream.from.sequence}\n\n`)
    for (let position = stream.from; !signal.aborted; ) {
      await logEnd.waitForNewer(position, signal)
      if (signal.aborted) break
      const batch = await readNext(ctx, stream, position).catch(undefinedIfUnavailable)
      if (batch === undefined) {
        await sleep(STORE_RETRY_MS, signal)
        continue
      }
      for (const frame of batch.frames) {
        if (signal.aborted) break
        if (!response.write(frame) && !(await drained(response, times.stallMs, signal))) ended.abort()
      }
      position = batch.position
    }
  } finally {
    clearInterval(heartbeat)
    clearInterval(recheck)
    closeResponse(response)
  }
}

// Reads the log first, so that a redelivery comes after the events that preceded its request.
async function readNext(
  ctx: Context,
  { logEnd, organizationId, filters }: Stream,
  position: LogPosition,
): Promise<{ frames: string[]; position: LogPosition }> {
  // Taken before the log is read, so that the read covers every sequence up to here.
  const known = logEnd.position
  const vault = await ctx.vault(organizationId)
  if (known.sequence > position.sequence) {
    const events = await listEvents(ctx.db, organizationId, position.sequence, filters, BATCH_SIZE)
    const last = events.at(-1)?.sequence ?? position.sequence
    const sequence = events.length === BATCH_SIZE ? last : Math.max(last, known.sequence)
    const frames = events.map((event) => `id: ${event.sequence}\n${frameOf(vault, event)}`)
    return { frames, position: { ...position, sequence } }
  }
  const redeliveries = await listRedeliveries(ctx.db, organizationId, position.redelivery, BATCH_SIZE)
  const redelivery = redeliveries.at(-1)?.number ?? known.redelivery
  const frames = redeliveries
    .filter((one) => matchesFilter(one, filters))
    .map(({ event }) => frameOf(vault, event))
  return { frames, position: { ...position, redelivery } }
}

function frameOf(vault: Vault, event: StoredEvent): string {
  const text = showPeople(eventText(event), (sealed) => fieldsShown(vault, sealed))
  return `event: ${event.type}\ndata: ${text}\n\n`
}

function undefinedIfUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable || error instanceof StoreBusy)) throw error
  return undefined
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
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

// Whether the client read the written data in time.
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

function closeResponse(response: ServerResponse): void {
  if (response.writableNeedDrain) response.destroy()
  else response.end()
  const timer = setTimeout(() => response.destroy(), CLOSE_TIMEOUT_MS).unref()
  response.once('close', () => clearTimeout(timer))
}
