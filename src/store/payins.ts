// Payins as rows. Inserts travel in batches: one statement writes the payins of many requests and the idempotency records
// that belong to them, all or none.

import type { Instant } from '../core/instant.ts'
import { isoInstant } from '../core/instant.ts'
import type {
  Customer,
  Payin,
  PayinErrorCode,
  PayinSource,
  PayinStatus,
  SettlementStatus,
} from '../core/payin.ts'
import type { Rail } from '../core/rail.ts'
import type { Queryable } from './db.ts'
import type { IdempotencyRecord } from './idempotency.ts'

export type NewPayin = { payin: Payin; record: IdempotencyRecord | null }

// `inserted` is false where the reference or the idempotency key was taken: nothing of that payin was written.
export async function insertPayins(db: Queryable, batch: NewPayin[]): Promise<{ inserted: boolean }[]> {
  // Two batches that share references in different order would wait for each other for ever: sort them alike.
  const sorted = batch.toSorted(
    (a, b) =>
      compare(a.payin.organizationId, b.payin.organizationId) ||
      compare(a.payin.reference, b.payin.reference),
  )
  const result = await db.query<{ payin_id: string }>({
    name: 'insert-payins',
    text: INSERT_PAYINS,
    values: [JSON.stringify(sorted.map(insertRow))],
  })
  const inserted = new Set(result.rows.map((row) => row.payin_id))
  return batch.map((item) => ({ inserted: inserted.has(item.payin.payinId) }))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

// A record that another transaction wrote after our snapshot makes the last insert fail on its primary key; the batch is
// then run again one by one, and the row that lost sees the record.
const INSERT_PAYINS = `
  with incoming as (
    select *
      from json_to_recordset($1) as r (
             organization_id uuid, payin_id uuid, status text, rail text, amount_cents bigint, currency text,
             reference text, payment_link_id uuid, customer jsonb, callback_url text, key_type text, key_string text,
             qr_payload text, bank text, person_type text, created_at timestamptz, expires_at timestamptz,
             idempotency_key text, fingerprint text, answer_status integer, answer_body text)
  ), fresh as (
    select i.*
      from incoming i
     where i.idempotency_key is null
        or not exists (select 1
                         from idempotency_records r
                        where r.organization_id = i.organization_id
                          and r.idempotency_key = i.idempotency_key)
  ), inserted as (
    insert into payins (
             organization_id, payin_id, version, status, rail, amount_cents, currency, reference, payment_link_id,
             customer, callback_url, key_type, key_string, qr_payload, bank, person_type, created_at, updated_at,
             expires_at)
    select organization_id, payin_id, 1, status, rail, amount_cents, currency, reference, payment_link_id,
           customer, callback_url, key_type, key_string, qr_payload, bank, person_type, created_at, created_at,
           expires_at
      from fresh
        on conflict (organization_id, reference) do nothing
    returning organization_id, payin_id
  ), remembered as (
    insert into idempotency_records (organization_id, idempotency_key, fingerprint, status, body, created_at)
    select i.organization_id, i.idempotency_key, decode(i.fingerprint, 'hex'), i.answer_status, i.answer_body, i.created_at
      from inserted
      join incoming i using (organization_id, payin_id)
     where i.idempotency_key is not null
  )
  select payin_id from inserted`

function insertRow({ payin, record }: NewPayin): Record<string, unknown> {
  const { source } = payin
  return {
    organization_id: payin.organizationId,
    payin_id: payin.payinId,
    status: payin.status,
    rail: source.rail,
    amount_cents: Number(payin.amountInCents),
    currency: payin.currency,
    reference: payin.reference,
    payment_link_id: payin.paymentLinkId,
    customer: payin.customer,
    callback_url: payin.callbackUrl,
    ...(source.rail === 'BRE_B'
      ? { key_type: source.keyType, key_string: source.keyString, qr_payload: source.qrPayload }
      : { bank: source.bank, person_type: source.personType }),
    created_at: isoInstant(payin.createdAt),
    expires_at: isoInstant(payin.expiresAt),
    ...(record === null
      ? {}
      : {
          idempotency_key: record.key,
          fingerprint: record.fingerprint.toString('hex'),
          answer_status: record.status,
          answer_body: record.body,
        }),
  }
}

const COLUMNS = `organization_id, payin_id, version, status, settlement_status, rail, amount_cents,
  confirmed_amount_cents, currency, reference, payment_link_id, customer, callback_url, error_code, key_type, key_string,
  qr_payload, bank, person_type, created_at, updated_at, expires_at, result_at, chargeback_at`

export type PayinAddress = { organizationId: string; payinId: string }

// One statement answers many concurrent readers; undefined where there is no such payin.
export async function getPayins(db: Queryable, addresses: PayinAddress[]): Promise<(Payin | undefined)[]> {
  const result = await db.query<PayinRow>({
    name: 'get-payins',
    text: `select ${COLUMNS}
             from payins
            where (organization_id, payin_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    values: [addresses.map((address) => address.organizationId), addresses.map((address) => address.payinId)],
  })
  const found = new Map(result.rows.map((row) => [row.organization_id + row.payin_id, toPayin(row)]))
  return addresses.map((address) => found.get((address.organizationId + address.payinId).toLowerCase()))
}

export async function getPayinByReference(
  db: Queryable,
  organizationId: string,
  reference: string,
): Promise<Payin | undefined> {
  const result = await db.query<PayinRow>({
    name: 'get-payin-by-reference',
    text: `select ${COLUMNS} from payins where organization_id = $1 and reference = $2`,
    values: [organizationId, reference],
  })
  return result.rows[0] && toPayin(result.rows[0])
}

export async function lockPayin(tx: Queryable, address: PayinAddress): Promise<Payin | undefined> {
  const result = await tx.query<PayinRow>({
    name: 'lock-payin',
    text: `select ${COLUMNS} from payins where organization_id = $1 and payin_id = $2 for update`,
    values: [address.organizationId, address.payinId],
  })
  return result.rows[0] && toPayin(result.rows[0])
}

// Writes the next version of a payin. False where another writer was first: the version guards the row.
export async function movePayin(tx: Queryable, payin: Payin): Promise<boolean> {
  const result = await tx.query({
    name: 'move-payin',
    text: `update payins
              set version = $3, status = $4, settlement_status = $5, confirmed_amount_cents = $6, error_code = $7,
                  updated_at = $8, result_at = $9, chargeback_at = $10
            where organization_id = $1 and payin_id = $2 and version = $3 - 1`,
    values: [
      payin.organizationId,
      payin.payinId,
      payin.version,
      payin.status,
      payin.settlementStatus,
      payin.confirmedAmountInCents,
      payin.errorCode,
      isoInstant(payin.updatedAt),
      payin.resultAt === null ? null : isoInstant(payin.resultAt),
      payin.chargebackAt === null ? null : isoInstant(payin.chargebackAt),
    ],
  })
  return result.rowCount === 1
}

export type PayinFilters = {
  status?: PayinStatus
  rail?: Rail
  reference?: string
  paymentLinkId?: string
  // Bounds on the id, which holds the creation time: from (inclusive) and before (exclusive).
  fromId?: string
  beforeId?: string
}

// `older` than an id walks down from the newest, `newer` walks up from it; `from` an end means no bound.
export type Walk = { direction: 'older' | 'newer'; from: string | null }

// Rows in the order of the walk, at most `limit`.
export async function walkPayins(
  db: Queryable,
  organizationId: string,
  filters: PayinFilters,
  walk: Walk,
  limit: number,
): Promise<Payin[]> {
  const values: unknown[] = [organizationId, limit]
  const conditions = filterConditions(filters, values)
  if (walk.from !== null) {
    values.push(walk.from)
    conditions.push(`payin_id ${walk.direction === 'older' ? '<' : '>'} $${values.length}`)
  }
  const result = await db.query<PayinRow>({
    text: `select ${COLUMNS}
             from payins
            where ${['organization_id = $1', ...conditions].join(' and ')}
            order by payin_id ${walk.direction === 'older' ? 'desc' : 'asc'}
            limit $2`,
    values,
  })
  return result.rows.map(toPayin)
}

// Whether anything lies on the other side of an id, the id itself included.
export async function anyPayinFrom(
  db: Queryable,
  organizationId: string,
  filters: PayinFilters,
  side: 'older' | 'newer',
  id: string,
): Promise<boolean> {
  const values: unknown[] = [organizationId, id]
  const conditions = filterConditions(filters, values)
  const result = await db.query<{ found: boolean }>({
    text: `select exists (
             select 1
               from payins
              where ${['organization_id = $1', `payin_id ${side === 'older' ? '<=' : '>='} $2`, ...conditions].join(' and ')}
           ) as found`,
    values,
  })
  return result.rows[0]?.found === true
}

function filterConditions(filters: PayinFilters, values: unknown[]): string[] {
  const conditions: string[] = []
  const add = (condition: string, value: unknown): void => {
    if (value === undefined) return
    values.push(value)
    conditions.push(`${condition} $${values.length}`)
  }
  add('status =', filters.status)
  add('rail =', filters.rail)
  add('reference =', filters.reference)
  add('payment_link_id =', filters.paymentLinkId)
  add('payin_id >=', filters.fromId)
  add('payin_id <', filters.beforeId)
  return conditions
}

// First step of a claim: which organizations have payins past their time.
export async function organizationsWithExpiredPayins(
  db: Queryable,
  now: Instant,
  limit: number,
): Promise<string[]> {
  const result = await db.query<{ organization_id: string }>({
    name: 'organizations-with-expired-payins',
    text: `select organization_id
             from organizations o
            where exists (select 1
                            from payins p
                           where p.organization_id = o.organization_id
                             and p.status in ('PENDING', 'PROCESSING')
                             and p.expires_at <= $1)
            limit $2`,
    values: [isoInstant(now), limit],
  })
  return result.rows.map((row) => row.organization_id)
}

// Second step: lock some of one organization's, passing over those that somebody else is at.
export async function lockExpiredPayins(
  tx: Queryable,
  organizationId: string,
  now: Instant,
  limit: number,
): Promise<Payin[]> {
  const result = await tx.query<PayinRow>({
    name: 'lock-expired-payins',
    text: `select ${COLUMNS}
             from payins
            where organization_id = $1 and status in ('PENDING', 'PROCESSING') and expires_at <= $2
            order by expires_at
            limit $3
              for update skip locked`,
    values: [organizationId, isoInstant(now), limit],
  })
  return result.rows.map(toPayin)
}

type PayinRow = {
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
  customer: Customer | null
  callback_url: string | null
  error_code: PayinErrorCode | null
  key_type: 'SINGLE_USE' | 'QR_CODE'
  key_string: string
  qr_payload: string | null
  bank: string
  person_type: 'INDIVIDUAL' | 'BUSINESS'
  created_at: Instant
  updated_at: Instant
  expires_at: Instant
  result_at: Instant | null
  chargeback_at: Instant | null
}

function toPayin(row: PayinRow): Payin {
  const source: PayinSource =
    row.rail === 'BRE_B'
      ? { rail: 'BRE_B', keyType: row.key_type, keyString: row.key_string, qrPayload: row.qr_payload }
      : { rail: 'PSE', bank: row.bank, personType: row.person_type }
  return {
    organizationId: row.organization_id,
    payinId: row.payin_id,
    version: row.version,
    status: row.status,
    settlementStatus: row.settlement_status,
    amountInCents: row.amount_cents,
    confirmedAmountInCents: row.confirmed_amount_cents,
    currency: row.currency,
    reference: row.reference,
    paymentLinkId: row.payment_link_id,
    customer: row.customer,
    callbackUrl: row.callback_url,
    errorCode: row.error_code,
    source,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    resultAt: row.result_at,
    chargebackAt: row.chargeback_at,
  }
}
