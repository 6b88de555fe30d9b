// The event log. Events are written by what causes them (see payin-steps.ts and payout-steps.ts); here they get their
// numbers and are read.

import type pg from 'pg'
import { PARCEL_SPAN } from '../core/delivery.ts'
import { CONTRACT_EVENTS, type EventResource } from '../core/event.ts'
import type { Instant } from '../core/instant.ts'
import { isoInstant } from '../core/instant.ts'
import type { Db, Queryable } from './db.ts'

export type StoredEvent = {
  organizationId: string
  eventId: string
  sequence: number
  type: string
  resource: EventResource
  objectId: string
  version: number
  data: string
  createdAt: Instant
}

export async function organizationsWithEventsToNumber(db: Queryable): Promise<string[]> {
  const result = await db.query<{ organization_id: string }>({
    name: 'organizations-with-events-to-number',
    // From one organization to the next, however many events each has.
    text: `with recursive found as (
             (select organization_id from events where sequence is null order by organization_id limit 1)
              union all
             select (select e.organization_id
                       from events e
                      where e.sequence is null and e.organization_id > f.organization_id
                      order by e.organization_id
                      limit 1)
               from found f
              where f.organization_id is not null
           )
           select organization_id from found where organization_id is not null`,
  })
  return result.rows.map((row) => row.organization_id)
}

// Numbers what is committed and has no number, so many events of each organization, and puts them in the parcels of the
// endpoints that want them. The locks on the counters are taken first, and only then is looked: whoever follows an
// organization's numbers meets every event, in order, without a gap. Answers how many there were.
export async function numberEvents(
  db: Db,
  organizationIds: readonly string[],
  ofEach: number,
  now: Instant,
): Promise<number> {
  const number = {
    name: 'number-events',
    text: NUMBER_EVENTS,
    values: [ofEach, isoInstant(now), CONTRACT_EVENTS],
  }
  const [locked, numbered] = await db.transact([counterLocks(organizationIds), number])
  const held = new Set<string>(locked?.rows[0]?.held)
  const first = organizationIds.filter((id) => !held.has(id))
  const count = Number(numbered?.rows[0]?.numbered)
  if (first.length === 0) return count
  await ensureCounters(db, first)
  return count + (await numberEvents(db, first, ofEach, now))
}

export async function lockCounter(tx: Queryable, organizationId: string): Promise<void> {
  const locks = counterLocks([organizationId])
  const { rows } = await tx.query<{ held: string[] }>(locks)
  if (rows[0]?.held.length === 1) return
  await ensureCounters(tx, [organizationId])
  await tx.query(locks)
}

// In one order everywhere, so that two never wait for each other. What is held is noted until the transaction ends, and only
// that is numbered. So is how to look for it: along the index. The planner believes that hardly an event is without a number,
// and would gather them all, however few are asked for.
const counterLocks = (organizationIds: readonly string[]): pg.QueryConfig => ({
  name: 'lock-event-counters',
  text: `with locked as (
           select organization_id
             from event_counters
            where organization_id = any($1::uuid[])
            order by organization_id
              for update
         ), held as (
           select coalesce(array_agg(organization_id), '{}') as held from locked
         )
         select held,
                set_config('recaudo.locked_counters', held::text, true),
                set_config('enable_bitmapscan', 'off', true),
                set_config('enable_hashjoin', 'off', true),
                set_config('enable_mergejoin', 'off', true)
           from held`,
  values: [organizationIds],
})

// For an organization's first event.
async function ensureCounters(db: Queryable, organizationIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'ensure-event-counters',
    text: `insert into event_counters (organization_id, last_sequence)
           select organization_id, 0 from unnest($1::uuid[]) as o (organization_id)
               on conflict do nothing`,
    values: [organizationIds],
  })
}

// Writes an event that has its number from the start. Nobody gets it by its type: who writes it sends it.
export async function insertNumberedEvent(
  tx: Queryable,
  event: Omit<StoredEvent, 'sequence'>,
): Promise<StoredEvent> {
  await lockCounter(tx, event.organizationId)
  const result = await tx.query<{ sequence: bigint }>({
    text: `with counted as (
             update event_counters
                set last_sequence = last_sequence + 1
              where organization_id = $1
          returning last_sequence
           )
           insert into events (organization_id, event_id, sequence, type, resource, object_id, version, data, created_at)
           select $1, $2, last_sequence, $3, $4, $5, $6, $7, $8
             from counted
        returning sequence`,
    values: [
      event.organizationId,
      event.eventId,
      event.type,
      event.resource,
      event.objectId,
      event.version,
      event.data,
      isoInstant(event.createdAt),
    ],
  })
  return { ...event, sequence: Number(result.rows[0]?.sequence) }
}

const NUMBER_EVENTS = `
  with fresh as (
    select o.organization_id, f.event_id, row_number() over (partition by o.organization_id order by f.event_id) as place
      from unnest(nullif(current_setting('recaudo.locked_counters', true), '')::uuid[]) as o (organization_id)
     cross join lateral (select e.event_id
                           from events e
                          where e.organization_id = o.organization_id and e.sequence is null
                          order by e.event_id
                          limit $1) f
  ), numbered as (
    update events e
       set sequence = c.last_sequence + f.place
      from fresh f
      join event_counters c using (organization_id)
     where e.organization_id = f.organization_id and e.event_id = f.event_id
 returning e.organization_id, e.event_id, e.sequence, e.type
  ), counted as (
    update event_counters c
       set last_sequence = c.last_sequence + n.numbered
      from (select organization_id, count(*) as numbered from fresh group by organization_id) n
     where c.organization_id = n.organization_id
  ), parcelled as (
    insert into delivery_parcels (organization_id, endpoint_id, first_sequence, event_ids, due_at)
    select n.organization_id, w.endpoint_id, min(n.sequence), array_agg(n.event_id order by n.sequence), $2
      from numbered n
      join webhook_endpoints w on w.organization_id = n.organization_id
     where w.state = 'ENABLED'
       and w.deleted_at is null
       and n.type = any(coalesce(w.events, $3::text[]))
     group by n.organization_id, w.endpoint_id, (n.sequence - 1) / ${PARCEL_SPAN}
  )
  select count(*) as numbered from numbered`

export const EVENT_COLUMNS = `organization_id as "organizationId", event_id as "eventId", sequence, type, resource, object_id as "objectId",
  version, data, created_at as "createdAt"`

export type EventFilters = { type?: string; objectId?: string }

// In the order of their numbers, after the one given.
export async function listEvents(
  db: Queryable,
  organizationId: string,
  after: number,
  filters: EventFilters,
  limit: number,
): Promise<StoredEvent[]> {
  const result = await db.query<StoredEvent & { sequence: bigint }>({
    name: 'list-events',
    text: `select ${EVENT_COLUMNS}
             from events
            where organization_id = $1
              and sequence > $2
              and ($3::text is null or type = $3)
              and ($4::uuid is null or object_id = $4)
            order by sequence
            limit $5`,
    values: [organizationId, after, filters.type ?? null, filters.objectId ?? null, limit],
  })
  return result.rows.map(withNumber)
}

export async function getEvent(
  db: Queryable,
  organizationId: string,
  eventId: string,
): Promise<StoredEvent | undefined> {
  const result = await db.query<StoredEvent & { sequence: bigint }>({
    name: 'get-event',
    text: `select ${EVENT_COLUMNS} from events where organization_id = $1 and event_id = $2 and sequence is not null`,
    values: [organizationId, eventId],
  })
  return result.rows[0] && withNumber(result.rows[0])
}

// A place in the log: the numbers of the last event and of the last redelivery.
export type LogPlace = { readonly sequence: number; readonly redelivery: number }

export async function endOfLog(db: Queryable, organizationId: string): Promise<LogPlace> {
  const result = await db.query<{ last_sequence: bigint; last_redelivery: bigint }>({
    name: 'end-of-log',
    text: 'select last_sequence, last_redelivery from event_counters where organization_id = $1',
    values: [organizationId],
  })
  const { last_sequence: sequence = 0, last_redelivery: redelivery = 0 } = result.rows[0] ?? {}
  return { sequence: Number(sequence), redelivery: Number(redelivery) }
}

export function withNumber(row: StoredEvent & { sequence: bigint | number }): StoredEvent {
  return { ...row, sequence: Number(row.sequence) }
}

// What a receiver is told of an event, and no more: these are read by the thousand.
export type TellableEvent = Omit<StoredEvent, 'organizationId' | 'objectId'>
export type TellableRow = Omit<TellableEvent, 'sequence'> & { sequence: bigint }

export const TELLABLE_COLUMNS = `event_id as "eventId", sequence, type, resource, version, data, created_at as "createdAt"`

export function tellable(row: TellableRow): TellableEvent {
  const { eventId, sequence, type, resource, version, data, createdAt } = row
  return { eventId, sequence: Number(sequence), type, resource, version, data, createdAt }
}
