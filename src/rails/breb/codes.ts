// What Bre-B's codes mean to us. A code missing from these tables does not compile. A code that the network adds later gets
// the most cautious meaning.

import type { KeyType } from '../../core/directory/breb-key.ts'
import type { PayinErrorCode } from '../../core/payins/payin.ts'
import type { PayoutErrorCode } from '../../core/payouts/payout.ts'
import type { KeyRefusal, UnknownKind } from '../rail.ts'
import { meaningOf } from '../wire-format.ts'
import {
  CANCELATION_CODES,
  type COLLECTION_CODES,
  type DIRECTORY_CODES,
  type KeyRecord,
  type TRANSFER_CODES,
  type UNDECIDED_CODES,
  type WireKeyType,
} from './wire.ts'

// Null: the code settles nothing, and the transfer must be queried.
export function payoutReason(code: string): PayoutErrorCode | null | undefined {
  return meaningOf(PAYOUT_REASONS, code)
}

const PAYOUT_REASONS: Readonly<Record<string, PayoutErrorCode | null>> = {
  B101: 'RECEIVER_ACCOUNT_INVALID',
  B102: 'RECEIVER_ACCOUNT_INVALID',
  B103: 'RECEIVER_ID_MISMATCH',
  B104: 'RECEIVER_ACCOUNT_INVALID',
  B105: 'RECEIVER_ACCOUNT_INVALID',
  B106: 'RISK_REJECTED',
  B107: 'RECEIVER_LIMIT_EXCEEDED',
  B108: 'AMOUNT_ABOVE_MAXIMUM',
  B109: 'RECEIVER_LIMIT_EXCEEDED',
  U111: 'RAIL_ERROR',
  U112: 'AMOUNT_ABOVE_MAXIMUM',
  U122: 'PARTICIPANT_UNAVAILABLE',
  U125: 'PARTICIPANT_UNAVAILABLE',
  // Not the merchant's doing, and nothing is wrong with the key or the receiver.
  CANCELED: 'RAIL_ERROR',
  NOT_FOUND: null,
  B001: null,
  B002: null,
  B301: null,
  B302: null,
  'DIFE-5005': 'KEY_INVALID',
  'DIFE-4000': 'KEY_INVALID',
  'DIFE-4001': 'KEY_INVALID',
  'DIFE-0016': 'KEY_INVALID',
  'DIFE-0004': 'KEY_NOT_FOUND',
  'DIFE-5009': 'KEY_NOT_FOUND',
  'DIFE-0005': 'KEY_SUSPENDED',
  'DIFE-0006': 'KEY_SUSPENDED',
  'DIFE-5012': 'KEY_SUSPENDED',
  'DIFE-5017': 'KEY_SUSPENDED',
  'DIFE-5000': null,
  'DIFE-9999': null,
} satisfies Record<
  | keyof typeof TRANSFER_CODES
  | keyof typeof CANCELATION_CODES
  | keyof typeof UNDECIDED_CODES
  | keyof typeof DIRECTORY_CODES,
  PayoutErrorCode | null
>

// The transfer was called off, not refused.
export function isCancelation(code: string): boolean {
  return Object.hasOwn(CANCELATION_CODES, code)
}

// A failed return has a single reason for us, whatever the network's code.
export function returnReason(code: string): 'RAIL_ERROR' | null | undefined {
  const reason = payoutReason(code)
  return reason ? 'RAIL_ERROR' : reason
}

export type PayinEnd = { readonly how: 'declined' | 'canceled' | 'expired'; readonly reason: PayinErrorCode }

// How a payin that the network rejected has ended.
export function payinEnd(code: string | null): PayinEnd {
  return meaningOf(PAYIN_ENDS, code) ?? declined('BANK_DECLINED')
}

// If the code does not say who canceled, the default reason names the only party that could.
export function cancelationOf(code: string | null, defaultReason: PayinErrorCode): PayinEnd {
  const end = payinEnd(code)
  return end.how === 'canceled' ? end : { how: 'canceled', reason: defaultReason }
}

// Why a collection was not created. Null: the code settles nothing, and it may have been created.
export function payinReason(code: string): PayinErrorCode | null | undefined {
  const end = meaningOf(PAYIN_ENDS, code)
  if (end !== undefined) return end.reason
  return payoutReason(code) === null ? null : undefined
}

const declined = (reason: PayinErrorCode): PayinEnd => ({ how: 'declined', reason })

// In a payin the payment codes are about the payer's account; in a payout, about the receiver's.
const PAYIN_ENDS: Readonly<Record<string, PayinEnd>> = {
  CANCELED_BY_PAYER: { how: 'canceled', reason: 'CANCELED_BY_PAYER' },
  AMOUNT_MISMATCH: declined('AMOUNT_MISMATCH'),
  INSUFFICIENT_FUNDS: declined('INSUFFICIENT_FUNDS'),
  ACCOUNT_INVALID: declined('ACCOUNT_INVALID'),
  ACCOUNT_BLOCKED: declined('ACCOUNT_BLOCKED'),
  LIMIT_EXCEEDED: declined('LIMIT_EXCEEDED'),
  AUTHENTICATION_FAILED: declined('AUTHENTICATION_FAILED'),
  BANK_UNAVAILABLE: declined('BANK_UNAVAILABLE'),
  BANK_DECLINED: declined('BANK_DECLINED'),
  RISK_REJECTED: declined('RISK_REJECTED'),
  B101: declined('ACCOUNT_INVALID'),
  B102: declined('ACCOUNT_INVALID'),
  B103: declined('ACCOUNT_INVALID'),
  B104: declined('ACCOUNT_INVALID'),
  B105: declined('ACCOUNT_INVALID'),
  B106: declined('RISK_REJECTED'),
  B107: declined('LIMIT_EXCEEDED'),
  B108: declined('LIMIT_EXCEEDED'),
  B109: declined('LIMIT_EXCEEDED'),
  U111: declined('RAIL_ERROR'),
  U112: declined('LIMIT_EXCEEDED'),
  U122: declined('BANK_UNAVAILABLE'),
  U125: declined('BANK_UNAVAILABLE'),
} satisfies Record<
  keyof typeof COLLECTION_CODES | Exclude<keyof typeof TRANSFER_CODES, 'NOT_FOUND'>,
  PayinEnd
>

// The key is refused, or the directory itself failed, which says nothing about the key.
export type DirectoryMeaning = { readonly refusal: KeyRefusal } | { readonly trouble: UnknownKind }

export function directoryMeaning(code: string): DirectoryMeaning {
  return meaningOf(DIRECTORY_MEANINGS, code) ?? { trouble: 'unavailable' }
}

const DIRECTORY_MEANINGS: Readonly<Record<string, DirectoryMeaning>> = {
  'DIFE-5005': { refusal: 'KEY_INVALID' },
  'DIFE-4000': { refusal: 'KEY_INVALID' },
  'DIFE-4001': { refusal: 'KEY_INVALID' },
  'DIFE-0016': { refusal: 'KEY_INVALID' },
  'DIFE-0004': { refusal: 'KEY_NOT_FOUND' },
  'DIFE-5009': { refusal: 'KEY_NOT_FOUND' },
  'DIFE-0005': { refusal: 'KEY_SUSPENDED' },
  'DIFE-0006': { refusal: 'KEY_SUSPENDED' },
  'DIFE-5012': { refusal: 'KEY_SUSPENDED' },
  'DIFE-5017': { refusal: 'KEY_SUSPENDED' },
  'DIFE-5000': { trouble: 'timeout' },
  'DIFE-9999': { trouble: 'unavailable' },
} satisfies Record<keyof typeof DIRECTORY_CODES, DirectoryMeaning>

export const WIRE_KEY_TYPES: Readonly<Record<KeyType, WireKeyType>> = {
  DOCUMENT: 'NRIC',
  PHONE: 'M',
  EMAIL: 'E',
  ALPHANUMERIC: 'O',
  MERCHANT_CODE: 'B',
}

export const ACCOUNT_TYPES: Readonly<Record<KeyRecord['account']['type'], string>> = {
  CAHO: 'SAVINGS',
  CCTE: 'CHECKING',
  DBMO: 'LOW_AMOUNT_DEPOSIT',
  DBMI: 'INCLUSIVE_LOW_AMOUNT_DEPOSIT',
  DORD: 'ORDINARY_DEPOSIT',
}
