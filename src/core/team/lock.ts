// How often somebody may be wrong: an account, whether it exists or not, and a network address are locked for a while after so
// many failures. An attempt counts from its beginning, so that many at once do not escape the count. Passkeys are not guessed,
// and are not locked.

import { hash } from 'node:crypto'
import { countedAddress } from '../network-address.ts'

export const LOCK_AFTER = 10
export const LOCK_WINDOW_MS = 15 * 60_000
export const LOCK_MS = 15 * 60_000

// What is counted, by digests: the table tells nobody's address.
export function accountSubject(email: string): Buffer {
  return hash('sha256', `account ${email}`, 'buffer')
}

export function addressSubject(address: string): Buffer {
  return hash('sha256', `address ${countedAddress(address)}`, 'buffer')
}
