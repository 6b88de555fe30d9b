// What the operator's doctor found: all is well, something to know, or something to do, and then what. And the limits by which it
// judges.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/instant.ts'

export type DoctorFinding = {
  readonly level: 'ok' | 'note' | 'problem'
  readonly about: string
  readonly text: string
  readonly remedy?: string
}

export function ok(about: string, text: string): DoctorFinding {
  return { level: 'ok', about, text }
}

export function note(about: string, text: string, remedy: string): DoctorFinding {
  return { level: 'note', about, text, remedy }
}

export function problem(about: string, text: string, remedy: string): DoctorFinding {
  return { level: 'problem', about, text, remedy }
}

export type DoctorLimits = typeof DOCTOR_LIMITS

export const DOCTOR_LIMITS = {
  // Our own transactions last seconds. One that lasts longer keeps every deleted row of every queue.
  openTransactionMs: 10 * MINUTE_MS,
  // Half of what PostgreSQL has. By itself it begins to freeze rows at 200 million.
  transactionAge: 1_000_000_000,
  connectionShare: 0.8,
  standbyLagBytes: 64 * 1024 ** 2,
  // Ids hold the time, and workers look for what committed up to a second late.
  clockSkewMs: 500,
  freeShareToNote: 0.15,
  freeShare: 0.05,
  freeBytes: 1024 ** 3,
  // Beyond what the server means to keep.
  logBytes: 1024 ** 3,
  certificateToNoteMs: 30 * DAY_MS,
  certificateMs: 14 * DAY_MS,
  // Workers look every few seconds, and a lease lasts up to a minute.
  overdueMs: 3 * MINUTE_MS,
  // A slow receiver has its own pace.
  deliveryOverdueMs: 15 * MINUTE_MS,
  // Retention, and other loops that run by the hour.
  hourlyMs: 3 * HOUR_MS,
  stuckMs: HOUR_MS,
  reconciledMs: 3 * DAY_MS,
}

export function sizeText(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${(bytes / 1024 ** 3).toFixed(1)} GiB`
  return bytes >= 1024 ** 2 ? `${Math.round(bytes / 1024 ** 2)} MiB` : `${Math.ceil(bytes / 1024)} KiB`
}

export function durationText(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${Math.round(ms / 1_000)} s`
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} days`
}
