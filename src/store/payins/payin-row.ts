// A payin as it is read from its row.

import type { Provider } from '../../core/connections/provider.ts'
import type { Rail } from '../../core/connections/rail.ts'
import type { Instant } from '../../core/instant.ts'
import type {
  Payin,
  PayinErrorCode,
  PayinSource,
  PayinStatus,
  RailStage,
  SettlementStatus,
} from '../../core/payins/payin.ts'
import type { Customer } from '../../core/people/customer.ts'
import type { Sealed } from '../../core/people/sealed.ts'

// What a payin is read with.
export const COLUMNS = `organization_id, payin_id, version, status, settlement_status, rail, amount_cents,
  confirmed_amount_cents, currency, reference, payment_link_id, customer, callback_url, error_code, key_type, key_string,
  qr_payload, bank, person_type, created_at, updated_at, expires_at, result_at, chargeback_at, charged_back_cents,
  rail_stage, bank_url, trace_id, payment_id, network_code, attempts, merchant_name, return_url, note,
  connection_id, provider, provider_id, accepted_terms, payer_device, refund_cents, refunded_cents`

export type PayinRow = {
  organization_id: string
  payin_id: string
  version: number
  status: PayinStatus
  settlement_status: SettlementStatus | null
  rail: Rail
  amount_cents: bigint
  confirmed_amount_cents: bigint | null
  currency: 'COP'
  reference: string
  payment_link_id: string | null
  customer: Customer | Sealed | null
  callback_url: string | null
  error_code: PayinErrorCode | null
  key_type: 'SINGLE_USE' | 'QR_CODE'
  key_string: string | null
  qr_payload: string | null
  bank: string
  person_type: 'INDIVIDUAL' | 'BUSINESS'
  created_at: Instant
  updated_at: Instant
  expires_at: Instant
  result_at: Instant | null
  chargeback_at: Instant | null
  charged_back_cents: bigint
  rail_stage: RailStage
  bank_url: string | null
  trace_id: string | null
  payment_id: string | null
  network_code: string | null
  attempts: number
  merchant_name: string | null
  return_url: string | null
  note: Sealed | null
  connection_id: string | null
  provider: Provider | null
  provider_id: string | null
  accepted_terms: string[] | null
  payer_device: Sealed | null
  refund_cents: bigint
  refunded_cents: bigint
}

// What a list shows of a payin, which is half of it: reading the rest is a fifth of what a page costs.
export type ListedPayin = Pick<
  Payin,
  | 'payinId'
  | 'connection'
  | 'status'
  | 'settlementStatus'
  | 'amountInCents'
  | 'confirmedAmountInCents'
  | 'reference'
  | 'customer'
  | 'errorCode'
  | 'createdAt'
  | 'expiresAt'
  | 'resultAt'
  | 'chargebackAt'
  | 'chargedBackInCents'
> & {
  readonly source:
    | { readonly rail: 'BRE_B'; readonly keyString: string | null }
    | { readonly rail: 'PSE'; readonly bank: string }
  readonly progress: Pick<Payin['progress'], 'stage' | 'traceId' | 'attempts'>
  readonly frozenOrder: Pick<Payin['frozenOrder'], 'acceptedTerms'>
}

export const LISTED_PAYIN_COLUMNS = `payin_id, status, settlement_status, rail, amount_cents, confirmed_amount_cents, reference,
  customer, error_code, key_string, bank, created_at, expires_at, result_at, chargeback_at, charged_back_cents,
  rail_stage, trace_id, attempts, connection_id, provider, accepted_terms`

export function toListedPayin(row: PayinRow): ListedPayin {
  return {
    payinId: row.payin_id,
    connection: connectionOf(row),
    status: row.status,
    settlementStatus: row.settlement_status,
    amountInCents: row.amount_cents,
    confirmedAmountInCents: row.confirmed_amount_cents,
    reference: row.reference,
    customer: row.customer,
    errorCode: row.error_code,
    source:
      row.rail === 'BRE_B' ? { rail: 'BRE_B', keyString: row.key_string } : { rail: 'PSE', bank: row.bank },
    progress: { stage: row.rail_stage, traceId: row.trace_id, attempts: row.attempts },
    frozenOrder: { acceptedTerms: row.accepted_terms },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    resultAt: row.result_at,
    chargebackAt: row.chargeback_at,
    chargedBackInCents: row.charged_back_cents,
  }
}

export function toPayin(row: PayinRow): Payin {
  const source: PayinSource =
    row.rail === 'BRE_B'
      ? { rail: 'BRE_B', keyType: row.key_type, keyString: row.key_string, qrPayload: row.qr_payload }
      : { rail: 'PSE', bank: row.bank, personType: row.person_type }
  return {
    organizationId: row.organization_id,
    payinId: row.payin_id,
    version: row.version,
    connection: connectionOf(row),
    status: row.status,
    settlementStatus: row.settlement_status,
    amountInCents: row.amount_cents,
    confirmedAmountInCents: row.confirmed_amount_cents,
    currency: row.currency,
    reference: row.reference,
    paymentLinkId: row.payment_link_id,
    customer: row.customer,
    note: row.note,
    callbackUrl: row.callback_url,
    errorCode: row.error_code,
    source,
    progress: {
      stage: row.rail_stage,
      providerId: row.provider_id,
      bankUrl: row.bank_url,
      traceId: row.trace_id,
      paymentId: row.payment_id,
      networkCode: row.network_code,
      attempts: row.attempts,
    },
    frozenOrder: {
      merchantName: row.merchant_name,
      returnUrl: row.return_url,
      acceptedTerms: row.accepted_terms,
      device: row.payer_device,
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    resultAt: row.result_at,
    chargebackAt: row.chargeback_at,
    chargedBackInCents: row.charged_back_cents,
    refundHeldInCents: row.refund_cents,
    refundedInCents: row.refunded_cents,
  }
}

function connectionOf({ connection_id, provider }: PayinRow): Payin['connection'] {
  return connection_id === null ? null : { connectionId: connection_id, provider: provider as Provider }
}
