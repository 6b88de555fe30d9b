// One HTTP request and its response, recorded for the operator. It never throws: if no response came, the result says why.
// Redirects are not followed: a new address belongs in the settings, and credentials must not be sent elsewhere.

import { errors, Pool } from 'undici'
import type { Rail } from '../core/connections/rail.ts'
import type { Instant } from '../core/instant.ts'
import type { Tracer } from '../core/tracing/trace.ts'
import { type Recorder, recordSafely, redactedBody } from './exchange.ts'
import type { Limits } from './limits.ts'
import { type Unknown, unknown } from './rail.ts'

export type Sent = {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'POST' | 'PATCH'
  // The resource, such as /collections, and the id within it. The record shows only the resource.
  readonly resource: string
  readonly id: string | null
  readonly part?: string
  readonly query?: Readonly<Record<string, string>>
  // For the record; empty if the id is a person's key.
  readonly reference: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | null
  // The part of the body that the record may show, before masking.
  readonly shown: unknown
}

export type Received = {
  readonly outcome: 'received'
  readonly status: number
  // Undefined if the body is not JSON.
  readonly json: unknown
  readonly isEmpty: boolean
  readonly described: string
}

export type Connection = {
  readonly send: (sent: Sent, signal: AbortSignal) => Promise<Received | Unknown>
  // Records a call that could not be made, so that whoever looks at its payment sees why.
  readonly recordUnsent: (call: Pick<Sent, 'method' | 'resource' | 'part' | 'reference'>, why: string) => void
  readonly close: () => Promise<void>
}

export type ConnectionOptions = {
  readonly now: () => Instant
  readonly monotonicMs: () => number
  readonly record: Recorder
  readonly limits: Limits
  readonly tracer?: Tracer | null
  // After each call that tells: how our credentials were refused, or null if they are good.
  readonly onAccess?: ((refusal: string | null) => void) | undefined
}

export function openConnection(rail: Rail, baseUrl: string, options: ConnectionOptions): Connection {
  const { limits } = options
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  const pool = new Pool(base.origin, {
    connections: limits.connections,
    connectTimeout: limits.connectMs,
    // Said here, NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not switch it off.
    connect: { rejectUnauthorized: true },
    maxResponseSize: limits.answerBytes,
    allowH2: false,
  })

  const exchange = async (sent: Sent, signal: AbortSignal): Promise<Received | Unknown> => {
    try {
      const { statusCode, headers, body } = await pool.request({
        method: sent.method,
        path: `${prefix}${sent.resource}${sent.id === null ? '' : `/${encodeURIComponent(sent.id)}`}${sent.part ?? ''}`,
        ...(sent.query && { query: sent.query }),
        headers: { accept: 'application/json', ...sent.headers },
        body: sent.body,
        signal,
      })
      return toReceived(statusCode, headers['content-type'], await body.bytes())
    } catch (error) {
      return noResponse(error, signal)
    }
  }

  const { tracer = null } = options
  const tracedExchange = (sent: Sent, signal: AbortSignal): Promise<Received | Unknown> => {
    if (tracer === null) return exchange(sent, signal)
    const operation = `${sent.method} ${sent.resource}${sent.part ?? ''}`
    return tracer.part(`${rail} ${operation}`, 'client', { 'recaudo.rail': rail }, async (span) => {
      const traceparent = span?.traceparent()
      const answer = await exchange(
        traceparent === undefined ? sent : { ...sent, headers: { ...sent.headers, traceparent } },
        signal,
      )
      if (answer.outcome === 'received') span?.set({ 'http.response.status_code': answer.status })
      else span?.fail(answer.kind)
      return answer
    })
  }

  return {
    send: async (sent, signal) => {
      const at = options.now()
      const startedMs = options.monotonicMs()
      const answer = await tracedExchange(sent, signal)
      recordSafely(options.record, {
        rail,
        operation: `${sent.method} ${sent.resource}${sent.part ?? ''}`,
        reference: sent.reference,
        at,
        tookMs: Math.round(options.monotonicMs() - startedMs),
        status: answer.outcome === 'received' ? answer.status : null,
        request: sent.shown === undefined ? '' : redactedBody(sent.shown, ''),
        response: answer.outcome === 'received' ? redactedBody(answer.json, answer.described) : '',
        failure: answer.outcome === 'received' ? null : answer.why,
      })
      return answer
    },
    recordUnsent: ({ method, resource, part = '', reference }, why) =>
      recordSafely(options.record, {
        ...{ rail, operation: `${method} ${resource}${part}`, reference, at: options.now(), tookMs: 0 },
        ...{ status: null, request: '', response: '', failure: `not sent: ${why}`, isUnsent: true },
      }),
    close: () => pool.close(),
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function toReceived(status: number, contentType: string | string[] | undefined, bytes: Uint8Array): Received {
  const type = /^[\w.+/-]{1,60}/.exec(String(contentType ?? ''))?.[0] ?? 'no content type'
  return {
    outcome: 'received',
    status,
    json: parseJson(bytes),
    isEmpty: bytes.length === 0,
    described: `[${type}, ${bytes.length} bytes]`,
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch {
    // The parser's error is dropped: it quotes the text, which may name a person.
    return undefined
  }
}

function noResponse(error: unknown, signal: AbortSignal): Unknown {
  if (signal.aborted) return unknown('timeout', 'no answer within the deadline')
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return unknown('unreadable', 'the answer is too long')
  if (error instanceof errors.HTTPParserError) return unknown('unreadable', 'what came is not HTTP')
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return unknown('unavailable', `no answer (${typeof code === 'string' ? code : 'connection failed'})`)
}
