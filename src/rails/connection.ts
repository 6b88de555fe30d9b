// One request and one response over HTTP, kept on record. It never throws: where nothing came back, it says what happened.
// Redirects are not followed: a network that moves is a matter of settings, and credentials are not carried elsewhere.

import { errors, Pool } from 'undici'
import type { Rail } from '../core/connections/rail.ts'
import type { Instant } from '../core/instant.ts'
import { type Recorder, recordSafely, redactedBody } from './exchange.ts'
import type { Limits } from './limits.ts'
import { type Unknown, unknown } from './rail.ts'

export type Sent = {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'POST'
  // What is asked of, such as /collections, and which one. The record shows the first, never the second.
  readonly resource: string
  readonly id: string | null
  // For the record; empty where the id is a person's key.
  readonly reference: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | null
  // What the record may show of the body, before masking.
  readonly shown: unknown
}

export type Received = {
  readonly outcome: 'received'
  readonly status: number
  // Undefined where the body is not JSON.
  readonly json: unknown
  readonly described: string
}

export type Connection = {
  readonly send: (sent: Sent, signal: AbortSignal) => Promise<Received | Unknown>
  readonly close: () => Promise<void>
}

export type ConnectionOptions = {
  readonly now: () => Instant
  readonly monotonicMs: () => number
  readonly record: Recorder
  readonly limits: Limits
}

export function openConnection(rail: Rail, baseUrl: string, around: ConnectionOptions): Connection {
  const { limits } = around
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  const pool = new Pool(base.origin, {
    connections: limits.connections,
    connectTimeout: limits.connectMs,
    maxResponseSize: limits.answerBytes,
    allowH2: false,
  })

  const exchange = async (sent: Sent, signal: AbortSignal): Promise<Received | Unknown> => {
    try {
      const { statusCode, headers, body } = await pool.request({
        method: sent.method,
        path: `${prefix}${sent.resource}${sent.id === null ? '' : `/${encodeURIComponent(sent.id)}`}`,
        headers: { accept: 'application/json', ...sent.headers },
        body: sent.body,
        signal,
      })
      return received(statusCode, headers['content-type'], await body.bytes())
    } catch (error) {
      return silence(error, signal)
    }
  }

  return {
    send: async (sent, signal) => {
      const at = around.now()
      const startedMs = around.monotonicMs()
      const answer = await exchange(sent, signal)
      recordSafely(around.record, {
        rail,
        operation: `${sent.method} ${sent.resource}`,
        reference: sent.reference,
        at,
        tookMs: Math.round(around.monotonicMs() - startedMs),
        status: answer.outcome === 'received' ? answer.status : null,
        request: sent.shown === undefined ? '' : redactedBody(sent.shown, ''),
        response: answer.outcome === 'received' ? redactedBody(answer.json, answer.described) : '',
        failure: answer.outcome === 'received' ? null : answer.why,
      })
      return answer
    },
    close: () => pool.close(),
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function received(status: number, contentType: string | string[] | undefined, bytes: Uint8Array): Received {
  const type = /^[\w.+/-]{1,60}/.exec(String(contentType ?? ''))?.[0] ?? 'no content type'
  return { outcome: 'received', status, json: parsed(bytes), described: `[${type}, ${bytes.length} bytes]` }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch {
    // The parser's message quotes the text, and the text may name a person.
    return undefined
  }
}

function silence(error: unknown, signal: AbortSignal): Unknown {
  if (signal.aborted) return unknown('timeout', 'no answer within the deadline')
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return unknown('unreadable', 'the answer is too long')
  if (error instanceof errors.HTTPParserError) return unknown('unreadable', 'what came is not HTTP')
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return unknown('unavailable', `no answer (${typeof code === 'string' ? code : 'connection failed'})`)
}
