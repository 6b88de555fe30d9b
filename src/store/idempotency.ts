// Recorded responses of requests that took effect. A record is written in the transaction of its effect, so it exists exactly
// if the effect does.

import { unpackText } from '../core/events/packed-text.ts'
import type { Instant } from '../core/instant.ts'
import { DAY_MS, isoInstant } from '../core/instant.ts'
import { type Queryable, UNIQUE_VIOLATION } from './db.ts'
import { textPacker } from './events/text-packer.ts'
import {
  anchoredOrganization,
  fromAnchored,
  inScope,
  isAnchored,
  type Scope,
  scopedStatement,
} from './scoped-statement.ts'

// A record older than this is gone, whether or not it was deleted yet: its key may be used for another request.
export const RECORD_LIFE_MS = 30 * DAY_MS

export type IdempotencyRecord = {
  key: string
  fingerprint: Buffer
  status: number
  body: string
  createdAt?: Instant
}

// The status of an answer that may still change: whoever made it waits for something that belongs in it, for a few seconds.
export const UNFINISHED_STATUS = 102

// Parts of a statement that inserts many rows with their records: the columns of `incoming`, the condition under which one
// row (`i`) is written, and the insert of the records for the rows that were `inserted`.
export const RECORD_COLUMNS =
  'idempotency_key text, fingerprint text, answer_status integer, answer_body text'

export const keyIsFree = (scope: Scope): string => `(i.idempotency_key is null
        or not exists (select 1
                         from idempotency_records r
                        where r.organization_id = ${scope === null ? 'i.organization_id' : `${scope}::uuid`}
                          and r.idempotency_key = i.idempotency_key
                        -- Forces one lookup for each row of the batch. Without it the whole table may be read.
                       offset 0))`

export const insertRecordsOf = (idColumn: string, scope: Scope): string => `remembered as (
    insert into idempotency_records (organization_id, idempotency_key, fingerprint, status, body, created_at)
    select ${anchoredOrganization(scope, 'i')}, i.idempotency_key, decode(i.fingerprint, 'hex'), i.answer_status,
           i.answer_body, i.created_at
      from ${fromAnchored(scope, `inserted join incoming i using (organization_id, ${idColumn})`)}
     where i.idempotency_key is not null and ${isAnchored(scope)}
  )`

export function recordColumns(record: IdempotencyRecord | null): Record<string, unknown> {
  return record === null
    ? {}
    : {
        idempotency_key: record.key,
        fingerprint: record.fingerprint.toString('hex'),
        answer_status: record.status,
        answer_body: record.body,
      }
}

// As their bodies are stored.
export async function packIdempotencyRecords<One extends { record: IdempotencyRecord | null }>(
  db: Queryable,
  batch: readonly One[],
): Promise<readonly One[]> {
  // Most requests carry no key.
  if (batch.every(({ record }) => record === null)) return batch
  const pack = await textPacker(db)
  return batch.map((one) =>
    one.record === null ? one : { ...one, record: { ...one.record, body: pack(one.record.body) } },
  )
}

export type RecordAddress = { organizationId: string; key: string }

export async function getRecords(
  db: Queryable,
  addresses: RecordAddress[],
  now: Instant,
): Promise<(IdempotencyRecord | undefined)[]> {
  const organizationIds = addresses.map((address) => address.organizationId)
  const result = await db.query<RecordRow>(
    await getRecordsStatement(db, organizationIds, [
      organizationIds,
      addresses.map((address) => address.key),
      expiredAt(now),
    ]),
  )
  const found = new Map(result.rows.map((row) => [`${row.organization_id} ${row.idempotency_key}`, row]))
  return addresses.map((address) => {
    const row = found.get(`${address.organizationId} ${address.key}`)
    return (
      row && {
        key: row.idempotency_key,
        fingerprint: row.fingerprint,
        status: row.status,
        body: unpackText(row.body),
        createdAt: row.created_at,
      }
    )
  })
}

const getRecordsStatement = scopedStatement(
  'get-idempotency-records',
  3,
  (scope) => `
  select organization_id, idempotency_key, fingerprint, status, body, created_at
    from idempotency_records r
   where (organization_id, idempotency_key) in (select * from unnest($1::uuid[], $2::text[]))
     and created_at > $3 ${inScope(scope, 'r')}`,
)

type RecordRow = {
  organization_id: string
  idempotency_key: string
  fingerprint: Buffer
  status: number
  body: string
  created_at: Instant
}

function expiredAt(now: Instant): string {
  return isoInstant(now - RECORD_LIFE_MS)
}

// Fails as on a duplicate key if another request with the same key was first. The whole transaction must then roll back.
// A record that has expired is replaced.
export async function insertRecord(
  tx: Queryable,
  organizationId: string,
  record: IdempotencyRecord,
  now: Instant,
): Promise<void> {
  const pack = await textPacker(tx)
  const result = await tx.query({
    name: 'insert-idempotency-record',
    text: `insert into idempotency_records as r (organization_id, idempotency_key, fingerprint, status, body, created_at)
           values ($1, $2, $3, $4, $5, $6)
               on conflict (organization_id, idempotency_key) do update
              set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
                  created_at = excluded.created_at
            where r.created_at <= $7`,
    values: [
      organizationId,
      record.key,
      record.fingerprint,
      record.status,
      pack(record.body),
      isoInstant(now),
      expiredAt(now),
    ],
  })
  if (result.rowCount === 1) return
  throw Object.assign(new Error('the idempotency key was used'), { code: UNIQUE_VIOLATION })
}

// Frees the key of a record that has expired. False if there is none.
export async function deleteExpiredRecord(
  db: Queryable,
  { organizationId, key }: RecordAddress,
  now: Instant,
): Promise<boolean> {
  const result = await db.query({
    name: 'delete-expired-idempotency-record',
    text: `delete from idempotency_records
            where organization_id = $1 and idempotency_key = $2 and created_at <= $3`,
    values: [organizationId, key, expiredAt(now)],
  })
  return result.rowCount === 1
}

// Ends an answer that was unfinished. One that was finished stays as it is: it may have been sent.
export async function finishRecord(
  db: Queryable,
  organizationId: string,
  record: Pick<IdempotencyRecord, 'key' | 'status' | 'body'>,
): Promise<void> {
  const pack = await textPacker(db)
  await db.query({
    text: `update idempotency_records
              set status = $3, body = $4
            where organization_id = $1 and idempotency_key = $2 and status = ${UNFINISHED_STATUS}`,
    values: [organizationId, record.key, record.status, pack(record.body)],
  })
}
