// Reads what a caller sent to a simulated provider: the problems of its fields, by name, as providers list them.

import { asObject } from '../http.ts'

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields => asObject(value) ?? {}

export const isText = (value: unknown, maxLength: number, minLength = 1): value is string =>
  typeof value === 'string' && value.length >= minLength && value.length <= maxLength

/** Of anything but a text or a number, nothing: an object may have a toString of its own. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

export const isWhole = (value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most

export const isEmailLike = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)

/** Whether it is an address on this machine. A simulator calls no other: it obeys whoever reaches it. */
export const isOnThisMachine = (address: string): boolean => {
  const url = URL.parse(address)
  return url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
}
