// Batches of payouts as rows. Whoever changes one has its lock.

import type { NewEvent } from '../../core/events/event.ts'
import { type Instant, isoInstant, isoOrNull } from '../../core/instant.ts'
import type { BatchStatus, PayoutBatch } from '../../core/payout-batches/batch.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, listOf } from '../keyset-list.ts'

const BATCH_COLUMNS = `organization_id as "organizationId", batch_id as "batchId", version, status, file_name as "fileName",
  file_digest as "fileDigest", credential_id as "credentialId", payouts_per_day as "payoutsPerDay",
  payout_sum_per_day as "payoutSumPerDay", retry_of as "retryOf", written_by as "writtenBy", reserved_cents as "reservedInCents",
  reserved_deposit_cents as "reservedDepositInCents", reserved_fees_cents as "reservedFeesInCents", created_at as "createdAt", updated_at as "updatedAt",
  submitted_at as "submittedAt", completed_at as "completedAt"`

export async function insertBatch(tx: Queryable, batch: PayoutBatch, dueAt: Instant): Promise<void> {
  await tx.query({
    name: 'insert-payout-batch',
    text: `insert into payout_batches (organization_id, batch_id, version, status, file_name, file_digest, credential_id,
                                       payouts_per_day, payout_sum_per_day, retry_of, created_at, updated_at, due_at,
                                       written_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    values: [
      batch.organizationId,
      batch.batchId,
      batch.version,
      batch.status,
      batch.fileName,
      batch.fileDigest,
      batch.credentialId,
      batch.payoutsPerDay,
      batch.payoutSumPerDay,
      batch.retryOf,
      isoInstant(batch.createdAt),
      isoInstant(batch.updatedAt),
      isoInstant(dueAt),
      batch.writtenBy,
    ],
  })
}

export async function getBatch(
  db: Queryable,
  organizationId: string,
  batchId: string,
): Promise<PayoutBatch | undefined> {
  const result = await db.query<PayoutBatch>({
    name: 'get-payout-batch',
    text: `select ${BATCH_COLUMNS} from payout_batches where organization_id = $1 and batch_id = $2`,
    values: [organizationId, batchId],
  })
  return result.rows[0]
}

export async function lockBatch(
  tx: Queryable,
  organizationId: string,
  batchId: string,
): Promise<PayoutBatch | undefined> {
  const result = await tx.query<PayoutBatch>({
    name: 'lock-payout-batch',
    text: `select ${BATCH_COLUMNS} from payout_batches where organization_id = $1 and batch_id = $2 for update`,
    values: [organizationId, batchId],
  })
  return result.rows[0]
}

// Writes a batch that the caller has locked, with when it is due next and the event that tells of it. Whoever had a lease loses it.
export async function updateBatch(
  tx: Queryable,
  batch: PayoutBatch,
  dueAt: Instant | null,
  event: NewEvent | null = null,
): Promise<void> {
  await tx.query({
    name: 'update-payout-batch',
    text: `with updated as (
             update payout_batches
                set version = $3, status = $4, credential_id = $5, payouts_per_day = $6, payout_sum_per_day = $7,
                    reserved_cents = $8, reserved_deposit_cents = $9, updated_at = $10, submitted_at = $11,
                    completed_at = $12, due_at = $13, written_by = $15, reserved_fees_cents = $16, lease_token = null
              where organization_id = $1 and batch_id = $2
          returning organization_id, batch_id
           ), emitted as (
             insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
             select u.organization_id, e.event_id, e.type, 'payoutbatch', u.batch_id, e.version, e.data, e.created_at
               from updated u
              cross join json_to_recordset($14) as e (event_id uuid, type text, version integer, data text,
                                                      created_at timestamptz)
           )
           select 1 from updated`,
    values: [
      batch.organizationId,
      batch.batchId,
      batch.version,
      batch.status,
      batch.credentialId,
      batch.payoutsPerDay,
      batch.payoutSumPerDay,
      batch.reservedInCents,
      batch.reservedDepositInCents,
      isoInstant(batch.updatedAt),
      isoOrNull(batch.submittedAt),
      isoOrNull(batch.completedAt),
      isoOrNull(dueAt),
      JSON.stringify(event === null ? [] : [eventRow(event)]),
      batch.writtenBy,
      batch.reservedFeesInCents,
    ],
  })
}

function eventRow({ eventId, type, version, data, createdAt }: NewEvent): Record<string, unknown> {
  return { event_id: eventId, type, version, data, created_at: isoInstant(createdAt) }
}

export type BatchClaim = { readonly batch: PayoutBatch; readonly leaseToken: string }

// Skips batches that another worker is claiming.
export async function claimDueBatches(
  db: Queryable,
  organizationId: string,
  now: Instant,
  lease: { token: string; until: Instant },
  limit: number,
): Promise<BatchClaim[]> {
  const result = await db.query<PayoutBatch>({
    name: 'claim-due-payout-batches',
    text: `update payout_batches
              set due_at = $3, lease_token = $4
            where organization_id = $1
              and batch_id = any(array(select batch_id
                                         from payout_batches
                                        where organization_id = $1 and due_at <= $2
                                        order by due_at
                                        limit $5
                                          for update skip locked))
        returning ${BATCH_COLUMNS}`,
    values: [organizationId, isoInstant(now), isoInstant(lease.until), lease.token, limit],
  })
  return result.rows.map((batch) => ({ batch, leaseToken: lease.token }))
}

// The lease goes on, while the work does. False if it is another's.
export async function keepBatchLease(
  db: Queryable,
  { batch, leaseToken }: BatchClaim,
  until: Instant,
): Promise<boolean> {
  const result = await db.query({
    name: 'keep-payout-batch-lease',
    text: `update payout_batches
              set due_at = $4
            where organization_id = $1 and batch_id = $2 and lease_token = $3`,
    values: [batch.organizationId, batch.batchId, leaseToken, isoInstant(until)],
  })
  return result.rowCount === 1
}

// The newest batch of the same file since an id, unless it was canceled.
export async function findBatchOfFile(
  db: Queryable,
  organizationId: string,
  fileDigest: Buffer,
  sinceId: string,
): Promise<string | undefined> {
  const result = await db.query<{ batch_id: string }>({
    name: 'find-payout-batch-of-file',
    text: `select batch_id
             from payout_batches
            where organization_id = $1 and file_digest = $2 and batch_id >= $3 and status <> 'CANCELED'
            order by batch_id desc
            limit 1`,
    values: [organizationId, fileDigest, sinceId],
  })
  return result.rows[0]?.batch_id
}

export type BatchFilters = IdBounds & { status?: BatchStatus }

export const batchList = listOf<BatchFilters, PayoutBatch, PayoutBatch>({
  table: 'payout_batches',
  idColumn: 'batch_id',
  columns: BATCH_COLUMNS,
  cases: ({ status }) => [{ key: status === undefined ? [] : [['status', status]] }],
  read: (batch) => batch,
})
