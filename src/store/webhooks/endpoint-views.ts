// Webhook endpoints as their merchant looks at them: how well deliveries go, what waits, and every attempt.

import type { Instant } from '../../core/instant.ts'
import type { DeliveryState } from '../../core/webhooks/delivery.ts'
import type { Queryable } from '../db.ts'
import type { EndpointAddress } from './deliveries.ts'

export type EndpointHealth = {
  endpointId: string
  attempts: number
  failures: number
  // Of the attempts that were answered. Null: none was.
  p95Ms: number | null
}

// Enough to judge by, few enough to read within milliseconds.
const ATTEMPTS_JUDGED = 20_000

// Of attempts to deliver events that were made since an id, newest first.
export async function healthOfEndpoints(
  db: Queryable,
  organizationId: string,
  sinceEventId: string,
): Promise<EndpointHealth[]> {
  const result = await db.query<
    Omit<EndpointHealth, 'attempts' | 'failures'> & { attempts: bigint; failures: bigint }
  >({
    text: `select endpoint_id as "endpointId", count(*) as attempts, count(failure) as failures,
                  percentile_disc(0.95) within group (order by latency_ms) filter (where status is not null) as "p95Ms"
             from (select endpoint_id, failure, latency_ms, status
                     from delivery_attempts
                    where organization_id = $1 and event_id >= $2
                    order by event_id desc
                    limit ${ATTEMPTS_JUDGED}) as newest
            group by endpoint_id`,
    values: [organizationId, sinceEventId],
  })
  return result.rows.map((row) => ({
    ...row,
    attempts: Number(row.attempts),
    failures: Number(row.failures),
  }))
}

// More is not worth counting.
export const WAITING_COUNTED = 10_000

// Events that an endpoint has yet to get: tried in vain, or not tried yet. Parked ones are among them.
export async function waitingAtEndpoint(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
): Promise<number> {
  const result = await db.query<{ waiting: bigint }>({
    text: `select (select count(*)
                     from (select 1
                             from deliveries
                            where organization_id = $1 and endpoint_id = $2 and due_at is not null
                            limit ${WAITING_COUNTED}) as due)
                + (select coalesce(sum(cardinality(event_ids)), 0)
                     from (select event_ids
                             from first_attempt_batches
                            where organization_id = $1 and endpoint_id = $2
                            limit ${WAITING_COUNTED}) as batches) as waiting`,
    values: [organizationId, endpointId],
  })
  return Number(result.rows[0]?.waiting ?? 0n)
}

export type EndpointAttempt = {
  attemptId: string
  eventId: string
  type: string
  sequence: number
  number: number
  at: Instant
  status: number | null
  latencyMs: number
  failure: string | null
  response: string
  nextAttemptAt: Instant | null
  // How the delivery stands now: what failed may have been delivered since.
  state: DeliveryState
}

export type AttemptFilter = 'all' | 'failed' | 'delivered'
// Behind which attempt a page begins.
export type AttemptPlace = { readonly eventId: string; readonly attemptId: string }

// Newest events first, and of one event its newest attempt. At most so many attempts of the organization are looked at.
export async function attemptsOfEndpoint(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  filter: AttemptFilter,
  after: AttemptPlace | null,
  limit: number,
): Promise<EndpointAttempt[]> {
  const result = await db.query<Omit<EndpointAttempt, 'sequence'> & { sequence: bigint }>({
    text: `select a.attempt_id as "attemptId", a.event_id as "eventId", e.type, e.sequence, a.number, a.at, a.status,
                  a.latency_ms as "latencyMs", a.failure, a.response, a.next_at as "nextAttemptAt",
                  coalesce(d.state, case when a.failure is null then 'DELIVERED' else 'PENDING' end) as state
             from (select *
                     from (select *
                             from delivery_attempts
                            where organization_id = $1 and ($4::uuid is null or event_id <= $4::uuid)
                            order by event_id desc
                            limit ${ATTEMPTS_JUDGED}) as newest
                    where endpoint_id = $2
                      and ($3 = 'all' or (failure is null) = ($3 = 'delivered'))
                      and ($4::uuid is null or (event_id, attempt_id) < ($4::uuid, $5::uuid))
                    order by event_id desc, attempt_id desc
                    limit $6) as a
             join events e on e.organization_id = $1 and e.event_id = a.event_id
             left join deliveries d on d.organization_id = $1 and d.endpoint_id = $2 and d.event_id = a.event_id
            order by a.event_id desc, a.attempt_id desc`,
    values: [organizationId, endpointId, filter, after?.eventId ?? null, after?.attemptId ?? null, limit],
  })
  return result.rows.map((row) => ({ ...row, sequence: Number(row.sequence) }))
}
