// How far staging's clock may stand from the machine's. It only goes forward. Beyond some thousand years no database and no
// program can write the time any more, and long before that no test makes sense.

import { DAY_MS } from './instant.ts'

export const MAX_CLOCK_OFFSET_MS = 10 * 366 * DAY_MS

// What is made of an offset that was stored by an older version, or by hand: a start survives whatever it is.
export function clockOffsetInRange(storedMs: number): number {
  return Number.isFinite(storedMs) ? Math.min(Math.max(0, storedMs), MAX_CLOCK_OFFSET_MS) : 0
}
