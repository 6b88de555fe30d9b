// With little work per claim, wait a moment so that more arrives. Otherwise we poll the database for single rows.

import { setTimeout as delay } from 'node:timers/promises'

const SMALL_BATCH = 8
const WAIT_MS = 10

export async function waitForMoreWork(work: number, claims: number): Promise<void> {
  if (work > 0 && work < claims * SMALL_BATCH) await delay(WAIT_MS)
}
