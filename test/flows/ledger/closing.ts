// Closes days in a test as the worker does: what is due now, and what becomes due a minute later.

import { bogotaDay, type Day, endOfDay } from '../../../src/core/bogota-day.ts'
import { CLOSES_AFTER_MS, WRITES_END_WITHIN_MS } from '../../../src/core/ledger/daily-close.ts'
import { type ClosedDay, closeNextDue } from '../../../src/flows/ledger/close-days.ts'
import type { World } from '../../world.ts'

const noRest = async (): Promise<void> => {}

export async function closeAllDue(world: World): Promise<ClosedDay[]> {
  const closed: ClosedDay[] = []
  for (;;) {
    const done = await closeNextDue(world.ctx, noRest)
    if (done === null) return closed
    if (done !== 'none closed') closed.push(done)
  }
}

export function today(world: World): Day {
  return bogotaDay(world.ctx.clock.now())
}

// The clock goes to the time at which today is closed by itself, and today is closed. Returns the day that was closed.
export async function closeToday(world: World): Promise<Day> {
  const day = today(world)
  await world.passTime(endOfDay(day) + CLOSES_AFTER_MS - world.ctx.clock.now())
  await closeAllDue(world)
  await world.passTime(WRITES_END_WITHIN_MS)
  await closeAllDue(world)
  return day
}
