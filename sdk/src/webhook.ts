// Verifies that a request is an event sent by Recaudo (Standard Webhooks, by HMAC-SHA256 or Ed25519). The signature covers the received
// bytes, so the body must be passed as it arrived, not parsed and serialized again.

import { WebhookVerificationError } from './errors.ts'
import type { RecaudoEvent } from './event.ts'

export type RawBody = string | Uint8Array | ArrayBuffer
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>
export type VerifyOptions = {
  /** How far the time of sending may differ from our clock, in either direction. Default 300. */
  toleranceSeconds?: number | undefined
}

const TOLERANCE_SECONDS = 300
const SIGNATURES = /(?<!\S)v1(?:,([A-Za-z\d+/]{43}=)|a,([A-Za-z\d+/]{86}==))(?!\S)/g
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Returns the event if it was signed with one of the secrets and sent recently. Otherwise throws a
 * `WebhookVerificationError`. Pass every secret that may be in use: during a rotation, the old one and the new one. An
 * endpoint's public key (`whpk_…`) does in place of its secret, if it has one.
 */
export async function verifyWebhook(
  body: RawBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<RecaudoEvent> {
  const bytes = bytesOf(body)
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    header(headers, `webhook-${name}`),
  ) as [string, string, string]
  const prefix = encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(prefix.length + bytes.length)
  signed.set(prefix)
  signed.set(bytes, prefix.length)
  if (!(await isSigned(signed, signatures, await Promise.all([secrets].flat().map(keyOf)))))
    fail('SIGNATURE_MISMATCH', 'No signature fits: another endpoint’s secret, or not the raw body.')

  // Checked after the signature, so that the message about the time is about a genuine event.
  const ageSeconds = Math.round(Date.now() / 1_000 - Number(timestamp))
  if (Math.abs(ageSeconds) > toleranceSeconds)
    fail(
      'TIMESTAMP_OUT_OF_TOLERANCE',
      `The event is ${Math.abs(ageSeconds)} s off our clock, ${toleranceSeconds} s are allowed: a replay, or this machine’s clock is wrong.`,
    )
  return JSON.parse(new TextDecoder().decode(bytes))
}

function bytesOf(body: RawBody): Uint8Array {
  if (typeof body === 'string') return encode(body)
  if (ArrayBuffer.isView(body)) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  return fail(
    'BODY_PARSED',
    'The body was parsed: give the raw one, as `await request.text()` or `express.raw({ type: "*/*" })` gives it.',
  )
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    (headers as Headers).get?.(name) ??
    Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return value
    ? String(value)
    : fail('HEADERS_MISSING', `${name} is missing: Recaudo did not send this, or a proxy drops headers.`)
}

async function keyOf(secret: string): Promise<CryptoKey> {
  try {
    // For a secret in another format the match is missing, and decoding '-' fails.
    const [, kind, base64 = '-'] = /^wh(sec|pk)_(.{32,})$/.exec(secret) ?? []
    const algorithm = kind === 'pk' ? 'Ed25519' : HMAC
    return await crypto.subtle.importKey('raw', decode(base64), algorithm, false, ['verify'])
  } catch {
    return fail('SECRET_INVALID', 'Not a webhook secret.')
  }
}

// Uses the runtime's verify, which compares in constant time. The two kinds of signature differ in length, so that no key fits
// one of the other kind.
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  keys: CryptoKey[],
): Promise<boolean> {
  for (const [, hmac, base64 = hmac ?? ''] of signatures.matchAll(SIGNATURES)) {
    for (const key of keys)
      if (await crypto.subtle.verify(key.algorithm.name, key, decode(base64), signed)) return true
  }
  return false
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function fail(code: WebhookVerificationError['code'], message: string): never {
  throw new WebhookVerificationError(message, { code })
}
