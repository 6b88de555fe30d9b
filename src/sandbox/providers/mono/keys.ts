// The keys of Bre-B as Mono reads them: the type by the form, and the keys with which the sandbox fails. Every other key of a right form
// belongs to somebody.

export type KeyType = 'identification' | 'cellphone' | 'email' | 'alphanumeric' | 'merchant_code'
export type KeyFailure = 'key_not_found' | 'key_suspended' | 'invalid_key_format'

const KEY_FAILURES: readonly KeyFailure[] = ['key_not_found', 'key_suspended', 'invalid_key_format']
/** Found, but a transfer to it fails. */
export const UNAVAILABLE_KEY = 'sandbox@tx_provider_unavailable.err'
/** Of this simulator alone: what is paid to it comes back. In capitals or not, as all keys. */
export const RETURNING_KEY = '@DEVUELTA'
export const KEYS_THAT_FAIL = KEY_FAILURES.map(
  (reason) => [`sandbox@key_${reason.replace(/^key_/, '')}.err`, reason] as const,
)

export function readKey(value: string): { type: KeyType } | { failure: KeyFailure } {
  if (value === UNAVAILABLE_KEY) return { type: 'email' }
  // The documentation gives only the pattern: a reason is taken with and without a key_ of its own, and an unknown one is not found.
  const [, word] = /^sandbox@key_(\w+)\.err$/.exec(value) ?? []
  if (word !== undefined) {
    const failure = KEY_FAILURES.find((reason) => reason === word || reason === `key_${word}`)
    return { failure: failure ?? 'key_not_found' }
  }
  if (/^@[A-Za-z0-9]{5,20}$/.test(value)) return { type: 'alphanumeric' }
  if (/^[^\s@]{1,30}@[A-Za-z0-9.-]{1,61}$/.test(value)) return { type: 'email' }
  if (/^00\d{8}$/.test(value)) return { type: 'merchant_code' }
  if (/^3\d{9}$/.test(value)) return { type: 'cellphone' }
  if (/^[A-Za-z0-9]{1,18}$/.test(value)) return { type: 'identification' }
  return { failure: 'invalid_key_format' }
}
