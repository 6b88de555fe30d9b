// The comparison of a day's statement with our books: what it can find, when it is made, and when it is made again.

import { bogotaDay, type Day, daysAfter, endOfDay } from '../bogota-day.ts'
import type { Rail } from '../connections/rail.ts'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts'

// NETWORK_ONLY: the network has it and we do not. OURS_ONLY: the other way round. AMOUNT_DIFFERS: both have it, with other
// amounts. TRACE_DIFFERS: a payout, under another id than the network told us. DOUBLED: one movement, listed more than once, on one
// day or on several. OTHER_DAY: listed in the statement of another day than its own. UNREADABLE: a line that we cannot read.
export const FINDING_KINDS = [
  'NETWORK_ONLY',
  'OURS_ONLY',
  'AMOUNT_DIFFERS',
  'TRACE_DIFFERS',
  'DOUBLED',
  'OTHER_DAY',
  'UNREADABLE',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

export type Tally = { readonly count: number; readonly amountInCents: bigint }

export type Reconciliation = {
  readonly organizationId: string
  readonly reconciliationId: string
  readonly rail: Rail
  readonly day: Day
  // How often the day was compared.
  readonly run: number
  // Credits, and what went out: debits, returns and chargebacks.
  readonly matchedIn: Tally
  readonly matchedOut: Tally
  readonly found: Readonly<Record<FindingKind, Tally>>
  readonly openFindings: number
  readonly finishedAt: Instant
}

// A network and we never have quite the same time. What we booked this shortly before midnight may be in the statement of the
// next day, so it is judged with that day.
export const MIDNIGHT_MARGIN_MS = 5 * MINUTE_MS

// A day is left alone for a while after it ends: notifications of its last payments are still on their way.
const CLOSING_MS = 30 * MINUTE_MS

export function dueAfterDay(day: Day): Instant {
  return endOfDay(day) + CLOSING_MS
}

export function lastClosedDay(now: Instant): Day {
  return daysAfter(bogotaDay(now), -1)
}

// Networks correct a day for a while. Each day is compared once more, this long after it closed.
const RECHECK_AFTER_MS = 3 * DAY_MS

// When a day that is compared now is compared again. Null: this comparison is late enough to be the last. One that is made
// earlier, however often, does not replace it.
export function recheckAt(day: Day, now: Instant): Instant | null {
  const dueAt = dueAfterDay(day) + RECHECK_AFTER_MS
  return now < dueAt ? dueAt : null
}

// Networks are late for hours. After this long a person should ask for the statement.
const LATE_AFTER_MS = DAY_MS

// A day that was taken up this long ago should be compared. Whoever took it up has failed without saying so.
const UNFINISHED_AFTER_MS = HOUR_MS

// The last day whose first comparison, and whose second, has been due that long.
export type LateDays = { compared: Day; comparedAgain: Day; begunUntil: Instant }

export function lateDays(now: Instant): LateDays {
  const last = (dueForMs: number): Day => lastClosedDay(now - CLOSING_MS - dueForMs)
  return {
    compared: last(LATE_AFTER_MS),
    comparedAgain: last(RECHECK_AFTER_MS + LATE_AFTER_MS),
    begunUntil: now - UNFINISHED_AFTER_MS,
  }
}

const FIRST_RETRY_MS = 5 * MINUTE_MS
const LAST_RETRY_MS = 12 * HOUR_MS

// After 5 minutes, 10, 20 and so on: the pause doubles, up to 12 hours.
export function statementRetryAt(attempts: number, now: Instant): Instant {
  return now + Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 20), LAST_RETRY_MS)
}
