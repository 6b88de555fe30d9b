// Codes of an authenticator app (RFC 6238: HMAC-SHA-1, thirty seconds, six digits, which is what all apps take). A code of the
// step before or after counts too, because clocks differ. Each works once: the caller stores the step of the last one.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../instant.ts'
import { base32, RFC_4648 } from './base32.ts'

export const TOTP_SECRET_BYTES = 20
const STEP_MS = 30_000
const DIGITS = 6
const STEPS_AROUND = [-1, 0, 1]

// The step whose code was typed. Undefined if it is the code of none around now, or of one that is used up.
export function stepOfCode(
  secret: Buffer,
  typed: string,
  now: Instant,
  lastStep: number,
): number | undefined {
  const code = typed.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return undefined
  const current = Math.floor(now / STEP_MS)
  const isCodeOf = (step: number): boolean =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))
  return STEPS_AROUND.map((away) => current + away).find((step) => step > lastStep && isCodeOf(step))
}

export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) as number) & 15
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

// What an app reads from a QR code, and what a person types instead.
export function totpEnrollment(secret: Buffer, email: string): { uri: string; typed: string } {
  const typed = base32(secret, RFC_4648)
  return { uri: `otpauth://totp/Recaudo:${encodeURIComponent(email)}?secret=${typed}&issuer=Recaudo`, typed }
}
