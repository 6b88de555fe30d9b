// Sends pages: compressed as the browser accepts, kept by nobody, and under a policy that lets in nothing but our own files. Text
// never becomes script: no page has inline code, and the browser refuses to make any (Trusted Types).

import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressPage, quickEncodingFor } from '../core/content-encoding.ts'

// Of a list, this quality is a twelfth larger than 4 in two thirds of its time, and smaller and faster than gzip.
const BROTLI_QUALITY = 2

export function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = HEADERS,
): FastifyReply {
  const encoding = quickEncodingFor(request.headers['accept-encoding'])
  const bytes = compressPage(text, encoding, BROTLI_QUALITY)
  reply.code(status).headers(headers).type('text/html; charset=utf-8')
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(bytes)
}

// The browser goes there with GET, so that reload and back repeat nothing.
export function seeOther(reply: FastifyReply, address: string): FastifyReply {
  return reply.code(303).headers(PRIVATE_HEADERS).header('location', address).send()
}

// For everything that is about a merchant, pages or not. `same-origin`: with no referrer at all, browsers send `Origin: null`
// with forms, and old ones say nothing else about where a form comes from.
export const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cross-origin-resource-policy': 'same-origin',
} as const

const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  vary: 'accept-encoding, cookie',
  'x-frame-options': 'DENY',
} as const

const HEADERS: Readonly<Record<string, string>> = { ...PRIVATE_HEADERS, ...PAGE_HEADERS }

// For pages whose address is a secret: no other page learns it, and none but these may frame them.
export function framedHeaders(frameAncestors: readonly string[]): Readonly<Record<string, string>> {
  const { 'x-frame-options': denied, 'content-security-policy': policy, ...others } = PAGE_HEADERS
  const isFramed = frameAncestors.length > 0
  return {
    ...PRIVATE_HEADERS,
    ...others,
    'referrer-policy': 'no-referrer',
    'content-security-policy': isFramed
      ? policy.replace("frame-ancestors 'none'", `frame-ancestors ${frameAncestors.join(' ')}`)
      : policy,
    // It knows no origins, and whoever heeds it would frame nothing.
    ...(!isFramed && { 'x-frame-options': denied }),
  }
}
