// Sends documentation pages: compressed once, cached, and 304 for a client that has the current version. The cache is
// bounded, because it holds only the site's few dozen pages.

import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ContentEncoding, encodingFor } from '../core/content-encoding.ts'
import { STYLE } from './print/style.ts'

export type Document = { readonly type: string; readonly text: string; readonly policy?: string }
export type PreparedDocument = {
  readonly tag: string
  readonly type: string
  readonly policy: string | undefined
} & {
  readonly bytes: (encoding: ContentEncoding) => Buffer
}

const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/** For search results: no scripts. */
export const PLAIN_POLICY = policyWith([])
/** Our own scripts only. */
export const PAGE_POLICY = policyWith(["script-src 'self'"])
/** For pages with "Try it" forms: scripts may also call our own server. */
export const PLAYGROUND_POLICY = policyWith(["script-src 'self'", "connect-src 'self'"])

function policyWith(scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    'img-src data:',
    ...scripts,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** A page is compressed once and served often, so a high quality pays off. */
const BROTLI_QUALITY = 9

export function prepare({ text, type, policy }: Document): PreparedDocument {
  const plain = Buffer.from(text)
  const encoded = new Map<ContentEncoding, Buffer>([['identity', plain]])
  return {
    tag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    type,
    policy,
    bytes: (encoding) => {
      const bytes = encoded.get(encoding) ?? compress(plain, encoding)
      encoded.set(encoding, bytes)
      return bytes
    },
  }
}

function compress(plain: Buffer, encoding: ContentEncoding): Buffer {
  if (encoding === 'gzip') return gzipSync(plain)
  return brotliCompressSync(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  })
}

export function send(request: FastifyRequest, reply: FastifyReply, prepared: PreparedDocument): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  const tag = `"${prepared.tag}-${encoding}"`
  const vary = reply.getHeader('vary') ?? 'accept-encoding'
  reply.headers({ 'cache-control': 'no-cache', etag: tag, vary })
  if (prepared.policy !== undefined) reply.header('content-security-policy', prepared.policy)
  const ifNoneMatch = String(request.headers['if-none-match'] ?? '')
  if (ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
    return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(prepared.type).send(prepared.bytes(encoding))
}

/** A page built for one request, such as search results. */
export function sendOnce(
  reply: FastifyReply,
  status: number,
  { text, type, policy }: Document,
): FastifyReply {
  if (policy !== undefined) reply.header('content-security-policy', policy)
  return reply.code(status).header('cache-control', 'no-store').type(type).send(text)
}
