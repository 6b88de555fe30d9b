// Decides which page a payer sees. It depends on the subject and the clock alone, so every tab, reload and device shows
// the same. The `step` in the address only chooses between two views of one state.

import { createHash } from 'node:crypto'
import type { Instant } from '../core/instant.ts'
import { MINUTE_MS } from '../core/instant.ts'
import { isFinal } from '../core/lifecycle.ts'
import { PAYIN } from '../core/payins/payin.ts'
import type { CheckoutPayin, CheckoutSubject } from './backend.ts'

export type CheckoutState =
  | 'choose'
  // No enabled rail can carry the amount.
  | 'unavailable'
  // An attempt is open: its key or its bank session is being created …
  | 'preparing'
  // … its key has a name and cannot be paid yet …
  | 'registering'
  // … the payer can pay it …
  | 'breb'
  | 'at-bank'
  // … or its time is over and the network has not reported the result.
  | 'overdue'
  | 'approved'
  | 'already-paid'
  | 'declined'
  | 'canceled'
  // The attempt expired, the link did not.
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

/** Whether a form sent now can start an attempt. After a failed attempt it can, as long as the link is valid. */
export function isPayable(subject: CheckoutSubject, now: Instant): boolean {
  if (stateOf(subject, now) === 'choose') return true
  return subject.rails.length > 0 && outlivesAttempt(subject, now) && !subject.payin?.mayStillBePaid
}

/** Whether Bre-B is the only way to pay: then there is nothing to choose and nothing to fill in. */
export function isBrebOnly({ rails }: CheckoutSubject): boolean {
  return rails.length === 1 && rails[0] === 'BRE_B'
}

/** Whether another attempt must wait until the network has ended the last one. */
export function isStillClosing(subject: CheckoutSubject, now: Instant): boolean {
  return outlivesAttempt(subject, now) && subject.payin?.mayStillBePaid === true
}

function outlivesAttempt(subject: CheckoutSubject, now: Instant): boolean {
  if (subject.kind !== 'link' || !RETRYABLE_STATES.includes(stateOf(subject, now))) return false
  return subject.status === 'PENDING' && now < subject.expiresAt
}

/** Changes when the page would. A waiting page compares it. */
export function versionOf(subject: CheckoutSubject, now: Instant): string {
  const { payin } = subject
  const seen = [stateOf(subject, now), payin?.payinId, payin?.status, isStillClosing(subject, now)]
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 16)
}

const RETRYABLE_STATES: readonly CheckoutState[] = ['declined', 'canceled', 'lapsed']
// A visitor who opens a paid address later than this did not just pay. The page says that it is paid and does not
// redirect.
const FRESH_MS = 10 * MINUTE_MS

function paidState({ payin }: CheckoutSubject, now: Instant): CheckoutState {
  const paidAt = payin?.resultAt ?? payin?.updatedAt
  return paidAt !== undefined && now - paidAt < FRESH_MS ? 'approved' : 'already-paid'
}

function openState(subject: CheckoutSubject, payin: CheckoutPayin, now: Instant): CheckoutState {
  if (subject.status !== 'PENDING' || now >= Math.min(subject.expiresAt, payin.expiresAt)) return 'overdue'
  if (payin.rail === 'BRE_B') {
    if (payin.keyString === null) return 'preparing'
    return payin.isReady ? 'breb' : 'registering'
  }
  if (payin.bankUrl !== null) return 'at-bank'
  // A merchant may create a PSE payin without its customer, and some providers want every payer on our page. The bank session then
  // waits until the payer has sent the form.
  const lacksPayer = subject.customer === null || payin.awaitsPresence
  return subject.kind === 'payin' && lacksPayer && payin.status === 'PENDING' ? 'choose' : 'preparing'
}
