// Little work for each: let some more gather, or the database is asked all the time for crumbs.

import { setTimeout as delay } from 'node:timers/promises'

const SMALL_BATCH = 8
const COALESCE_MS = 10

export async function coalesce(work: number, claims: number): Promise<void> {
  if (work > 0 && work < claims * SMALL_BATCH) await delay(COALESCE_MS)
}
