// First-attempt batches: the part of the log that an endpoint is to receive for the first time. The sequencer fills them. A
// worker claims some under a lease, sends their events, and deletes them once every attempt is recorded. If a worker dies, the
// next one claims its batches and skips what was attempted.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Lease, Queryable } from '../db.ts'
import { DELIVERABLE_COLUMNS, type DeliverableRow, EVENT_OF, toDeliverable } from '../events/events.ts'
import type { ClaimedDelivery, EndpointAddress } from './deliveries.ts'
import { isClaimableSql, wasAttempted } from './first-attempt-conditions.ts'

export type ClaimedFirstAttempts = {
  // Their first sequence numbers, which identify them.
  batches: number[]
  deliveries: ClaimedDelivery[]
  // How much capacity they use, including events that were attempted before.
  size: number
  // The claim reached MAX_BATCHES or its capacity: there may be more.
  isFull: boolean
}

// More than one, because under a light load a batch holds an event or two.
const MAX_BATCHES = 16

// Claims the oldest batches, up to `capacity` events. The last batch is split if it is larger.
export async function claimFirstAttempts(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  now: Instant,
  lease: Lease,
  capacity: number,
): Promise<ClaimedFirstAttempts> {
  const { rows } = await db.query<ClaimedBatch>({
    name: 'claim-first-attempts',
    text: CLAIM_FIRST_ATTEMPTS,
    values: [organizationId, endpointId, isoInstant(now), isoInstant(lease.until), lease.token, capacity],
  })
  const batches = rows.map(({ batch }) => Number(batch))
  const size = rows.reduce((sum, { count }) => sum + count, 0)
  const deliveries =
    size === 0 ? [] : await readFirstAttempts(db, { organizationId, endpointId }, rows, lease.token)
  return { batches, deliveries, size, isFull: size === capacity || batches.length === MAX_BATCHES }
}

type ClaimedBatch = { batch: bigint; count: number; wasTaken: boolean }

// A statement of its own: PostgreSQL 18.4 crashes if it has to look again at a row that it locks (another worker changed it
// meanwhile) in a statement that also picks partitions while it runs, and the events are partitioned. The ids stay in the
// database: to write, parse and write them again would cost both sides more than to read the batches by their key. A batch that
// is no longer ours has nothing for us.
async function readFirstAttempts(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  claimed: readonly ClaimedBatch[],
  leaseToken: string,
): Promise<ClaimedDelivery[]> {
  const { rows } = await db.query<DeliverableRow>({
    name: 'read-first-attempts',
    text: `select ${DELIVERABLE_COLUMNS}
             from first_attempt_batches p
            cross join unnest(p.event_ids) as i (id)
            cross join lateral (${EVENT_OF('i.id')}) e
            where p.organization_id = $1
              and p.endpoint_id = $2
              and p.first_sequence = any($3::bigint[])
              and p.lease_token = $4
              and not (p.first_sequence = any($5::bigint[]) and ${wasAttempted('i.id', '$2')})
            order by sequence`,
    values: [
      organizationId,
      endpointId,
      claimed.map(({ batch }) => batch),
      leaseToken,
      claimed.filter(({ wasTaken }) => wasTaken).map(({ batch }) => batch),
    ],
  })
  return rows.map((row) => ({ event: toDeliverable(row), attempts: 0, scheduleFrom: 0, isFirst: true }))
}

// Under a lease a batch is due when the lease ends, so that the look for due work does not meet it. Numbers grow by one at least
// from event to event, so the rest of a divided batch is named by one that no other batch has, and that is not above its first.
const CLAIM_FIRST_ATTEMPTS = `
  with open as (
    select first_sequence, event_ids, due_at, lease_token is not null as was_taken
      from first_attempt_batches p
     where organization_id = $1
       and endpoint_id = $2
       and ${isClaimableSql('p', '$3')}
     order by first_sequence
     limit ${MAX_BATCHES}
       for update skip locked
  ), counted as (
    select o.*, ($6 - sum(cardinality(event_ids)) over (order by first_sequence) + cardinality(event_ids))::integer as room
      from open o
  ), taken as (
    select first_sequence, due_at, was_taken, room, event_ids[:room] as event_ids, event_ids[room + 1:] as rest
      from counted
     where room > 0
  ), leased as (
    update first_attempt_batches p
       set due_at = $4,
           lease_until = $4,
           lease_token = $5,
           event_ids = p.event_ids[:(select t.room from taken t where t.first_sequence = p.first_sequence)]
     where organization_id = $1
       and endpoint_id = $2
       and first_sequence = any(array(select first_sequence from taken))
  ), divided as (
    insert into first_attempt_batches (organization_id, endpoint_id, first_sequence, event_ids, due_at, lease_token)
    select $1, $2, first_sequence + room, rest, due_at, case when was_taken then $5::uuid end
      from taken
     where cardinality(rest) > 0
  )
  select first_sequence as batch, cardinality(event_ids) as count, was_taken as "wasTaken"
    from taken`

// For batches whose events were all attempted and recorded.
export async function finishFirstAttempts(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  batches: number[],
  leaseToken: string,
): Promise<void> {
  await db.query({
    name: 'finish-first-attempts',
    text: `delete from first_attempt_batches
            where organization_id = $1 and endpoint_id = $2 and first_sequence = any($3::bigint[]) and lease_token = $4`,
    values: [organizationId, endpointId, batches, leaseToken],
  })
}

// For batches with unsent events: these wait until `dueAt`, the others are finished.
export async function releaseFirstAttempts(
  db: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  batches: number[],
  leaseToken: string,
  unsent: string[],
  dueAt: Instant,
): Promise<void> {
  await db.query({
    name: 'release-first-attempts',
    text: `with put_back as (
             update first_attempt_batches
                set event_ids = array(select id
                                        from unnest(event_ids) with ordinality as i (id, place)
                                       where id = any($5::uuid[])
                                       order by place),
                    due_at = $6,
                    lease_until = null
              where organization_id = $1
                and endpoint_id = $2
                and first_sequence = any($3::bigint[])
                and lease_token = $4
                and event_ids && $5::uuid[]
           )
           delete from first_attempt_batches
            where organization_id = $1
              and endpoint_id = $2
              and first_sequence = any($3::bigint[])
              and lease_token = $4
              and not event_ids && $5::uuid[]`,
    values: [organizationId, endpointId, batches, leaseToken, unsent, isoInstant(dueAt)],
  })
}

// Deletes up to `limit` batches of a deleted endpoint. Events that were not attempted fail. Returns how many batches there were.
export async function deleteFirstAttempts(
  tx: Queryable,
  { organizationId, endpointId }: EndpointAddress,
  limit: number,
  now: Instant,
): Promise<number> {
  const result = await tx.query<{ dropped: bigint }>({
    text: `with dropped as (
             delete from first_attempt_batches
              where organization_id = $1
                and endpoint_id = $2
                and first_sequence = any(array(select first_sequence
                                                 from first_attempt_batches
                                                where organization_id = $1 and endpoint_id = $2
                                                order by first_sequence
                                                limit $3
                                                  for update))
          returning event_ids
           ), failed as (
             insert into deliveries (organization_id, endpoint_id, event_id, sequence, state, attempts, schedule_from, created_at)
             select $1, $2, e.event_id, e.sequence, 'FAILED', 0, 0, $4
               from dropped
              cross join unnest(dropped.event_ids) as i (id)
               join events e on e.organization_id = $1 and e.event_id = i.id
              where not ${wasAttempted('e.event_id', '$2')}
                 on conflict do nothing
           )
           select count(*) as dropped from dropped`,
    values: [organizationId, endpointId, limit, isoInstant(now)],
  })
  return Number(result.rows[0]?.dropped ?? 0)
}
