// The look for due work: who has some, found by time. It reads what is due and nothing that waits, whatever the number of
// organizations. What is found is then claimed within one organization, or for one endpoint.

import type pg from 'pg'
import { firstIdAt } from '../core/ids.ts'
import { type Instant, isoInstant } from '../core/instant.ts'
import type { Db, Queryable } from './db.ts'
import { queryWithLastingPlan } from './lasting-plan.ts'

// Whose work is in a queue: an organization's, or an endpoint's. Each has an index (due_at, …owner).
const QUEUES = {
  payins: ['organization_id'],
  payouts: ['organization_id'],
  refunds: ['organization_id'],
  payout_batches: ['organization_id'],
  payment_links: ['organization_id'],
  rail_notices: ['organization_id'],
  deliveries: ['organization_id', 'endpoint_id'],
  first_attempt_batches: ['organization_id', 'endpoint_id'],
  audit_unchained: ['organization_id'],
} as const

export type WorkQueue = keyof typeof QUEUES
export const WORK_QUEUES = Object.keys(QUEUES) as WorkQueue[]

// A place in a queue: a time, and behind it the owners who are due at that very time.
export type QueuePlace = { readonly dueAt: string; readonly owner: readonly string[] }

export type DuePage<Place = QueuePlace> = {
  // Ids joined by spaces. Each owner once, however much it has due.
  owners: string[]
  // When the first is due. Null if nothing is.
  firstAt: Instant | null
  // Where the page ends, if it is full: there may be more behind it.
  end: Place | null
}

const PATIENT_TIMEOUT_MS = 60_000

const NIL = '00000000-0000-0000-0000-000000000000'

// No row at or after the time stands before it.
export function placeBefore(time: Instant): QueuePlace {
  return { dueAt: isoInstant(time - 1), owner: [NIL, NIL] }
}

export type QueueName = WorkQueue | 'events' | 'webhook_endpoints'

// Which queues have something due that is not older than their beginning, events without a number, or enabled endpoints with
// something parked. One statement for all: it is what an idle process asks.
export async function queuesWithWork(
  db: Queryable,
  now: Instant,
  beginningOf: (queue: WorkQueue | 'events') => Instant,
): Promise<QueueName[]> {
  const result = await db.query<{ queue: QueueName }>({
    name: 'queues-with-work',
    text: QUEUES_WITH_WORK,
    values: [
      isoInstant(now),
      firstIdAt(beginningOf('events')),
      ...WORK_QUEUES.map((queue) => isoInstant(beginningOf(queue))),
    ],
  })
  return result.rows.map(({ queue }) => queue)
}

const QUEUES_WITH_WORK = [
  ...WORK_QUEUES.map(
    (queue, at) =>
      `(select '${queue}' as queue from ${queue} where due_at between $${at + 3} and $1 order by due_at limit 1)`,
  ),
  `(select 'events' from events where sequence is null and event_id > $2 order by event_id limit 1)`,
  `(select 'webhook_endpoints' from webhook_endpoints where has_parked and state = 'ENABLED' order by organization_id limit 1)`,
].join(' union all ')

// Up to `limit` due rows behind a place, those that are due longest first.
export async function oldestDue(
  db: Db,
  queue: WorkQueue,
  now: Instant,
  after: QueuePlace,
  limit: number,
): Promise<DuePage> {
  const owner = QUEUES[queue]
  const columns = owner.join(', ')
  const result = await look<DueRow>(db, queue, {
    name: `oldest-due-${queue}`,
    text: `select concat_ws(' ', ${columns}) as owner, count(*)::integer as size, min(due_at) as first_at,
                  max(due_at)::text as last_at
             from (select due_at, ${columns}
                     from ${queue}
                    where due_at <= $1 and (due_at, ${columns}) > ($3, ${owner.map((_, at) => `$${at + 4}`).join(', ')})
                    order by due_at, ${columns}
                    limit $2) due
            group by ${columns}
            order by max(due_at), ${columns}`,
    values: [isoInstant(now), limit, after.dueAt, ...after.owner.slice(0, owner.length)],
  })
  return pageOf(result.rows, limit)
}

// Deliveries are spread over partitions.
function look<Row extends pg.QueryResultRow>(
  db: Db,
  queue: WorkQueue,
  statement: pg.QueryConfig & { name: string },
): Promise<pg.QueryResult<Row>> {
  return queue === 'deliveries' ? queryWithLastingPlan(db, statement) : db.query(statement)
}

type DueRow = { owner: string; size: number; first_at: Instant; last_at: string }

function pageOf(rows: DueRow[], limit: number): DuePage {
  const last = rows.at(-1)
  const isFull = rows.reduce((sum, { size }) => sum + size, 0) === limit
  return {
    owners: rows.map(({ owner }) => owner),
    firstAt: last === undefined ? null : Math.min(...rows.map((row) => row.first_at)),
    end: isFull && last !== undefined ? { dueAt: last.last_at, owner: last.owner.split(' ') } : null,
  }
}

// Whose work became due last: behind a backlog, the newest work is still found at once.
export async function newestDue(db: Db, queue: WorkQueue, now: Instant, limit: number): Promise<string[]> {
  const columns = QUEUES[queue].join(', ')
  const result = await look<{ owner: string }>(db, queue, {
    name: `newest-due-${queue}`,
    text: `select distinct concat_ws(' ', ${columns}) as owner
             from (select ${columns}
                     from ${queue}
                    where due_at <= $1
                    order by due_at desc
                    limit $2) due`,
    values: [isoInstant(now), limit],
  })
  return result.rows.map(({ owner }) => owner)
}

// When the earliest of all is due.
export async function earliestDue(
  db: Db,
  queue: WorkQueue,
  now: Instant,
  isPatient: boolean,
): Promise<Instant | null> {
  const row = await firstRow(db, isPatient, {
    name: `earliest-due-${queue}`,
    text: `select due_at from ${queue} where due_at <= $1 order by due_at limit 1`,
    values: [isoInstant(now)],
  })
  return (row?.due_at as Instant | undefined) ?? null
}

// The first row of what a statement finds. If patient, it may take longer than other statements: what is looked for may stand
// behind the remains of millions of rows, which an old snapshot keeps.
export async function firstRow(
  db: Db,
  isPatient: boolean,
  statement: pg.QueryConfig,
): Promise<pg.QueryResultRow | undefined> {
  if (!isPatient) return (await db.query(statement)).rows[0]
  const [result] = await db.sendTransaction([statement], { timeoutMs: PATIENT_TIMEOUT_MS })
  return result?.rows[0]
}
