// Deliveries as they are looked at: how an event was delivered, for its merchant; and what waits, for the operator.

import type { DeliveryState } from '../core/delivery.ts'
import { type Instant, isoInstant } from '../core/instant.ts'
import type { Queryable } from './db.ts'
import type { EndpointAddress } from './deliveries.ts'

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

// An event has a delivery for every endpoint it was ever sent to, and attempts without end where it is sent again and again.
// Shown are those of the endpoints there are, then of those deleted last; and of each the newest attempts.
export const DELIVERIES_SHOWN = 50
export const ATTEMPTS_SHOWN = 20

export async function deliveriesOfEvent(
  db: Queryable,
  organizationId: string,
  eventId: string,
): Promise<{ deliveries: DeliveryView[]; attempts: AttemptView[] }> {
  const deliveries = await db.query<DeliveryView>({
    // Under a lease it is being sent, and what is due then is the lease.
    text: `select d.endpoint_id as "endpointId", w.url, d.state, d.attempts,
                  case when d.state = 'PENDING' and d.lease_token is null then d.due_at end as "nextAttemptAt", d.delivered_at as "deliveredAt"
             from deliveries d
             join webhook_endpoints w using (organization_id, endpoint_id)
            where d.organization_id = $1 and d.event_id = $2
            order by w.deleted_at desc nulls first, d.endpoint_id
            limit $3`,
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

export type DeliveryBacklog = { due: number; oldestDueMs: number }

// Enough to see that something is wrong, and few enough to count within milliseconds.
const MOST_COUNTED = 100_000

// What waits for an endpoint that is switched off is not due.
export async function readBacklog(db: Queryable, now: Instant): Promise<DeliveryBacklog> {
  const result = await db.query<{ due: bigint; oldest: Instant | null }>({
    name: 'read-backlog',
    text: `select (select count(*)
                     from (select 1
                             from webhook_endpoints w
                             join deliveries d
                               on d.organization_id = w.organization_id and d.endpoint_id = w.endpoint_id and d.due_at <= $1
                            where w.state = 'ENABLED'
                            limit $2) counted) as due,
                  (select min(o.due_at)
                     from webhook_endpoints w
                    cross join lateral (select d.due_at
                                          from deliveries d
                                         where d.organization_id = w.organization_id
                                           and d.endpoint_id = w.endpoint_id
                                           and d.due_at <= $1
                                         order by d.due_at
                                         limit 1) o
                    where w.state = 'ENABLED') as oldest`,
    values: [isoInstant(now), MOST_COUNTED],
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

// Endpoints that something waits for, those that are longest behind first.
export async function listBacklog(db: Queryable, now: Instant): Promise<EndpointBacklog[]> {
  const result = await db.query<Omit<EndpointBacklog, 'waiting' | 'due'> & { waiting: bigint; due: bigint }>({
    text: `select d.organization_id as "organizationId", d.endpoint_id as "endpointId", w.url, w.state,
                  count(*) as waiting, count(*) filter (where d.due_at <= $1) as due, min(d.due_at) as "oldestDueAt"
             from deliveries d
             join webhook_endpoints w using (organization_id, endpoint_id)
            where d.due_at is not null and w.deleted_at is null
            group by d.organization_id, d.endpoint_id, w.url, w.state
            order by min(d.due_at)`,
    values: [isoInstant(now)],
  })
  return result.rows.map((row) => ({ ...row, waiting: Number(row.waiting), due: Number(row.due) }))
}
