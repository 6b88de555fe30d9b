// What an object can be found by, each in the one form in which it is compared: without upper case, accents, dots or the country's
// code, as far as people leave these out.

import { parseBrebKey } from '../directory/breb-key.ts'
import { customerOf, receiverOf } from '../people/sealed.ts'
import { normalized } from '../people/search.ts'

// What has words of its own. Other objects are found by their ids and names alone.
export const WORDED = ['payin', 'payout', 'paymentlink'] as const
export type Worded = (typeof WORDED)[number]

export type SearchField =
  | 'reference'
  // The network's own name for the payment. PSE: CUS.
  | 'trace'
  | 'key'
  | 'amount'
  | 'document'
  | 'email'
  | 'phone'
  | 'name'

export type SearchableText = { readonly trait: SearchField; readonly text: string }

export type PlainSearchTexts = {
  readonly reference: string
  readonly amountsInCents: readonly bigint[]
  // Of a payin, which is nobody's.
  readonly keyString: string | null
  readonly traces: readonly string[]
}

export function plainFacts({
  reference,
  amountsInCents,
  keyString,
  traces,
}: PlainSearchTexts): SearchableText[] {
  return [
    { trait: 'reference', text: referenceText(reference) },
    ...amountsInCents.map((cents): SearchableText => ({ trait: 'amount', text: cents.toString() })),
    ...(keyString === null ? [] : [{ trait: 'key', text: keyText(keyString) } as const]),
    ...traces.map((trace): SearchableText => ({ trait: 'trace', text: traceText(trace) })),
  ]
}

// Of an opened person: the payer of a payin, whoever a link is for, or the receiver of a payout with their key.
export function personFacts(resource: Worded, fields: readonly string[]): SearchableText[] {
  const { name, idType, idNumber, phone, email } = customerOf(fields)
  const facts: SearchableText[] = [
    { trait: 'document', text: documentText(idType, idNumber) },
    { trait: 'email', text: emailText(email) },
    { trait: 'phone', text: phoneText(phone) },
    ...nameWords(name).map((text): SearchableText => ({ trait: 'name', text })),
  ]
  return resource === 'payout'
    ? [...facts, { trait: 'key', text: keyText(receiverOf(fields).keyString) }]
    : facts
}

// More of them make no name easier to find.
const MAX_NAME_WORDS = 8

export function nameWords(name: string): string[] {
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    // An initial is in too many names.
    .filter((word) => Array.from(word).length > 1)
  return [...new Set(words)].slice(0, MAX_NAME_WORDS)
}

export function referenceText(reference: string): string {
  return reference.normalize('NFC').toLowerCase()
}

// A provider's payments carry its name before a colon.
export function traceText(trace: string): string {
  return trace.replace(/^[a-z]+:/, '').toUpperCase()
}

export function keyText(key: string): string {
  return parseBrebKey(key)?.keyString ?? key.trim().toUpperCase()
}

export function phoneText(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '')
  return digits.length === 12 && digits.startsWith('57') ? digits.slice(2) : digits
}

export function documentText(idType: string, idNumber: string): string {
  return normalized({ by: 'document', idType, idNumber })
}

export function emailText(email: string): string {
  return normalized({ by: 'email', email })
}
