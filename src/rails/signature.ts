// How both networks sign their notifications: HMAC-SHA256 over id, time and the raw body, so that a notice can be neither
// altered nor replayed later.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../core/instant.ts'

export const ID_HEADER = 'x-notification-id'
export const TIMESTAMP_HEADER = 'x-notification-timestamp'
export const SIGNATURE_HEADER = 'x-notification-signature'

// Older or newer notices are refused. The network signs every attempt anew.
const TOLERANCE_SECONDS = 300

type Headers = Readonly<Record<string, string | string[] | undefined>>

export function signNotice(key: string, id: string, timestampSeconds: number, body: string | Buffer): string {
  return `v1=${createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('hex')}`
}

// The notice's id if the signature is valid. While a key is being replaced there are two.
export function verifyNotice(
  keys: readonly string[],
  headers: Headers,
  body: Buffer,
  now: Instant,
): string | undefined {
  const id = headers[ID_HEADER]
  const timestamp = headers[TIMESTAMP_HEADER]
  const signature = headers[SIGNATURE_HEADER]
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string')
    return undefined
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id) || !/^\d{1,12}$/.test(timestamp)) return undefined
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return undefined
  const presented = Buffer.from(signature)
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(signNotice(key, id, Number(timestamp), body))
    return presented.length === expected.length && timingSafeEqual(presented, expected)
  })
  return isSigned ? id : undefined
}
