// How long to wait before something is tried again: the longer it has failed, the longer.

import { DAY_MS, HOUR_MS, MINUTE_MS } from './instant.ts'

const BACKOFF_MS = [1_000, 2_000, 5_000, 10_000, 30_000, MINUTE_MS] as const
// Nobody waits for us, but money may have moved. So the pauses grow from a second to a day, and we never stop asking.
const PATIENT_BACKOFF_MS = [
  ...BACKOFF_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
] as const

export function backoffMs(attempts: number): number {
  return BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] as number
}

export function patientBackoffMs(attempts: number): number {
  return PATIENT_BACKOFF_MS[Math.min(attempts, PATIENT_BACKOFF_MS.length - 1)] as number
}
