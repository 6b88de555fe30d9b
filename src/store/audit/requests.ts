// The request log: what was asked of the API. Added in bulk, read by organization, newest first.

import type pg from 'pg'
import { instantOfId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Db, Queryable } from '../db.ts'
import { type IdBounds, type ListCase, type ListCondition, listOf } from '../keyset-list.ts'
import { queryWithLastingPlan } from '../lasting-plan.ts'

export type LoggedRequest = {
  readonly organizationId: string
  // Holds the time at which it was answered.
  readonly logId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
  readonly credentialKind: string
  readonly credentialId: string
  readonly requestId: string
  readonly objectId: string | null
  readonly refusal: string | null
}

// Each column travels as one text with a line for each row, which costs the database a quarter less than JSON: no value has more than
// one line, and an empty one is null.
export async function insertRequests(db: Queryable, requests: readonly LoggedRequest[]): Promise<void> {
  const column = (read: (request: LoggedRequest) => string | number | null): string =>
    requests.map((request) => read(request) ?? '').join('\n')
  await db.query({
    name: 'insert-requests',
    text: `insert into request_log (organization_id, log_id, method, path, status, duration_ms, credential_kind, credential_id,
                                    request_id, object_id, refusal)
           select organization_id::uuid, log_id::uuid, method, path, status::smallint, duration_ms::integer, credential_kind,
                  credential_id, request_id, nullif(object_id, '')::uuid, nullif(refusal, '')
             from unnest(${PARAMETERS.map((parameter) => `string_to_array(${parameter}, E'\\n')`).join(', ')}) as r (
                    organization_id, log_id, method, path, status, duration_ms, credential_kind, credential_id, request_id,
                    object_id, refusal)`,
    values: [
      column(({ organizationId }) => organizationId),
      column(({ logId }) => logId),
      column(({ method }) => method),
      column(({ path }) => path),
      column(({ status }) => status),
      column(({ durationMs }) => durationMs),
      column(({ credentialKind }) => credentialKind),
      column(({ credentialId }) => credentialId),
      column(({ requestId }) => requestId),
      column(({ objectId }) => objectId),
      column(({ refusal }) => refusal),
    ],
  })
}

const PARAMETERS = Array.from({ length: 11 }, (_, at) => `$${at + 1}`)

const COLUMNS = `organization_id as "organizationId", log_id as "logId", method, path, status, duration_ms as "durationMs",
  credential_kind as "credentialKind", credential_id as "credentialId", request_id as "requestId", object_id as "objectId", refusal`

export type RequestFilters = IdBounds & {
  status?: number
  method?: string
  objectId?: string
  credentialId?: string
}

export const requestList = listOf<RequestFilters, LoggedRequest & pg.QueryResultRow, LoggedRequest>({
  table: 'request_log',
  idColumn: 'log_id',
  columns: COLUMNS,
  cases: (filters) => [caseOf(filters)],
  read: (row) => row,
})

// What leaves the fewest rows decides which index is read, and the rest is asked for in a form that fits none. Whatever is not
// created by a POST is rare.
function caseOf({ status, method, objectId, credentialId }: RequestFilters): ListCase {
  const also = { credential_id: credentialId, status, method } as const
  const but = (column?: keyof typeof also): ListCondition[] =>
    Object.entries(also)
      .filter(([name]) => name !== column)
      .map(([name, value]) => [`coalesce(${name}, ${name === 'status' ? 0 : `''`})`, value])
  if (objectId !== undefined)
    return { key: [['object_id', objectId]], indexed: 'object_id is not null', also: but() }
  if (status !== undefined && status !== 201)
    return { key: [['status', status]], indexed: 'status <> 201', also: but('status') }
  if (method !== undefined && method !== 'POST')
    return { key: [['method', method]], indexed: `method <> 'POST'`, also: but('method') }
  if (credentialId !== undefined)
    return { key: [['credential_id', credentialId]], also: but('credential_id') }
  return { also: but() }
}

export function requestedAt({ logId }: LoggedRequest): Instant {
  return instantOfId(logId)
}

// The last requests about one thing, oldest first, for the story of how it came to be as it is.
export async function requestsOfObject(
  db: Db,
  organizationId: string,
  objectId: string,
  limit: number,
): Promise<LoggedRequest[]> {
  const result = await queryWithLastingPlan<LoggedRequest>(db, {
    name: 'requests-of-object',
    text: `select ${COLUMNS}
             from request_log
            where organization_id = $1 and object_id = $2
            order by log_id desc
            limit $3`,
    values: [organizationId, objectId, limit],
  })
  return result.rows.reverse()
}
