// The request log: what was asked of the API. Added in bulk, read by organization, newest first.

import type pg from 'pg'
import { instantOfId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Db, Queryable } from '../db.ts'
import { type IdBounds, type ListCase, type ListCondition, listOf } from '../keyset-list.ts'
import { queryWithLastingPlan } from '../lasting-plan.ts'

export type LoggedRequest = {
  readonly organizationId: string
  // Holds the time. What created something has the id of that, so that it is found without an index.
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

// What many requests of a batch share travels once, as JSON. The rest travels as one text for each column, with a line for each row,
// which costs the database less: no value has more than one line, and an empty one is null. A batch whose answer got lost comes again; to look
// for that each time would cost a sixth.
export async function insertRequests(
  db: Queryable,
  requests: readonly LoggedRequest[],
  mayBeStored = false,
): Promise<void> {
  const shared = new Map<string, number>()
  const shareOf = (request: LoggedRequest): number => {
    const { organizationId, method, path, status, credentialKind, credentialId, refusal } = request
    const text = JSON.stringify([organizationId, method, path, status, credentialKind, credentialId, refusal])
    const known = shared.get(text)
    if (known !== undefined) return known
    shared.set(text, shared.size)
    return shared.size - 1
  }
  const column = (read: (request: LoggedRequest) => string | number | null): string =>
    requests.map((request) => read(request) ?? '').join('\n')
  const shares = column(shareOf)
  await db.query({
    name: mayBeStored ? 'insert-requests-again' : 'insert-requests',
    text: `insert into request_log (organization_id, log_id, method, path, status, duration_ms, credential_kind, credential_id,
                                    request_id, object_id, refusal)
           select s.organization_id, r.log_id::uuid, s.method, s.path, s.status, r.duration_ms::integer, s.credential_kind,
                  s.credential_id, r.request_id, nullif(r.object_id, '')::uuid, s.refusal
             from unnest(string_to_array($2, E'\\n'), string_to_array($3, E'\\n'), string_to_array($4, E'\\n'),
                         string_to_array($5, E'\\n'), string_to_array($6, E'\\n'))
                    as r (share, log_id, duration_ms, request_id, object_id)
             join (select at - 1 as share, (of->>0)::uuid as organization_id, of->>1 as method, of->>2 as path,
                          (of->>3)::smallint as status, of->>4 as credential_kind, of->>5 as credential_id, of->>6 as refusal
                     from json_array_elements($1::json) with ordinality as shares (of, at)) s
               on s.share = r.share::integer
               ${mayBeStored ? 'on conflict do nothing' : ''}`,
    values: [
      `[${[...shared.keys()].join(',')}]`,
      shares,
      column(({ logId }) => logId),
      column(({ durationMs }) => durationMs),
      column(({ requestId }) => requestId),
      column(({ objectId }) => objectId),
    ],
  })
}

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
  cases,
  read: (row) => row,
})

// What leaves the fewest rows decides which index is read, and the rest is asked for in a form that fits none. Whatever is not
// created by a POST is rare.
function cases({ status, method, objectId, credentialId }: RequestFilters): ListCase[] {
  const also = { credential_id: credentialId, status, method } as const
  const but = (column?: keyof typeof also): ListCondition[] =>
    Object.entries(also)
      .filter(([name]) => name !== column)
      .map(([name, value]) => [`coalesce(${name}, ${name === 'status' ? 0 : `''`})`, value])
  if (objectId !== undefined)
    return [
      { also: [['log_id', objectId], ...but()] },
      { key: [['object_id', objectId]], indexed: 'object_id <> log_id', also: but() },
    ]
  if (status !== undefined && status !== 201)
    return [{ key: [['status', status]], indexed: 'status <> 201', also: but('status') }]
  if (method !== undefined && method !== 'POST')
    return [{ key: [['method', method]], indexed: `method <> 'POST'`, also: but('method') }]
  if (credentialId !== undefined)
    return [{ key: [['credential_id', credentialId]], also: but('credential_id') }]
  return [{ also: but() }]
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
             from (select * from request_log where organization_id = $1 and log_id = $2
                   union all
                   (select *
                      from request_log
                     where organization_id = $1 and object_id = $2 and object_id <> log_id
                     order by log_id desc
                     limit $3)) as requests
            order by log_id desc
            limit $3`,
    values: [organizationId, objectId, limit],
  })
  return result.rows.reverse()
}
