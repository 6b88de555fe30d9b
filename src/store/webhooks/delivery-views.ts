// Views of deliveries: how an event was delivered, for its merchant; and the backlog, for the operator.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { DeliveryState } from '../../core/webhooks/delivery.ts'
import type { Queryable } from '../db.ts'
import type { EndpointAddress } from './deliveries.ts'
import { containsSql, isClaimableSql } from './first-attempt-conditions.ts'

export type DeliveryView = {
  endpointId: string
  url: string
  state: DeliveryState
  attempts: number
  nextAttemptAt: Instant | null
  deliveredAt: Instant | null
}

export type AttemptView = {
  endpointId: string
  number: number
  at: Instant
  status: number | null
  latencyMs: number
  failure: string | null
  response: string
  nextAttemptAt: Instant | null
}

// An event has a delivery for every endpoint it was ever sent to, and any number of attempts if it is redelivered. We show
// existing endpoints first, then those deleted last, each with its newest attempts.
export const DELIVERIES_SHOWN = 50
export const ATTEMPTS_SHOWN = 20

export async function deliveriesOfEvent(
  db: Queryable,
  organizationId: string,
  eventId: string,
): Promise<{ deliveries: DeliveryView[]; attempts: AttemptView[] }> {
  const deliveries = await db.query<DeliveryView>({
    text: DELIVERIES_OF_EVENT,
    values: [organizationId, eventId, DELIVERIES_SHOWN],
  })
  const attempts = await db.query<AttemptView>({
    text: `select a.endpoint_id as "endpointId", a.number, a.at, a.status, a.latency_ms as "latencyMs", a.failure,
                  a.response, a.next_at as "nextAttemptAt"
             from unnest($3::uuid[]) as shown (endpoint_id)
            cross join lateral (select *
                                  from delivery_attempts
                                 where organization_id = $1 and event_id = $2 and endpoint_id = shown.endpoint_id
                                 order by attempt_id desc
                                 limit $4) a
            order by a.attempt_id`,
    values: [organizationId, eventId, deliveries.rows.map(({ endpointId }) => endpointId), ATTEMPTS_SHOWN],
  })
  return { deliveries: deliveries.rows, attempts: attempts.rows }
}

// A delivery is in one of three places: its own row, an acknowledged first attempt or a first-attempt batch. Under a lease it
// is being sent, and parked (parked.ts) it waits for its endpoint, so it has no next attempt time.
const DELIVERIES_OF_EVENT = `
  with event as (
    select sequence from events where organization_id = $1 and event_id = $2
  ), known as (
    select endpoint_id from deliveries where organization_id = $1 and event_id = $2
     union
    select endpoint_id from delivery_attempts where organization_id = $1 and event_id = $2
  ), waiting as (
    select p.endpoint_id, case when p.lease_until is null then nullif(p.due_at, 'infinity') end as due_at
      from event
      join webhook_endpoints w on w.organization_id = $1 and w.deleted_at is null
      join first_attempt_batches p
        on p.organization_id = $1
       and p.endpoint_id = w.endpoint_id
       and ${containsSql('p', '$2', 'event.sequence')}
     where p.endpoint_id not in (select endpoint_id from known)
  )
  select w.endpoint_id as "endpointId", w.url, s.state, s.attempts, s.next_at as "nextAttemptAt", s.delivered_at as "deliveredAt"
    from (select k.endpoint_id,
                 coalesce(d.state, case when a.at is null then 'PENDING' else 'DELIVERED' end) as state,
                 coalesce(d.attempts, a.number, 0) as attempts,
                 case when d.state = 'PENDING' and d.lease_token is null then nullif(d.due_at, 'infinity') end as next_at,
                 case when d.state is null then a.at else d.delivered_at end as delivered_at
            from known k
            left join deliveries d on d.organization_id = $1 and d.endpoint_id = k.endpoint_id and d.event_id = $2
            left join lateral (select number, at
                                 from delivery_attempts
                                where organization_id = $1 and event_id = $2 and endpoint_id = k.endpoint_id and failure is null
                                order by attempt_id
                                limit 1) a on true
           union all
          select endpoint_id, 'PENDING', 0, due_at, null from waiting) s
    join webhook_endpoints w on w.organization_id = $1 and w.endpoint_id = s.endpoint_id
   order by w.deleted_at desc nulls first, w.endpoint_id
   limit $3`

export type DeliveryBacklog = { due: number; oldestDueMs: number }

// Enough to see that something is wrong, few enough to count within milliseconds.
const MAX_COUNTED = 100_000
const MAX_BATCHES_COUNTED = 10_000

// Deliveries to a disabled endpoint are not due, even if they are not parked yet.
export async function readBacklog(db: Queryable, now: Instant): Promise<DeliveryBacklog> {
  const result = await db.query<{ due: bigint; oldest: Instant | null }>({
    name: 'read-backlog',
    text: `with retries as (
             select organization_id, endpoint_id, due_at, 1 as size
               from deliveries
              where due_at <= $1
              order by due_at
              limit $2
           ), batches as (
             select organization_id, endpoint_id, due_at, cardinality(event_ids) as size
               from first_attempt_batches p
              where ${isClaimableSql('p', '$1')}
              order by due_at
              limit $3
           )
           select least(coalesce(sum(b.size), 0), $2::bigint) as due, min(b.due_at) as oldest
             from (select * from retries union all select * from batches) b
             join webhook_endpoints w using (organization_id, endpoint_id)
            where w.state = 'ENABLED'`,
    values: [isoInstant(now), MAX_COUNTED, MAX_BATCHES_COUNTED],
  })
  const { due = 0n, oldest = null } = result.rows[0] ?? {}
  return { due: Number(due), oldestDueMs: oldest === null ? 0 : now - oldest }
}

export type EndpointBacklog = EndpointAddress & {
  url: string
  state: 'ENABLED' | 'DISABLED'
  waiting: number
  due: number
  oldestDueAt: Instant | null
}

// Endpoints with waiting deliveries, those longest behind first.
export async function listBacklog(db: Queryable, now: Instant): Promise<EndpointBacklog[]> {
  const result = await db.query<Omit<EndpointBacklog, 'waiting' | 'due'> & { waiting: bigint; due: bigint }>({
    text: `select w.organization_id as "organizationId", w.endpoint_id as "endpointId", w.url, w.state,
                  sum(b.size) as waiting, coalesce(sum(b.size) filter (where b.due_at <= $1), 0) as due,
                  nullif(min(b.due_at), 'infinity') as "oldestDueAt"
             from (select organization_id, endpoint_id, due_at, 1 as size from deliveries where due_at is not null
                    union all
                   select organization_id, endpoint_id, due_at, cardinality(event_ids) from first_attempt_batches) b
             join webhook_endpoints w using (organization_id, endpoint_id)
            where w.deleted_at is null
            group by w.organization_id, w.endpoint_id, w.url, w.state
            order by min(b.due_at)`,
    values: [isoInstant(now)],
  })
  return result.rows.map((row) => ({ ...row, waiting: Number(row.waiting), due: Number(row.due) }))
}
