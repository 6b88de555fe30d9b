// The look for due work: who has some, found by time. It reads what is due and nothing that waits, whatever the number of
// organizations. What is found is then claimed within one organization, or for one endpoint.

import { type Instant, isoInstant } from '../core/instant.ts'
import type { Db, Queryable } from './db.ts'

// Whose work is in a queue: an organization's, or an endpoint's. Each has an index (due_at, …owner).
const QUEUES = {
  payins: ['organization_id'],
  payouts: ['organization_id'],
  payment_links: ['organization_id'],
  rail_notices: ['organization_id'],
  deliveries: ['organization_id', 'endpoint_id'],
  first_attempt_batches: ['organization_id', 'endpoint_id'],
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

// The earliest of all may stand behind the remains of millions of rows that an old snapshot keeps. Finding it may take longer
// than other statements.
export const PATIENCE = {
  name: 'allow-a-minute',
  text: `select set_config('statement_timeout', '60000', true)`,
} as const

const NIL = '00000000-0000-0000-0000-000000000000'

// No row at or after the time stands before it.
export function placeBefore(time: Instant): QueuePlace {
  return { dueAt: isoInstant(time - 1), owner: [NIL, NIL] }
}

// Up to `limit` due rows behind a place, those that are due longest first.
export async function oldestDue(
  db: Queryable,
  queue: WorkQueue,
  now: Instant,
  after: QueuePlace,
  limit: number,
): Promise<DuePage> {
  const owner = QUEUES[queue]
  const columns = owner.join(', ')
  const result = await db.query<DueRow>({
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
export async function newestDue(
  db: Queryable,
  queue: WorkQueue,
  now: Instant,
  limit: number,
): Promise<string[]> {
  const columns = QUEUES[queue].join(', ')
  const result = await db.query<{ owner: string }>({
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
export async function earliestDue(db: Db, queue: WorkQueue, now: Instant): Promise<Instant | null> {
  const [, result] = await db.sendTransaction([
    PATIENCE,
    {
      name: `earliest-due-${queue}`,
      text: `select due_at from ${queue} where due_at <= $1 order by due_at limit 1`,
      values: [isoInstant(now)],
    },
  ])
  return (result?.rows[0]?.due_at as Instant | undefined) ?? null
}
