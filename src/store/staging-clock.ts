// Staging's clock: how far it was moved. Every process follows it.

import { clockOffsetInRange, MAX_CLOCK_OFFSET_MS } from '../core/staging-clock.ts'
import type { Queryable } from './db.ts'

export async function readClockOffset(db: Queryable): Promise<number> {
  return clockOffsetInRange(await readStoredClockOffset(db))
}

// As it is stored, whatever that is.
export async function readStoredClockOffset(db: Queryable): Promise<number> {
  const result = await db.query<{ offset_ms: bigint }>({
    name: 'read-clock-offset',
    text: 'select offset_ms from staging_clock where clock_id = 1',
  })
  return Number(result.rows[0]?.offset_ms ?? 0)
}

// Undefined: that would be too far, and nothing is moved.
export async function advanceClock(db: Queryable, byMs: number): Promise<number | undefined> {
  const result = await db.query<{ offset_ms: bigint }>({
    text: `insert into staging_clock as c (clock_id, offset_ms)
           values (1, $1)
               on conflict (clock_id) do update
              set offset_ms = least($2, greatest(0, c.offset_ms)) + excluded.offset_ms
            where least($2, greatest(0, c.offset_ms)) + excluded.offset_ms <= $2
        returning offset_ms`,
    values: [byMs, MAX_CLOCK_OFFSET_MS],
  })
  const moved = result.rows[0]?.offset_ms
  return moved === undefined ? undefined : Number(moved)
}
