// What goes over the wire to a PlacetoPay Gateway (docs.placetopay.dev). All calls are POST with JSON, and each carries `auth`
// beside the fields named here. Amounts are numbers of pesos with two decimals at most.
//
//   {base}/gateway/information   InformationRequest → { status, bankList: [{ code, description }] }
//   {base}/gateway/process       ProcessRequest     → 200 transaction | 208 the transaction that this key made before
//   {base}/gateway/query         QueryRequest       → transaction
//   {base}/gateway/search        SearchRequest      → { status, transactions: [transaction] }
//
// A transaction is { status: { status, reason, message, date }, internalReference, reference, amount, type, additional, redirection }.
// Numbers may come as text. A refusal is { status } alone, with a 4xx or inside 200.

export const RESOURCES = {
  information: '/gateway/information',
  process: '/gateway/process',
  query: '/gateway/query',
  search: '/gateway/search',
} as const

export type Auth = {
  login: string
  // The time, in ISO 8601.
  seed: string
  // Base64 of random bytes.
  nonce: string
  // Base64 of SHA-256 over the random bytes, the seed and the secret key.
  tranKey: string
}

export type Amount = { currency: 'COP'; total: number }

export type DocumentType = 'CC' | 'CE' | 'TI' | 'NIT' | 'RUT' | 'PPN'

export type Payer = {
  documentType: DocumentType
  document: string
  name: string
  surname: string
  email: string
  mobile: string
}

export type Payment = { reference: string; description: string; amount: Amount }

export type InformationRequest = {
  locale: 'es_CO'
  payment: Payment
  instrument: { redirection: { paymentMethod: '_PSE_'; returnURL: string } }
}

export type ProcessRequest = {
  locale: 'es_CO'
  payer: Payer
  payment: Payment
  instrument: {
    redirection: {
      paymentMethod: '_PSE_'
      returnURL: string
      additional: { bankCode: string; userType: 'person' | 'company' }
    }
  }
  idempotenceKey: string
  notificationURL: string
  ipAddress: string
  userAgent: string
}

export type QueryRequest = { internalReference: number }
export type SearchRequest = { reference: string; amount: Amount }

// The longest that the gateway takes.
export const MAX_CHARACTERS = { name: 60, surname: 60, email: 80, description: 250, returnURL: 250 } as const

export const DOCUMENT_PATTERNS: Readonly<Record<DocumentType, RegExp>> = {
  CC: /^[1-9][0-9]{3,9}$/,
  CE: /^([a-zA-Z]{1,5})?[1-9][0-9]{3,7}$/,
  TI: /^[1-9][0-9]{4,11}$/,
  NIT: /^[1-9]\d{6,9}$/,
  RUT: /^[1-9]\d{6,9}$/,
  PPN: /^[a-zA-Z0-9]{4,16}$/,
}
