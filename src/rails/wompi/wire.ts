// The wire formats of Wompi, which has two APIs: payments (PSE) and payouts ("Pagos a Terceros", Bre-B). Only what we send and read is
// here.
//
//   GET  {payments}/merchants/{public key}          → 200 {data}: links to the terms, and a token for each, used once
//   GET  {payments}/pse/financial_institutions      → 200 {data Institution[]}
//   POST {payments}/transactions                    TransactionRequest → 201 {data Transaction}
//   GET  {payments}/transactions/{id}               → 200 {data Transaction} | 404        (private key)
//   GET  {payments}/transactions?reference=         → 200 {data Transaction[]}            (private key)
//
//   GET  {payouts}/v2/breb/keys/resolve/{key}?keyType=   → 200 ResolvedKey
//   POST {payouts}/v2/payouts                       PayoutRequest → 201 CreatedPayout     (idempotency-key; used before: 409)
//   GET  {payouts}/v2/payouts/{id}                  → 200 Batch
//   GET  {payouts}/v2/payouts/{id}/transactions     → 200 page of BatchTransaction
//   GET  {payouts}/v1/payouts?reference=            → 200 page of Batch
//   GET  {payouts}/v1/accounts                      → 200 Account[]
//
// Payments refuse with {error{type, messages | reason}}, payouts with {code "EXC_…", message}. Answers of payouts come bare or in an
// envelope.

import { type Static, Type } from '../../core/json-schema.ts'
import { NetworkText, orNull, reader } from '../wire-format.ts'

export type TransactionRequest = {
  acceptance_token: string
  accept_personal_auth: string
  amount_in_cents: number
  currency: 'COP'
  signature: string
  customer_email: string
  reference: string
  redirect_url: string
  expiration_time: string
  ip?: string
  customer_data: { full_name: string; phone_number: string }
  payment_method: {
    type: 'PSE'
    // 0: a person. 1: a company.
    user_type: 0 | 1
    user_legal_id_type: string
    user_legal_id: string
    financial_institution_code: string
    payment_description: string
  }
}

export type PayoutRequest = {
  reference: string
  accountId: string
  paymentType: 'OTHER'
  transactions: {
    key: string
    name: string
    email: string
    amount: number
    legalIdType?: string
    legalId?: string
    reference: string
  }[]
}

const Cents = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Pesos = Type.Literal('COP')
// Shown to people unchanged, so control, direction and invisible characters are refused.
const ShownText = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\p{C}\\u2028\\u2029]*$' })
// Of others' sales too.
const AnyReference = Type.String({ maxLength: 255 })

const Transaction = Type.Object({
  id: NetworkText,
  status: NetworkText,
  reference: AnyReference,
  amount_in_cents: Cents,
  currency: Pesos,
  payment_method_type: Type.Optional(Type.Literal('PSE')),
  payment_method: Type.Optional(
    orNull(
      Type.Object({
        type: Type.Optional(Type.Literal('PSE')),
        extra: Type.Optional(
          orNull(Type.Object({ async_payment_url: Type.Optional(orNull(Type.String())) })),
        ),
      }),
    ),
  ),
})
export type Transaction = Static<typeof Transaction>

export const readTransaction = reader(Type.Object({ data: Transaction }))

export const readTransactions = reader(
  Type.Object({
    data: Type.Array(Transaction),
    meta: Type.Optional(Type.Object({ total_results: Type.Optional(Count) })),
  }),
)

const Acceptance = Type.Object({
  acceptance_token: Type.String({ pattern: '^[\\x21-\\x7e]{1,8192}$' }),
  permalink: Type.String(),
})

export const readMerchant = reader(
  Type.Object({
    data: Type.Object({
      accepted_payment_methods: Type.Optional(Type.Array(Type.String())),
      presigned_acceptance: Acceptance,
      presigned_personal_data_auth: Acceptance,
    }),
  }),
)

export const readInstitutions = reader(
  Type.Object({
    data: Type.Array(
      Type.Object({ financial_institution_code: NetworkText, financial_institution_name: ShownText }),
      // An empty list would refuse every payer.
      { minItems: 1 },
    ),
  }),
)

const readPaymentError = reader(Type.Object({ error: Type.Object({ type: NetworkText }) }))
const readUsedReference = reader(
  Type.Object({ error: Type.Object({ messages: Type.Object({ reference: Type.Unknown() }) }) }),
)

// A server in trouble, or one that does not let us in, says nothing about the order, whatever else it says.
const isAboutTheCall = (httpStatus: number): boolean =>
  httpStatus < 400 || [403, 408, 429].includes(httpStatus) || httpStatus >= 500

export function readPaymentRefusal(json: unknown, httpStatus: number): string | undefined {
  return isAboutTheCall(httpStatus) ? undefined : readPaymentError(json)?.error.type
}

export function saysReferenceUsed(body: unknown): boolean {
  return readUsedReference(body) !== undefined
}

const CreatedPayout = Type.Object({
  payoutId: NetworkText,
  transactions: Count,
  success: Count,
  failed: Count,
})

const Batch = Type.Object({
  id: NetworkText,
  reference: AnyReference,
  status: NetworkText,
  amountInCents: Cents,
  currency: Type.Optional(Pesos),
})
export type Batch = Static<typeof Batch>

const BatchTransaction = Type.Object({
  id: NetworkText,
  payoutId: Type.Optional(NetworkText),
  reference: Type.Optional(orNull(AnyReference)),
  status: NetworkText,
  amountInCents: Cents,
  currency: Type.Optional(Pesos),
  failureReason: Type.Optional(Type.Unknown()),
})
export type BatchTransaction = Static<typeof BatchTransaction>

export const readCreated = unwrapped(reader(CreatedPayout))
export const readBatch = unwrapped(reader(Batch))
export const readBatches = unwrapped(reader(Type.Object({ total: Count, records: Type.Array(Batch) })))
export const readBatchTransactions = unwrapped(
  reader(Type.Object({ total: Count, records: Type.Array(BatchTransaction) })),
)
export const readAccounts = unwrapped(reader(Type.Array(Type.Object({ id: NetworkText }))))
export const readKey = unwrapped(
  reader(
    Type.Object({
      holderName: ShownText,
      financialEntity: Type.Object({ name: ShownText, code: Type.Optional(orNull(NetworkText)) }),
      keyType: NetworkText,
    }),
  ),
)

// A text or, in events, an object. The text may be a sentence, which is nothing that we keep.
const readFailure = reader(
  Type.Union([
    Type.String({ pattern: '^[A-Z]{1,8}[-_]?[0-9]{1,8}$' }),
    Type.Object({ code: Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,40}$' }) }),
  ]),
)

export function failureCodeOf(failureReason: unknown): string | null {
  const failure = readFailure(failureReason)
  if (failure === undefined) return null
  return typeof failure === 'string' ? failure : failure.code
}

const readEnvelope = reader(
  Type.Object({
    code: Type.Optional(Type.Unknown()),
    message: Type.Optional(Type.Unknown()),
    meta: Type.Optional(Type.Unknown()),
    data: Type.Unknown(),
  }),
)

function unwrapped<Value>(read: (body: unknown) => Value | undefined): (body: unknown) => Value | undefined {
  return (body) => {
    const envelope = readEnvelope(body)
    if (envelope === undefined || !('code' in envelope || 'message' in envelope || 'meta' in envelope))
      return read(body)
    return isRefusalCode(envelope.code) ? undefined : read(envelope.data)
  }
}

const isRefusalCode = (code: unknown): boolean => typeof code === 'string' && code.startsWith('EXC_')

const readPayoutError = reader(Type.Object({ code: NetworkText }))

// The directory's own troubles come with 503, and tell a time-out from a directory that is away.
export const DIRECTORY_TROUBLES = ['EXC_036', 'EXC_037'] as const

export function readPayoutRefusal(json: unknown, httpStatus: number): string | undefined {
  const code = readPayoutError(json)?.code
  if (!isAboutTheCall(httpStatus)) return code
  const isTrouble = httpStatus >= 500 && (DIRECTORY_TROUBLES as readonly unknown[]).includes(code)
  return isTrouble ? code : undefined
}
