// How a page of the documentation leaves: compressed once, kept, and answered by 304 to whoever has it. The one thing to
// know: what is kept is bounded, because only the pages of the site are, and there are a few dozen.

import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ContentEncoding, encodingFor } from '../core/content-encoding.ts'
import { STYLE } from './print/style.ts'

export type Document = { readonly type: string; readonly text: string; readonly policy?: string }
export type Kept = { readonly tag: string; readonly type: string; readonly policy: string | undefined } & {
  readonly bytes: (encoding: ContentEncoding) => Buffer
}

const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/** For what a search found: nothing to run. */
export const PLAIN_POLICY = policyWith([])
/** Our own scripts, and nobody else's. */
export const PAGE_POLICY = policyWith(["script-src 'self'"])
/** Where requests can be tried: the script may ask our own server. */
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

/** Read once, asked for often: the best that both can do. */
const BROTLI_QUALITY = 9

export function prepare({ text, type, policy }: Document): Kept {
  const plain = Buffer.from(text)
  const made = new Map<ContentEncoding, Buffer>([['identity', plain]])
  return {
    tag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    type,
    policy,
    bytes: (encoding) => {
      const bytes = made.get(encoding) ?? compress(plain, encoding)
      made.set(encoding, bytes)
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

export function send(request: FastifyRequest, reply: FastifyReply, kept: Kept): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  const tag = `"${kept.tag}-${encoding}"`
  reply.headers({ 'cache-control': 'no-cache', etag: tag, vary: 'accept-encoding' })
  if (kept.policy !== undefined) reply.header('content-security-policy', kept.policy)
  const known = String(request.headers['if-none-match'] ?? '')
  if (known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(kept.type).send(kept.bytes(encoding))
}

/** A page that is made for one request, such as what a search found. */
export function sendOnce(
  reply: FastifyReply,
  status: number,
  { text, type, policy }: Document,
): FastifyReply {
  if (policy !== undefined) reply.header('content-security-policy', policy)
  return reply.code(status).header('cache-control', 'no-store').type(type).send(text)
}
