// Mono's notices: an envelope with the time and the object, signed in a header that is made anew for each attempt.

import { createHash, createHmac } from 'node:crypto'
import { HOUR_MS, type Instant, isoInstant, MINUTE_MS } from '../../../core/instant.ts'
import type { Provider, ProviderContext } from '../provider.ts'
import { FORMER_WEBHOOK_SECRET, MONO } from './credentials.ts'

export function tell(
  context: ProviderContext,
  reference: string,
  type: string,
  data: unknown,
  at: Instant,
): void {
  const body = JSON.stringify({ timestamp: isoInstant(at), event: { type, data } })
  context.notify({ reference, body, at })
}

export const notices: Provider['notices'] = {
  // That Mono repeats is published, when is not.
  retryAfterMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS],
  headers: (body, now) => ({ 'mono-signature': signatureHeader(body, Math.floor(now / 1_000)) }),
}

/** There may be several signatures, as while a secret is changed: one body in four bears that of the former secret first. */
function signatureHeader(body: string, unixSeconds: number): string {
  const hasBoth = (createHash('sha256').update(body).digest()[0] as number) % 4 === 0
  const secrets = hasBoth ? [FORMER_WEBHOOK_SECRET, MONO.webhookSecret] : [MONO.webhookSecret]
  const signatures = secrets.map((secret) => `v1=${noticeSignature(secret, unixSeconds, body)}`)
  return [`t=${unixSeconds}`, ...signatures].join(',')
}

/** HMAC-SHA256 in hex over the time of sending, a dot and the body as sent. */
export function noticeSignature(secret: string, unixSeconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')
}
