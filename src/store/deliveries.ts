// Deliveries: one event for one endpoint. A due delivery is claimed under a lease, sent outside any transaction, and what
// came of it is written for many at once.

import type { AttemptResult, DeliveryState } from '../core/delivery.ts'
import type { Instant } from '../core/instant.ts'
import { isoInstant, isoOrNull } from '../core/instant.ts'
import type { Queryable } from './db.ts'
import type { StoredEvent } from './events.ts'

export type EndpointAddress = { organizationId: string; endpointId: string }

export async function endpointsWithDueDeliveries(db: Queryable, now: Instant): Promise<EndpointAddress[]> {
  const result = await db.query<EndpointAddress>({
    name: 'endpoints-with-due-deliveries',
    text: `select w.organization_id as "organizationId", w.endpoint_id as "endpointId"
             from webhook_endpoints w
            where w.state = 'ENABLED'
              and exists (select 1
                            from deliveries d
                           where d.organization_id = w.organization_id
                             and d.endpoint_id = w.endpoint_id
                             and d.due_at <= $1)`,
    values: [isoInstant(now)],
  })
  return result.rows
}

export type ClaimedDelivery = { event: StoredEvent; attempts: number; scheduleFrom: number }

export async function claimDueDeliveries(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  now: Instant,
  lease: { token: string; until: Instant },
  limit: number,
): Promise<ClaimedDelivery[]> {
  const result = await db.query<ClaimedRow>({
    name: 'claim-due-deliveries',
    text: `with claimed as (
             update deliveries
                set due_at = $4, lease_token = $5
              where organization_id = $1
                and endpoint_id = $2
                and event_id = any(array(select event_id
                                           from deliveries
                                          where organization_id = $1 and endpoint_id = $2 and due_at <= $3
                                          order by due_at
                                          limit $6
                                            for update skip locked))
          returning event_id, attempts, schedule_from
           )
           select e.organization_id, e.event_id, e.sequence, e.type, e.resource, e.object_id, e.version, e.data, e.created_at,
                  c.attempts, c.schedule_from
             from claimed c
             join events e on e.organization_id = $1 and e.event_id = c.event_id
            order by e.sequence`,
    values: [organizationId, endpointId, isoInstant(now), isoInstant(lease.until), lease.token, limit],
  })
  return result.rows.map((row) => ({
    event: {
      organizationId: row.organization_id,
      eventId: row.event_id,
      sequence: Number(row.sequence),
      type: row.type,
      resource: row.resource,
      objectId: row.object_id,
      version: row.version,
      data: row.data,
      createdAt: row.created_at,
    },
    attempts: row.attempts,
    scheduleFrom: row.schedule_from,
  }))
}

type ClaimedRow = {
  organization_id: string
  event_id: string
  sequence: bigint
  type: string
  resource: StoredEvent['resource']
  object_id: string
  version: number
  data: string
  created_at: Instant
  attempts: number
  schedule_from: number
}

export type AttemptRecord = EndpointAddress & {
  eventId: string
  attemptId: string
  leaseToken: string
  number: number
  at: Instant
  result: AttemptResult
  state: DeliveryState
  dueAt: Instant | null
}

// The attempt is written down whether or not the lease still holds: it was made. The delivery moves only under the lease.
export async function recordAttempts(db: Queryable, records: AttemptRecord[]): Promise<void> {
  await db.query({
    name: 'record-attempts',
    text: RECORD_ATTEMPTS,
    values: [JSON.stringify(records.map(attemptRow))],
  })
}

const RECORD_ATTEMPTS = `
  with incoming as (
    select *
      from json_to_recordset($1) as r (
             organization_id uuid, endpoint_id uuid, event_id uuid, attempt_id uuid, lease_token uuid, number integer,
             at timestamptz, status integer, latency_ms integer, failure text, response text, state text, due_at timestamptz)
  ), attempted as (
    insert into delivery_attempts (organization_id, attempt_id, endpoint_id, event_id, number, at, status, latency_ms,
                                   failure, response, next_at)
    select organization_id, attempt_id, endpoint_id, event_id, number, at, status, latency_ms, failure, response, due_at
      from incoming
  )
  update deliveries d
     set state = i.state, attempts = i.number, due_at = i.due_at, lease_token = null,
         delivered_at = case when i.state = 'DELIVERED' then i.at end
    from incoming i
   where d.organization_id = i.organization_id
     and d.endpoint_id = i.endpoint_id
     and d.event_id = i.event_id
     and d.lease_token = i.lease_token`

function attemptRow({ result, ...record }: AttemptRecord): Record<string, unknown> {
  return {
    organization_id: record.organizationId,
    endpoint_id: record.endpointId,
    event_id: record.eventId,
    attempt_id: record.attemptId,
    lease_token: record.leaseToken,
    number: record.number,
    at: isoInstant(record.at),
    status: result.status,
    latency_ms: Math.round(result.latencyMs),
    failure: result.failure,
    // PostgreSQL keeps no NUL in text.
    response: result.response.replaceAll('\0', '\uFFFD'),
    state: record.state,
    due_at: isoOrNull(record.dueAt),
  }
}

// Puts claimed deliveries back without an attempt: their endpoint is resting.
export async function releaseDeliveries(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  eventIds: string[],
  leaseToken: string,
  dueAt: Instant,
): Promise<void> {
  await db.query({
    name: 'release-deliveries',
    text: `update deliveries
              set due_at = $5, lease_token = null
            where organization_id = $1 and endpoint_id = $2 and event_id = any($3::uuid[]) and lease_token = $4`,
    values: [organizationId, endpointId, eventIds, leaseToken, isoInstant(dueAt)],
  })
}

// Sends an event again by hand, to one endpoint or to all that want it: its tries begin anew.
export async function redeliver(
  db: Queryable,
  organizationId: string,
  eventId: string,
  endpointIds: string[],
  sequence: number,
  now: Instant,
): Promise<void> {
  await db.query({
    text: `insert into deliveries as d (organization_id, endpoint_id, event_id, sequence, state, attempts, schedule_from,
                                        due_at, created_at)
           select $1, endpoint_id, $2, $4, 'PENDING', 0, 0, $5, $5
             from unnest($3::uuid[]) as endpoint_id
               on conflict (organization_id, endpoint_id, event_id) do update
              set state = 'PENDING', due_at = $5, schedule_from = d.attempts, lease_token = null`,
    values: [organizationId, eventId, endpointIds, sequence, isoInstant(now)],
  })
}

// Sends again what an endpoint has missed since a time: events it wants that have no delivery or whose delivery failed.
// What was delivered, or is being tried, is passed over. Looks at `limit` events after one, and says where it stopped.
export async function recoverDeliveries(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  types: readonly string[],
  since: Instant,
  afterEventId: string,
  limit: number,
  now: Instant,
): Promise<{ scheduled: number; lastEventId: string | undefined }> {
  const result = await db.query<{ scheduled: bigint; last_event_id: string | null }>({
    text: `with span as (
             select event_id, sequence, type, created_at
               from events
              where organization_id = $1 and event_id > $5 and sequence is not null
              order by event_id
              limit $6
           ), missed as (
             insert into deliveries as d (organization_id, endpoint_id, event_id, sequence, state, attempts, schedule_from,
                                          due_at, created_at)
             select $1, $2, event_id, sequence, 'PENDING', 0, 0, $7, $7
               from span
              where created_at >= $4 and type = any($3)
                 on conflict (organization_id, endpoint_id, event_id) do update
                set state = 'PENDING', due_at = $7, schedule_from = d.attempts, lease_token = null
              where d.state = 'FAILED'
          returning event_id
           )
           select (select count(*) from missed) as scheduled,
                  (select event_id from span order by event_id desc limit 1) as last_event_id`,
    values: [organizationId, endpointId, types, isoInstant(since), afterEventId, limit, isoInstant(now)],
  })
  const row = result.rows[0]
  return { scheduled: Number(row?.scheduled ?? 0), lastEventId: row?.last_event_id ?? undefined }
}

// The tries of an endpoint that is no more are over, some at a time. Answers how many there were.
export async function stopDeliveries(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  limit: number,
): Promise<number> {
  const result = await db.query({
    // As an array: each is then found by its key, however wrong the planner is about how many there are.
    text: `update deliveries
              set state = 'FAILED', due_at = null, lease_token = null
            where organization_id = $1
              and endpoint_id = $2
              and event_id = any(array(select event_id
                                         from deliveries
                                        where organization_id = $1 and endpoint_id = $2 and due_at is not null
                                        order by due_at
                                        limit $3
                                          for update))`,
    values: [organizationId, endpointId, limit],
  })
  return result.rowCount ?? 0
}
