// How many payins there were, of how much, and how they ended: by hour, and by bank and reason. For a person's overview, so no
// more rows are read than a moment takes.

import type { Rail } from '../../core/connections/rail.ts'
import type { Instant } from '../../core/instant.ts'
import type { PayinErrorCode, PayinStatus } from '../../core/payins/payin.ts'
import type { Queryable } from '../db.ts'
import type { IdBounds } from '../keyset-list.ts'

export type PayinFigure = {
  // The hour in which they were created.
  hour: Instant
  status: PayinStatus
  rail: Rail
  count: number
  sumInCents: bigint
}

// `isPartial`: only the newest rows of the range were read.
export type PayinFigures = { figures: PayinFigure[]; isPartial: boolean }

type Range = Required<IdBounds>

export async function payinFigures(
  db: Queryable,
  organizationId: string,
  { fromId, beforeId }: Range,
  maxRows: number,
): Promise<PayinFigures> {
  const result = await db.query<{
    hour: Instant
    status: PayinStatus
    rail: Rail
    count: bigint
    sum: string
  }>({
    text: `select date_trunc('hour', created_at) as hour, status, rail, count(*), sum(cents)::text as sum
             from (select created_at, status, rail, coalesce(confirmed_amount_cents, amount_cents) as cents
                     from payins
                    where organization_id = $1 and payin_id >= $2 and payin_id < $3
                    order by payin_id desc
                    limit $4) as newest
            group by 1, 2, 3`,
    values: [organizationId, fromId, beforeId, maxRows],
  })
  const figures = result.rows.map(({ hour, status, rail, count, sum }) => ({
    hour,
    status,
    rail,
    count: Number(count),
    sumInCents: BigInt(sum),
  }))
  return { figures, isPartial: figures.reduce((all, { count }) => all + count, 0) >= maxRows }
}

export type PayinEnding = {
  rail: Rail
  // Of PSE. Null: Bre-B has none.
  bank: string | null
  status: PayinStatus
  reason: PayinErrorCode | null
  count: number
}

export async function payinEndings(
  db: Queryable,
  organizationId: string,
  { fromId, beforeId }: Range,
  maxRows: number,
): Promise<PayinEnding[]> {
  const result = await db.query<Omit<PayinEnding, 'count'> & { count: bigint }>({
    text: `select rail, bank, status, error_code as reason, count(*)
             from (select rail, bank, status, error_code
                     from payins
                    where organization_id = $1 and payin_id >= $2 and payin_id < $3
                    order by payin_id desc
                    limit $4) as newest
            group by 1, 2, 3, 4`,
    values: [organizationId, fromId, beforeId, maxRows],
  })
  return result.rows.map((row) => ({ ...row, count: Number(row.count) }))
}
