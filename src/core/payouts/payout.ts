// Money going out. A payout is reserved before anything is sent, submitted to the network under one reference that
// never changes, and ends exactly once. An unknown outcome is not an end: the money stays reserved until the network
// answers.

import type { Route } from '../connections/connection.ts'
import type { KeyType } from '../directory/breb-key.ts'
import { instantOfId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { NO_PAYOUT_FEE, type PayoutFee } from '../ledger/charges.ts'
import { type Lifecycle, nextState } from '../lifecycle.ts'
import type { Currency } from '../money.ts'
import type { PaymentConnection } from '../payins/payin.ts'
import type { Customer, Receiver } from '../people/customer.ts'
import type { Note } from '../people/note.ts'
import type { Sealed } from '../people/sealed.ts'

export const PAYOUT_STATUSES = ['PROCESSING', 'CONFIRMED', 'CANCELED', 'DECLINED'] as const
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

export const PAYOUT = {
  PROCESSING: { confirm: 'CONFIRMED', decline: 'DECLINED', cancel: 'CANCELED' },
  CONFIRMED: {},
  CANCELED: {},
  DECLINED: {},
} as const satisfies Lifecycle<PayoutStatus>

// How far a payout has come inside PROCESSING. CREATED: nothing is reserved. AWAITING_APPROVAL: the money is set aside, and people
// must approve it first. RESERVED: the money is set aside, and
// nothing was submitted. SENDING: submitted or about to be; it can no longer be canceled. SENT: the network has it.
// STOPPED: the network contradicted itself, and a person must investigate. DONE: final.
export const PAYOUT_STAGES = [
  'CREATED',
  'AWAITING_APPROVAL',
  'RESERVED',
  'SENDING',
  'SENT',
  'STOPPED',
  'DONE',
] as const
export type PayoutStage = (typeof PAYOUT_STAGES)[number]

export const PAYOUT_ERROR_CODES = [
  'KEY_NOT_FOUND',
  'KEY_SUSPENDED',
  'KEY_INVALID',
  'INSUFFICIENT_FUNDS',
  'AMOUNT_ABOVE_MAXIMUM',
  'RECEIVER_LIMIT_EXCEEDED',
  'RECEIVER_ACCOUNT_INVALID',
  'RECEIVER_ID_MISMATCH',
  'RISK_REJECTED',
  'PARTICIPANT_UNAVAILABLE',
  'CANCELED_BY_MERCHANT',
  'APPROVAL_REFUSED',
  'APPROVAL_LAPSED',
  'APPROVAL_VOIDED',
  'RAIL_ERROR',
] as const
export type PayoutErrorCode = (typeof PAYOUT_ERROR_CODES)[number]

export type Payout = {
  readonly organizationId: string
  readonly payoutId: string
  readonly version: number
  readonly connection: PaymentConnection | null
  // The provider's id of the payout, if it has one of its own.
  readonly providerId: string | null
  readonly status: PayoutStatus
  readonly stage: PayoutStage
  readonly amountInCents: bigint
  // How much of it is paid from deposits. None until it is reserved.
  readonly depositInCents: bigint
  // What it costs beside its amount. Nothing of that is paid from deposits.
  readonly feeInCents: bigint
  readonly feeTaxInCents: bigint
  readonly currency: Currency
  readonly reference: string
  readonly receiver: Receiver | Sealed
  readonly note: Note | Sealed | null
  readonly keyType: KeyType
  readonly errorCode: PayoutErrorCode | null
  readonly networkCode: string | null
  // What the balance lacked, if it was declined for that.
  readonly missingInCents: bigint | null
  // The network's id of the transfer that paid it, end to end.
  readonly traceId: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly resultAt: Instant | null
  // When the money of a confirmed payout came back.
  readonly returnedAt: Instant | null
  // The refund that it pays, if it pays one.
  readonly refundId: string | null
}

export type PayoutRequest = Pick<Payout, 'amountInCents' | 'reference' | 'keyType'> & {
  readonly customer: Customer
  readonly note?: Note | null
  readonly keyString: string
  readonly keyStringSent?: string
  readonly refundId?: string
  readonly fee?: PayoutFee
}

export function newPayout(
  organizationId: string,
  payoutId: string,
  request: PayoutRequest,
  route: Route | null = null,
): Payout {
  const createdAt = instantOfId(payoutId)
  const { customer, note = null, keyString, keyStringSent = keyString, refundId = null, ...others } = request
  const { fee = NO_PAYOUT_FEE, ...rest } = others
  return {
    organizationId,
    payoutId,
    version: 1,
    connection: route && { connectionId: route.connectionId, provider: route.provider },
    providerId: null,
    status: 'PROCESSING',
    stage: 'CREATED',
    depositInCents: 0n,
    // A payment over a connection is charged by its provider.
    ...(route === null ? fee : NO_PAYOUT_FEE),
    currency: 'COP',
    ...rest,
    receiver: { customer, keyString, keyStringSent },
    note,
    errorCode: null,
    networkCode: null,
    missingInCents: null,
    traceId: null,
    createdAt,
    updatedAt: createdAt,
    resultAt: null,
    returnedAt: null,
    refundId,
  }
}

export type PayoutEnd =
  | { how: 'confirm'; traceId: string | null }
  | { how: 'decline' | 'cancel'; errorCode: PayoutErrorCode; networkCode: string | null }

// Undefined if the payout has already ended.
export function endPayout(payout: Payout, end: PayoutEnd, now: Instant): Payout | undefined {
  const status = nextState<PayoutStatus>(PAYOUT, payout.status, end.how)
  if (status === undefined) return undefined
  return {
    ...payout,
    status,
    stage: 'DONE',
    errorCode: end.how === 'confirm' ? null : end.errorCode,
    networkCode: end.how === 'confirm' ? null : end.networkCode,
    traceId: end.how === 'confirm' ? end.traceId : payout.traceId,
    version: payout.version + 1,
    updatedAt: now,
    resultAt: now,
  }
}
