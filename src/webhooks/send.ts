// One attempt to tell a merchant one event. It never throws: whatever the far side does ends as a result, within the
// deadline. The far side is a stranger's: it may be slow, endless, wrong, or an address inside our own network.

import type { AttemptResult } from '../core/webhooks/delivery.ts'
import { type ConnectTarget, connectGuarded, isPublicAddress } from './address-guard.ts'
import { beginningWith, retryAfterSeconds, shownText } from './answer.ts'
import { type Connections, type Exchange, openConnections } from './connections.ts'
import { type Deadline, type Deadlines, deadlinesAfter } from './deadlines.ts'
import { type AttemptFailure, failureOf } from './failure.ts'
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
  const targets = openTargets(limits, options)
  const time = { total: deadlinesAfter(limits.totalMs), headers: deadlinesAfter(limits.headersMs) }

  const send = (request: SendRequest): Promise<Attempt> =>
    new Promise((resolve) => {
      const { url, endpointId, id, timestampSeconds, body, secrets } = request
      const attempt = watchAttempt(limits, time, resolve)
      try {
        const { beginning, connections } = targets.of(url, endpointId ?? url)
        const signed = webhookHeaders(id, timestampSeconds, body, secrets)
        const text =
          `${beginning}content-length: ${Buffer.byteLength(body)}\r\n` +
          `webhook-id: ${signed['webhook-id']}\r\n` +
          `webhook-timestamp: ${signed['webhook-timestamp']}\r\n` +
          `webhook-signature: ${signed['webhook-signature']}\r\n\r\n${body}`
        connections.send(attempt.asking(text))
      } catch {
        attempt.giveUp()
      }
    })

  return { send, close: targets.close }
}

type Target = {
  readonly url: string
  readonly origin: string
  // Of every request to it.
  readonly beginning: string
  readonly connections: Connections
  lastUse: number
}

type Targets = {
  readonly of: (url: string, name: string) => Target
  readonly close: () => Promise<void>
}

const SWEEP_MS = 1_000

// Connections are kept open per endpoint; the one that was not used for longest makes room for a new one.
function openTargets(limits: SendLimits, { allowPrivate, lookup, ca }: SenderOptions): Targets {
  const guard = {
    permits: allowPrivate ? () => true : isPublicAddress,
    lookup: lookup ?? (allowPrivate ? lookupBySystem : lookupByNameServers()),
    timeoutMs: limits.connectMs,
    ca,
  }
  const open = new Map<string, Target>()
  const closing = new Set<Promise<void>>()
  let uses = 0
  let isClosed = false

  const connectionsTo = (target: ConnectTarget): Connections =>
    openConnections({
      connect: () => connectGuarded(target, guard),
      most: limits.connectionsPerEndpoint,
      headerBytes: limits.headerBytes,
    })

  const retire = (name: string, { connections }: Target): void => {
    open.delete(name)
    const closed = connections.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }

  const makeRoom = (): void => {
    const [longest] = [...open].sort(([, a], [, b]) => a.lastUse - b.lastUse)
    if (longest !== undefined) retire(...longest)
  }

  const openTo = (name: string, url: string): Target => {
    const { origin, host, path, ...target } = readUrl(url)
    const known = open.get(name)
    // An endpoint may be moved, within its host or elsewhere.
    if (known !== undefined && known.origin !== origin) retire(name, known)
    if (!open.has(name) && open.size >= limits.endpoints) makeRoom()
    const connections = open.get(name)?.connections ?? connectionsTo(target)
    const beginning = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${FIXED_HEADERS}`
    const opened = { url, origin, beginning, connections, lastUse: 0 }
    open.set(name, opened)
    return opened
  }

  const sweeping = setInterval(() => {
    for (const { connections } of open.values()) connections.sweep()
  }, SWEEP_MS).unref()

  return {
    of: (url, name) => {
      if (isClosed) throw new Error('the sender is closed')
      const known = open.get(name)
      const target = known?.url === url ? known : openTo(name, url)
      target.lastUse = ++uses
      return target
    },
    close: async () => {
      isClosed = true
      clearInterval(sweeping)
      for (const [name, target] of open) retire(name, target)
      await Promise.all(closing)
    },
  }
}

const FIXED_HEADERS = [
  'connection: keep-alive',
  'user-agent: Recaudo-Webhooks/1',
  'content-type: application/json',
]
  .map((header) => `${header}\r\n`)
  .join('')

// Host and path stand in the request as they are here.
const SAFE_IN_REQUEST = /^[\x21-\x7e]+$/

function readUrl(url: string): ConnectTarget & { origin: string; host: string; path: string } {
  const { protocol, hostname, host, port, origin, pathname, search } = new URL(url)
  const path = pathname + search
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error('not an http address')
  if (!SAFE_IN_REQUEST.test(host) || !SAFE_IN_REQUEST.test(path)) throw new Error('not an address to send to')
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, origin, host, path }
}

type Time = { readonly total: Deadlines; readonly headers: Deadlines }
type WatchedAttempt = {
  readonly asking: (request: string) => Exchange
  readonly giveUp: () => void
}

// Follows one attempt from the queue to the last byte, and tells its result exactly once.
function watchAttempt(limits: SendLimits, time: Time, tell: (attempt: Attempt) => void): WatchedAttempt {
  const startedMs = performance.now()
  let cutConnection: (() => void) | undefined
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
    cutConnection?.()
  }

  // Without a connection the attempt still waits for one; it is dropped when its turn comes.
  const totalDeadline = time.total.begin(() => cut(cutConnection === undefined ? 'NOT_SENT' : 'TIMEOUT'))

  const asking = (request: string): Exchange => ({
    request,
    onTurn: (cutIt) => {
      if (isTold || performance.now() - startedMs > limits.waitMs) return false
      cutConnection = cutIt
      headersDeadline = time.headers.begin(() => cut('TIMEOUT'))
      return true
    },
    onHead: (head) => {
      if (isTold) return
      status = head.status
      if (headersDeadline !== undefined) time.headers.end(headersDeadline)
      if (refusalIn(status) !== null) retryAfter = retryAfterSeconds(head.retryAfter, Date.now())
      if ((head.length ?? 0) > limits.responseBytes) cut('RESPONSE_TOO_LARGE')
    },
    onBody: (bytes) => {
      if (isTold) return
      receivedBytes += bytes.length
      beginning = beginningWith(beginning, bytes)
      if (receivedBytes > limits.responseBytes) cut('RESPONSE_TOO_LARGE')
    },
    onEnd: () => end(null),
    onFailure: (error) => end(failureOf(error)),
  })

  return { asking, giveUp: () => end('NOT_SENT') }
}

function refusalIn(status: number): AttemptFailure | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'REDIRECT' : 'STATUS'
}
