// Money coming in. A merchant requests a payin, a payer pays it over a rail, and it ends exactly once.

import type { Route } from '../connections/connection.ts'
import { type Provider, payinAbilities } from '../connections/provider.ts'
import type { Rail } from '../connections/rail.ts'
import { singleUseKey } from '../directory/breb-key.ts'
import { emvPayload } from '../emv-qr.ts'
import { instantOfId } from '../ids.ts'
import { type Instant, MINUTE_MS } from '../instant.ts'
import { isFinal, type Lifecycle, nextState } from '../lifecycle.ts'
import type { Currency } from '../money.ts'
import type { Organization } from '../organizations/organization.ts'
import type { Customer } from '../people/customer.ts'
import type { Note } from '../people/note.ts'
import type { Sealed } from '../people/sealed.ts'

export type PayinStatus = 'PENDING' | 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED'
export const PAYIN_STATUSES: readonly PayinStatus[] = [
  'PENDING',
  'PROCESSING',
  'CONFIRMED',
  'CANCELED',
  'DECLINED',
]

// A payin that nobody pays is canceled (EXPIRED). Final states never change: money that arrives later goes to suspense,
// not into the payin.
export const PAYIN = {
  PENDING: { prepare: 'PROCESSING', decline: 'DECLINED', cancel: 'CANCELED' },
  PROCESSING: { confirm: 'CONFIRMED', decline: 'DECLINED', cancel: 'CANCELED' },
  CONFIRMED: {},
  CANCELED: {},
  DECLINED: {},
} as const satisfies Lifecycle<PayinStatus>

export type SettlementStatus = 'PENDING_SETTLEMENT' | 'SETTLED' | 'REVERSED'

export const PAYIN_ERROR_CODES = [
  'EXPIRED',
  'CANCELED_BY_PAYER',
  'CANCELED_BY_MERCHANT',
  'AMOUNT_MISMATCH',
  'INSUFFICIENT_FUNDS',
  'ACCOUNT_INVALID',
  'ACCOUNT_BLOCKED',
  'LIMIT_EXCEEDED',
  'AUTHENTICATION_FAILED',
  'BANK_UNAVAILABLE',
  'BANK_DECLINED',
  'RISK_REJECTED',
  'RAIL_ERROR',
] as const
export type PayinErrorCode = (typeof PAYIN_ERROR_CODES)[number]

export const KEY_TYPES = ['SINGLE_USE', 'QR_CODE'] as const
export type PayinKeyType = (typeof KEY_TYPES)[number]
export const PERSON_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const
export type PersonType = (typeof PERSON_TYPES)[number]

export type PayinSource =
  | {
      readonly rail: 'BRE_B'
      readonly keyType: PayinKeyType
      // Null until the provider has named it.
      readonly keyString: string | null
      readonly qrPayload: string | null
    }
  | { readonly rail: 'PSE'; readonly bank: string; readonly personType: PersonType }

// How far the payin has come with its network; merchants do not see it. OPENING: the provider has it, and something that the payer
// needs is still to come, such as the bank's page. TO_CLOSE and TO_SETTLE come after the outcome:
// the key must still be withdrawn, or the money must still be made available. A payin that is DONE and still due has ended at
// its network too, which is asked once more.
export type RailStage = 'TO_OPEN' | 'OPENING' | 'OPEN' | 'TO_CLOSE' | 'TO_SETTLE' | 'DONE'

export type RailProgress = {
  readonly stage: RailStage
  // The provider's id of the payin, if it has one of its own.
  readonly providerId: string | null
  // The bank's page, the network's name for the payment (PSE: CUS), and its id of the payment that ended the payin.
  readonly bankUrl: string | null
  readonly traceId: string | null
  readonly paymentId: string | null
  // The network's own code for the outcome, kept for the operator.
  readonly networkCode: string | null
  // Failed attempts at the current stage.
  readonly attempts: number
}

// What an order to the network takes from settings, as it was when the payin was created. A network refuses a reference
// that comes again with other content, so a retry must not follow a merchant that renames itself. Null in payins older
// than this record. Only PSE has an address to return to.
export type FrozenOrder = {
  readonly merchantName: string | null
  readonly returnUrl: string | null
  // Links to the provider's terms that the payer accepted on our page; none where it has no terms. Null: the payer was not there.
  readonly acceptedTerms: readonly string[] | null
  // Address and name of the payer's browser, sealed.
  readonly device: Sealed | null
}

// The connection that a payment was made with, which it keeps. Null: the installation's own networks.
export type PaymentConnection = { readonly connectionId: string; readonly provider: Provider }

export type PayinAddress = { organizationId: string; payinId: string }

export type Payin = {
  readonly organizationId: string
  readonly payinId: string
  readonly version: number
  readonly connection: PaymentConnection | null
  readonly status: PayinStatus
  readonly settlementStatus: SettlementStatus | null
  readonly amountInCents: bigint
  readonly confirmedAmountInCents: bigint | null
  readonly currency: Currency
  readonly reference: string
  readonly paymentLinkId: string | null
  readonly customer: Customer | Sealed | null
  readonly note: Note | Sealed | null
  readonly callbackUrl: string | null
  readonly errorCode: PayinErrorCode | null
  readonly source: PayinSource
  readonly progress: RailProgress
  readonly frozenOrder: FrozenOrder
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
  readonly resultAt: Instant | null
  readonly chargebackAt: Instant | null
  // How much of what was confirmed the network has taken back.
  readonly chargedBackInCents: bigint
  // What refunds hold of it that may still give money back or have, and what they have given back.
  readonly refundHeldInCents: bigint
  readonly refundedInCents: bigint
}

export type PayinRequest = {
  readonly amountInCents: bigint
  readonly reference: string
  readonly customer: Customer | Sealed | null
  readonly note?: Note | Sealed | null
  readonly callbackUrl: string | null
  readonly way:
    | { rail: 'BRE_B'; keyType: PayinKeyType }
    | { rail: 'PSE'; bank: string; personType: PersonType }
}

// EASPBV requires a city. Organizations have no address yet, so we use the country's capital.
const MERCHANT_CITY = 'BOGOTA'

// An attempt on a payment link's page does not outlive the link.
export type LinkAttempt = { readonly paymentLinkId: string; readonly linkExpiresAt: Instant }

export function newPayin(
  organization: Organization,
  payinId: string,
  request: PayinRequest,
  link: LinkAttempt | null = null,
  route: Route | null = null,
): Payin {
  const createdAt = instantOfId(payinId)
  const source = newSource(organization, payinId, request, route)
  return {
    organizationId: organization.organizationId,
    payinId,
    version: 1,
    connection: route && { connectionId: route.connectionId, provider: route.provider },
    // A Bre-B key can be paid as soon as it exists; a PSE payment waits for its bank session.
    status: source.rail === 'BRE_B' && source.keyString !== null ? 'PROCESSING' : 'PENDING',
    settlementStatus: null,
    amountInCents: request.amountInCents,
    confirmedAmountInCents: null,
    currency: 'COP',
    reference: request.reference,
    paymentLinkId: link?.paymentLinkId ?? null,
    customer: request.customer,
    note: request.note ?? null,
    callbackUrl: request.callbackUrl,
    errorCode: null,
    source,
    progress: {
      stage: 'TO_OPEN',
      providerId: null,
      bankUrl: null,
      traceId: null,
      paymentId: null,
      networkCode: null,
      attempts: 0,
    },
    frozenOrder: { merchantName: organization.name, returnUrl: null, acceptedTerms: null, device: null },
    createdAt,
    updatedAt: createdAt,
    expiresAt: Math.min(
      createdAt + organization.payinExpiryMinutes * MINUTE_MS,
      link?.linkExpiresAt ?? Number.POSITIVE_INFINITY,
    ),
    resultAt: null,
    chargebackAt: null,
    chargedBackInCents: 0n,
    refundHeldInCents: 0n,
    refundedInCents: 0n,
  }
}

function newSource(
  organization: Organization,
  payinId: string,
  request: PayinRequest,
  route: Route | null,
): PayinSource {
  if (request.way.rail === 'PSE')
    return { rail: 'PSE', bank: request.way.bank, personType: request.way.personType }
  const { keyType } = request.way
  if (route?.namesKeys) return { rail: 'BRE_B', keyType, keyString: null, qrPayload: null }
  const keyString = singleUseKey(payinId)
  const qrPayload = keyType === 'QR_CODE' ? qrPayloadOf(organization, keyString, request.amountInCents) : null
  return { rail: 'BRE_B', keyType, keyString, qrPayload }
}

function qrPayloadOf(organization: Organization, key: string, amountInCents: bigint): string {
  return emvPayload({
    key,
    amountInCents,
    merchantName: organization.name,
    merchantCity: MERCHANT_CITY,
    transactionId: key.slice(1),
  })
}

// A page shows a QR for every Bre-B payin, even if the merchant asked only for the key.
export function payinQrPayload(organization: Organization, payin: Payin): string | null {
  if (payin.source.rail !== 'BRE_B' || payin.source.keyString === null) return null
  return payin.source.qrPayload ?? qrPayloadOf(organization, payin.source.keyString, payin.amountInCents)
}

// The provider has named the key of a payin that had none.
export function withProviderKey(
  organization: Organization,
  payin: Payin,
  keyString: string,
  qrPayload: string | null,
): Payin {
  if (payin.source.rail !== 'BRE_B' || payin.source.keyString !== null) return payin
  const { keyType } = payin.source
  const made = keyType === 'QR_CODE' ? qrPayloadOf(organization, keyString, payin.amountInCents) : null
  return { ...payin, source: { ...payin.source, keyString, qrPayload: qrPayload ?? made } }
}

export function railOf(payin: Payin): Rail {
  return payin.source.rail
}

export function isOpen(payin: Pick<Payin, 'status'>): boolean {
  return !isFinal(PAYIN, payin.status)
}

// It has its outcome, and its network has not said that it ended there. Somebody may be at the bank with it.
export function mayStillBePaid(payin: Payin): boolean {
  return !isOpen(payin) && payin.progress.stage === 'TO_CLOSE'
}

type PayinAwaited = Pick<Payin, 'connection' | 'customer'> & {
  readonly source: Pick<PayinSource, 'rail'>
  readonly progress: Pick<Payin['progress'], 'stage'>
  readonly frozenOrder: Pick<Payin['frozenOrder'], 'acceptedTerms'>
}

// PSE needs its payer before the session: what is typed later would never reach the bank. Some providers want the payer to have been
// on our page, too.
export function awaitsPayer(payin: PayinAwaited): boolean {
  if (payin.source.rail !== 'PSE' || payin.progress.stage !== 'TO_OPEN') return false
  return payin.customer === null || awaitsPresence(payin)
}

export function awaitsPresence({ connection, source, frozenOrder }: PayinAwaited): boolean {
  const { needsPayerPresent } = payinAbilities(connection?.provider ?? null, source.rail)
  return needsPayerPresent && frozenOrder.acceptedTerms === null
}

// Kept as the network's code where a payer accepted terms that the provider had replaced by then.
export const TERMS_CHANGED = 'TERMS_CHANGED'

// Since when the payer must be shown the provider's terms again: this payin waits for it, or another attempt begins with it. Null: the
// payer need not.
export function newTermsSince(payin: Payin): Instant | null {
  if (payin.progress.networkCode !== TERMS_CHANGED) return null
  const isNeeded = payin.status === 'DECLINED' || (awaitsPayer(payin) && awaitsPresence(payin))
  return isNeeded ? payin.updatedAt : null
}

// The payer can pay: the key is registered, or the bank's page is there.
export function isReady({ progress, connection }: Payin): boolean {
  return progress.stage === 'OPEN' || (connection === null && progress.stage === 'TO_OPEN')
}

// Ends a payin without money. Undefined if its state does not allow it.
export function cancelPayin(payin: Payin, errorCode: PayinErrorCode, now: Instant): Payin | undefined {
  const status = nextState<PayinStatus>(PAYIN, payin.status, 'cancel')
  if (status === undefined) return undefined
  return { ...payin, status, errorCode, version: payin.version + 1, updatedAt: now, resultAt: now }
}
