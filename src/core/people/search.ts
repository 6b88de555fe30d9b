// Finds people without reading them: a keyed digest of a document, an e-mail address, a Bre-B key, a phone number or a word of a name
// (a blind index). One person's document is written in several ways, so it is brought into one form first.

import { createHmac } from 'node:crypto'
import type { Customer } from './customer.ts'

export const PERSON_DIGEST_BYTES = 16

// What a person is found by.
export type PersonTrait =
  | { readonly by: 'document'; readonly idType: string; readonly idNumber: string }
  | { readonly by: 'email'; readonly email: string }
  | { readonly by: 'key'; readonly keyString: string }
  // Already in the form of core/search/fact.ts.
  | { readonly by: 'phone' | 'name'; readonly text: string }

export function personDigest(indexKey: Buffer, trait: PersonTrait): Buffer {
  const text = `${trait.by}\0${normalized(trait)}`
  return createHmac('sha256', indexKey).update(text).digest().subarray(0, PERSON_DIGEST_BYTES)
}

// No trait begins so.
export function evidenceAddressTag(indexKey: Buffer, objectId: string): string {
  const digest = createHmac('sha256', indexKey).update(`address\0${objectId}`).digest()
  return digest.subarray(0, PERSON_DIGEST_BYTES).toString('base64url')
}

// Rows of a file may have no e-mail address.
export function traitsOf({ idType, idNumber, email }: Customer): PersonTrait[] {
  const document: PersonTrait = { by: 'document', idType, idNumber }
  return email === '' ? [document] : [document, { by: 'email', email }]
}

// In the one form that is digested.
export function normalized(trait: PersonTrait): string {
  if (trait.by === 'key') return trait.keyString
  if ('text' in trait) return trait.text
  if (trait.by === 'email') return trait.email.trim().normalize('NFC').toLowerCase()
  // A NIT may carry its check digit after a dash, and is the same without it.
  const number = trait.idType === 'CO_NIT' ? trait.idNumber.replace(/-.*$/, '') : trait.idNumber
  return `${trait.idType} ${number
    .normalize('NFC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')}`
}
