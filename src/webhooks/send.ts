// One attempt to deliver one event to a merchant. It never throws: whatever the other side does becomes a result, within the
// deadline. The other side is a stranger's server: it may be slow, endless, wrong, or an address inside our own network.

import type { KeyObject } from 'node:crypto'
import type { AttemptResult } from '../core/webhooks/delivery.ts'
import { type ConnectTarget, connectGuarded, isPublicAddress } from './address-guard.ts'
import { beginningWith, retryAfterSeconds, shownText } from './answer.ts'
import { type Connections, type HttpExchange, openConnections } from './connections.ts'
import { type Deadline, type Deadlines, deadlinesAfter } from './deadlines.ts'
import { type AttemptFailure, failureOf } from './failure.ts'
import { type Lookup, lookupByNameServers, lookupBySystem } from './name-lookup.ts'
import { type WebhookHeaders, webhookHeaders } from './sign.ts'

export type SendRequest = {
  readonly url: string
  // Each endpoint has its own connections, so one that hangs cannot use up another's at the same host.
  readonly endpointId?: string
  // The event's id, the same on every attempt, so that the receiver can drop duplicates.
  readonly id: string
  readonly timestampSeconds: number
  readonly body: string
  // Null: a message to a chat (chat.ts), which verifies nothing. An event always has one.
  readonly secrets: readonly Buffer[] | null
  readonly signingKeys?: readonly KeyObject[]
  // Whose part this is (W3C Trace Context), where it is traced.
  readonly traceparent?: string | undefined
}

export type Attempt = AttemptResult & { readonly failure: AttemptFailure | null }

export type Sender = {
  readonly send: (request: SendRequest) => Promise<Attempt>
  // Waits for the attempts in progress, at most until their deadline.
  readonly close: () => Promise<void>
}

export type SenderOptions = {
  readonly allowPrivate: boolean
  readonly limits?: Partial<SendLimits>
  readonly lookup?: Lookup
  readonly ca?: string
  // An HTTP proxy that every connection goes through.
  readonly proxy?: URL | undefined
}

// How an operator's settings say that requests to merchants' endpoints leave the process.
export function senderOptions(settings: {
  readonly webhookAllowPrivate: boolean
  readonly webhookConcurrency: number
  readonly webhookProxy: string | null
}): SenderOptions {
  return {
    allowPrivate: settings.webhookAllowPrivate,
    limits: { connectionsPerEndpoint: settings.webhookConcurrency },
    ...(settings.webhookProxy !== null && { proxy: new URL(settings.webhookProxy) }),
  }
}

export type SendLimits = typeof SEND_LIMITS

export const SEND_LIMITS = {
  connectMs: 3_000,
  // For a free connection and for connecting. An attempt that starts later has too little time left for an answer.
  waitMs: 5_000,
  headersMs: 10_000,
  // Covers everything, even a body that comes byte by byte.
  totalMs: 15_000,
  responseBytes: 64 * 1_024,
  headerBytes: 16 * 1_024,
  // Above this, attempts wait for a free connection.
  connectionsPerEndpoint: 32,
  // How many endpoints keep their connections open.
  endpoints: 1_000,
}

export function createSender(options: SenderOptions): Sender {
  const limits = { ...SEND_LIMITS, ...options.limits }
  const targets = openTargets(limits, options)
  const deadlines = { total: deadlinesAfter(limits.totalMs), headers: deadlinesAfter(limits.headersMs) }

  const send = (request: SendRequest): Promise<Attempt> =>
    new Promise((resolve) => {
      const { url, endpointId, id, timestampSeconds, body, secrets, signingKeys, traceparent } = request
      const attempt = watchAttempt(limits, deadlines, resolve)
      try {
        const { requestStart, connections } = targets.of(url, endpointId ?? url)
        const signed =
          secrets === null
            ? ''
            : signedHeaders(webhookHeaders(id, timestampSeconds, body, secrets, signingKeys))
        const length = `content-length: ${Buffer.byteLength(body)}\r\n`
        const traced = traceparent === undefined ? '' : `traceparent: ${traceparent}\r\n`
        connections.send(attempt.exchangeFor(`${requestStart}${length}${signed}${traced}\r\n${body}`))
      } catch {
        attempt.failUnsent()
      }
    })

  return { send, close: targets.close }
}

function signedHeaders(signed: WebhookHeaders): string {
  return (
    `webhook-id: ${signed['webhook-id']}\r\n` +
    `webhook-timestamp: ${signed['webhook-timestamp']}\r\n` +
    `webhook-signature: ${signed['webhook-signature']}\r\n`
  )
}

type Target = {
  readonly url: string
  readonly origin: string
  // The same for every request to it.
  readonly requestStart: string
  readonly connections: Connections
  lastUse: number
}

type Targets = {
  readonly of: (url: string, name: string) => Target
  readonly close: () => Promise<void>
}

const SWEEP_MS = 1_000

// Connections are kept open per endpoint. A new endpoint replaces the least recently used one.
function openTargets(limits: SendLimits, { allowPrivate, lookup, ca, proxy }: SenderOptions): Targets {
  const guard = {
    permits: allowPrivate ? () => true : isPublicAddress,
    lookup: lookup ?? (allowPrivate ? lookupBySystem : lookupByNameServers()),
    timeoutMs: limits.connectMs,
    ca,
    proxy,
  }
  const open = new Map<string, Target>()
  const closing = new Set<Promise<void>>()
  let useCount = 0
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

  const evictLeastRecentlyUsed = (): void => {
    const [leastRecentlyUsed] = [...open].sort(([, a], [, b]) => a.lastUse - b.lastUse)
    if (leastRecentlyUsed !== undefined) retire(...leastRecentlyUsed)
  }

  const openTo = (name: string, url: string): Target => {
    const { origin, host, path, ...target } = readUrl(url)
    const known = open.get(name)
    // An endpoint's URL may change, within its host or to another one.
    if (known !== undefined && known.origin !== origin) retire(name, known)
    if (!open.has(name) && open.size >= limits.endpoints) evictLeastRecentlyUsed()
    const connections = open.get(name)?.connections ?? connectionsTo(target)
    const requestStart = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${FIXED_HEADERS}`
    const opened = { url, origin, requestStart, connections, lastUse: 0 }
    open.set(name, opened)
    return opened
  }

  const sweepTimer = setInterval(() => {
    for (const { connections } of open.values()) connections.sweep()
  }, SWEEP_MS).unref()

  return {
    of: (url, name) => {
      if (isClosed) throw new Error('the sender is closed')
      const known = open.get(name)
      const target = known?.url === url ? known : openTo(name, url)
      target.lastUse = ++useCount
      return target
    },
    close: async () => {
      isClosed = true
      clearInterval(sweepTimer)
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

// Host and path go into the request as they are.
const SAFE_IN_REQUEST = /^[\x21-\x7e]+$/

function readUrl(url: string): ConnectTarget & { origin: string; host: string; path: string } {
  const { protocol, hostname, host, port, origin, pathname, search } = new URL(url)
  const path = pathname + search
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error('not an http address')
  if (!SAFE_IN_REQUEST.test(host) || !SAFE_IN_REQUEST.test(path)) throw new Error('not an address to send to')
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, origin, host, path }
}

type AttemptDeadlines = { readonly total: Deadlines; readonly headers: Deadlines }
type WatchedAttempt = {
  readonly exchangeFor: (request: string) => HttpExchange
  readonly failUnsent: () => void
}

// Follows one attempt from the queue to the last byte, and reports its result exactly once.
function watchAttempt(
  limits: SendLimits,
  deadlines: AttemptDeadlines,
  report: (attempt: Attempt) => void,
): WatchedAttempt {
  const startedMs = performance.now()
  let cutConnection: (() => void) | undefined
  let status: number | null = null
  let retryAfter: number | null = null
  let bodyStart: Buffer | undefined
  let receivedBytes = 0
  let isReported = false
  let headersDeadline: Deadline | undefined

  const end = (transportFailure: AttemptFailure | null): void => {
    if (isReported) return
    isReported = true
    deadlines.total.end(totalDeadline)
    if (headersDeadline !== undefined) deadlines.headers.end(headersDeadline)
    // After an error status, a failure in the rest of the answer changes nothing.
    const failure = (status === null ? null : refusalIn(status)) ?? transportFailure
    report({
      status,
      latencyMs: Math.round(performance.now() - startedMs),
      response: bodyStart === undefined ? '' : shownText(bodyStart, receivedBytes),
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

  // Without a connection the attempt is still queued. It is dropped when its turn comes.
  const totalDeadline = deadlines.total.begin(() => cut(cutConnection === undefined ? 'NOT_SENT' : 'TIMEOUT'))

  const exchangeFor = (request: string): HttpExchange => ({
    request,
    onTurn: (cutSocket) => {
      if (isReported || performance.now() - startedMs > limits.waitMs) return false
      cutConnection = cutSocket
      headersDeadline = deadlines.headers.begin(() => cut('TIMEOUT'))
      return true
    },
    onHead: (head) => {
      if (isReported) return
      status = head.status
      if (headersDeadline !== undefined) deadlines.headers.end(headersDeadline)
      if (refusalIn(status) !== null) retryAfter = retryAfterSeconds(head.retryAfter, Date.now())
      if ((head.length ?? 0) > limits.responseBytes) cut('RESPONSE_TOO_LARGE')
    },
    onBody: (bytes) => {
      if (isReported) return
      receivedBytes += bytes.length
      bodyStart = beginningWith(bodyStart, bytes)
      if (receivedBytes > limits.responseBytes) cut('RESPONSE_TOO_LARGE')
    },
    onEnd: () => end(null),
    onFailure: (error) => end(failureOf(error)),
  })

  return { exchangeFor, failUnsent: () => end('NOT_SENT') }
}

function refusalIn(status: number): AttemptFailure | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'REDIRECT' : 'STATUS'
}
