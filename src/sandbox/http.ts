// What every door of the networks needs: a request taken apart, an answer sent, and readers for what comes in.

import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Html } from '../core/html.ts'
import type { Instant } from '../core/instant.ts'
import type { Failure } from '../rails/breb/wire.ts'

export type Asked = {
  method: string
  /** The path between its slashes, decoded. */
  segments: readonly string[]
  query: URLSearchParams
  authorization: string
  body: string
}

export type Answer = {
  status: number
  json?: unknown
  page?: Html
  headers?: Readonly<Record<string, string>>
}

// Nothing on the wire is near it.
const MAX_BODY_BYTES = 65_536

/** Undefined where the request is too large or its address cannot be read. */
export async function readRequest(request: IncomingMessage): Promise<Asked | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    // What is too much is read to its end all the same, or the caller would not hear our answer.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk as Buffer)
  }
  if (size > MAX_BODY_BYTES) return undefined
  try {
    const [path = '', ...query] = (request.url ?? '').split('?')
    return {
      method: request.method ?? 'GET',
      segments: path.split('/').slice(1).map(decodeURIComponent),
      query: new URLSearchParams(query.join('?')),
      authorization: request.headers.authorization ?? '',
      body: Buffer.concat(chunks).toString('utf8'),
    }
  } catch {
    return undefined
  }
}

export function send(response: ServerResponse, answer: Answer): void {
  const isPage = answer.page !== undefined
  const text = answer.page?.html ?? (answer.json === undefined ? '' : JSON.stringify(answer.json))
  response.writeHead(answer.status, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...answer.headers,
  })
  response.end(text)
}

export function failure(status: number, code: string, message: string): Answer {
  const json: Failure = { status: 'ERROR', code, message }
  return { status, json }
}

export const notFound = (): Answer => failure(404, 'NOT_FOUND', 'nothing under this reference')

/** Undefined where the text is no JSON object. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

// Longer than any name, address or description the service lets through.
const MAX_TEXT_LENGTH = 2_048

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH ? value : undefined
}

export function asInstant(value: unknown): Instant | undefined {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}

/** "12345.67" → 1234567n. Eleven digits of pesos stay far below what a double holds exactly, in cents too. */
export function asCents(value: unknown): bigint | undefined {
  const [, pesos, cents] = (typeof value === 'string' && /^(\d{1,11})\.(\d\d)$/.exec(value)) || []
  const amount = pesos === undefined ? 0n : BigInt(pesos + cents)
  return amount > 0n ? amount : undefined
}

export function isSame(presented: string, secret: string): boolean {
  const [one, other] = [Buffer.from(presented), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}
