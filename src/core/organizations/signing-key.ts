// Which of the keys for access tokens sign, and which are published, by their age alone: nothing has to be changed when a key
// takes over, and processes need not agree on a moment. A new key is published before it signs, so that whoever keeps our public
// keys for a while knows it in time. The key before it is published until its last token has expired.

import { HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts'

// Twice as long as others may keep the list of public keys.
export const PUBLISHED_AHEAD_MS = 10 * MINUTE_MS
export const ACCESS_TOKEN_MS = HOUR_MS
// For clocks that differ.
const GRACE_MS = 5 * MINUTE_MS

/** What a private key is sealed for: it opens under no other name. */
export function signingKeyLabel(keyId: string): string {
  return `signing-key ${keyId}`
}

type Aged = { readonly createdAt: Instant }

// `keys` are those that are not retired, the newest first. If none is old enough, as on the first start, the oldest signs.
export function signerAmong<Key extends Aged>(keys: readonly Key[], now: Instant): Key | undefined {
  return keys.find((key) => hasTakenOver(key, now)) ?? keys.at(-1)
}

export function publishedAmong<Key extends Aged>(keys: readonly Key[], now: Instant): Key[] {
  return keys.filter((_, at) => {
    const successor = keys[at - 1]
    return successor === undefined || !hasTakenOver(successor, now - ACCESS_TOKEN_MS - GRACE_MS)
  })
}

function hasTakenOver({ createdAt }: Aged, now: Instant): boolean {
  return createdAt + PUBLISHED_AHEAD_MS <= now
}
