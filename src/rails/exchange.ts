// The operator's record of what went over the wire, without personal data. Only the fields named here are kept. Everything
// else is masked, so that a field nobody thought of cannot reveal a person.

import type { NetworkExchange } from './rail.ts'

export type Recorder = (exchange: NetworkExchange) => void

// A body as the operator may see it. A body that is not JSON is only described, because any part of it may be personal.
export function redactedBody(json: unknown, described: string): string {
  if (json === undefined) return described
  const text = JSON.stringify(redacted(json, '', 0))
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
}

export function recordSafely(record: Recorder, exchange: NetworkExchange): void {
  try {
    record(exchange)
  } catch {
    // A recording failure must never cost a payment its answer.
  }
}

const MASK = '***'
const MAX_SHOWN_CHARACTERS = 4_096
// Real answers are three levels deep. A hostile one with thousands must not exhaust the stack.
const MAX_DEPTH = 8
const MAX_ITEMS = 100

function redacted(value: unknown, field: string, depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'object') {
    if (depth >= MAX_DEPTH) return MASK
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redacted(item, field, depth + 1))
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, MAX_ITEMS)
        .map(([name, inner]) => [shownName(name), redacted(inner, name, depth + 1)]),
    )
  }
  return KEPT_FIELDS.has(field) && PLAIN_VALUE.test(String(value)) ? value : MASK
}

// A map keyed by a person's number would reveal it as a field name.
function shownName(name: string): string {
  return /^[A-Za-z_]{1,40}$/.test(name) ? name : MASK
}

// Codes, amounts, times and the network's ids. Free text does not match.
const PLAIN_VALUE = /^[A-Za-z0-9_.:+-]{1,80}$/

const KEPT_FIELDS = new Set([
  'reference',
  'status',
  'code',
  'reasonCode',
  'causeCode',
  'error',
  'type',
  'amount',
  'currency',
  'paymentId',
  'endToEndId',
  'cus',
  'bank',
  'achCode',
  'personType',
  'keyType',
  'idType',
  'nit',
  'expiresAt',
  'paidAt',
  'occurredAt',
  'count',
  'complete',
  'id',
  'expires_in',
  'token_type',
  'grant_type',
  // Providers'.
  'event',
  'state',
  'state_reason',
  'reason',
  'external_id',
  'amount_in_cents',
  'amountInCents',
  'total',
  'end_to_end_id',
  'collection_id',
  'payoutId',
  'internalReference',
  'idempotenceKey',
  'trazabilyCode',
  'financial_institution_code',
  'bankCode',
  'userType',
  'user_type',
  'error_code',
  'failureReason',
  'paymentMethod',
  'payment_method_type',
  'paymentType',
  'usage_mode',
  'expires_at',
  'expiration_time',
  'environment',
  'created_at',
  'finalized_at',
  'inserted_at',
  'successful_attempts',
  'total_pages',
  'updated_at',
  'timestamp',
])
