// When alarms are told by e-mail: each in a mail of its own, and in a storm all that wait in one, so that nobody's mailbox is
// flooded. Whoever decides knows what waits and what was told lately, and nothing else.

import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts'

// More than so many that are open, told within so long or waiting to be, are a storm.
export const ALARM_STORM_SIZE = 20
export const ALARM_STORM_WITHIN_MS = HOUR_MS
// While it lasts, those that are new wait for each other.
export const ALARM_DIGEST_AFTER_MS = 10 * MINUTE_MS
// By then whoever cares has looked at the console: no mail server was set, or it was down.
export const ALARM_MAIL_WITHIN_MS = 2 * DAY_MS

export type WaitingAlarm = { readonly alarmId: string; readonly createdAt: Instant }

// The alarms of each mail, or when to look again.
export type AlarmMailPlan =
  | { readonly mails: readonly (readonly string[])[] }
  | { readonly waitUntil: Instant }

export function alarmMailPlanOf(
  waiting: readonly WaitingAlarm[],
  toldLately: number,
  now: Instant,
): AlarmMailPlan {
  const ids = waiting.map(({ alarmId }) => alarmId)
  if (ids.length === 0) return { mails: [] }
  if (ids.length + toldLately <= ALARM_STORM_SIZE) return { mails: ids.map((id) => [id]) }
  // The mail that says that it has begun.
  if (toldLately <= ALARM_STORM_SIZE) return { mails: [ids] }
  const waitUntil = Math.min(...waiting.map(({ createdAt }) => createdAt)) + ALARM_DIGEST_AFTER_MS
  return waitUntil > now ? { waitUntil } : { mails: [ids] }
}

export function isTooOldToTell(createdAt: Instant, now: Instant): boolean {
  return now - createdAt > ALARM_MAIL_WITHIN_MS
}
