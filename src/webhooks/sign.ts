// The Standard Webhooks signature, which proves to a merchant that an event is ours, recent and unaltered. The signed bytes
// must be the bytes sent, and the timestamp is that of the attempt, not of the event. An endpoint may ask for a second signature,
// Ed25519, which a receiver verifies with a public key: it then holds nothing that can sign.

import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type HmacKey, hmac, hmacKeyOf } from '../core/hmac.ts'

export type WebhookHeaders = {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

// One signature per secret and per signing key: while they are being replaced, receivers that know either one can verify.
export function webhookHeaders(
  id: string,
  timestampSeconds: number,
  body: string | Buffer,
  secrets: readonly Buffer[],
  signingKeys: readonly KeyObject[] = [],
): WebhookHeaders {
  assert.ok(secrets.length > 0, 'an event is never sent unsigned')
  assert.ok(SAFE_ID.test(id), 'not the id of an event')
  assert.ok(Number.isSafeInteger(timestampSeconds), 'the timestamp is in whole seconds')
  const prefix = `${id}.${timestampSeconds}.`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': [
      ...secrets.map((secret) => signature(secret, prefix, body)),
      ...signingKeys.map((key) => asymmetricSignature(key, prefix, body)),
    ].join(' '),
  }
}

export function newWebhookSecret(randomBytes: (size: number) => Buffer): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

export function secretBytes(secret: string): Buffer {
  assert.ok(secret.startsWith(SECRET_PREFIX), 'not a webhook secret')
  const encoded = secret.slice(SECRET_PREFIX.length)
  const bytes = Buffer.from(encoded, 'base64')
  // Node skips what is not base64. A damaged secret must not sign with the rest.
  assert.equal(bytes.toString('base64'), encoded, 'not a webhook secret')
  assert.ok(bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES, 'not a webhook secret')
  return bytes
}

export type SigningKey = { readonly seed: Buffer; readonly publicKey: Buffer }

export function newSigningKey(randomBytes: (size: number) => Buffer): SigningKey {
  const seed = randomBytes(SEED_BYTES)
  // The key itself is the end of its encoded form.
  const encoded = createPublicKey(signingKeyOf(seed)).export({ format: 'der', type: 'spki' })
  return { seed, publicKey: encoded.subarray(-SEED_BYTES) }
}

export function signingKeyOf(seed: Buffer): KeyObject {
  assert.equal(seed.length, SEED_BYTES, 'not a signing key')
  return createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: 'der', type: 'pkcs8' })
}

const SEED_BYTES = 32
// How an Ed25519 private key begins (RFC 8410).
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex')

const SECRET_PREFIX = 'whsec_'
// As long as the hash: more adds nothing. The standard allows 24 to 64.
const SECRET_BYTES = 32
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64

// A dot in the id would let one signed text be read as two different events.
const SAFE_ID = /^[A-Za-z0-9_-]{1,64}$/

// A secret signs a whole batch of events, and is opened anew for the next.
const hmacKeys = new WeakMap<Buffer, HmacKey>()

function signature(secret: Buffer, prefix: string, body: string | Buffer): string {
  const key = hmacKeys.get(secret) ?? hmacKeyOf(secret)
  hmacKeys.set(secret, key)
  return `v1,${hmac(key, [prefix, body], 'base64')}`
}

function asymmetricSignature(key: KeyObject, prefix: string, body: string | Buffer): string {
  const signed = Buffer.concat([Buffer.from(prefix), Buffer.from(body)])
  return `v1a,${sign(null, signed, key).toString('base64')}`
}
