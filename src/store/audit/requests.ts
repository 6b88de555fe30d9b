// The request log: what was asked of the API. Added in bulk, read by organization, newest first.

import type pg from 'pg'
import { instantOfId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Db } from '../db.ts'
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

// Requests that differ in nothing but these columns, such as all payins that one key creates.
export type AlikeRequests = Pick<
  LoggedRequest,
  'organizationId' | 'method' | 'path' | 'status' | 'credentialKind' | 'credentialId' | 'refusal'
> & {
  readonly logIds: string[]
  readonly durationsMs: number[]
  readonly requestIds: string[]
  readonly objectIds: (string | null)[]
}

export type RequestBatch = { readonly groups: readonly AlikeRequests[]; readonly size: number }

export type RequestCollector = RequestBatch & { readonly add: (request: LoggedRequest) => void }

// Keeps columns, not requests: what waits for a second is carried about by the garbage collector, and most requests are like the last.
export function collectRequests(requests: readonly LoggedRequest[] = []): RequestCollector {
  const groups = new Map<string, AlikeRequests>()
  let last: AlikeRequests | undefined
  let size = 0
  const groupOf = (request: LoggedRequest): AlikeRequests => {
    const { organizationId, method, path, status, credentialKind, credentialId, refusal } = request
    const shared = { organizationId, method, path, status, credentialKind, credentialId, refusal }
    const key = sharedText(shared)
    const group = groups.get(key) ?? {
      ...shared,
      logIds: [],
      durationsMs: [],
      requestIds: [],
      objectIds: [],
    }
    groups.set(key, group)
    return group
  }
  const add = (request: LoggedRequest): void => {
    last = last !== undefined && isAlike(last, request) ? last : groupOf(request)
    last.logIds.push(request.logId)
    last.durationsMs.push(request.durationMs)
    last.requestIds.push(request.requestId)
    last.objectIds.push(request.objectId)
    size += 1
  }
  requests.forEach(add)
  return {
    add,
    get groups() {
      return [...groups.values()]
    },
    get size() {
      return size
    },
  }
}

function isAlike(group: AlikeRequests, request: LoggedRequest): boolean {
  return (
    group.organizationId === request.organizationId &&
    group.credentialId === request.credentialId &&
    group.path === request.path &&
    group.status === request.status &&
    group.method === request.method &&
    group.credentialKind === request.credentialKind &&
    group.refusal === request.refusal
  )
}

// What many requests of a batch share is sent once for all of them: a row of these costs the database half of one that brings
// everything. The others come together, with what they share as JSON. All are stored, or none. A batch whose answer got lost comes
// again; to look for that each time would cost a sixth.
export async function insertRequests(
  db: Pick<Db, 'query' | 'sendTransaction'>,
  { groups }: RequestBatch,
  mayBeStored = false,
): Promise<void> {
  const alike = groups.filter(({ logIds }) => logIds.length >= ALIKE_FROM)
  const mixed = groups.filter(({ logIds }) => logIds.length < ALIKE_FROM)
  const statements = [
    ...alike.map((group) => insertAlike(group, mayBeStored)),
    ...(mixed.length > 0 ? [insertMixed(mixed, mayBeStored)] : []),
  ]
  const [only] = statements
  if (statements.length === 1 && only !== undefined) await db.query(only)
  else await db.sendTransaction(statements)
}

const ALIKE_FROM = 20

function sharedText(shared: Omit<AlikeRequests, keyof Columns>): string {
  const { organizationId, method, path, status, credentialKind, credentialId, refusal } = shared
  return JSON.stringify([organizationId, method, path, status, credentialKind, credentialId, refusal])
}

const INSERTED = `organization_id, log_id, duration_ms, request_id, object_id, method, path, status, credential_kind,
                  credential_id, refusal`

function insertAlike(group: AlikeRequests, mayBeStored: boolean): pg.QueryConfig {
  return {
    name: mayBeStored ? 'insert-alike-requests-again' : 'insert-alike-requests',
    text: `insert into request_log (${INSERTED})
           select $1::uuid, r.*, $6, $7, $8::smallint, $9, $10, $11
             from unnest($2::uuid[], $3::integer[], $4::text[], $5::uuid[]) as r
               ${mayBeStored ? 'on conflict do nothing' : ''}`,
    values: [
      group.organizationId,
      ...columnsOf(group),
      group.method,
      group.path,
      group.status,
      group.credentialKind,
      group.credentialId,
      group.refusal,
    ],
  }
}

function insertMixed(groups: readonly AlikeRequests[], mayBeStored: boolean): pg.QueryConfig {
  return {
    name: mayBeStored ? 'insert-requests-again' : 'insert-requests',
    text: `insert into request_log (${INSERTED})
           select s.organization_id, r.log_id, r.duration_ms, r.request_id, r.object_id, s.method, s.path, s.status,
                  s.credential_kind, s.credential_id, s.refusal
             from unnest($2::integer[], $3::uuid[], $4::integer[], $5::text[], $6::uuid[])
                    as r (share, log_id, duration_ms, request_id, object_id)
             join (select at - 1 as share, (of->>0)::uuid as organization_id, of->>1 as method, of->>2 as path,
                          (of->>3)::smallint as status, of->>4 as credential_kind, of->>5 as credential_id, of->>6 as refusal
                     from json_array_elements($1::json) with ordinality as shares (of, at)) s
            using (share)
               ${mayBeStored ? 'on conflict do nothing' : ''}`,
    values: [
      `[${groups.map(sharedText).join(',')}]`,
      arrayOf(groups.flatMap(({ logIds }, share) => logIds.map(() => share))),
      ...columnsOf({
        logIds: groups.flatMap(({ logIds }) => logIds),
        durationsMs: groups.flatMap(({ durationsMs }) => durationsMs),
        requestIds: groups.flatMap(({ requestIds }) => requestIds),
        objectIds: groups.flatMap(({ objectIds }) => objectIds),
      }),
    ],
  }
}

// Apart from what they share.
type Columns = Pick<AlikeRequests, 'logIds' | 'durationsMs' | 'requestIds' | 'objectIds'>

// Ids and numbers need no quotes, which would cost more than the rest. What a client calls its request hardly ever does.
function columnsOf({ logIds, durationsMs, requestIds, objectIds }: Columns): unknown[] {
  return [
    arrayOf(logIds),
    arrayOf(durationsMs),
    requestIds.every(needsNoQuotes) ? arrayOf(requestIds) : requestIds,
    arrayOf(objectIds.map((id) => id ?? 'null')),
  ]
}

function needsNoQuotes(text: string): boolean {
  return /^[\w.:-]+$/.test(text) && text.toLowerCase() !== 'null'
}

function arrayOf(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`
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
