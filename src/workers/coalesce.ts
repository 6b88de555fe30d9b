// Little work for each: let some more gather, or the database is asked all the time for crumbs.

import { setTimeout as delay } from 'node:timers/promises'

const CRUMBS = 8
const GATHER_MS = 10

export async function gather(work: number, claims: number): Promise<void> {
  if (work > 0 && work < claims * CRUMBS) await delay(GATHER_MS)
}
