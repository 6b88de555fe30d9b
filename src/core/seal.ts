// Seals what leaves the service and must come back unaltered (cursors, page tokens), and what must be unreadable at
// rest (secrets). All keys are derived from one, SECRETS_KEY. While it is being changed there are two: both open, one seals.
// Randomness is passed in.

import { createCipheriv, createDecipheriv, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type HmacKey, hmac, hmacKeyOf } from './hmac.ts'

// What is sealed under any of `accepted` opens.
export type SealingKey = { readonly current: Buffer; readonly accepted: readonly Buffer[] }

export type SealingKeys = {
  readonly cursor: SealingKey
  readonly page: SealingKey
  readonly portal: SealingKey
  readonly rest: SealingKey
} & {
  // The ids of the SECRETS_KEYs, in the order they were given. An id tells keys apart and reveals nothing of them.
  readonly keyIds: readonly string[]
  // From now on the key with this id seals.
  readonly sealWith: (keyId: string) => void
  // From now on none does: what is sealed under these keys would be lost.
  readonly stopSealing: () => void
}

// Another SECRETS_KEY seals, and this process was not given it.
export class SealingStopped extends Error {
  override name = 'SealingStopped'
}

export const SECRETS_KEY_BYTES = 32
const MAC_BYTES = 16
export const SEAL_NONCE_BYTES = 12
const TAG_BYTES = 16

// The first one seals, until `sealWith` names another.
export function deriveKeys(...secretsKeys: readonly [Buffer, ...Buffer[]]): SealingKeys {
  const keyIds = secretsKeys.map((secretsKey) => derive(secretsKey, 'key-id').toString('hex').slice(0, 16))
  let at: number | null = 0
  const keyFor = (purpose: string): SealingKey => {
    const accepted = secretsKeys.map((secretsKey) => derive(secretsKey, purpose))
    return {
      accepted,
      get current() {
        if (at === null) throw new SealingStopped('this process has not got the SECRETS_KEY that seals')
        return accepted[at] as Buffer
      },
    }
  }
  return {
    cursor: keyFor('cursor'),
    page: keyFor('page'),
    portal: keyFor('portal'),
    rest: keyFor('rest'),
    keyIds,
    sealWith: (keyId) => {
      if (!keyIds.includes(keyId)) throw new Error(`there is no SECRETS_KEY with the id ${keyId}`)
      at = keyIds.indexOf(keyId)
    },
    stopSealing: () => {
      at = null
    },
  }
}

function derive(secretsKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, 'recaudo', purpose, 32))
}

// A readable token that only we can make. `context` is not in the token but must be the same when it is opened.
export function sealToken(key: SealingKey, payload: Buffer, context: string): string {
  return Buffer.concat([payload, mac(key.current, payload, context)]).toString('base64url')
}

export function openToken(key: SealingKey, token: string, context: string): Buffer | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= MAC_BYTES) return undefined
  // Several base64 spellings decode alike. We accept only the one we wrote.
  if (bytes.toString('base64url') !== token) return undefined
  const payload = bytes.subarray(0, -MAC_BYTES)
  const found = bytes.subarray(-MAC_BYTES)
  return key.accepted.some((one) => timingSafeEqual(found, mac(one, payload, context))) ? payload : undefined
}

function mac(key: Buffer, payload: Buffer, context: string): Buffer {
  const padded = hmacKeys.get(key) ?? hmacKeyOf(key)
  hmacKeys.set(key, padded)
  return Buffer.from(hmac(padded, [payload, '\0', context]), 'hex').subarray(0, MAC_BYTES)
}

const hmacKeys = new WeakMap<Buffer, HmacKey>()

// `label` says what the secret is and whose. A sealed value moved elsewhere does not open there.
export function sealSecret(key: SealingKey, secret: Buffer, label: string, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key.current, nonce).setAAD(Buffer.from(label))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export function openSecret(key: SealingKey, sealed: Buffer, label: string): Buffer | undefined {
  for (const one of key.accepted) {
    const secret = openUnder(one, sealed, label)
    if (secret !== undefined) return secret
  }
  return undefined
}

// Whether the key that seals now has sealed it.
export function isSealedWithCurrent(key: SealingKey, sealed: Buffer, label: string): boolean {
  return openUnder(key.current, sealed, label) !== undefined
}

function openUnder(key: Buffer, sealed: Buffer, label: string): Buffer | undefined {
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
