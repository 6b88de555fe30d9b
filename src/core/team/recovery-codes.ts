// Codes for the day on which the authenticator app is lost: ten, shown once, each works once. Their digests are stored. Eighty
// random bits each, so that a digest tells nothing of its code.

import { hash } from 'node:crypto'
import { base32, CROCKFORD } from './base32.ts'

export const RECOVERY_CODES = 10
const CODE_BYTES = 10
export const RECOVERY_RANDOM_BYTES = RECOVERY_CODES * CODE_BYTES

// Such as 7QZD-0M4K-T2WX-9C6B.
export function recoveryCodes(random: Buffer): string[] {
  return Array.from({ length: RECOVERY_CODES }, (_, at) => {
    const letters = base32(random.subarray(at * CODE_BYTES, (at + 1) * CODE_BYTES), CROCKFORD)
    return (letters.match(/.{4}/g) as string[]).join('-')
  })
}

// However it was typed: in small letters, without dashes, O for 0.
export function recoveryDigest(typed: string): Buffer {
  const letters = typed
    .slice(0, 100)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return hash('sha256', `recovery code ${letters}`, 'buffer')
}
