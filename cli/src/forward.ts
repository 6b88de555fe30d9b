// Sends an event to an address as the service would: the same body, byte for byte, and the headers of Standard Webhooks,
// signed with a secret of our own. Makes one attempt and returns its result.

import type { RecaudoEvent } from '@recaudo/sdk'
import { usageFailure } from './failure.ts'

export type Signed = {
  readonly body: string
  readonly headers: Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>
}

export type Answer =
  | { readonly status: number; readonly latencyMs: number }
  | { readonly failure: string; readonly latencyMs: number }

const SECRET_BYTES = 32
// The service's own timeout.
const ANSWER_TIMEOUT_MS = 15_000
const PREFIX = 'whsec_'
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

export function newSecret(): string {
  return PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')
}

export type Signer = (event: RecaudoEvent) => Promise<Signed>

export async function signerWith(secret: string): Promise<Signer> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), HMAC, false, ['sign'])
  return async (event) => {
    // JSON keeps the order of names and prints numbers and strings as received, so the body is the original one.
    const body = JSON.stringify(event)
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signed = new TextEncoder().encode(`${event.id}.${timestamp}.${body}`)
    const signature = Buffer.from(await crypto.subtle.sign(HMAC, key, signed)).toString('base64')
    const headers = {
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    }
    return { body, headers }
  }
}

export async function forward(url: string, { body, headers }: Signed, signal: AbortSignal): Promise<Answer> {
  const startedAtMs = performance.now()
  const elapsedMs = (): number => Math.round(performance.now() - startedAtMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Recaudo-Webhooks/1' },
      // A redirect does not count as an acknowledgement.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    })
    await response.arrayBuffer()
    return { status: response.status, latencyMs: elapsedMs() }
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } }
    const failure =
      name === 'TimeoutError'
        ? `none within ${ANSWER_TIMEOUT_MS / 1_000} s`
        : (cause?.code ?? cause?.message ?? message)
    return { failure, latencyMs: elapsedMs() }
  }
}

export function isAcknowledged(answer: Answer): boolean {
  return 'status' in answer && answer.status >= 200 && answer.status < 300
}

// Accepts `localhost:3000/webhooks` and `3000/webhooks` as short forms.
export function readForwardUrl(text: string): string {
  const completed = /^https?:\/\//.test(text)
    ? text
    : /^\d{1,5}(?:\/|$)/.test(text)
      ? `http://localhost:${text}`
      : `http://${text}`
  if (URL.canParse(completed)) return new URL(completed).href
  throw usageFailure(
    `--forward-to must be an address, such as http://localhost:3000/webhooks, not ${JSON.stringify(text)}.`,
  )
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64') !== encoded || bytes.length < 24 || bytes.length > 64)
    throw usageFailure(
      '--secret must be whsec_ and 24 to 64 bytes in base64, as `recaudo webhooks create` shows one.',
    )
  return Uint8Array.from(bytes)
}
