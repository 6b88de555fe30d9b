// How Mono signs its notices: `Mono-Signature: t=<unix seconds>,v1=<hex>`, an HMAC-SHA256 over the time, a dot and the body as it came.
// There may be several signatures, as while a secret is changed.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../core/instant.ts'

export const SIGNATURE_HEADER = 'mono-signature'

// Mono signs each attempt anew.
const TOLERANCE_SECONDS = 300
const MAX_HEADER_CHARACTERS = 2_000

export function monoSignature(secret: string, unixSeconds: string, body: Buffer): string {
  return createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex')
}

// Any of the secrets, with any of the signatures.
export function isSignedByMono(
  secrets: readonly string[],
  header: string | string[] | undefined,
  body: Buffer,
  now: Instant,
): boolean {
  if (typeof header !== 'string' || header.length > MAX_HEADER_CHARACTERS) return false
  const parts = header.split(',').map((part) => part.trim())
  const [at, ...otherTimes] = parts.flatMap((part) => /^t=(\d{1,12})$/.exec(part)?.[1] ?? [])
  if (at === undefined || otherTimes.length > 0) return false
  if (!(Math.abs(now / 1_000 - Number(at)) <= TOLERANCE_SECONDS)) return false
  const presented = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/i.exec(part)?.[1]?.toLowerCase() ?? [])
  return secrets.some((secret) => {
    const expected = Buffer.from(monoSignature(secret, at, body))
    return presented.some((signature) => timingSafeEqual(Buffer.from(signature), expected))
  })
}
