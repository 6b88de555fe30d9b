// The wire format of Mono as a participant of Bre-B, as its documentation prints it (docs.mono.la). JSON over HTTPS. Money is whole
// cents, times are ISO 8601, and every id begins with what it is an id of. Lists come in pages.
//
//   POST   /api/v1/oauth/token                 client id and secret, scope → {access_token, expires_in}
//   POST   /api/v1/collections                 a batch → {created[], duplicated[], rejected[]}     (external_id again: the same one)
//   GET    /api/v1/collections?external_id=    → {collections[], pagination}
//   GET    /api/v1/collections/{id}            → Collection
//   DELETE /api/v1/collections/{id}            → empty: it is ended later                          | 409
//   GET    /api/v1/collections/{id}/attempts   → {attempts[], pagination}
//   POST   /api/v1/outgoing_transfers          a batch → {accepted_transfers[] or transfers[], rejected_transfers[]}
//   GET    /api/v1/outgoing_transfers?external_id=  → {transfers[], pagination}
//   GET    /api/v1/outgoing_transfers/{id}     → Transfer
//   POST   /api/v1/targets/resolve             a key → Resolution, which may be still under way
//
// A refusal has a 4xx or 5xx and {code, message, id, errors: [{error_code, message, path, url}]}.

import { type Static, Type } from '../../core/json-schema.ts'
import { MomentText, NetworkText, orNull, reader } from '../wire-format.ts'

export const COLLECTIONS = '/api/v1/collections'
export const TRANSFERS = '/api/v1/outgoing_transfers'
export const RESOLVE = '/api/v1/targets/resolve'

const idOf = (prefix: string) => Type.String({ pattern: `^${prefix}_[\\w-]{22}$` })
const CollectionId = idOf('bbcol')
const TransferId = idOf('bbot')
export const readCollectionId = reader(CollectionId)
export const readTransferId = reader(TransferId)

export type MoneySent = { amount: number; currency: 'COP' }
// An amount beyond what a double holds exactly would come rounded.
const Money = Type.Object({
  amount: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.Literal('COP'),
})
const MoneyAboveZero = Type.Object({
  amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.Literal('COP'),
})
const ExternalId = Type.String({ maxLength: 255 })

export function moneyOf(amountInCents: bigint): MoneySent {
  return { amount: Number(amountInCents), currency: 'COP' }
}

export type CollectionRequest = {
  tenant_account_id: string
  collections: [
    {
      external_id: string
      usage_mode: 'single_use'
      custom_key_value?: string
      expires_at: string
      total_minimum_amount: MoneySent
      total_maximum_amount: MoneySent
    },
  ]
}

const Collection = Type.Object({
  id: CollectionId,
  external_id: ExternalId,
  state: Type.Union([
    Type.Literal('created'),
    Type.Literal('ready'),
    Type.Literal('minimum_paid'),
    Type.Literal('paid'),
    Type.Literal('discarded'),
    Type.Literal('failed'),
  ]),
  state_reason: orNull(NetworkText),
  // Empty until the key is registered.
  keys: Type.Array(
    Type.Object({ value: Type.String({ minLength: 1, maxLength: 92 }), state: Type.String() }),
  ),
  paid_amount: orNull(Money),
  successful_attempts: Type.Integer({ minimum: 0 }),
  // What was asked for. One part of the documentation shows it and another does not.
  custom_key_value: Type.Optional(orNull(Type.String({ maxLength: 92 }))),
  total_minimum_amount: Type.Optional(orNull(Money)),
  total_maximum_amount: Type.Optional(orNull(Money)),
})
export type Collection = Static<typeof Collection>
export const readCollection = reader(Collection)

export const readCollectionBatch = reader(
  Type.Object({
    created: Type.Optional(Type.Array(Type.Unknown())),
    duplicated: Type.Optional(Type.Array(Type.Unknown())),
    rejected: Type.Optional(Type.Array(Type.Object({ external_id: ExternalId, error_code: NetworkText }))),
  }),
)

const Attempt = Type.Object({
  id: idOf('bbcolat'),
  collection_id: CollectionId,
  amount: MoneyAboveZero,
  state: Type.Union([
    Type.Literal('created'),
    Type.Literal('successful'),
    Type.Literal('rejected'),
    Type.Literal('failed'),
  ]),
  inserted_at: MomentText,
})
export type Attempt = Static<typeof Attempt>
export const readAttempt = reader(Attempt)

export type TransferRequest = {
  tenant_account_id: string
  transfers: [
    {
      external_id: string
      amount: MoneySent
      description: string
      query: { format: 'plain_key'; value: string }
      expected_creditor?: { document_type: string; document_number: string }
    },
  ]
}

export const TRANSFER_STATES = [
  'created',
  'processing',
  'target_resolved',
  'held',
  'sent_to_breb_provider',
  'successful',
  'failed',
  'canceled',
  'reversed',
  'reapplied',
] as const
export type TransferState = (typeof TRANSFER_STATES)[number]

const Transfer = Type.Object({
  id: TransferId,
  external_id: ExternalId,
  amount: MoneyAboveZero,
  state: Type.Unsafe<TransferState>({ type: 'string', enum: TRANSFER_STATES }),
  state_reason: orNull(NetworkText),
})
export type Transfer = Static<typeof Transfer>
export const readTransfer = reader(Transfer)

export const readTransferBatch = reader(
  Type.Object({
    // The reference and a guide name the accepted ones differently.
    accepted_transfers: Type.Optional(Type.Array(Type.Unknown())),
    transfers: Type.Optional(Type.Array(Type.Unknown())),
    rejected_transfers: Type.Optional(
      Type.Array(Type.Object({ external_id: ExternalId, reason: NetworkText })),
    ),
  }),
)

export type ResolutionRequest = { tenant_account_id: string; format: 'plain_key'; value: string }

export const readResolution = reader(
  Type.Object({
    state: Type.Union([
      Type.Literal('created'),
      Type.Literal('retrying'),
      Type.Literal('resolved'),
      Type.Literal('failed'),
    ]),
    state_reason: orNull(NetworkText),
    target: orNull(Type.Unknown()),
  }),
)

const readFailure = reader(
  Type.Object({ errors: Type.Array(Type.Object({ error_code: NetworkText }), { minItems: 1 }) }),
)

// A status about the caller or about Mono itself is left to the gateway: it says nothing about the order.
export function readRefusalCode(json: unknown, httpStatus: number): string | undefined {
  const isAboutOrder = httpStatus >= 400 && httpStatus < 500 && !ABOUT_CALLER.includes(httpStatus)
  return isAboutOrder ? readFailure(json)?.errors[0]?.error_code : undefined
}

const ABOUT_CALLER: readonly number[] = [401, 403, 408, 429]
