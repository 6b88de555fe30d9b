// One attempt to tell a merchant one event. It never throws: whatever the far side does ends as a result, within the
// deadline. The far side is a stranger's: it may be slow, endless, wrong, or an address inside our own network.

import { type Dispatcher, Pool } from 'undici'
import type { AttemptResult } from '../core/delivery.ts'
import { guardedConnect, isPublicAddress } from './address-guard.ts'
import { beginningWith, retryAfterSeconds, shownText } from './answer.ts'
import { type Deadline, type Deadlines, deadlinesAfter } from './deadlines.ts'
import { type AttemptFailure, failureOf, SendFailure } from './failure.ts'
import { type Lookup, lookupByNameServers, lookupBySystem } from './name-lookup.ts'
import { webhookHeaders } from './sign.ts'

export type SendRequest = {
  readonly url: string
  // Its connections are its own: one that hangs uses up none of another's at the same host.
  readonly endpointId?: string
  // The event's: the same on every try, so that the receiver can drop doubles.
  readonly id: string
  readonly timestampSeconds: number
  readonly body: string
  readonly secrets: readonly Buffer[]
}

export type Attempt = AttemptResult & { readonly failure: AttemptFailure | null }

export type Sender = {
  readonly send: (request: SendRequest) => Promise<Attempt>
  // Waits for the attempts under way, at most until their deadline.
  readonly close: () => Promise<void>
}

export type SenderOptions = {
  readonly allowPrivate: boolean
  readonly limits?: Partial<SendLimits>
  readonly lookup?: Lookup
  readonly ca?: string
}

export type SendLimits = typeof SEND_LIMITS

export const SEND_LIMITS = {
  connectMs: 3_000,
  // For a free connection and for connecting: an attempt whose turn comes later has too little time left to be answered.
  waitMs: 5_000,
  headersMs: 10_000,
  // Over everything, a body that comes byte by byte included.
  totalMs: 15_000,
  responseBytes: 64 * 1_024,
  headerBytes: 16 * 1_024,
  // Past this, attempts wait for a free connection.
  connectionsPerEndpoint: 32,
  // Endpoints whose connections are kept open.
  endpoints: 1_000,
}

export function createSender(options: SenderOptions): Sender {
  const limits = { ...SEND_LIMITS, ...options.limits }
  const pools = openPools(limits, options)
  const time = { total: deadlinesAfter(limits.totalMs), headers: deadlinesAfter(limits.headersMs) }

  const send = (request: SendRequest): Promise<Attempt> =>
    new Promise((resolve) => {
      const attempt = watchAttempt(limits, time, resolve)
      try {
        const { pool, path } = pools.of(request)
        const body = Buffer.from(request.body)
        const signed = webhookHeaders(request.id, request.timestampSeconds, body, request.secrets)
        pool.dispatch({ method: 'POST', path, headers: { ...FIXED_HEADERS, ...signed }, body }, attempt)
      } catch {
        attempt.giveUp()
      }
    })

  return { send, close: pools.close }
}

const FIXED_HEADERS = {
  'user-agent': 'Recaudo-Webhooks/1',
  'content-type': 'application/json',
}

type Target = { readonly url: string; readonly origin: string; readonly path: string; readonly pool: Pool }
type Pools = {
  readonly of: (request: Pick<SendRequest, 'url' | 'endpointId'>) => Target
  readonly close: () => Promise<void>
}

// Connections are kept open per endpoint; the one that was not used for longest makes room for a new one.
function openPools(limits: SendLimits, { allowPrivate, lookup, ca }: SenderOptions): Pools {
  const connect = guardedConnect({
    permits: allowPrivate ? () => true : isPublicAddress,
    lookup: lookup ?? (allowPrivate ? lookupBySystem : lookupByNameServers()),
    timeoutMs: limits.connectMs,
    ca,
  })
  const settings: Pool.Options = {
    connect,
    connections: limits.connectionsPerEndpoint,
    allowH2: false,
    maxHeaderSize: limits.headerBytes,
    // Time is kept by our own deadlines.
    headersTimeout: 0,
    bodyTimeout: 0,
    // However long a receiver offers to keep a connection.
    keepAliveMaxTimeout: 30_000,
    // A busy connection is renewed now and then, so that a move in DNS is followed.
    maxRequestsPerClient: 1_000,
  }
  const open = new Map<string, Target & { lastUse: number }>()
  const closing = new Set<Promise<void>>()
  let uses = 0
  let isClosed = false

  const retire = (name: string, pool: Pool): void => {
    open.delete(name)
    const closed = pool.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }

  const makeRoom = (): void => {
    const [longest] = [...open].sort(([, a], [, b]) => a.lastUse - b.lastUse)
    if (longest !== undefined) retire(longest[0], longest[1].pool)
  }

  const openTo = (name: string, url: string): Target & { lastUse: number } => {
    const { origin, pathname, search } = new URL(url)
    const known = open.get(name)
    // An endpoint may be moved, within its host or elsewhere.
    if (known !== undefined && known.origin !== origin) retire(name, known.pool)
    if (!open.has(name) && open.size >= limits.endpoints) makeRoom()
    const pool = open.get(name)?.pool ?? new Pool(origin, settings)
    const target = { url, origin, path: pathname + search, pool, lastUse: 0 }
    open.set(name, target)
    return target
  }

  return {
    of: ({ url, endpointId }) => {
      if (isClosed) throw new Error('the sender is closed')
      const name = endpointId ?? url
      const known = open.get(name)
      const target = known?.url === url ? known : openTo(name, url)
      target.lastUse = ++uses
      return target
    },
    close: async () => {
      isClosed = true
      for (const [name, { pool }] of open) retire(name, pool)
      await Promise.all(closing)
    },
  }
}

type Time = { readonly total: Deadlines; readonly headers: Deadlines }
type WatchedAttempt = Dispatcher.DispatchHandler & { readonly giveUp: () => void }

// Follows one attempt from the queue to the last byte, and tells its result exactly once.
function watchAttempt(limits: SendLimits, time: Time, tell: (attempt: Attempt) => void): WatchedAttempt {
  const startedMs = performance.now()
  let controller: Dispatcher.DispatchController | undefined
  let status: number | null = null
  let retryAfter: number | null = null
  let beginning: Buffer | undefined
  let receivedBytes = 0
  let isTold = false
  let headersDeadline: Deadline | undefined

  const end = (trouble: AttemptFailure | null): void => {
    if (isTold) return
    isTold = true
    time.total.end(totalDeadline)
    if (headersDeadline !== undefined) time.headers.end(headersDeadline)
    // Once the status has said no, trouble with the rest of the answer changes nothing.
    const failure = (status === null ? null : refusalIn(status)) ?? trouble
    tell({
      status,
      latencyMs: Math.round(performance.now() - startedMs),
      response: beginning === undefined ? '' : shownText(beginning, receivedBytes),
      failure,
      retryAfterSeconds: retryAfter,
      delivered: failure === null,
      gone: status === 410,
    })
  }

  const cut = (failure: AttemptFailure): void => {
    end(failure)
    controller?.abort(new SendFailure(failure))
  }

  // Without a controller the attempt still waits for a connection; it is dropped when its turn comes.
  const totalDeadline = time.total.begin(() => cut(controller === undefined ? 'NOT_SENT' : 'TIMEOUT'))

  return {
    giveUp: () => end('NOT_SENT'),
    onRequestStart: (given) => {
      // Thrown, the attempt is dropped and the connection kept; an abort would cost the connection too.
      if (isTold || performance.now() - startedMs > limits.waitMs) throw new SendFailure('NOT_SENT')
      controller = given
      headersDeadline = time.headers.begin(() => cut('TIMEOUT'))
    },
    onResponseStart: (_controller, statusCode, headers) => {
      // 1xx announces; the answer follows, and the deadline for it stands.
      if (statusCode < 200 || isTold) return
      status = statusCode
      if (headersDeadline !== undefined) time.headers.end(headersDeadline)
      if (refusalIn(statusCode) !== null) retryAfter = retryAfterSeconds(headers['retry-after'], Date.now())
      if (Number(headers['content-length'] ?? 0) > limits.responseBytes) cut('RESPONSE_TOO_LARGE')
    },
    onResponseData: (_controller, chunk) => {
      if (isTold) return
      receivedBytes += chunk.length
      beginning = beginningWith(beginning, chunk)
      if (receivedBytes > limits.responseBytes) cut('RESPONSE_TOO_LARGE')
    },
    onResponseEnd: () => end(null),
    onResponseError: (_controller, error) => end(failureOf(error, status !== null)),
  }
}

function refusalIn(status: number): AttemptFailure | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'REDIRECT' : 'STATUS'
}
