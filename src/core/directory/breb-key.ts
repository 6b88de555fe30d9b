// A Bre-B key (llave): what people type to say whom to pay. The type is read from the text alone, in a fixed order,
// because ten digits that start with 3 are a phone number and could also be a document. A key has one canonical form
// here, so that two spellings of it compare as equal.

export type KeyType = 'DOCUMENT' | 'PHONE' | 'EMAIL' | 'ALPHANUMERIC' | 'MERCHANT_CODE'
export type BrebKey = { keyString: string; keyType: KeyType }

// As it may be written: an e-mail key has at most 92 characters, and people add spaces and signs that we remove.
export const KEY_MAX_LENGTH = 128

/** The key that a text names, in canonical form; undefined if it is not a key. */
export function parseBrebKey(text: string): BrebKey | undefined {
  // No kind of key may hold a space, so removing spaces never turns one key into another.
  const written = text.replace(/\s+/g, '')
  if (written.startsWith('@')) return keyIf(ALPHANUMERIC, written.toUpperCase(), 'ALPHANUMERIC')
  // The directory ignores the case of e-mails; people usually write their own in lower case.
  if (written.includes('@')) return keyIf(EMAIL, written.toLowerCase(), 'EMAIL')
  const compact = written.replace(/[.-]/g, '')
  const phone = PHONE.exec(compact)?.[1]
  if (phone !== undefined) return { keyString: phone, keyType: 'PHONE' }
  return keyIf(MERCHANT_CODE, compact, 'MERCHANT_CODE') ?? keyIf(DOCUMENT, compact.toUpperCase(), 'DOCUMENT')
}

const keyIf = (format: RegExp, keyString: string, keyType: KeyType): BrebKey | undefined =>
  format.test(keyString) ? { keyString, keyType } : undefined

// The directory's own limits; the canonical form meets each.
const ALPHANUMERIC = /^@[A-Z0-9]{5,20}$/
const EMAIL = /^[^\s@\p{C}]{1,30}@[a-z0-9.-]{1,61}$/u
const PHONE = /^(?:\+?57)?(3[0-9]{9})$/
const MERCHANT_CODE = /^00[0-9]{8}$/
const DOCUMENT = /^[A-Z0-9]{1,18}$/

/**
 * The key that one payin is paid to. It is made from the payin's id alone, so it needs no row of its own: the 60 low
 * random bits of the UUIDv7, five to a character. Two open payins share a key with a probability of 2^-60.
 */
export function singleUseKey(payinId: string): string {
  const random = UUID_V7.exec(payinId)?.[1]?.replace('-', '')
  if (random === undefined) throw new Error('a single-use key is made from a UUIDv7')
  let key = SINGLE_USE_PREFIX
  for (let from = 0; from < random.length; from += 5) {
    const bits = Number.parseInt(random.slice(from, from + 5), 16)
    for (let shift = 15; shift >= 0; shift -= 5) key += CROCKFORD.charAt((bits >> shift) & 31)
  }
  return key
}

// Issuers mark their keys with a prefix, so that a payer's bank can identify the issuer.
const SINGLE_USE_PREFIX = '@RC'
// No I, L, O or U: people also read keys aloud and type them from a screen.
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
// The digit after the third dash holds the variant bits; the 15 hex digits after it are 60 random bits.
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]([0-9a-f]{3}-[0-9a-f]{12})$/i

/** A person's name as a lookup may show it: enough to recognise a friend, too little to identify a stranger. */
export function maskName(name: string): string {
  const words = name.normalize('NFC').split(/\s+/).filter(Boolean)
  return words.map((word) => `${Array.from(word).slice(0, 3).join('')}***`).join(' ')
}

/** A key may be somebody's document, phone or e-mail address, or a name that they chose. */
export function maskKey(key: string): string {
  if (key.startsWith('@')) return `${key.slice(0, 4)}***`
  return key.includes('@') ? maskEmail(key) : maskNumber(key)
}

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? maskNumber(email) : `${email.slice(0, 1)}***${email.slice(at)}`
}

/** A number with only its last four characters visible; one of four or fewer is hidden entirely. */
export function maskNumber(number: string): string {
  if (number.length <= 4) return '*'.repeat(number.length)
  return '*'.repeat(number.length - 4) + number.slice(-4)
}
