// Gives organizations' new events their numbers, and puts them in the parcels of the endpoints that want them.

import { numberEvents } from '../../store/events/events.ts'
import type { Context } from '../context.ts'

// Enough to keep up with any rate at which events come, few enough to hold the counters for milliseconds.
const NUMBER_AT_ONCE = 500

// Answers how many got one. There may be more: those that have their numbers are sent, and other organizations served,
// before the next get theirs.
export async function numberNewEvents(ctx: Context, organizationIds: readonly string[]): Promise<number> {
  const ofEach = Math.ceil(NUMBER_AT_ONCE / organizationIds.length)
  const numbered = await numberEvents(ctx.db, organizationIds, ofEach, ctx.now())
  if (numbered > 0) {
    ctx.hint('deliveries')
    for (const organizationId of organizationIds) ctx.hint('streams', organizationId)
  }
  return numbered
}
