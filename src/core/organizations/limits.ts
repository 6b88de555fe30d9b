// What the operator allows: how often a credential may be used and from where, how much may be paid out in a day in Bogotá, by a
// credential and by its organization, and hours in which nothing is. Null is no limit.

import { BOGOTA_OFFSET_MS, bogotaDay, endOfDay } from '../bogota-day.ts'
import { HOUR_MS, type Instant, isoInstant } from '../instant.ts'
import { type Refusal, refuse } from '../refusal.ts'

export type PayoutLimits = {
  readonly payoutsPerDay: number | null
  // In cents.
  readonly payoutSumPerDay: bigint | null
}

export type CredentialLimits = PayoutLimits & {
  readonly maxPerSecond: number | null
  // Ranges as `parseAddressRange` writes them.
  readonly allowedAddresses: readonly string[] | null
}

// `quietHours` is as `parseQuietHours` writes it.
export type OrganizationLimits = PayoutLimits & { readonly quietHours: string | null }

export const UNLIMITED_CREDENTIAL: CredentialLimits = {
  maxPerSecond: null,
  allowedAddresses: null,
  payoutsPerDay: null,
  payoutSumPerDay: null,
}
export const UNLIMITED_ORGANIZATION: OrganizationLimits = {
  payoutsPerDay: null,
  payoutSumPerDay: null,
  quietHours: null,
}

export function limitsOf(credential: CredentialLimits): CredentialLimits {
  const { maxPerSecond, allowedAddresses, payoutsPerDay, payoutSumPerDay } = credential
  return { maxPerSecond, allowedAddresses, payoutsPerDay, payoutSumPerDay }
}

// Whether the second allow more than the first in any way. An address that was not named before is more, whatever range it is in.
export function isLooser(before: CredentialLimits, after: CredentialLimits): boolean {
  const { allowedAddresses: from } = before
  const allowsMore = (name: 'maxPerSecond' | 'payoutsPerDay' | 'payoutSumPerDay'): boolean => {
    const [most, wanted] = [before[name], after[name]]
    return most !== null && (wanted === null || wanted > most)
  }
  return (
    allowsMore('maxPerSecond') ||
    allowsMore('payoutsPerDay') ||
    allowsMore('payoutSumPerDay') ||
    (from !== null && !(after.allowedAddresses?.every((one) => from.includes(one)) ?? false))
  )
}

export type PayoutUsage = { readonly payouts: number; readonly sumInCents: bigint }

export function hasPayoutLimits({ payoutsPerDay, payoutSumPerDay }: PayoutLimits): boolean {
  return payoutsPerDay !== null || payoutSumPerDay !== null
}

// Whose limit it is, what it allows, and how much of it the day has left: payouts, or cents. One that was set below what is used
// has nothing left.
export type ReachedLimit = {
  readonly owner: 'credential' | 'organization'
  readonly kind: 'payouts' | 'cents'
  readonly allowed: bigint
  readonly left: bigint
}

// Undefined if one more payout of this amount is within the limits.
export function reachedLimit(
  owner: ReachedLimit['owner'],
  limits: PayoutLimits,
  used: PayoutUsage,
  amountInCents: bigint,
): ReachedLimit | undefined {
  const over = (kind: ReachedLimit['kind'], allowed: bigint, usedUp: bigint, wanted: bigint) =>
    usedUp + wanted > allowed
      ? { owner, kind, allowed, left: allowed > usedUp ? allowed - usedUp : 0n }
      : undefined
  const { payoutsPerDay, payoutSumPerDay } = limits
  return (
    (payoutsPerDay === null ? undefined : over('payouts', BigInt(payoutsPerDay), BigInt(used.payouts), 1n)) ??
    (payoutSumPerDay === null ? undefined : over('cents', payoutSumPerDay, used.sumInCents, amountInCents))
  )
}

export function refusePayoutLimit({ owner, kind, allowed, left }: ReachedLimit, now: Instant): Refusal {
  const freeAt = endOfDay(bogotaDay(now))
  const whose = owner === 'credential' ? 'This key or client' : 'This organization'
  return refuse(
    'PAYOUT_LIMIT_REACHED',
    `${whose} may pay out ${allowed} ${kind} a day: ${left} ${kind} are left until ${isoInstant(freeAt)}.`,
    { retryAfterSeconds: secondsUntil(freeAt, now) },
  )
}

// `22-06`: from 22:00 until 06:00 in Bogotá. Null if it names no such hours.
export function parseQuietHours(text: string): string | null {
  const [, from = '', until = ''] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  const isHour = (hour: string): boolean => hour !== '' && Number(hour) <= 23
  // The same hour twice may mean all day or never.
  if (!isHour(from) || !isHour(until) || Number(from) === Number(until)) return null
  return `${from.padStart(2, '0')}-${until.padStart(2, '0')}`
}

// When the quiet hours of this instant end. Null outside of them.
export function quietUntil(quietHours: string | null, now: Instant): Instant | null {
  if (quietHours === null) return null
  const [from = 0, until = 0] = quietHours.split('-').map(Number)
  const startOfHour = Math.floor(now / HOUR_MS) * HOUR_MS
  const hour = new Date(now - BOGOTA_OFFSET_MS).getUTCHours()
  const sinceFrom = (hour - from + HOURS) % HOURS
  const quietFor = (until - from + HOURS) % HOURS
  return sinceFrom < quietFor ? startOfHour + (quietFor - sinceFrom) * HOUR_MS : null
}

const HOURS = 24

export function refuseQuietHours(quietHours: string, endsAt: Instant, now: Instant): Refusal {
  return refuse(
    'QUIET_HOURS',
    `This organization pays out nothing from ${quietHours.replace('-', ':00 until ')}:00 in Bogotá: they end at ${isoInstant(endsAt)}.`,
    { retryAfterSeconds: secondsUntil(endsAt, now) },
  )
}

function secondsUntil(then: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((then - now) / 1_000))
}
