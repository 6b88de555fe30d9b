// Payins as rows. Inserts are batched: one statement writes the payins of many requests and their idempotency records, all or
// none.

import { type Instant, isoInstant } from '../../core/instant.ts'
import { awaitsPayer, type Payin, type PayinAddress } from '../../core/payins/payin.ts'
import type { Customer } from '../../core/people/customer.ts'
import type { Sealed } from '../../core/people/sealed.ts'
import type { Queryable } from '../db.ts'
import {
  type IdempotencyRecord,
  insertRecordsOf,
  keyIsFree,
  packIdempotencyRecords,
  RECORD_COLUMNS,
  recordColumns,
} from '../idempotency.ts'
import { type InsertedPayment, IS_CONNECTED, lockedConnections } from '../locked-connections.ts'
import {
  anchoredOrganization,
  fromAnchored,
  inScope,
  isAnchored,
  scopedStatement,
} from '../scoped-statement.ts'
import { COLUMNS, type PayinRow, toPayin } from './payin-row.ts'

export type NewPayin = { payin: Payin; record: IdempotencyRecord | null }

// `inserted` is false if the reference or the idempotency key was taken, or its connection is gone. Nothing of that payin was then
// written.
export async function insertPayins(db: Queryable, batch: NewPayin[]): Promise<InsertedPayment[]> {
  const packed = await packIdempotencyRecords(db, batch)
  const result = await db.query<{ payin_id: string; is_connected: boolean }>(
    await insertPayinsStatement(
      db,
      batch.map(({ payin }) => payin.organizationId),
      [JSON.stringify(inReferenceOrder(packed).map(payinInsertRow))],
    ),
  )
  const refused = new Map(result.rows.map((row) => [row.payin_id, row.is_connected]))
  return batch.map(({ payin: { payinId } }) => ({
    inserted: !refused.has(payinId),
    ...(refused.get(payinId) === false && { isConnectionGone: true }),
  }))
}

// Two batches with the same references in different order would deadlock, so every batch is sorted.
export function inReferenceOrder(batch: readonly NewPayin[]): NewPayin[] {
  return batch.toSorted(
    (a, b) =>
      compare(a.payin.organizationId, b.payin.organizationId) ||
      compare(a.payin.reference, b.payin.reference),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

// If another transaction wrote a record after our snapshot, the last insert fails on its primary key. The batch is then run
// again one by one, and the row that lost sees the record.
const insertPayinsStatement = scopedStatement(
  'insert-payins',
  1,
  (scope) => `
  with incoming as (
    select r.*, to_timestamp(created_ms / 1000) as created_at, to_timestamp(expires_ms / 1000) as expires_at
      from json_to_recordset($1) as r (
             organization_id uuid, payin_id uuid, status text, rail text, amount_cents bigint, reference text,
             payment_link_id uuid, customer json, callback_url text, key_type text, key_string text, qr_payload text,
             bank text, person_type text, merchant_name text, return_url text, note json, connection_id uuid,
             provider text, awaits_payer boolean, created_ms float8, expires_ms float8, ${RECORD_COLUMNS})
  ), ${lockedConnections(scope)}, fresh as (
    select i.*
      from incoming i
     where ${keyIsFree(scope)} and ${IS_CONNECTED}
  ), inserted as (
    insert into payins (
             organization_id, payin_id, version, status, rail, amount_cents, currency, reference, payment_link_id,
             customer, callback_url, key_type, key_string, qr_payload, bank, person_type, created_at, updated_at,
             expires_at, rail_stage, merchant_name, return_url, note, connection_id, provider, due_at)
    select ${anchoredOrganization(scope, 'f')}, payin_id, 1, status, rail, amount_cents, 'COP', reference, payment_link_id,
           customer, callback_url, key_type, key_string, qr_payload, bank, person_type, created_at, created_at,
           expires_at, 'TO_OPEN', merchant_name, return_url, note, connection_id, provider,
           -- Nothing can be done without the payer, whom PSE must know. See setPayinCustomer and setPayinPresence.
           case when awaits_payer then expires_at else created_at end
      from ${fromAnchored(scope, 'fresh f')}
     where ${isAnchored(scope)}
        on conflict (organization_id, reference,
                     (case when payment_link_id is null then '00000000-0000-0000-0000-000000000000'::uuid else payin_id end))
        do nothing
    returning organization_id, payin_id
  ), ${insertRecordsOf('payin_id', scope)}
  -- Returns the refused rows, because there are usually none.
  select payin_id, ${IS_CONNECTED} as is_connected
    from incoming i
   where payin_id not in (select payin_id from inserted)`,
)

// Undefined fields are not sent: the database pays for each field it reads.
export function payinInsertRow({ payin, record }: NewPayin): Record<string, unknown> {
  const { source } = payin
  const breb = source.rail === 'BRE_B' ? source : undefined
  const pse = source.rail === 'PSE' ? source : undefined
  return {
    organization_id: payin.organizationId,
    payin_id: payin.payinId,
    status: payin.status,
    rail: source.rail,
    amount_cents: Number(payin.amountInCents),
    reference: payin.reference,
    payment_link_id: payin.paymentLinkId ?? undefined,
    customer: payin.customer ?? undefined,
    callback_url: payin.callbackUrl ?? undefined,
    key_type: breb?.keyType,
    key_string: breb?.keyString ?? undefined,
    qr_payload: breb?.qrPayload ?? undefined,
    bank: pse?.bank,
    person_type: pse?.personType,
    merchant_name: payin.frozenOrder.merchantName ?? undefined,
    return_url: payin.frozenOrder.returnUrl ?? undefined,
    note: payin.note ?? undefined,
    connection_id: payin.connection?.connectionId,
    provider: payin.connection?.provider,
    awaits_payer: awaitsPayer(payin) || undefined,
    created_ms: payin.createdAt,
    expires_ms: payin.expiresAt,
    ...recordColumns(record),
  }
}

// One statement serves many concurrent readers. Undefined if there is no such payin.
export async function getPayins(db: Queryable, addresses: PayinAddress[]): Promise<(Payin | undefined)[]> {
  const organizationIds = addresses.map((address) => address.organizationId)
  const result = await db.query<PayinRow>(
    await getPayinsStatement(db, organizationIds, [
      organizationIds,
      addresses.map((address) => address.payinId),
    ]),
  )
  const found = new Map(result.rows.map((row) => [row.organization_id + row.payin_id, toPayin(row)]))
  return addresses.map((address) => found.get((address.organizationId + address.payinId).toLowerCase()))
}

const getPayinsStatement = scopedStatement(
  'get-payins',
  2,
  (scope) => `
  select ${COLUMNS}
    from payins
   where (organization_id, payin_id) in (select * from unnest($1::uuid[], $2::uuid[])) ${inScope(scope, 'payins')}`,
)

export async function getPayinByReference(
  db: Queryable,
  organizationId: string,
  reference: string,
): Promise<Payin | undefined> {
  const result = await db.query<PayinRow>({
    name: 'get-payin-by-reference',
    text: `select ${COLUMNS} from payins where organization_id = $1 and reference = $2 and payment_link_id is null`,
    values: [organizationId, reference],
  })
  return result.rows[0] && toPayin(result.rows[0])
}

// `wasClaimed`: a worker has it, or had it and died.
export async function lockPayin(
  tx: Queryable,
  address: PayinAddress,
): Promise<{ payin: Payin; wasClaimed: boolean } | undefined> {
  const result = await tx.query<PayinRow & { was_claimed: boolean }>({
    name: 'lock-payin',
    text: `select ${COLUMNS}, lease_token is not null as was_claimed
             from payins
            where organization_id = $1 and payin_id = $2
              for update`,
    values: [address.organizationId, address.payinId],
  })
  const row = result.rows[0]
  return row && { payin: toPayin(row), wasClaimed: row.was_claimed }
}

// Makes a payin due now, unless a worker holds its lease.
export async function makePayinDue(db: Queryable, address: PayinAddress, now: Instant): Promise<void> {
  await db.query({
    name: 'wake-payin',
    text: `update payins
              set due_at = $3
            where organization_id = $1 and payin_id = $2 and status in ('PENDING', 'PROCESSING') and lease_token is null`,
    values: [address.organizationId, address.payinId, isoInstant(now)],
  })
}

// Sets the payer of a PSE payin once, and makes it due: the network can have it now. A worker that read the payin without
// its payer loses its lease, so that it cannot put the payin to rest again.
export async function setPayinCustomer(
  db: Queryable,
  address: PayinAddress,
  customer: Customer | Sealed,
  now: Instant,
): Promise<void> {
  await db.query({
    name: 'set-payin-customer',
    text: `update payins
              set customer = $3, due_at = $4, lease_token = null
            where organization_id = $1 and payin_id = $2 and customer is null
              and rail = 'PSE' and rail_stage = 'TO_OPEN' and status = 'PENDING'`,
    values: [address.organizationId, address.payinId, JSON.stringify(customer), isoInstant(now)],
  })
}

export type StoredPresence = {
  // Of a payin that has no payer yet.
  readonly customer: Sealed | null
  readonly acceptedTerms: readonly string[]
  readonly device: Sealed
}

// The payer was on our page: once, and the payin is due as above. False if somebody was there before, or if the network has the payin.
export async function setPayinPresence(
  db: Queryable,
  address: PayinAddress,
  { customer, acceptedTerms, device }: StoredPresence,
  now: Instant,
): Promise<boolean> {
  const result = await db.query({
    name: 'set-payin-presence',
    text: `update payins
              set customer = coalesce(customer, $3), accepted_terms = $4, payer_device = $5, due_at = $6, lease_token = null
            where organization_id = $1 and payin_id = $2 and accepted_terms is null
              and rail = 'PSE' and rail_stage = 'TO_OPEN' and status = 'PENDING'`,
    values: [
      address.organizationId,
      address.payinId,
      customer && JSON.stringify(customer),
      acceptedTerms,
      JSON.stringify(device),
      isoInstant(now),
    ],
  })
  return result.rowCount === 1
}

// What the payer did on our page no longer counts, and the payin waits for the payer again, at most until its expiry. Under the lease
// of the worker that learned why.
export async function withdrawPresence(
  db: Queryable,
  { payin, leaseToken }: PayinClaim,
  why: string,
  now: Instant,
): Promise<boolean> {
  const result = await db.query({
    name: 'withdraw-payin-presence',
    text: `update payins
              set accepted_terms = null, payer_device = null, network_code = $4, attempts = attempts + 1, due_at = expires_at,
                  updated_at = $5, lease_token = null
            where organization_id = $1 and payin_id = $2 and lease_token = $3
              and rail_stage = 'TO_OPEN' and status = 'PENDING'`,
    values: [payin.organizationId, payin.payinId, leaseToken, why, isoInstant(now)],
  })
  return result.rowCount === 1
}

export type PayinClaim = { payin: Payin; leaseToken: string }

// Second step: claims due payins of one organization and skips those that another worker is claiming. They are ours until the
// lease ends. The next worker then has another token, and ours writes nothing any more.
export async function claimDuePayins(
  db: Queryable,
  organizationId: string,
  now: Instant,
  lease: { token: string; until: Instant },
  limit: number,
): Promise<PayinClaim[]> {
  const result = await db.query<PayinRow>({
    name: 'claim-due-payins',
    // The array is built once. A plain subquery may run again for every row, and then its limit has no effect.
    text: `update payins
              set due_at = $3, lease_token = $4
            where organization_id = $1
              and payin_id = any(array(select payin_id
                                         from payins
                                        where organization_id = $1 and due_at <= $2
                                        order by due_at
                                        limit $5
                                          for update skip locked))
        returning ${COLUMNS}`,
    values: [organizationId, isoInstant(now), isoInstant(lease.until), lease.token, limit],
  })
  return result.rows.map((row) => ({ payin: toPayin(row), leaseToken: lease.token }))
}
