// Which page a payer sees. The one thing to know: it follows from the subject and the clock alone, so every tab, reload
// and device shows the same; what the address adds (`step`) only chooses between two views of one state.

import { createHash } from 'node:crypto'
import type { Instant } from '../core/instant.ts'
import { MINUTE_MS } from '../core/instant.ts'
import { isFinal } from '../core/lifecycle.ts'
import { PAYIN } from '../core/payins/payin.ts'
import type { CheckoutPayin, CheckoutSubject } from './backend.ts'

export type CheckoutState =
  | 'choose'
  // No way to pay is enabled that can carry the amount.
  | 'unavailable'
  // A try is open: its key or its bank session is being made …
  | 'preparing'
  // … the payer can pay it …
  | 'breb'
  | 'at-bank'
  // … or its time is over and the network has not said how it ended.
  | 'overdue'
  | 'approved'
  | 'already-paid'
  | 'declined'
  | 'canceled'
  // The try ran out of time, the link did not.
  | 'lapsed'
  | 'expired'

export function stateOf(subject: CheckoutSubject, now: Instant): CheckoutState {
  const { payin, status } = subject
  if (status === 'COMPLETED' || payin?.status === 'CONFIRMED') return paidState(subject, now)
  if (payin !== null && !isFinal(PAYIN, payin.status)) return openState(subject, payin, now)
  if (status === 'EXPIRED' || (status === 'PENDING' && now >= subject.expiresAt)) return 'expired'
  if (status === 'DECLINED' || payin?.status === 'DECLINED') return 'declined'
  if (status === 'CANCELED' || payin?.status === 'CANCELED') {
    return status === 'PENDING' && payin?.errorCode === 'EXPIRED' ? 'lapsed' : 'canceled'
  }
  return subject.rails.length === 0 ? 'unavailable' : 'choose'
}

/** Whether a form sent now can begin a try: after a failed one, too, as long as the link lives. */
export function isPayable(subject: CheckoutSubject, now: Instant): boolean {
  const state = stateOf(subject, now)
  if (state === 'choose') return true
  return subject.kind === 'link' && subject.rails.length > 0 && TRY_AGAIN.includes(state)
    ? subject.status === 'PENDING' && now < subject.expiresAt
    : false
}

/** Changes when the page would: what a waiting page compares. */
export function versionOf(subject: CheckoutSubject, now: Instant): string {
  const seen = [stateOf(subject, now), subject.payin?.payinId, subject.payin?.status]
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 16)
}

const TRY_AGAIN: readonly CheckoutState[] = ['declined', 'canceled', 'lapsed']
// Who opens a paid address later than this did not just pay: they are told that it is paid, and nothing moves by itself.
const FRESH_MS = 10 * MINUTE_MS

function paidState({ payin }: CheckoutSubject, now: Instant): CheckoutState {
  const paidAt = payin?.resultAt ?? payin?.updatedAt
  return paidAt !== undefined && now - paidAt < FRESH_MS ? 'approved' : 'already-paid'
}

function openState(subject: CheckoutSubject, payin: CheckoutPayin, now: Instant): CheckoutState {
  if (subject.status !== 'PENDING' || now >= Math.min(subject.expiresAt, payin.expiresAt)) return 'overdue'
  if (payin.rail === 'BRE_B') return payin.keyString === null ? 'preparing' : 'breb'
  if (payin.bankUrl !== null) return 'at-bank'
  // A merchant may make a PSE payin without its customer: the bank session waits until the payer has said who they are.
  const lacksCustomer = subject.kind === 'payin' && subject.customer === null && payin.status === 'PENDING'
  return lacksCustomer ? 'choose' : 'preparing'
}
