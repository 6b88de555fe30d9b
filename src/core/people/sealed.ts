// People's data at rest. One seal for each payin, payout or link, made once under its organization's data key; the row, its
// events and its kept answers all hold the same sealed text, and whoever sends a text opens it (shown.ts). A sealed text opens
// only for its organization, and names the object that it was made for. How it is made: seal-text.ts.

import type { Customer, Receiver } from './customer.ts'

// Stands where the data would: in the columns of a row, and in texts.
export type Sealed = { readonly sealed: string }

// What is left of a person who was erased.
export const ERASED = 'ERASED'
// The key is gone, or the text was changed.
export const UNREADABLE = 'UNREADABLE'
export type Unopened = typeof ERASED | typeof UNREADABLE

export function isSealed(value: object | null): value is Sealed {
  return value !== null && 'sealed' in value
}

export function customerFields({ name, idType, idNumber, phone, email }: Customer): string[] {
  return [name, idType, idNumber, phone, email]
}

export function receiverFields({ customer, keyString, keyStringSent }: Receiver): string[] {
  return [...customerFields(customer), keyString, keyStringSent]
}

export function customerOf(fields: readonly string[]): Customer {
  const [name = '', idType = '', idNumber = '', phone = '', email = ''] = fields
  return { name, idType, idNumber, phone, email }
}

export function receiverOf(fields: readonly string[]): Receiver {
  const [keyString = '', keyStringSent = ''] = fields.slice(5)
  return { customer: customerOf(fields), keyString, keyStringSent }
}

// As merchants see what cannot be opened: each field says why.
export function fieldsInPlaceOf(unopened: Unopened): string[] {
  return Array<string>(7).fill(unopened)
}
