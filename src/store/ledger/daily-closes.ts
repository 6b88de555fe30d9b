// The closes of days: added and read, never changed.

import type { Day } from '../../core/bogota-day.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import { readFigures, type StoredFigures } from '../../core/ledger/daily-close.ts'
import type { Queryable } from '../db.ts'

export type DailyClose = {
  readonly organizationId: string
  readonly day: Day
  readonly figures: StoredFigures
  // As they were written: that is what was digested.
  readonly figuresText: string
  readonly digest: Buffer
  readonly previousDigest: Buffer | null
  readonly closedAt: Instant
}

export type NewClose = Omit<DailyClose, 'figures'> & { readonly movements: number }

// A close that is there already stays as it is.
export async function insertClose(tx: Queryable, close: NewClose): Promise<void> {
  const { organizationId, day, movements, figuresText, digest, previousDigest, closedAt } = close
  await tx.query({
    text: `insert into daily_closes (organization_id, day, movements, figures, digest, previous_digest, closed_at)
           values ($1, $2, $3, $4, $5, $6, $7)
               on conflict do nothing`,
    values: [organizationId, day, movements, figuresText, digest, previousDigest, isoInstant(closedAt)],
  })
}

const COLUMNS = `organization_id as "organizationId", day, figures::text as "figuresText", digest,
  previous_digest as "previousDigest", closed_at as "closedAt"`

type CloseRow = Omit<DailyClose, 'figures'>

function toClose(row: CloseRow): DailyClose {
  return { ...row, figures: readFigures(row.figuresText) }
}

// The last close on or before a day.
export async function lastCloseUntil(
  db: Queryable,
  organizationId: string,
  day: Day,
): Promise<DailyClose | undefined> {
  const result = await db.query<CloseRow>({
    name: 'last-close-until',
    text: `select ${COLUMNS}
             from daily_closes
            where organization_id = $1 and day <= $2
            order by day desc
            limit 1`,
    values: [organizationId, day],
  })
  return result.rows[0] && toClose(result.rows[0])
}

// In order, both days included, and not more than so many.
export async function closesBetween(
  db: Queryable,
  organizationId: string,
  from: Day,
  until: Day,
  limit = 1_000,
): Promise<DailyClose[]> {
  const result = await db.query<CloseRow>({
    name: 'closes-between',
    text: `select ${COLUMNS}
             from daily_closes
            where organization_id = $1 and day between $2 and $3
            order by day
            limit $4`,
    values: [organizationId, from, until, limit],
  })
  return result.rows.map(toClose)
}
