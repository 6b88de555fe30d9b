// Sends pages: compressed as the browser accepts, and with headers that allow nothing else in. The policy lists the
// hashes of inline content and allows only our own address. Leaving for the bank is a navigation of the page, which no
// policy governs. It is never the response to a form, which `form-action` does govern.

import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressPage, encodingFor } from '../core/content-encoding.ts'
import type { RenderedPage } from './pages/layout.ts'
import { SCRIPT } from './pages/script.ts'
import { STYLE } from './pages/style.ts'

export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  page: RenderedPage,
): FastifyReply {
  reply
    .code(status)
    .headers(PAGE_HEADERS)
    .header('content-security-policy', policyOf(page))
    .type('text/html; charset=utf-8')
  return sendCompressed(request, reply, page.text)
}

// For small pages, brotli at this quality is as fast as gzip and still smaller.
const BROTLI_QUALITY = 5

export function sendCompressed(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  const bytes = compressPage(text, encoding, BROTLI_QUALITY)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(bytes)
}

/** For every response under a payer's address, pages or not. */
export const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cross-origin-resource-policy': 'same-origin',
} as const

const PAGE_HEADERS = {
  ...PRIVATE_HEADERS,
  vary: 'accept-encoding, accept-language',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const STYLE_HASH = hashOf(STYLE)
const SCRIPT_HASH = hashOf(SCRIPT)

function policyOf({ accent }: RenderedPage): string {
  const styles = accent === undefined ? STYLE_HASH : `${STYLE_HASH} ${hashOf(accent)}`
  return [
    "default-src 'none'",
    `style-src ${styles}`,
    `script-src ${SCRIPT_HASH}`,
    'img-src data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
