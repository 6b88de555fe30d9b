// The event log. Events are written by their causes (such as payins/write.ts and payouts/write.ts). Here they get their
// sequence numbers and are read.

import type pg from 'pg'
import { CONTRACT_EVENTS, type EventResource } from '../../core/events/event.ts'
import { unpackText } from '../../core/events/packed-text.ts'
import { firstIdAt, instantOfId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import { FIRST_ATTEMPT_BATCH_SIZE } from '../../core/webhooks/delivery.ts'
import { type Db, DIVISION_BY_ZERO, type Queryable, sqlState } from '../db.ts'
import { isDistributed } from '../distribute.ts'
import { type DuePage, firstRow } from '../due-work.ts'
import { queryWithLastingPlan } from '../lasting-plan.ts'

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

// Up to `limit` events without a number, behind an id, in the order of their ids: whose they are.
export async function oldestUnsequenced(
  db: Db,
  afterEventId: string,
  limit: number,
): Promise<DuePage<string>> {
  // They are read in their order, so the first and the last are known by their places. PostgreSQL has no smallest uuid before
  // version 18, and to compare thousands of ids as text costs more than to read them.
  const rows = await lookAlongTheIndex<{ owner: string; first_id: string; last_id: string | null }>(db, {
    name: 'oldest-unsequenced-events',
    text: `with unsequenced as materialized (
             select event_id, organization_id, row_number() over (order by event_id, organization_id) as place
               from (select event_id, organization_id
                       from events
                      where sequence is null and event_id > $1
                      order by event_id, organization_id
                      limit $2) page
           )
           select organization_id as owner,
                  (select event_id from unsequenced where place = 1) as first_id,
                  (select event_id from unsequenced where place = $2) as last_id
             from unsequenced
            group by organization_id
            order by max(place)`,
    values: [afterEventId, limit],
  })
  const [first] = rows
  return {
    owners: rows.map(({ owner }) => owner),
    firstAt: first === undefined ? null : instantOfId(first.first_id),
    // Null, unless the page is full.
    end: first?.last_id ?? null,
  }
}

// Whose the newest are.
export async function newestUnsequenced(db: Db, limit: number): Promise<string[]> {
  const rows = await lookAlongTheIndex<{ owner: string }>(db, {
    name: 'newest-unsequenced-events',
    text: `select distinct organization_id as owner
             from (select organization_id
                     from events
                    where sequence is null
                    order by event_id desc
                    limit $1) unsequenced`,
    values: [limit],
  })
  return rows.map(({ owner }) => owner)
}

// The planner assumes that hardly any event is unsequenced, and would collect and sort them all, whatever the limit.
const LOOK_SETTINGS: pg.QueryConfig = {
  name: 'look-along-the-index',
  text: `select set_config('enable_bitmapscan', 'off', true),
                set_config('enable_sort', 'off', true),
                set_config('plan_cache_mode', 'force_generic_plan', true)`,
}

async function lookAlongTheIndex<Row extends pg.QueryResultRow>(
  db: Db,
  statement: pg.QueryConfig,
): Promise<Row[]> {
  if (await isDistributed(db)) return (await db.query<Row>(statement)).rows
  const results = await db.sendTransaction([LOOK_SETTINGS, statement])
  return (results[1]?.rows ?? []) as Row[]
}

// When the first of all events without a number was made, by its id.
export async function earliestUnsequenced(db: Db, isPatient: boolean): Promise<Instant | null> {
  const row = await firstRow(db, isPatient, {
    name: 'earliest-unsequenced-event',
    text: `select event_id from events where sequence is null order by event_id limit 1`,
  })
  return row === undefined ? null : instantOfId(row.event_id)
}

// Gives committed events their sequence numbers, up to `perOrganization` each, and puts them in the first-attempt batches of the
// endpoints that want them. Skips an organization if another transaction holds its counter. Reads no event that was made before
// `from`: where older ones were sequenced, an old snapshot may keep what is left of them. Returns how many were sequenced. One
// transaction serves all organizations that are on one machine.
export async function sequenceEvents(
  db: Db,
  organizationIds: readonly string[],
  perOrganization: number,
  now: Instant,
  from: Instant = 0,
): Promise<number> {
  const isSpread = await isDistributed(db)
  const statements = organizationIds.map((id) => sequencing(id, perOrganization, now, from, isSpread))
  const results = await untilGapless(async () =>
    isSpread
      ? await Promise.all(statements.map((statement) => db.query(statement)))
      : (await db.sendTransaction([INDEX_SCAN_SETTINGS, ...statements])).slice(1),
  )
  const count = results.reduce((sum, { rows }) => sum + Number(rows[0]?.numbered), 0)
  const withoutCounter = organizationIds.filter((_, index) => results[index]?.rows[0]?.isFirst)
  if (withoutCounter.length === 0) return count
  for (const organizationId of withoutCounter) await ensureCounter(db, organizationId)
  return count + (await sequenceEvents(db, withoutCounter, perOrganization, now, from))
}

// People are sealed and erased event by event, so the next try may meet another one. After these the next look goes on.
const MAX_GAPS = 5

async function untilGapless<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt === MAX_GAPS || sqlState(error) !== DIVISION_BY_ZERO) throw error
    }
  }
}

export async function lockCounter(tx: Queryable, organizationId: string): Promise<void> {
  const lock = {
    name: 'lock-event-counter',
    text: 'select from event_counters where organization_id = $1 for update',
    values: [organizationId],
  }
  if ((await tx.query(lock)).rowCount === 1) return
  await ensureCounter(tx, organizationId)
  await tx.query(lock)
}

// For an organization's first event.
async function ensureCounter(db: Queryable, organizationId: string): Promise<void> {
  await db.query({
    name: 'ensure-event-counter',
    text: 'insert into event_counters (organization_id, last_sequence) values ($1, 0) on conflict do nothing',
    values: [organizationId],
  })
}

// Writes an event with its sequence number. It is in no first-attempt batch: the caller delivers it.
export async function insertSequencedEvent(
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

// The planner assumes that hardly any event is unsequenced, and would collect them all, whatever the limit.
const INDEX_SCAN_SETTINGS: pg.QueryConfig = {
  name: 'number-along-the-index',
  text: `select set_config('enable_bitmapscan', 'off', true),
                set_config('enable_hashjoin', 'off', true),
                set_config('enable_mergejoin', 'off', true),
                set_config('plan_cache_mode', 'force_generic_plan', true)`,
}

// A reader that follows an organization's sequence sees every event, in order, without a gap. The counter is locked to the end of
// the transaction, and only if it is unchanged since the statement began. Otherwise events may have been sequenced that the
// statement does not see. Events are found again by their ctid: by their key, a plan that was made while an organization had few
// events would read all of them each time. A ctid is one in its partition only, and the key says in which to look. An event that
// another transaction rewrites meanwhile has a new ctid, and is not found: where its number would be missing, the statement fails, by
// a division by zero. A distributed PostgreSQL has no plan that lasts, and does not take a ctid.
export const sequencing = (
  organizationId: string,
  limit: number,
  now: Instant,
  from: Instant = 0,
  isSpread = false,
): pg.QueryConfig => ({
  name: 'number-events',
  text: `with seen as materialized (
           select last_sequence from event_counters where organization_id = $1
         ), held as (
           select last_sequence
             from (select last_sequence
                     from event_counters
                    where organization_id = $1 and last_sequence = (select last_sequence from seen)
                      for update skip locked) rows
         ), fresh as (
           select event_id, ${isSpread ? '' : 'ctid as found, '}row_number() over (order by event_id) as place
             from events
            where organization_id = $1 and sequence is null and event_id > $5
            order by event_id
            limit $2
         ), numbered as (
           update events e
              set sequence = h.last_sequence + f.place
             from held h, fresh f
            where e.organization_id = $1 and e.event_id = f.event_id ${isSpread ? '' : 'and e.ctid = f.found'}
        returning e.event_id, e.sequence, e.type
         ), counted as (
           update event_counters c
              set last_sequence = h.last_sequence + n.count
             from held h, (select count(*) from numbered) n
            where c.organization_id = $1 and n.count > 0
         ), batches as (
           insert into first_attempt_batches (organization_id, endpoint_id, first_sequence, event_ids, due_at)
           select $1, w.endpoint_id, min(n.sequence), array_agg(n.event_id order by n.sequence), $3
             from numbered n
             join webhook_endpoints w on w.organization_id = $1
            where w.state = 'ENABLED'
              and w.deleted_at is null
              and n.type = any(coalesce(w.events, $4::text[]))
            group by w.endpoint_id, (n.sequence - 1) / ${FIRST_ATTEMPT_BATCH_SIZE}
         )
         select n.count as numbered,
                not exists (select from seen) as "isFirst",
                1 / case when n.last > (select last_sequence from held) + n.count then 0 else 1 end as "isGapless"
           from (select count(*), max(sequence) as last from numbered) n`,
  values: [organizationId, limit, isoInstant(now), CONTRACT_EVENTS, firstIdAt(from)],
})

export const EVENT_COLUMNS = `organization_id as "organizationId", event_id as "eventId", sequence, type, resource, object_id as "objectId",
  version, data, created_at as "createdAt"`

export type EventFilters = { type?: string; objectId?: string }

// In sequence order, after the given number. Each filter has its own statement: one plan serves all calls of it.
export async function listEvents(
  db: Db,
  organizationId: string,
  after: number,
  filters: EventFilters,
  limit: number,
): Promise<StoredEvent[]> {
  const { type, objectId } = filters
  const chosen = [
    { name: 'of-type', condition: 'type = ', value: type },
    { name: 'of-object', condition: 'object_id = ', value: objectId },
  ].filter(({ value }) => value !== undefined)
  const result = await queryWithLastingPlan<StoredEvent & { sequence: bigint }>(db, {
    name: ['list-events', ...chosen.map(({ name }) => name)].join('-'),
    text: `select ${EVENT_COLUMNS}
             from events
            where organization_id = $1
              and sequence > $2 ${chosen.map(({ condition }, at) => `and ${condition}$${at + 4}`).join(' ')}
            order by sequence
            limit $3`,
    values: [organizationId, after, limit, ...chosen.map(({ value }) => value)],
  })
  return result.rows.map(withSequence)
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
  return result.rows[0] && withSequence(result.rows[0])
}

// In no order. Those that are not there are left out.
export async function getEvents(
  db: Queryable,
  organizationId: string,
  eventIds: readonly string[],
): Promise<StoredEvent[]> {
  const result = await db.query<StoredEvent & { sequence: bigint }>({
    text: `select ${EVENT_COLUMNS} from events where organization_id = $1 and event_id = any($2) and sequence is not null`,
    values: [organizationId, eventIds],
  })
  return result.rows.map(withSequence)
}

// A position in the log: the numbers of the last event and of the last redelivery.
export type LogPosition = { readonly sequence: number; readonly redelivery: number }

export async function endOfLog(db: Queryable, organizationId: string): Promise<LogPosition> {
  const result = await db.query<{ last_sequence: bigint; last_redelivery: bigint }>({
    name: 'end-of-log',
    text: 'select last_sequence, last_redelivery from event_counters where organization_id = $1',
    values: [organizationId],
  })
  const { last_sequence: sequence = 0, last_redelivery: redelivery = 0 } = result.rows[0] ?? {}
  return { sequence: Number(sequence), redelivery: Number(redelivery) }
}

export function withSequence(row: StoredEvent & { sequence: bigint | number }): StoredEvent {
  return { ...row, data: unpackText(row.data), sequence: Number(row.sequence) }
}

// Only what a receiver gets of an event: these are read by the thousand.
export type DeliverableEvent = Omit<StoredEvent, 'organizationId' | 'objectId'>
export type DeliverableRow = Omit<DeliverableEvent, 'sequence'> & { sequence: bigint }

export const DELIVERABLE_COLUMNS = `event_id as "eventId", sequence, type, resource, version, data, created_at as "createdAt"`

// One of an organization, $1. `offset 0` forces one lookup for each, in the one partition that it is in: a plan that was made while
// there were few events would read all of them each time.
export const EVENT_OF = (eventId: string): string =>
  `select event_id, sequence, type, resource, version, data, created_at
     from events
    where organization_id = $1 and event_id = ${eventId}
   offset 0`

export function toDeliverable(row: DeliverableRow): DeliverableEvent {
  const { eventId, sequence, type, resource, version, data, createdAt } = row
  return { eventId, sequence: Number(sequence), type, resource, version, data: unpackText(data), createdAt }
}
