// Seals what leaves the service and must come back unaltered (cursors, page tokens), and what must be unreadable at
// rest (secrets). All keys are derived from one, SECRETS_KEY. Randomness is passed in.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export type SealingKeys = { readonly cursor: Buffer; readonly page: Buffer; readonly rest: Buffer }

export const SECRETS_KEY_BYTES = 32
const MAC_BYTES = 16
export const SEAL_NONCE_BYTES = 12
const TAG_BYTES = 16

export function deriveKeys(secretsKey: Buffer): SealingKeys {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secretsKey, 'recaudo', purpose, 32))
  return { cursor: derive('cursor'), page: derive('page'), rest: derive('rest') }
}

// A readable token that only we can make. `context` is not in the token but must be the same when it is opened.
export function sealToken(key: Buffer, payload: Buffer, context: string): string {
  return Buffer.concat([payload, mac(key, payload, context)]).toString('base64url')
}

export function openToken(key: Buffer, token: string, context: string): Buffer | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= MAC_BYTES) return undefined
  // Several base64 spellings decode alike. We accept only the one we wrote.
  if (bytes.toString('base64url') !== token) return undefined
  const payload = bytes.subarray(0, -MAC_BYTES)
  return timingSafeEqual(bytes.subarray(-MAC_BYTES), mac(key, payload, context)) ? payload : undefined
}

function mac(key: Buffer, payload: Buffer, context: string): Buffer {
  return createHmac('sha256', key)
    .update(payload)
    .update('\0')
    .update(context)
    .digest()
    .subarray(0, MAC_BYTES)
}

// `label` says what the secret is and whose. A sealed value moved elsewhere does not open there.
export function sealSecret(key: Buffer, secret: Buffer, label: string, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export function openSecret(key: Buffer, sealed: Buffer, label: string): Buffer | undefined {
  if (sealed.length < SEAL_NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, SEAL_NONCE_BYTES))
  decipher
    .setAAD(Buffer.from(label))
    .setAuthTag(sealed.subarray(SEAL_NONCE_BYTES, SEAL_NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(SEAL_NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}
