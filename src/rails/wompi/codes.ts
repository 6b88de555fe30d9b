// What Wompi's states and codes mean to us. What is not in a table settles nothing.

import type { KeyType } from '../../core/directory/breb-key.ts'
import type { PayoutErrorCode } from '../../core/payouts/payout.ts'
import type { KeyRefusal, UnknownKind } from '../rail.ts'
import { meaningOf } from '../wire-format.ts'
import type { DIRECTORY_TROUBLES } from './wire.ts'

// ERROR may have been debited. VOIDED is of cards, and says nothing about PSE.
export type PayinMeaning = 'open' | 'paid' | 'declined'

export function payinMeaning(status: string): PayinMeaning | undefined {
  return meaningOf<PayinMeaning>({ PENDING: 'open', APPROVED: 'paid', DECLINED: 'declined' }, status)
}

// Wompi's names for the documents. Payments take any document, under OTHER; payouts only those with a name.
export function documentType(idType: string): string | undefined {
  return meaningOf({ CO_CC: 'CC', CO_CE: 'CE', CO_NIT: 'NIT', PASSPORT: 'PP' }, idType)
}

// Dots are only a way to write a number.
export function documentNumber(idNumber: string): string {
  return idNumber.replaceAll('.', '')
}

export const WIRE_KEY_TYPES: Readonly<Record<KeyType, string>> = {
  DOCUMENT: 'IDENTIFICATION',
  PHONE: 'PHONE',
  EMAIL: 'MAIL',
  ALPHANUMERIC: 'ALPHANUMERIC',
  MERCHANT_CODE: 'ESTABLISHMENT_CODE',
}

// The key is refused, or the directory itself failed, which says nothing about the key.
export type DirectoryMeaning = { readonly refusal: KeyRefusal } | { readonly trouble: UnknownKind }

export function directoryMeaning(code: string): DirectoryMeaning {
  return meaningOf(DIRECTORY_MEANINGS, code) ?? { trouble: 'unavailable' }
}

const DIRECTORY_MEANINGS: Readonly<Record<string, DirectoryMeaning>> = {
  EXC_033: { refusal: 'KEY_INVALID' },
  EXC_034: { refusal: 'KEY_NOT_FOUND' },
  EXC_035: { refusal: 'KEY_SUSPENDED' },
  EXC_036: { trouble: 'unavailable' },
  EXC_037: { trouble: 'timeout' },
} satisfies Record<(typeof DIRECTORY_TROUBLES)[number] | 'EXC_033' | 'EXC_034' | 'EXC_035', DirectoryMeaning>

// Why a payout was refused, or why it failed. Null: the code settles nothing.
export function payoutReason(code: string | null): PayoutErrorCode | null | undefined {
  return meaningOf(PAYOUT_REASONS, code)
}

const PAYOUT_REASONS: Readonly<Record<string, PayoutErrorCode | null>> = {
  EXC_008: 'INSUFFICIENT_FUNDS',
  // The account's own limit of the day: nothing is wrong with the amount or the receiver.
  EXC_017: 'RAIL_ERROR',
  EXC_033: 'KEY_INVALID',
  EXC_034: 'KEY_NOT_FOUND',
  EXC_035: 'KEY_SUSPENDED',
  EXC_036: null,
  EXC_037: null,
  // Below the minimum.
  'MOL-5021': 'RAIL_ERROR',
  C01: 'RECEIVER_ACCOUNT_INVALID',
}

// The idempotency key was used before: 022 in batches for banks, 032 in those for keys.
export function saysKeyUsed(code: string, httpStatus: number): boolean {
  return httpStatus === 409 || code === 'EXC_022' || code === 'EXC_032'
}

export type PayoutMeaning =
  | { readonly state: 'processing' }
  | { readonly state: 'completed' }
  | {
      readonly state: 'rejected' | 'canceled'
      readonly reason: PayoutErrorCode
      readonly networkCode: string
    }

// What has become of the only payout of a batch. Undefined if batch and payout contradict each other, or if either has a state that
// nobody knows.
export function payoutMeaning(
  batch: string,
  payout: { readonly status: string; readonly failureCode: string | null } | null,
): PayoutMeaning | undefined {
  const course = meaningOf(BATCH_COURSES, batch)
  if (course === undefined) return undefined
  if (payout === null) return course === 'under way' ? { state: 'processing' } : undefined
  const { status, failureCode } = payout
  switch (meaningOf(PAYOUT_COURSES, status)) {
    case 'under way':
      return course === 'refused' ? refusedAsAWhole(batch, status) : { state: 'processing' }
    case 'paid':
      return course === 'refused' ? undefined : { state: 'completed' }
    case 'refused':
      return course === 'paid' ? undefined : refused(batch, status, failureCode)
    default:
      return undefined
  }
}

type Course = 'under way' | 'paid' | 'refused'

const BATCH_COURSES: Readonly<Record<string, Course>> = {
  PENDING: 'under way',
  PENDING_APPROVAL: 'under way',
  AFE_ON_HOLD: 'under way',
  TOTAL_PAYMENT: 'paid',
  PARTIAL_PAYMENT: 'paid',
  NOT_APPROVED: 'refused',
  AFE_REJECTED: 'refused',
  REJECTED: 'refused',
}

const PAYOUT_COURSES: Readonly<Record<string, Course>> = {
  PENDING: 'under way',
  PROCESSING: 'under way',
  READY_TO_FILE: 'under way',
  ADDED_TO_FILE: 'under way',
  APPROVED: 'paid',
  FAILED: 'refused',
  REJECTED: 'refused',
  CANCELLED: 'refused',
}

// A batch that nobody let through pays nothing, if its payout was not begun. REJECTED says no more than its payouts do.
function refusedAsAWhole(batch: string, status: string): PayoutMeaning | undefined {
  return status === 'PENDING' ? stoppedBefore(batch) : undefined
}

function stoppedBefore(batch: string): PayoutMeaning | undefined {
  // In the dashboard, by the merchant's own people.
  if (batch === 'NOT_APPROVED')
    return { state: 'canceled', reason: 'CANCELED_BY_MERCHANT', networkCode: batch }
  // By Wompi's control of fraud.
  if (batch === 'AFE_REJECTED') return { state: 'rejected', reason: 'RISK_REJECTED', networkCode: batch }
  return undefined
}

function refused(batch: string, status: string, failureCode: string | null): PayoutMeaning {
  const stopped = failureCode === null ? stoppedBefore(batch) : undefined
  if (stopped !== undefined) return stopped
  return {
    state: status === 'CANCELLED' ? 'canceled' : 'rejected',
    reason: payoutReason(failureCode) ?? 'RAIL_ERROR',
    networkCode: failureCode ?? status,
  }
}
