// What Mono's states and reasons mean to us. A reason that Mono adds later gets the most cautious meaning.

import type { KeyType } from '../../core/directory/breb-key.ts'
import type { IdType } from '../../core/identity-document.ts'
import type { PayinErrorCode } from '../../core/payins/payin.ts'
import type { PayoutErrorCode } from '../../core/payouts/payout.ts'
import type { KeyRefusal, UnknownKind } from '../rail.ts'
import { meaningOf } from '../wire-format.ts'
import type { TransferState } from './wire.ts'

export type PayinEnd = { readonly how: 'declined' | 'canceled' | 'expired'; readonly reason: PayinErrorCode }

// How an unpaid collection that Mono discarded has ended.
export function discardedBy(reason: string | null): PayinEnd {
  return meaningOf(DISCARDED, reason) ?? NOT_SERVED
}

const EXPIRED: PayinEnd = { how: 'expired', reason: 'EXPIRED' }

const DISCARDED: Readonly<Record<string, PayinEnd>> = {
  expired: EXPIRED,
  // Nobody paid, and Mono or the directory withdrew the key.
  inactivity: EXPIRED,
  key_canceled: EXPIRED,
  // Only we delete collections, and only for the merchant.
  deleted: { how: 'canceled', reason: 'CANCELED_BY_MERCHANT' },
}

// The payer did nothing wrong: there was no key to pay to.
export const NOT_SERVED: PayinEnd = { how: 'declined', reason: 'RAIL_ERROR' }

export type TransferMeaning = 'processing' | 'completed' | 'rejected' | 'canceled' | 'returned'

export const TRANSFER_MEANINGS: Readonly<Record<TransferState, TransferMeaning>> = {
  created: 'processing',
  processing: 'processing',
  target_resolved: 'processing',
  // The money is set aside in the account.
  held: 'processing',
  sent_to_breb_provider: 'processing',
  successful: 'completed',
  // Reversed, and then paid after all.
  reapplied: 'completed',
  failed: 'rejected',
  canceled: 'canceled',
  reversed: 'returned',
}

// Why a transfer failed, or was not taken. Both are final at Mono.
export function payoutReason(reason: string): PayoutErrorCode {
  return meaningOf(PAYOUT_REASONS, reason) ?? 'RAIL_ERROR'
}

const PAYOUT_REASONS: Readonly<Record<string, PayoutErrorCode>> = {
  key_not_found: 'KEY_NOT_FOUND',
  key_suspended: 'KEY_SUSPENDED',
  invalid_key_format: 'KEY_INVALID',
  target_creditor_mismatch: 'RECEIVER_ID_MISMATCH',
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  amount_exceeds_balance_limit: 'RECEIVER_LIMIT_EXCEEDED',
  amount_exceeds_max_limit: 'AMOUNT_ABOVE_MAXIMUM',
  creditor_account_not_found: 'RECEIVER_ACCOUNT_INVALID',
  invalid_creditor_account: 'RECEIVER_ACCOUNT_INVALID',
  risk_control: 'RISK_REJECTED',
  breb_timeout: 'PARTICIPANT_UNAVAILABLE',
  provider_unavailable: 'PARTICIPANT_UNAVAILABLE',
  internal_error: 'RAIL_ERROR',
  unknown: 'RAIL_ERROR',
  // About a target that was resolved before. We name the key instead.
  target_not_found: 'RAIL_ERROR',
  target_amount_mismatch: 'RAIL_ERROR',
  target_already_exists: 'RAIL_ERROR',
  amount_not_provided: 'RAIL_ERROR',
}

// The key is refused, or the directory itself failed, which says nothing about the key.
export type DirectoryMeaning = { readonly refusal: KeyRefusal } | { readonly trouble: UnknownKind }

export function directoryMeaning(reason: string): DirectoryMeaning {
  return meaningOf(DIRECTORY_MEANINGS, reason) ?? { trouble: 'unavailable' }
}

const DIRECTORY_MEANINGS: Readonly<Record<string, DirectoryMeaning>> = {
  key_not_found: { refusal: 'KEY_NOT_FOUND' },
  key_suspended: { refusal: 'KEY_SUSPENDED' },
  invalid_key_format: { refusal: 'KEY_INVALID' },
  breb_timeout: { trouble: 'timeout' },
}

export const WIRE_KEY_TYPES: Readonly<Record<KeyType, string>> = {
  DOCUMENT: 'identification',
  PHONE: 'cellphone',
  EMAIL: 'email',
  ALPHANUMERIC: 'alphanumeric',
  MERCHANT_CODE: 'merchant_code',
}

export function accountType(type: string): string | undefined {
  return meaningOf(ACCOUNT_TYPES, type)
}

const ACCOUNT_TYPES: Readonly<Record<string, string>> = {
  savings_account: 'SAVINGS',
  checking_account: 'CHECKING',
  low_amount_deposit: 'LOW_AMOUNT_DEPOSIT',
  inclusive_amount_deposit: 'INCLUSIVE_LOW_AMOUNT_DEPOSIT',
  regular_deposit: 'ORDINARY_DEPOSIT',
}

const DOCUMENT_TYPES: Readonly<Partial<Record<IdType, string>>> = {
  CO_CC: 'CC',
  CO_CE: 'CE',
  CO_NIT: 'NIT',
}

// Our word for a document type, or Mono's own where we have none.
export function idTypeOf(documentType: string): string {
  const known = Object.entries(DOCUMENT_TYPES).find(([, theirs]) => theirs === documentType)
  return known?.[0] ?? documentType
}

// Whose account the key must lead to. Undefined: the document is of a type that Mono may write in another way, and a receiver who is
// the right one would be refused. A NIT is such a type: nobody says whether Mono compares its check digit.
export function expectedCreditor(customer: {
  readonly idType: string
  readonly idNumber: string
}): { document_type: string; document_number: string } | undefined {
  if (customer.idType !== 'CO_CC' && customer.idType !== 'CO_CE') return undefined
  const documentNumber = customer.idNumber.replace(/[.-]/g, '')
  if (!/^[A-Za-z0-9]{1,18}$/.test(documentNumber)) return undefined
  return { document_type: DOCUMENT_TYPES[customer.idType] as string, document_number: documentNumber }
}
