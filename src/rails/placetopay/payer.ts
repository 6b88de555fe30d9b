// The payer as PlacetoPay wants to know them: a document of a kind and form that it takes, and a name in two parts.

import type { Customer } from '../../core/people/customer.ts'
import { DOCUMENT_PATTERNS, type DocumentType, MAX_CHARACTERS, type Payer } from './wire.ts'

// A text says why the payer cannot be named to the gateway.
export function payerOf({ name, idType, idNumber, email, phone }: Customer): Payer | string {
  const document = documentOf(idType, idNumber)
  if (document === undefined) return 'DOCUMENT_NOT_ACCEPTED'
  if (email.length > MAX_CHARACTERS.email) return 'EMAIL_TOO_LONG'
  // PSE wants the ten digits of a Colombian number without the country code.
  return { ...document, ...splitName(name), email, mobile: phone.replace(/^\+57(?=\d{10}$)/, '') }
}

// A Mexican RFC has no kind here.
const DOCUMENT_TYPES: Readonly<Record<string, DocumentType>> = {
  CO_CC: 'CC',
  CO_CE: 'CE',
  CO_TI: 'TI',
  CO_NIT: 'NIT',
  CO_RUT: 'RUT',
  PASSPORT: 'PPN',
}

function documentOf(
  idType: string,
  idNumber: string,
): { documentType: DocumentType; document: string } | undefined {
  const documentType = Object.hasOwn(DOCUMENT_TYPES, idType) ? DOCUMENT_TYPES[idType] : undefined
  if (documentType === undefined) return undefined
  const isTaxNumber = documentType === 'NIT' || documentType === 'RUT'
  // The digit after the dash checks the number, and is not a part of it.
  const number = isTaxNumber ? idNumber.replace(/-\d$/, '') : idNumber
  const document = number.replaceAll(/[.-]/g, '')
  return DOCUMENT_PATTERNS[documentType].test(document) ? { documentType, document } : undefined
}

// Two surnames are usual: of three words the first is the name, of more the first two. A particle belongs to the word after it, as
// in "Juan de Dios Pérez". Both parts are needed, so a single word is both.
export function splitName(fullName: string): { name: string; surname: string } {
  const words = fullName.trim().split(/\s+/)
  let count = words.length > 3 ? 2 : 1
  while (count < words.length && PARTICLES.has((words[count - 1] ?? '').toLowerCase())) count += 1
  if (count >= words.length) count = 1
  const name = words.slice(0, count).join(' ')
  const surname = words.slice(count).join(' ') || name
  return { name: cut(name, MAX_CHARACTERS.name), surname: cut(surname, MAX_CHARACTERS.surname) }
}

const PARTICLES: ReadonlySet<string> = new Set(['de', 'del', 'la', 'las', 'los', 'el', 'y', 'san', 'santa'])

// A character that takes two units is not cut in half.
export function cut(text: string, maxLength: number): string {
  return text
    .slice(0, maxLength)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}
