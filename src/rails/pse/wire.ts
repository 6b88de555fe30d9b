// The wire format of a PSE gateway, binding for both sides. JSON over HTTPS, authorized and signed as in
// ../breb/wire.ts. Amounts are decimal text with two places, times ISO 8601.
//
//   PUT    {base}/sessions/{reference}   SessionRequest → 200|201 Session   (same reference again: the same session)
//   GET    {base}/sessions/{reference}   → 200 Session | 404 Failure NOT_FOUND
//   DELETE {base}/sessions/{reference}   → 200 Session: EXPIRED if the payer had not started, else unchanged | 404
//   PUT    {base}/returns/{reference}    ReturnRequest → 200|201 Return
//   GET    {base}/statements?from&to&cursor&limit  → 200 Statement: what moved from one time up to another  (no cursor: the first page)
//
// A refusal is Failure with a 4xx, or 200 with `status: "ERROR"`. `FAILED` is not a clean decline: the debit may have
// happened, so the adapter returns unknown and the session is queried again. Notifications come as
// POST {our address}/notifications/pse.

export type SessionRequest = {
  bank: string
  // Null if we do not know the bank's number: `bank` then says which it is.
  achCode: string | null
  personType: 'person' | 'company'
  amount: string
  currency: 'COP'
  description: string
  returnUrl: string
  expiresAt: string
  payer: { idType: string; idNumber: string; name: string; email: string; phone: string } | null
}

// CREATED: the payer has not started. PENDING: the payer is at the bank. EXPIRED: nobody paid in time.
export type SessionStatus = 'CREATED' | 'PENDING' | 'OK' | 'NOT_AUTHORIZED' | 'FAILED' | 'EXPIRED'

export type Session = {
  reference: string
  // The network's trace code, which receipts show.
  cus: string
  status: SessionStatus
  amount: string
  bankUrl: string
  causeCode: string | null
}

export type ReturnRequest = { cus: string; amount: string; currency: 'COP' }
export type Return = { reference: string; status: 'COMPLETED' }

export type Failure = { status: 'ERROR'; code: string; message: string }

export type NotificationType =
  | 'session.ok'
  | 'session.not_authorized'
  | 'session.expired'
  | 'session.chargeback'

export type Notification = {
  id: string
  type: NotificationType
  reference: string
  occurredAt: string
  cus: string
  amount: string
  causeCode: string | null
  // The network's id of a chargeback, if it gives one: a payment can be charged back in parts.
  chargebackId?: string | null
}

export type StatementEntry = {
  type: 'CREDIT' | 'RETURN' | 'CHARGEBACK'
  reference: string
  cus: string
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

// Cause codes of a payment that was not authorized.
export const CAUSE_CODES = {
  '00001': 'canceled by the payer',
  '00002': 'account seized',
  '00003': 'account inactive',
  '00004': 'account does not exist',
  '00005': 'account not enabled',
  '00006': 'account not assigned',
  '00007': 'account closed',
  '00008': 'amount above the authorized limit',
  '00009': 'bank not available',
  '00010': 'technical failure at the bank',
  '00011': 'insufficient funds',
  '00012': 'inconsistent data',
  '00013': 'account canceled',
  '00014': 'canceled by PSE: pending for too long',
  '00015': 'not concluded by the payer',
  '00016': 'invalid login',
  '00017': 'account has no PSE service',
  '00018': 'technical failure at PSE',
} as const

// Codes of a session that was not created.
export const CREATE_CODES = {
  FAIL_BANKNOTEXISTSORDISABLED: 'bank unknown or disabled',
  FAIL_BANKUNREACHEABLE: 'bank cannot be reached',
  FAIL_EXCEEDEDLIMIT: 'above the limit',
  FAIL_INVALIDAMOUNT: 'amount invalid',
  FAIL_RISK: 'refused by risk control',
  FAIL_DISABLEDUSEREMAIL: 'the payer’s e-mail is refused',
  FAIL_TIMEOUT: 'time ran out: the session may have been created',
  NOT_FOUND: 'nothing under this reference',
} as const
