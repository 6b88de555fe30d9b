// How far each organization's days are closed: whose turn it is, from when on nothing is booked in them, and which day is summed next.

import type { Day } from '../../core/bogota-day.ts'
import { firstIdAt } from '../../core/ids.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type ClosingMark = {
  readonly organizationId: string
  // The first instant in which something may be booked.
  readonly openFrom: Instant
  // The first day without a close.
  readonly nextDay: Day
  readonly dueAt: Instant
}

const COLUMNS = `organization_id as "organizationId", open_from as "openFrom", next_day as "nextDay", due_at as "dueAt"`

export async function insertClosingMark(
  tx: Queryable,
  { organizationId, openFrom, nextDay, dueAt }: ClosingMark,
): Promise<void> {
  await tx.query({
    text: `insert into closing_marks (organization_id, open_from, first_open_id, next_day, due_at)
           values ($1, $2, $3, $4, $5)
               on conflict do nothing`,
    values: [organizationId, isoInstant(openFrom), firstIdAt(openFrom), nextDay, isoInstant(dueAt)],
  })
}

export async function getClosingMark(
  db: Queryable,
  organizationId: string,
): Promise<ClosingMark | undefined> {
  const result = await db.query<ClosingMark>({
    name: 'get-closing-mark',
    text: `select ${COLUMNS} from closing_marks where organization_id = $1`,
    values: [organizationId],
  })
  return result.rows[0]
}

// The organizations that are due, those that wait longest first. Nobody is locked: each is claimed by itself.
export async function organizationsToClose(db: Queryable, now: Instant, limit: number): Promise<string[]> {
  const result = await db.query<{ organization_id: string }>({
    name: 'organizations-to-close',
    text: `select organization_id from closing_marks where due_at <= $1 order by due_at, organization_id limit $2`,
    values: [isoInstant(now), limit],
  })
  return result.rows.map((row) => row.organization_id)
}

// Undefined if somebody else has it, or it is not due. Nobody else takes it before `until`.
export async function claimClosing(
  db: Queryable,
  organizationId: string,
  now: Instant,
  until: Instant,
): Promise<ClosingMark | undefined> {
  const result = await db.query<ClosingMark>({
    name: 'claim-closing',
    text: `update closing_marks
              set due_at = $3
            where organization_id = $1 and due_at <= $2
        returning ${COLUMNS}`,
    values: [organizationId, isoInstant(now), isoInstant(until)],
  })
  return result.rows[0]
}

// From the next statement on, nothing is booked before this instant. It only ever moves on.
export async function openDaysFrom(
  db: Queryable,
  organizationId: string,
  openFrom: Instant,
  dueAt: Instant,
): Promise<boolean> {
  const result = await db.query({
    name: 'open-days-from',
    text: `update closing_marks
              set open_from = $2, first_open_id = $3, due_at = $4
            where organization_id = $1 and open_from < $2`,
    values: [organizationId, isoInstant(openFrom), firstIdAt(openFrom), isoInstant(dueAt)],
  })
  return result.rowCount === 1
}

// The day has its close, or needs none. False if somebody else has said so before.
export async function passDay(
  tx: Queryable,
  organizationId: string,
  day: Day,
  nextDay: Day,
  dueAt: Instant,
): Promise<boolean> {
  const result = await tx.query({
    name: 'pass-day',
    text: `update closing_marks set next_day = $3, due_at = $4 where organization_id = $1 and next_day = $2`,
    values: [organizationId, day, nextDay, isoInstant(dueAt)],
  })
  return result.rowCount === 1
}
