// The wire format of a Bre-B gateway, binding for both sides. JSON over HTTPS; OAuth 2.0 client credentials
// (POST {base}/oauth/token, HTTP Basic, form body grant_type=client_credentials → {access_token, expires_in}); every other
// call carries `authorization: Bearer`. Amounts are decimal text with two places ("12345.67"), times ISO 8601.
//
//   PUT    {base}/collections/{reference}   CollectionRequest → 200|201 Collection      (same reference again: the same collection)
//   GET    {base}/collections/{reference}   → 200 Collection | 404 Failure NOT_FOUND
//   DELETE {base}/collections/{reference}   → 200 Collection: closed if it was open     | 404
//   PUT    {base}/returns/{reference}       ReturnRequest → 200|201 Return              (same reference again: the same return)
//   PUT    {base}/transfers/{reference}     TransferRequest → 200|202 Transfer          (same reference again: the same transfer)
//   GET    {base}/transfers/{reference}     → 200 Transfer | 404
//   GET    {base}/keys/{type}/{key}         → 200 KeyRecord | 4xx/5xx Failure
//   GET    {base}/statements?from&to&cursor&limit  → 200 Statement: what moved from one time up to another  (no cursor: the first page)
//
// A refusal is Failure, with a 4xx or, as some nodes do, with 200 and `status: "ERROR"`. Anything else is not an answer.
// Notifications come as POST {our address}/notifications/breb with the headers of signature.ts and a Notification body.

export type CollectionRequest = {
  key: string
  amount: string
  currency: 'COP'
  merchantName: string
  expiresAt: string
  payer: { idType: string; idNumber: string; name: string } | null
}

export type CollectionStatus = 'READY' | 'PAID' | 'REJECTED' | 'CANCELED' | 'EXPIRED'

export type Collection = {
  reference: string
  key: string
  status: CollectionStatus
  amount: string
  // Credited payments, in order of arrival. A payment that was refused before credit is not listed.
  payments: { paymentId: string; amount: string; paidAt: string }[]
  reasonCode: string | null
}

export type ReturnRequest = { paymentId: string; amount: string; currency: 'COP' }
export type Return = { reference: string; status: 'COMPLETED'; endToEndId: string }

export type TransferRequest = {
  key: string
  keyType: WireKeyType
  amount: string
  currency: 'COP'
  beneficiary: { idType: string; idNumber: string; name: string }
}

export type TransferStatus = 'PROCESSING' | 'COMPLETED' | 'REJECTED'

export type Transfer = {
  reference: string
  status: TransferStatus
  amount: string
  endToEndId: string | null
  reasonCode: string | null
}

// The directory's codes for the types of key.
export type WireKeyType = 'NRIC' | 'M' | 'E' | 'O' | 'B'

export type KeyRecord = {
  key: string
  keyType: WireKeyType
  status: 'ACTIVE'
  person: { type: 'N' | 'L'; idType: string; idNumber: string; name: string }
  participant: { nit: string; name: string }
  account: { type: 'CAHO' | 'CCTE' | 'DBMO' | 'DBMI' | 'DORD'; number: string }
}

export type Failure = { status: 'ERROR'; code: string; message: string }

export type NotificationType =
  | 'collection.paid'
  | 'collection.rejected'
  | 'collection.canceled'
  | 'collection.chargeback'
  | 'transfer.completed'
  | 'transfer.rejected'

export type Notification = {
  id: string
  type: NotificationType
  reference: string
  occurredAt: string
  paymentId: string | null
  amount: string | null
  endToEndId: string | null
  reasonCode: string | null
  // The network's id of a chargeback, if it gives one: a payment can be charged back in parts.
  chargebackId?: string | null
}

// Credits and chargebacks carry the payment's id, debits and returns the end-to-end id.
export type StatementEntry = {
  type: 'CREDIT' | 'DEBIT' | 'RETURN' | 'CHARGEBACK'
  reference: string
  paymentId: string | null
  endToEndId: string | null
  amount: string
  currency: string
  occurredAt: string
}

export type Statement = {
  // How many entries the page has. A page with another number was cut.
  count: number
  entries: StatementEntry[]
  nextCursor: string | null
  // False while entries may still be added.
  complete: boolean
}

// Codes the adapter understands. B… and U… are the network's payment codes, DIFE-… the directory's.
export const TRANSFER_CODES = {
  B101: 'receiver account cannot be validated',
  B102: 'receiver account number is invalid',
  B103: 'receiver identification is wrong',
  B104: 'kind of receiver account is wrong',
  B105: 'receiver account does not exist',
  B106: 'risk control',
  B107: 'receiver deposit limit exceeded',
  B108: 'above the network maximum',
  B109: 'above the receiving participant’s maximum',
  U111: 'below the minimum',
  U112: 'above the maximum',
  U122: 'receiving participant is not active',
  U125: 'receiving participant is not known',
  NOT_FOUND: 'nothing under this reference',
} as const

// A rejection that is a cancelation: the network called the transfer off, and no money moved.
export const CANCELATION_CODES = {
  CANCELED: 'called off by the network before any money moved',
} as const

// A time-out inside the network. The transfer may still have been made, and only a query can say.
export const UNDECIDED_CODES = {
  B001: 'the sending node timed out',
  B002: 'the receiving node timed out',
  B301: 'the sending node timed out while asking',
  B302: 'the receiving node timed out while asking',
} as const

// Why a collection was rejected or canceled, if no payment code says so.
export const COLLECTION_CODES = {
  CANCELED_BY_PAYER: 'the payer said no',
  AMOUNT_MISMATCH: 'another amount was offered, and refused before credit',
  INSUFFICIENT_FUNDS: 'the payer’s account does not hold the amount',
  ACCOUNT_INVALID: 'the payer’s account cannot pay',
  ACCOUNT_BLOCKED: 'the payer’s account is blocked',
  LIMIT_EXCEEDED: 'above what the payer may pay',
  AUTHENTICATION_FAILED: 'the payer could not be authenticated',
  BANK_UNAVAILABLE: 'the payer’s participant does not answer',
  BANK_DECLINED: 'the payer’s participant refused',
  RISK_REJECTED: 'refused by risk control',
} as const

export const DIRECTORY_CODES = {
  'DIFE-5005': 'key format is invalid',
  'DIFE-4000': 'key format is invalid',
  'DIFE-4001': 'key format is invalid',
  'DIFE-0016': 'key format is invalid',
  'DIFE-0004': 'key does not exist or is cancelled',
  'DIFE-5009': 'key does not exist',
  'DIFE-0005': 'key is suspended by its holder',
  'DIFE-0006': 'key is suspended by its participant',
  'DIFE-5012': 'key is suspended',
  'DIFE-5017': 'key is suspended: too many renewals',
  'DIFE-5000': 'directory timed out',
  'DIFE-9999': 'directory failed',
} as const
