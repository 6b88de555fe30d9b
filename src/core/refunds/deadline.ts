// By when the law wants the money back, as far as the reason tells. It is an estimate: the law counts from the buyer's complaint or from the
// delivery, and we know only when the merchant asked for the refund.

import { bogotaDay, type Day, daysAfter } from '../bogota-day.ts'
import type { Instant } from '../instant.ts'
import { businessDaysAfter } from './business-days.ts'
import type { RefundReason } from './refund.ts'

// REVERSAL: Ley 1480 of 2011, article 51, and Decreto 587 of 2016. WITHDRAWAL (retracto): article 47.
export const LEGAL_RULES = ['REVERSAL', 'WITHDRAWAL'] as const
export type LegalRule = (typeof LEGAL_RULES)[number]

const REVERSAL_BUSINESS_DAYS = 15
const WITHDRAWAL_DAYS = 30

// Null: no law sets a time for this reason.
export function legalDeadline(reason: RefundReason, askedAt: Instant): { rule: LegalRule; day: Day } | null {
  if (reason === 'OTHER') return null
  const asked = bogotaDay(askedAt)
  return reason === 'WITHDRAWAL'
    ? { rule: 'WITHDRAWAL', day: daysAfter(asked, WITHDRAWAL_DAYS) }
    : { rule: 'REVERSAL', day: businessDaysAfter(asked, REVERSAL_BUSINESS_DAYS) }
}
