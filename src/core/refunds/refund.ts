// Money given back of a confirmed payin. Over the payin's own rail where it has a way back, else by a payout: to a key that the merchant
// names, or that the payer types on a page of ours. Nothing is sent before the money is set aside, and an unknown outcome is not an
// end: it is asked about under the same reference until the network says.

import { type ApprovalRule, type Approvers, approversFor } from '../approvals/rule.ts'
import { type PayoutFunds, spendable } from '../connections/movement.ts'
import type { Rail } from '../connections/rail.ts'
import type { KeyType } from '../directory/breb-key.ts'
import { instantOfId } from '../ids.ts'
import { DAY_MS, type Instant } from '../instant.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { Currency } from '../money.ts'
import type { Payin } from '../payins/payin.ts'
import type { PayoutErrorCode } from '../payouts/payout.ts'
import type { Sealed } from '../people/sealed.ts'

export const REFUND_STATUSES = ['PROCESSING', 'CONFIRMED', 'CANCELED', 'DECLINED'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

export const REFUND = {
  PROCESSING: { confirm: 'CONFIRMED', decline: 'DECLINED', cancel: 'CANCELED' },
  CONFIRMED: {},
  CANCELED: {},
  DECLINED: {},
} as const satisfies Lifecycle<RefundStatus>

// READY: it is sent as soon as a worker has it. AWAITING_FUNDS: the balance, a limit or quiet hours hold it up. AWAITING_CLAIM: the payer
// has not typed a key. AWAITING_APPROVAL: other people must approve it, for its amount or because the key is not shown to be the payer's. SENDING: the rail was asked to give
// it back, or is about to be. PAYING: a payout has it. DONE: final.
export const REFUND_STAGES = [
  'READY',
  'AWAITING_FUNDS',
  'AWAITING_CLAIM',
  'AWAITING_APPROVAL',
  'SENDING',
  'PAYING',
  'DONE',
] as const
export type RefundStage = (typeof REFUND_STAGES)[number]

// RAIL: the way it came. KEY: to a key that the merchant names. CLAIM: to a key that the payer types.
export const REFUND_WAYS = ['RAIL', 'KEY', 'CLAIM'] as const
export type RefundWay = (typeof REFUND_WAYS)[number]

// The first five are the law's reasons to reverse a payment, then the right to withdraw from a purchase.
export const REFUND_REASONS = [
  'FRAUD',
  'NOT_REQUESTED',
  'NOT_RECEIVED',
  'NOT_AS_ORDERED',
  'DEFECTIVE',
  'WITHDRAWAL',
  'OTHER',
] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

// Those of the payout that paid it, and why a refund waits or ends besides.
export const REFUND_OWN_ERROR_CODES = ['CLAIM_EXPIRED', 'CHARGED_BACK'] as const
export type RefundErrorCode = (typeof REFUND_OWN_ERROR_CODES)[number] | PayoutErrorCode | WaitingCode
// Why it is AWAITING_FUNDS.
export const WAITING_CODES = [
  'INSUFFICIENT_FUNDS',
  'PAYOUT_LIMIT_REACHED',
  'QUIET_HOURS',
  'NOT_CONNECTED',
] as const
export type WaitingCode = (typeof WAITING_CODES)[number]

// How the holder of the named key compares with the payer. UNKNOWN: one of the two documents is not known, or is masked.
export const CLAIM_MATCHES = ['SAME', 'OTHER', 'UNKNOWN'] as const
export type ClaimMatch = (typeof CLAIM_MATCHES)[number]

// What the directory said of the key, masked as a look-up shows it.
export type RefundClaim = {
  readonly match: ClaimMatch
  readonly holderName: string
  readonly participant: string
  readonly lastFour: string | null
  readonly claimedAt: Instant
}

export type Refund = {
  readonly organizationId: string
  readonly refundId: string
  readonly payinId: string
  readonly version: number
  readonly status: RefundStatus
  readonly stage: RefundStage
  readonly way: RefundWay
  readonly amountInCents: bigint
  readonly currency: Currency
  readonly reason: RefundReason
  readonly rail: Rail
  readonly errorCode: RefundErrorCode | null
  readonly networkCode: string | null
  readonly traceId: string | null
  // Kept only until a payout has it.
  readonly receiver: Sealed | null
  readonly keyType: KeyType | null
  readonly claim: RefundClaim | null
  readonly claimAttempts: number
  readonly claimExpiresAt: Instant | null
  readonly payoutId: string | null
  // Set aside for it: all of it, or nothing yet. What a payout has is the payout's to hold. `depositInCents` is the part that came from
  // deposits, and goes back there.
  readonly reservedInCents: bigint
  readonly depositInCents: bigint
  // The key, client or person that asked for it.
  readonly credentialId: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly resultAt: Instant | null
  // When the money of a confirmed refund came back to the merchant.
  readonly returnedAt: Instant | null
}

// Long enough for somebody who reads mail once a month. The merchant may make another one afterwards.
export const CLAIM_LIFE_MS = 30 * DAY_MS
// A payer mistypes a few times, and each key that is named is looked up twice. Whoever tries more is looking for whose key is whose.
export const MAX_CLAIM_ATTEMPTS = 12

export type RefundRequest = {
  readonly amountInCents: bigint
  readonly reason: RefundReason
  readonly way: RefundWay
  readonly credentialId: string
  // Whether other people must approve it first.
  readonly isAsked: boolean
  // Of a key that the merchant names.
  readonly named?: NamedKey
}

export type NamedKey = { readonly receiver: Sealed; readonly keyType: KeyType; readonly claim: RefundClaim }

export function newRefund(payin: Payin, refundId: string, request: RefundRequest): Refund {
  const { amountInCents, reason, way, credentialId, isAsked, named } = request
  const createdAt = instantOfId(refundId)
  return {
    organizationId: payin.organizationId,
    refundId,
    payinId: payin.payinId,
    version: 1,
    status: 'PROCESSING',
    stage: isAsked ? 'AWAITING_APPROVAL' : way === 'CLAIM' ? 'AWAITING_CLAIM' : 'READY',
    way,
    amountInCents,
    currency: 'COP',
    reason,
    rail: payin.source.rail,
    errorCode: null,
    networkCode: null,
    traceId: null,
    receiver: named?.receiver ?? null,
    keyType: named?.keyType ?? null,
    claim: named?.claim ?? null,
    claimAttempts: 0,
    claimExpiresAt: way === 'CLAIM' && !isAsked ? createdAt + CLAIM_LIFE_MS : null,
    payoutId: null,
    reservedInCents: 0n,
    depositInCents: 0n,
    credentialId,
    createdAt,
    updatedAt: createdAt,
    resultAt: null,
    returnedAt: null,
  }
}

// With its money set aside where it will leave from, or with nothing if there is too little. What was set aside elsewhere is released: the
// way it goes may have changed since. `funds`: without what it has reserved itself.
export function reserveRefund(refund: Refund, funds: PayoutFunds, isConnected: boolean): Refund {
  const { amountInCents, reservedInCents, depositInCents } = refund
  if (reservedInCents > 0n && depositInCents === (isConnected ? reservedInCents : 0n)) return refund
  const availableInCents = funds.availableInCents + reservedInCents - depositInCents
  const all = { availableInCents, depositedInCents: funds.depositedInCents + depositInCents }
  const isEnough = spendable(all, isConnected) >= amountInCents
  if (!isEnough)
    return reservedInCents === 0n ? refund : { ...refund, reservedInCents: 0n, depositInCents: 0n }
  return { ...refund, reservedInCents: amountInCents, depositInCents: isConnected ? amountInCents : 0n }
}

// How many must approve a refund: as many as the rules ask for its amount, and one at least for a key that is not shown to be the payer's.
// By payout it is a payout too, and asks no fewer people than one.
export function refundApprovers(
  rules: readonly ApprovalRule[],
  { amountInCents, claim, way }: Pick<Refund, 'amountInCents' | 'claim' | 'way'>,
): Approvers {
  const asRefund = approversFor(rules, 'refund', amountInCents)
  const asPayout = way === 'RAIL' ? 0 : approversFor(rules, 'payout', amountInCents)
  const asked = asPayout > asRefund ? asPayout : asRefund
  return asked === 0 && claim !== null && claim.match !== 'SAME' ? 1 : asked
}

// What is left of a payin to give back: what arrived, without what the network took back and what other refunds hold.
export function refundableInCents(payin: Payin): bigint {
  if (payin.status !== 'CONFIRMED') return 0n
  const left = (payin.confirmedAmountInCents as bigint) - payin.chargedBackInCents - payin.refundHeldInCents
  return left > 0n ? left : 0n
}

// What a refund holds of its payin, and what it has given back of it.
export function heldInCents(refund: Refund): bigint {
  return refund.status === 'PROCESSING' ? refund.amountInCents : givenBackInCents(refund)
}

export function givenBackInCents(refund: Refund): bigint {
  const { status, returnedAt, amountInCents } = refund
  const hasLeft = (status === 'CONFIRMED' && returnedAt === null) || isPaidAfterAll(refund)
  return hasLeft ? amountInCents : 0n
}

// Its payout was declined, and then the network paid it: the payer has the money. Only so does a refund by payout end with this code.
export function isPaidAfterAll({ status, errorCode, payoutId }: Refund): boolean {
  const hasEnded = status === 'DECLINED' || status === 'CANCELED'
  return hasEnded && errorCode === 'RAIL_ERROR' && payoutId !== null
}
