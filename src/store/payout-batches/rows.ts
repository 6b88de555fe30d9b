// The rows of batches. They are written under the lock of their batch.

import type {
  BatchResults,
  BatchRow,
  BatchTotals,
  KeyCheck,
  RowState,
} from '../../core/payout-batches/batch.ts'
import { isError } from '../../core/payout-batches/row.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, listOf } from '../keyset-list.ts'

const ROW_COLUMNS = `organization_id as "organizationId", row_id as "rowId", batch_id as "batchId", row_number as "rowNumber", version,
  state, customer as person, amount_cents as "amountInCents", key_digest as "keyDigest", key_from_book as "isKeyFromBook",
  key_check as "keyCheck", problems, duplicate_of as "duplicateOf", payout_id as "payoutId", refusal`

export async function insertBatchRows(tx: Queryable, rows: readonly BatchRow[]): Promise<void> {
  await tx.query({
    name: 'insert-payout-batch-rows',
    text: `insert into payout_batch_rows (organization_id, row_id, batch_id, row_number, version, state, customer, amount_cents,
                                          key_digest, key_from_book, key_check, problems, has_errors, has_warnings,
                                          duplicate_of)
           select organization_id, row_id, batch_id, row_number, version, state, customer, amount_cents,
                  decode(key_digest, 'hex'), key_from_book, key_check, problems, has_errors, has_warnings, duplicate_of
             from json_to_recordset($1) as r (${WRITTEN_COLUMNS})`,
    values: [JSON.stringify(rows.map(writtenRow))],
  })
}

const WRITTEN_COLUMNS = `organization_id uuid, row_id uuid, batch_id uuid, row_number integer, version integer, state text,
  customer json, amount_cents bigint, key_digest text, key_from_book boolean, key_check text, problems json,
  has_errors boolean, has_warnings boolean, duplicate_of integer, payout_id uuid, refusal text`

function writtenRow(row: BatchRow): Record<string, unknown> {
  return {
    organization_id: row.organizationId,
    row_id: row.rowId,
    batch_id: row.batchId,
    row_number: row.rowNumber,
    version: row.version,
    state: row.state,
    customer: row.person,
    amount_cents: row.amountInCents === null ? null : Number(row.amountInCents),
    key_digest: row.keyDigest?.toString('hex'),
    key_from_book: row.isKeyFromBook,
    key_check: row.keyCheck,
    problems: row.problems,
    has_errors: row.problems.some(isError),
    has_warnings: row.problems.some((problem) => !isError(problem)),
    duplicate_of: row.duplicateOf,
    payout_id: row.payoutId,
    refusal: row.refusal,
  }
}

// Returns how many were written: a row whose person was erased since it was read has another version, and stays so.
export async function updateBatchRows(tx: Queryable, rows: readonly BatchRow[]): Promise<number> {
  const result = await tx.query({
    name: 'update-payout-batch-rows',
    text: `update payout_batch_rows b
              set version = b.version + 1, state = r.state, customer = r.customer, amount_cents = r.amount_cents,
                  key_digest = decode(r.key_digest, 'hex'), key_from_book = r.key_from_book, key_check = r.key_check,
                  problems = r.problems, has_errors = r.has_errors, has_warnings = r.has_warnings,
                  payout_id = r.payout_id, refusal = r.refusal
             from json_to_recordset($1) as r (${WRITTEN_COLUMNS})
            where b.organization_id = $2 and b.organization_id = r.organization_id and b.row_id = r.row_id
              and b.version = r.version`,
    values: [JSON.stringify(rows.map(writtenRow)), rows[0]?.organizationId],
  })
  return result.rowCount ?? 0
}

// Which rows repeat the key and the amount of an earlier one.
export async function markDuplicateRows(
  tx: Queryable,
  organizationId: string,
  batchId: string,
): Promise<void> {
  await tx.query({
    name: 'mark-duplicate-payout-batch-rows',
    // Those that change are few, and found first: a plan that joins all rows with all takes seconds.
    text: `with judged as materialized (
             select row_id, duplicate_of as known,
                    case when state = 'DRAFT' and key_digest is not null and amount_cents is not null
                         then nullif(min(row_number) over (partition by state, key_digest, amount_cents), row_number)
                    end as found
               from payout_batch_rows
              where organization_id = $1 and batch_id = $2
           ), changed as materialized (
             select row_id, found from judged where found is distinct from known
           )
           update payout_batch_rows b
              set duplicate_of = c.found
             from changed c
            where b.organization_id = $1 and b.row_id = c.row_id`,
    values: [organizationId, batchId],
  })
}

export type Paying = { readonly keyDigest: Buffer; readonly amountInCents: bigint }

// Rows of other batches that are to become payouts with one of these keys and amounts, one for each.
export async function findQueuedRows(
  db: Queryable,
  organizationId: string,
  exceptBatchId: string,
  paying: readonly Paying[],
): Promise<(Paying & { readonly batchId: string })[]> {
  const pairs = paying.map(({ keyDigest, amountInCents }) => ({
    key_digest: keyDigest.toString('hex'),
    amount_cents: Number(amountInCents),
  }))
  const result = await db.query<Paying & { batchId: string }>({
    name: 'find-queued-payout-batch-rows',
    text: `select distinct on (b.key_digest, b.amount_cents)
                  b.key_digest as "keyDigest", b.amount_cents as "amountInCents", b.batch_id as "batchId"
             from json_to_recordset($3) as r (key_digest text, amount_cents bigint)
             join payout_batch_rows b
               on b.organization_id = $1 and b.state = 'QUEUED' and b.batch_id <> $2
              and b.key_digest = decode(r.key_digest, 'hex') and b.amount_cents = r.amount_cents
            order by b.key_digest, b.amount_cents, b.batch_id`,
    values: [organizationId, exceptBatchId, JSON.stringify(pairs)],
  })
  return result.rows
}

// Rows that the caller works on, in the order of the file.
export async function listBatchRows(
  db: Queryable,
  organizationId: string,
  batchId: string,
  only: { state: RowState; keyCheck?: KeyCheck },
  limit: number,
): Promise<BatchRow[]> {
  const result = await db.query<BatchRow>({
    name: 'list-payout-batch-rows',
    text: `select ${ROW_COLUMNS}
             from payout_batch_rows
            where organization_id = $1 and batch_id = $2 and state = $3 and ($4::text is null or key_check = $4)
            order by row_number
            limit $5`,
    values: [organizationId, batchId, only.state, only.keyCheck ?? null, limit],
  })
  return result.rows
}

// Of those that are sent, the ones that cost most.
export async function listLargestRows(
  db: Queryable,
  organizationId: string,
  batchId: string,
  limit: number,
): Promise<BatchRow[]> {
  const result = await db.query<BatchRow>({
    name: 'list-largest-payout-batch-rows',
    text: `select ${ROW_COLUMNS}
             from payout_batch_rows
            where organization_id = $1 and batch_id = $2 and state <> 'LEFT_OUT'
            order by amount_cents desc nulls last, row_number
            limit $3`,
    values: [organizationId, batchId, limit],
  })
  return result.rows
}

// Undefined of a payout that no file asked for.
export async function keyCheckOfPayout(
  db: Queryable,
  { organizationId, payoutId }: { organizationId: string; payoutId: string },
): Promise<KeyCheck | undefined> {
  const result = await db.query<{ keyCheck: KeyCheck }>({
    name: 'key-check-of-payout',
    text: `select key_check as "keyCheck" from payout_batch_rows where organization_id = $1 and payout_id = $2`,
    values: [organizationId, payoutId],
  })
  return result.rows[0]?.keyCheck
}

export async function getBatchRow(
  db: Queryable,
  organizationId: string,
  batchId: string,
  rowNumber: number,
): Promise<BatchRow | undefined> {
  const result = await db.query<BatchRow>({
    name: 'get-payout-batch-row',
    text: `select ${ROW_COLUMNS}
             from payout_batch_rows
            where organization_id = $1 and batch_id = $2 and row_number = $3`,
    values: [organizationId, batchId, rowNumber],
  })
  return result.rows[0]
}

// Moves rows from one state to another: those with these numbers, those with errors, or all of them. Returns how many.
export async function moveBatchRows(
  tx: Queryable,
  organizationId: string,
  batchId: string,
  from: RowState,
  to: RowState,
  which: readonly number[] | 'errors' | 'all',
): Promise<number> {
  const result = await tx.query({
    name: 'move-payout-batch-rows',
    text: `update payout_batch_rows
              set state = $4, version = version + 1
            where organization_id = $1 and batch_id = $2 and state = $3
              and ($5::integer[] is null or row_number = any($5)) and (has_errors or not $6)`,
    values: [organizationId, batchId, from, to, typeof which === 'string' ? null : which, which === 'errors'],
  })
  return result.rowCount ?? 0
}

// Failed rows that no other batch tries again yet. They are marked as this one's. A payout that the network refused and then paid
// after all is STOPPED: whoever tried it again would pay twice.
export async function takeFailedRows(
  tx: Queryable,
  organizationId: string,
  batchId: string,
  retriedIn: string,
): Promise<BatchRow[]> {
  const result = await tx.query<BatchRow>({
    name: 'take-failed-payout-batch-rows',
    text: `update payout_batch_rows b
              set retried_in = $3
            where b.organization_id = $1 and b.batch_id = $2 and b.retried_in is null
              and (b.state = 'REFUSED'
                   or (b.state = 'SENT'
                       and exists (select 1
                                     from payouts p
                                    where p.organization_id = $1 and p.payout_id = b.payout_id
                                      and p.status in ('DECLINED', 'CANCELED') and p.stage <> 'STOPPED')))
        returning ${ROW_COLUMNS}`,
    values: [organizationId, batchId, retriedIn],
  })
  return result.rows.sort((a, b) => a.rowNumber - b.rowNumber)
}

export async function readBatchTotals(
  db: Queryable,
  organizationId: string,
  batchIds: readonly string[],
): Promise<Map<string, { totals: BatchTotals; results: BatchResults }>> {
  const result = await db.query<BatchTotals & BatchResults & { batchId: string }>({
    name: 'read-payout-batch-totals',
    text: `select b.batch_id as "batchId", count(*)::integer as rows,
                  count(*) filter (where b.state = 'LEFT_OUT')::integer as "leftOut",
                  count(*) filter (where b.state <> 'LEFT_OUT')::integer as "toSend",
                  coalesce(sum(b.amount_cents) filter (where b.state <> 'LEFT_OUT'), 0)::bigint as "sumInCents",
                  coalesce(max(b.amount_cents) filter (where b.state <> 'LEFT_OUT'), 0)::bigint as "largestInCents",
                  count(*) filter (where b.state = 'DRAFT' and b.has_errors)::integer as "withErrors",
                  count(*) filter (where b.state <> 'LEFT_OUT' and not b.has_errors
                                     and (b.has_warnings or b.duplicate_of is not null))::integer as "withWarnings",
                  count(*) filter (where b.state <> 'LEFT_OUT' and b.key_check = 'UNCHECKED')::integer as "keysUnchecked",
                  count(*) filter (where b.state = 'DRAFT' and b.key_check = 'PENDING')::integer as "keysPending",
                  count(*) filter (where b.state = 'QUEUED')::integer as queued,
                  count(*) filter (where p.status = 'PROCESSING')::integer as processing,
                  count(*) filter (where p.status = 'CONFIRMED')::integer as confirmed,
                  coalesce(sum(p.amount_cents) filter (where p.status = 'CONFIRMED'), 0)::bigint as "confirmedInCents",
                  count(*) filter (where b.state = 'REFUSED' or p.status in ('DECLINED', 'CANCELED'))::integer as failed
             from payout_batch_rows b
             left join payouts p on p.organization_id = $1 and p.payout_id = b.payout_id
            where b.organization_id = $1 and b.batch_id = any($2::uuid[])
            group by b.batch_id`,
    values: [organizationId, batchIds],
  })
  return new Map(
    result.rows.map(({ batchId, queued, processing, confirmed, confirmedInCents, failed, ...totals }) => [
      batchId,
      { totals, results: { queued, processing, confirmed, confirmedInCents, failed } },
    ]),
  )
}

export type BatchRowFilters = IdBounds & {
  batchId: string
  hasErrors?: true
  hasWarnings?: true
  state?: RowState
}

export const batchRowList = listOf<BatchRowFilters, BatchRow, BatchRow>({
  table: 'payout_batch_rows',
  idColumn: 'row_id',
  columns: ROW_COLUMNS,
  cases: ({ batchId, hasErrors, hasWarnings, state }) => [
    {
      key: [['batch_id', batchId]],
      // A batch has few rows.
      also: [
        ['has_errors', hasErrors],
        ['has_warnings', hasWarnings],
        ['state', state],
      ],
    },
  ],
  read: (row) => row,
})
