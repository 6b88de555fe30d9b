// People's data at rest. One seal for each payin, payout or link, made once under its organization's data key; the row, its
// events and its kept answers all hold the same sealed text, and whoever sends a text opens it (shown.ts). A sealed text opens
// only for its organization, and names the object that it was made for.
//
// version (1) · object (16) · nonce (12) · tag (16) · data. The first two are bound to the data, and so is the organization.

import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from 'node:crypto'
import { uuidBytes, uuidText } from '../uuid-token.ts'
import type { Customer, Receiver } from './customer.ts'

// Stands where the data would: in the columns of a row, and in texts.
export type Sealed = { readonly sealed: string }

// What is left of a person who was erased.
export const ERASED = 'ERASED'
// The key is gone, or the text was changed.
export const UNREADABLE = 'UNREADABLE'
export type Unopened = typeof ERASED | typeof UNREADABLE

export type DataKey = { readonly version: number; readonly key: KeyObject }

export const DATA_KEY_BYTES = 32
export const MAX_KEY_VERSION = 255
export const PERSON_NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + 16
const NONCE_END = HEAD_BYTES + PERSON_NONCE_BYTES
const DATA_BEGIN = NONCE_END + TAG_BYTES

export function isSealed(value: object | null): value is Sealed {
  return value !== null && 'sealed' in value
}

export function sealPerson(
  { version, key }: DataKey,
  organizationId: Buffer,
  objectId: string,
  fields: readonly string[],
  nonce: Uint8Array,
): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const head = Buffer.allocUnsafe(DATA_BEGIN)
  head[0] = version
  uuidBytes(objectId).copy(head, 1)
  head.set(nonce, HEAD_BYTES)
  cipher.setAAD(boundTo(organizationId, head))
  const data = cipher.update(JSON.stringify(fields), 'utf8')
  cipher.final()
  cipher.getAuthTag().copy(head, NONCE_END)
  return Buffer.concat([head, data]).toString('base64url')
}

// Undefined if no key opens it.
export function openPerson(
  keys: readonly DataKey[],
  organizationId: Buffer,
  sealed: string,
): string[] | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const key = keys.find(({ version }) => version === bytes[0])?.key
  if (key === undefined || bytes.length < DATA_BEGIN) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(HEAD_BYTES, NONCE_END))
  decipher.setAAD(boundTo(organizationId, bytes)).setAuthTag(bytes.subarray(NONCE_END, DATA_BEGIN))
  const data = decipher.update(bytes.subarray(DATA_BEGIN))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return JSON.parse(data.toString('utf8')) as string[]
}

function boundTo(organizationId: Buffer, head: Buffer): Buffer {
  return Buffer.concat([organizationId, head.subarray(0, HEAD_BYTES)])
}

// For which payin, payout or link it was made. Undefined if it is no sealed text.
export function objectOfSealed({ sealed }: Sealed): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  return bytes.length < DATA_BEGIN ? undefined : uuidText(bytes.subarray(1, HEAD_BYTES))
}

// Blind indexes have a key of their own: whoever learns it can test guesses, and open nothing.
export function indexKeyOf({ key }: DataKey): Buffer {
  return Buffer.from(hkdfSync('sha256', key, 'recaudo', 'people-index', 32))
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
