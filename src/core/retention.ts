// How long we keep what proves no money. Payins, payouts and their batches, refunds, approvals, links, bookings, closes of days,
// suspense, findings, audit entries and open alarms are kept for good.

import { DAY_MS, type Instant } from './instant.ts'

// In days. The settings of the same names may say otherwise.
export const RETENTION_DAYS = { events: 400, exchanges: 7, notices: 400, alarms: 400, requests: 30 }

export type RetentionDays = Readonly<typeof RETENTION_DAYS>

// A payout must follow the look-up of its key within half an hour. A payout that is confirmed later gives the look-up's cost back.
export const KEY_LOOKUP_DAYS = 30
// Only the day that runs is compared with limits; staging's clock may have been moved back since.
export const PAYOUT_USAGE_DAYS = 30
// Far longer than any stream takes to read the requests to send an event again.
export const REDELIVERY_DAYS = 1
// A comparison looks a month around its day, and a statement can be weeks late.
export const STATEMENT_LINE_DAYS = 100

// After they ended or could last no longer: whoever asks where somebody signed in from asks soon.
export const SESSION_DAYS = 30
export const INVITATION_DAYS = 30
// Challenges, links and counts of failures are over in a day at most.
export const SIGN_IN_DAYS = 1

export function daysBefore(now: Instant, days: number): Instant {
  return now - days * DAY_MS
}
