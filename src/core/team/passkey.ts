// A passkey of a person: a key pair in a device or a password manager, of which we know the public half.

import type { Instant } from '../instant.ts'

export type Passkey = {
  readonly credentialId: Buffer
  readonly userId: string
  // As SubjectPublicKeyInfo.
  readonly publicKey: Buffer
  readonly algorithm: number
  // Zero if its authenticator does not count.
  readonly signCount: number
  readonly name: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
}

// More than anybody has devices.
export const MAX_PASSKEYS = 20
export const PASSKEY_NAME_MAX_LENGTH = 60
// As long as a browser waits for a finger.
export const CHALLENGE_LIFETIME_MS = 5 * 60_000
export const CHALLENGE_BYTES = 32

// How an authenticator knows the person: it says so again when they sign in.
export function userHandleOf(userId: string): Buffer {
  return Buffer.from(userId.replaceAll('-', ''), 'hex')
}
