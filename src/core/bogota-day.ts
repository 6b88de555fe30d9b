// Days as the networks count them: from midnight to midnight in Bogotá, which is five hours behind UTC all year round. A day is
// written YYYY-MM-DD, so days sort as text.

import { DAY_MS, HOUR_MS, type Instant } from './instant.ts'

export type Day = string

export const BOGOTA_OFFSET_MS = 5 * HOUR_MS

export function bogotaDay(instant: Instant): Day {
  return new Date(instant - BOGOTA_OFFSET_MS).toISOString().slice(0, 10)
}

export function isSameBogotaDay(one: Instant, other: Instant): boolean {
  return daysSinceEpoch(one) === daysSinceEpoch(other)
}

function daysSinceEpoch(instant: Instant): number {
  return Math.floor((instant - BOGOTA_OFFSET_MS) / DAY_MS)
}

// The first instant of the day. The day ends where the next one starts.
export function startOfDay(day: Day): Instant {
  return Date.parse(`${day}T00:00:00.000Z`) + BOGOTA_OFFSET_MS
}

export function endOfDay(day: Day): Instant {
  return startOfDay(day) + DAY_MS
}

// Zero or a negative number of days leads back.
export function daysAfter(day: Day, days: number): Day {
  return bogotaDay(startOfDay(day) + days * DAY_MS)
}

// Undefined for text that is no day, such as 2026-02-30.
export function parseDay(text: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const instant = Date.parse(`${text}T00:00:00.000Z`)
  // Before 1970 nothing was paid here, and a database may not know the year.
  return instant >= 0 && new Date(instant).toISOString().startsWith(text) ? text : undefined
}
