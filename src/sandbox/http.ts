// HTTP for every part of the networks: parse a request, send an answer, and read values from a body.

import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Html } from '../core/html.ts'
import type { Instant } from '../core/instant.ts'
import type { Failure } from '../rails/breb/wire.ts'

export type ParsedRequest = {
  method: string
  /** The segments of the path, decoded. */
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

// Far above any real request.
const MAX_BODY_BYTES = 65_536

/** Undefined if the request is too large or its path cannot be decoded. */
export async function readRequest(request: IncomingMessage): Promise<ParsedRequest | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    // An oversized body is still read to its end. Otherwise the caller would not receive our answer.
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

/** Undefined if the text is not a JSON object. */
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

// Longer than any name, address or description that the service allows.
const MAX_TEXT_LENGTH = 2_048

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH ? value : undefined
}

export function asInstant(value: unknown): Instant | undefined {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}

export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}

/** "12345.67" → 1234567n. Eleven digits of pesos, in cents, stay far below what a double holds exactly. */
export function asCents(value: unknown): bigint | undefined {
  const [, pesos, cents] = (typeof value === 'string' && /^(\d{1,11})\.(\d\d)$/.exec(value)) || []
  const amount = pesos === undefined ? 0n : BigInt(pesos + cents)
  return amount > 0n ? amount : undefined
}

export function matchesSecret(presented: string, secret: string): boolean {
  const [one, other] = [Buffer.from(presented), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}
