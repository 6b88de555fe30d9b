// What an alarm can be about: a problem that only a person can solve. docs/guides/en/operating.md says what to do about each.

import { ABUSE_KINDS } from '../organizations/abuse.ts'

export const ALARM_KINDS = [
  'payin-contradiction',
  'payout-contradiction',
  'payin-unresolved',
  'payout-unresolved',
  'refund-unresolved',
  'orphan-notice',
  'reconciliation',
  'statement-late',
  'balance-below-minimum',
  'batch-altered',
  'connection-refused',
  ...ABUSE_KINDS,
] as const

export type AlarmKind = (typeof ALARM_KINDS)[number]
