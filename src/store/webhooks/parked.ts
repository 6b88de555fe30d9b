// What waits for a disabled endpoint is parked: due at infinity, so that the look for due work does not meet it again. Once the
// endpoint is enabled, it is made due again. Both happen in steps, and only while the caller holds the lock on the endpoint:
// nothing can be parked after the endpoint was enabled and then be forgotten.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import type { EndpointAddress } from './deliveries.ts'
import { isClaimableSql } from './first-attempt-conditions.ts'

// Parks up to `limit` due deliveries. Skips rows that somebody writes: they are met again if they are still due.
export async function parkDeliveries(
  tx: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  now: Instant,
  limit: number,
): Promise<number> {
  const result = await tx.query({
    name: 'park-deliveries',
    text: `update deliveries
              set due_at = 'infinity'
            where organization_id = $1
              and endpoint_id = $2
              and event_id = any(array(select event_id
                                         from deliveries
                                        where organization_id = $1 and endpoint_id = $2 and due_at <= $3
                                        order by due_at
                                        limit $4
                                          for update skip locked))`,
    values: [organizationId, endpointId, isoInstant(now), limit],
  })
  return result.rowCount ?? 0
}

export async function parkFirstAttempts(
  tx: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  now: Instant,
  limit: number,
): Promise<number> {
  const result = await tx.query({
    name: 'park-first-attempts',
    text: `update first_attempt_batches
              set due_at = 'infinity', lease_until = null
            where organization_id = $1
              and endpoint_id = $2
              and first_sequence = any(array(select first_sequence
                                               from first_attempt_batches p
                                              where organization_id = $1
                                                and endpoint_id = $2
                                                and ${isClaimableSql('p', '$3')}
                                              order by first_sequence
                                              limit $4
                                                for update skip locked))`,
    values: [organizationId, endpointId, isoInstant(now), limit],
  })
  return result.rowCount ?? 0
}

// Makes up to `limit` parked deliveries due.
export async function resumeDeliveries(
  tx: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  now: Instant,
  limit: number,
): Promise<number> {
  const result = await tx.query({
    name: 'resume-deliveries',
    text: `update deliveries
              set due_at = $3
            where organization_id = $1
              and endpoint_id = $2
              and event_id = any(array(select event_id
                                         from deliveries
                                        where organization_id = $1 and endpoint_id = $2 and due_at = 'infinity'
                                        limit $4
                                          for update))`,
    values: [organizationId, endpointId, isoInstant(now), limit],
  })
  return result.rowCount ?? 0
}

// Those with the lowest sequences first: what was never sent goes out in the order of its numbers.
export async function resumeFirstAttempts(
  tx: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  now: Instant,
  limit: number,
): Promise<number> {
  const result = await tx.query({
    name: 'resume-first-attempts',
    text: `update first_attempt_batches
              set due_at = $3
            where organization_id = $1
              and endpoint_id = $2
              and first_sequence = any(array(select first_sequence
                                               from first_attempt_batches
                                              where organization_id = $1 and endpoint_id = $2 and due_at = 'infinity'
                                              order by first_sequence
                                              limit $4
                                                for update))`,
    values: [organizationId, endpointId, isoInstant(now), limit],
  })
  return result.rowCount ?? 0
}

export async function markParked(
  tx: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  hasParked: boolean,
): Promise<void> {
  await tx.query({
    name: 'mark-parked',
    text: `update webhook_endpoints set has_parked = $3 where organization_id = $1 and endpoint_id = $2`,
    values: [organizationId, endpointId, hasParked],
  })
}

// Enabled endpoints for which something is still parked.
export async function endpointsToResume(db: Queryable, limit: number): Promise<EndpointAddress[]> {
  const result = await db.query<EndpointAddress>({
    name: 'endpoints-to-resume',
    text: `select organization_id as "organizationId", endpoint_id as "endpointId"
             from webhook_endpoints
            where has_parked and state = 'ENABLED'
            order by organization_id, endpoint_id
            limit $1`,
    values: [limit],
  })
  return result.rows
}
