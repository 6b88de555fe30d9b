// Staging's clock: how far it was moved. Every process follows it.

import type { Queryable } from './db.ts'

export async function readClockOffset(db: Queryable): Promise<number> {
  const result = await db.query<{ offset_ms: bigint }>({
    name: 'read-clock-offset',
    text: 'select offset_ms from staging_clock where clock_id = 1',
  })
  return Number(result.rows[0]?.offset_ms ?? 0)
}

export async function advanceClock(db: Queryable, byMs: number): Promise<number> {
  const result = await db.query<{ offset_ms: bigint }>({
    text: `insert into staging_clock as c (clock_id, offset_ms)
           values (1, $1)
               on conflict (clock_id) do update set offset_ms = c.offset_ms + excluded.offset_ms
        returning offset_ms`,
    values: [byMs],
  })
  return Number(result.rows[0]?.offset_ms)
}
