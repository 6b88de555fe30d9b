// What PlacetoPay's states and reasons mean to us. Its reasons have no table for PSE, so they are kept for the operator and decide
// nothing.

import { meaningOf } from '../wire-format.ts'

// returned: it was paid, and the money went back. undecided: the payer may or may not have been debited.
export type Standing = 'open' | 'paid' | 'returned' | 'declined' | 'undecided'

// Undefined for a word that is not a transaction's state.
export function standingOf(state: string): Standing | undefined {
  return meaningOf(STATES, state)
}

const STATES: Readonly<Record<string, Standing>> = {
  PENDING: 'open',
  PENDING_VALIDATION: 'open',
  PENDING_PROCESS: 'open',
  PENDING_CONFIRMATION: 'open',
  APPROVED: 'paid',
  // Somebody disputes it. The money is still there.
  DISPUTE: 'paid',
  REFUNDED: 'returned',
  REVERSED: 'returned',
  REJECTED: 'declined',
  FAILED: 'undecided',
  ERROR: 'undecided',
  UNKNOWN: 'undecided',
  MANUAL: 'undecided',
  // These two are of payments in parts, which we do not ask for.
  APPROVED_PARTIAL: 'undecided',
  PARTIAL_EXPIRED: 'undecided',
}

// A refund, a reversal or a chargeback is a transaction of its own, approved and under the same reference. It is not a payment.
export function isPaymentType(type: string | null | undefined): boolean {
  return type === undefined || type === null || ['AUTH_ONLY', 'AUTH_CAPTURE'].includes(type)
}

// PlacetoPay's reason for a request without a valid auth, with HTTP 401 or inside another answer.
export const AUTHENTICATION_FAILED = '401'

// The reason if it can be shown, such as 05 or ?-, and otherwise the state.
export function networkCodeOf({ status, reason }: { status: string; reason?: unknown }): string {
  const text = typeof reason === 'number' ? String(reason) : reason
  return typeof text === 'string' && SHOWN.test(text) ? text : SHOWN.test(status) ? status : 'NO_REASON'
}

const SHOWN = /^[\x21-\x7e]{1,64}$/
