// Deliveries: one event for one endpoint, once the first attempt was not enough (first-attempts.ts makes that one). A due
// delivery is claimed under a lease and sent outside any transaction. Results are written for many at once.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { AttemptResult, DeliveryState } from '../../core/webhooks/delivery.ts'
import type { Lease, Queryable } from '../db.ts'
import {
  DELIVERABLE_COLUMNS,
  type DeliverableEvent,
  type DeliverableRow,
  EVENT_OF,
  toDeliverable,
} from '../events/events.ts'
import {
  anchoredOrganization,
  fromAnchored,
  inScope,
  isAnchored,
  scopedStatement,
} from '../scoped-statement.ts'
import { binaryArray } from './binary-array.ts'
import { containsSql } from './first-attempt-conditions.ts'

export type EndpointAddress = { organizationId: string; endpointId: string }

export type ClaimedDelivery = {
  event: DeliverableEvent
  attempts: number
  scheduleFrom: number
  // From a first-attempt batch: it has no delivery row yet.
  isFirst: boolean
}

export async function claimDueDeliveries(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  now: Instant,
  lease: Lease,
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
          returning event_id as claimed_id, attempts, schedule_from
           )
           select ${DELIVERABLE_COLUMNS}, attempts, schedule_from as "scheduleFrom"
             from claimed
            cross join lateral (${EVENT_OF('claimed_id')}) e
            order by sequence`,
    values: [organizationId, endpointId, isoInstant(now), isoInstant(lease.until), lease.token, limit],
  })
  return result.rows.map(({ attempts, scheduleFrom, ...event }) => ({
    event: toDeliverable(event),
    attempts,
    scheduleFrom,
    isFirst: false,
  }))
}

type ClaimedRow = DeliverableRow & Pick<ClaimedDelivery, 'attempts' | 'scheduleFrom'>

export type AttemptRecord = EndpointAddress & {
  eventId: string
  sequence: number
  attemptId: string
  // Null for a delivery from a first-attempt batch.
  leaseToken: string | null
  number: number
  at: Instant
  result: AttemptResult
  state: DeliveryState
  dueAt: Instant | null
}

// Acknowledged first attempts need only the attempt row. They are sent as columns in binary form, and only the columns that
// differ: there are thousands per second, and the database would spend its time parsing them. Each endpoint is named once.
export async function recordAcknowledged(db: Queryable, records: AttemptRecord[]): Promise<void> {
  const endpoints = new Map<string, { place: number; record: AttemptRecord }>()
  const placeOf = (record: AttemptRecord): number => {
    const known = endpoints.get(record.endpointId)
    if (known !== undefined) return known.place
    const place = endpoints.size + 1
    endpoints.set(record.endpointId, { place, record })
    return place
  }
  const places = binaryArray('integer', records, placeOf)
  const named = [...endpoints.values()].map(({ record }) => record)
  const hasResponses = records.some(({ result }) => result.response !== '')
  await db.query({
    name: 'record-acknowledged',
    text: `insert into delivery_attempts (organization_id, endpoint_id, event_id, attempt_id, number, at, status, latency_ms, response)
           select ($1::uuid[])[place], ($2::uuid[])[place], event_id, attempt_id, 1, to_timestamp(at_ms / 1000), status, latency_ms,
                  coalesce(response, '')
             from unnest($3::integer[], $4::uuid[], $5::uuid[], $6::float8[], $7::integer[], $8::integer[], $9::text[])
               as r (place, event_id, attempt_id, at_ms, status, latency_ms, response)`,
    values: [
      binaryArray('uuid', named, (record) => record.organizationId),
      binaryArray('uuid', named, (record) => record.endpointId),
      places,
      binaryArray('uuid', records, (record) => record.eventId),
      binaryArray('uuid', records, (record) => record.attemptId),
      binaryArray('float8', records, (record) => record.at),
      binaryArray('integer', records, ({ result }) => result.status as number),
      binaryArray('integer', records, ({ result }) => Math.round(result.latencyMs)),
      hasResponses ? responsesOf(records) : null,
    ],
  })
}

// The attempt is recorded even if the lease is lost, because it was made. A delivery changes only under its lease. It is created
// when a first attempt was not enough.
export async function recordAttempts(db: Queryable, records: AttemptRecord[]): Promise<void> {
  await db.query(
    await RECORD_ATTEMPTS(
      db,
      records.map(({ organizationId }) => organizationId),
      [
        plainArray(records, (record) => record.organizationId),
        plainArray(records, (record) => record.endpointId),
        plainArray(records, (record) => record.eventId),
        plainArray(records, (record) => record.sequence),
        plainArray(records, (record) => record.attemptId),
        plainArray(records, (record) => record.leaseToken),
        plainArray(records, (record) => record.number),
        plainArray(records, (record) => record.at),
        plainArray(records, ({ result }) => result.status),
        plainArray(records, ({ result }) => Math.round(result.latencyMs)),
        plainArray(records, ({ result }) => result.failure),
        responsesOf(records),
        plainArray(records, (record) => record.state),
        plainArray(records, (record) => record.dueAt),
      ],
    ),
  )
}

// PostgreSQL text cannot contain NUL.
function responsesOf(records: AttemptRecord[]): string[] {
  return records.map(({ result }) => result.response.replaceAll('\0', '\uFFFD'))
}

// An array literal of our own ids, numbers or names, which need no quoting.
function plainArray(records: AttemptRecord[], of: (record: AttemptRecord) => string | number | null): string {
  return `{${records.map((record) => of(record) ?? 'NULL').join(',')}}`
}

const RECORD_ATTEMPTS = scopedStatement(
  'record-attempts',
  14,
  (scope) => `
  with incoming as (
    select r.*, to_timestamp(at_ms / 1000) as at, to_timestamp(due_ms / 1000) as due_at
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::uuid[], $6::uuid[], $7::integer[], $8::float8[],
                  $9::integer[], $10::integer[], $11::text[], $12::text[], $13::text[], $14::float8[])
        as r (organization_id, endpoint_id, event_id, sequence, attempt_id, lease_token, number, at_ms,
              status, latency_ms, failure, response, state, due_ms)
  ), attempted as (
    insert into delivery_attempts (organization_id, attempt_id, endpoint_id, event_id, number, at, status, latency_ms,
                                   failure, response, next_at)
    select ${anchoredOrganization(scope, 'i')}, attempt_id, endpoint_id, event_id, number, at, status, latency_ms, failure,
           response, due_at
      from ${fromAnchored(scope, 'incoming i')}
     where ${isAnchored(scope)}
  ), put_off as (
    insert into deliveries (organization_id, endpoint_id, event_id, sequence, state, attempts, schedule_from, due_at, created_at)
    select ${anchoredOrganization(scope, 'i')}, endpoint_id, event_id, sequence, state, number, 0, due_at, at
      from ${fromAnchored(scope, 'incoming i')}
     where lease_token is null and state <> 'DELIVERED' and ${isAnchored(scope)}
        on conflict do nothing
  )
  update deliveries d
     set state = i.state, attempts = i.number, due_at = i.due_at, lease_token = null,
         delivered_at = case when i.state = 'DELIVERED' then i.at end
    from incoming i
   where i.lease_token is not null
     and d.organization_id = i.organization_id ${inScope(scope, 'd')}
     and d.endpoint_id = i.endpoint_id
     and d.event_id = i.event_id
     and d.lease_token = i.lease_token`,
)

// Releases claimed deliveries without an attempt, for example while their endpoint rests.
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

const isInFirstAttempts = (endpointId: string, eventId: string, sequence: string): string => `exists (
                       select 1
                         from first_attempt_batches p
                        where p.organization_id = $1
                          and p.endpoint_id = ${endpointId}
                          and ${containsSql('p', eventId, sequence)})`

// Sends an event again on request, to one endpoint or to all that want it, unless the event is gone. Its retry schedule starts
// over.
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
           select $1, r.endpoint_id, $2, $4, 'PENDING', tried.times, tried.times, $5, $5
             from events e
            cross join unnest($3::uuid[]) as r (endpoint_id)
            cross join lateral (select coalesce(max(a.number), 0) as times
                                  from delivery_attempts a
                                 where a.organization_id = $1 and a.event_id = $2 and a.endpoint_id = r.endpoint_id) tried
            where e.organization_id = $1
              and e.event_id = $2
              and (tried.times > 0 or not ${isInFirstAttempts('r.endpoint_id', '$2', '$4::bigint')})
               on conflict (organization_id, endpoint_id, event_id) do update
              set state = 'PENDING', due_at = excluded.due_at, schedule_from = d.attempts, lease_token = null`,
    values: [organizationId, eventId, endpointIds, sequence, isoInstant(now)],
  })
}

// Sends again what an endpoint has missed since a time: events it wants that were never attempted or whose delivery failed.
// Skips what was delivered or is in progress. Reads `limit` events after `afterEventId` and returns where it stopped.
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
             select $1, $2, s.event_id, s.sequence, 'PENDING', 0, 0, $7, $7
               from span s
              where s.created_at >= $4
                and s.type = any($3)
                and not exists (select 1
                                  from delivery_attempts a
                                 where a.organization_id = $1
                                   and a.event_id = s.event_id
                                   and a.endpoint_id = $2
                                   and a.failure is null)
                and not ${isInFirstAttempts('$2', 's.event_id', 's.sequence')}
                 on conflict (organization_id, endpoint_id, event_id) do update
                set state = 'PENDING', due_at = excluded.due_at, schedule_from = d.attempts, lease_token = null
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

// Fails up to `limit` open deliveries of a deleted endpoint. Returns how many there were.
export async function stopDeliveries(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  limit: number,
): Promise<number> {
  const result = await db.query({
    // With an array each row is found by its key, however wrong the planner's row estimate is.
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
