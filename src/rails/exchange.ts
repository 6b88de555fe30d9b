// The operator's record of what went over the wire, without personal data. Only the fields named here are kept. Everything
// else is masked, so that a field nobody thought of cannot reveal a person.

import type { NetworkExchange } from './rail.ts'

export type Recorder = (exchange: NetworkExchange) => void

// A body as the operator may see it. A body that is not JSON is only described, because any part of it may be personal.
export function redactedBody(json: unknown, described: string): string {
  if (json === undefined) return described
  const text = withValue('', json, false, 0)
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
const MASKED = `"${MASK}"`
const MAX_SHOWN_CHARACTERS = 4_096
// Real answers are three levels deep. A hostile one with thousands must not exhaust the stack.
const MAX_DEPTH = 8
const MAX_ITEMS = 100

// Each adds to the text of what stands before, and stops when nobody would see more: every exchange is recorded, and an answer may be
// a hundred times as long as what is shown of it.
function withValue(text: string, value: unknown, isKept: boolean, depth: number): string {
  if (value === null || typeof value === 'boolean') return `${text}${value}`
  if (typeof value === 'object') {
    if (depth >= MAX_DEPTH) return text + MASKED
    return Array.isArray(value) ? withItems(text, value, isKept, depth) : withFields(text, value, depth)
  }
  return text + (isKept ? plainValue(value) : MASKED)
}

function withItems(before: string, items: readonly unknown[], isKept: boolean, depth: number): string {
  let text = `${before}[`
  const count = Math.min(items.length, MAX_ITEMS)
  for (let index = 0; index < count && text.length <= MAX_SHOWN_CHARACTERS; index += 1)
    text = withValue(index === 0 ? text : `${text},`, items[index], isKept, depth + 1)
  return `${text}]`
}

function withFields(before: string, fields: object, depth: number): string {
  let text = `${before}{`
  let count = 0
  let comma = ''
  let hasMaskedName = false
  for (const name in fields) {
    const value = (fields as Readonly<Record<string, unknown>>)[name]
    if (value === undefined) continue
    if (count >= MAX_ITEMS || text.length > MAX_SHOWN_CHARACTERS) break
    count += 1
    const isKept = KEPT_FIELDS.has(name)
    const isShown = isKept || PLAIN_NAME.test(name)
    // A map keyed by a person's number would reveal it as a field name. Of several such fields the first stands for all.
    if (!isShown && hasMaskedName) continue
    hasMaskedName ||= !isShown
    text = withValue(`${text}${comma}"${isShown ? name : MASK}":`, value, isKept, depth + 1)
    comma = ','
  }
  return `${text}}`
}

function plainValue(value: unknown): string {
  const text = String(value)
  if (!PLAIN_VALUE.test(text)) return MASKED
  // JSON has no infinity.
  return typeof value === 'string' ? `"${text}"` : Number.isFinite(value) ? text : MASKED
}

const PLAIN_NAME = /^[A-Za-z_]{1,40}$/
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
