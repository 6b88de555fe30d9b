// Gives organizations' new events their numbers, and puts them in the batches of the endpoints that want them.

import { sequenceEvents } from '../../store/events/events.ts'
import type { Needs } from '../context.ts'

// Enough to keep up with any rate at which events come, few enough to hold the counters for milliseconds.
const NUMBER_AT_ONCE = 500

// Answers how many got one. There may be more: those that have their numbers are sent, and other organizations served,
// before the next get theirs.
export async function sequenceNewEvents(
  ctx: Needs<'clock' | 'db' | 'signals'>,
  organizationIds: readonly string[],
): Promise<number> {
  const ofEach = Math.ceil(NUMBER_AT_ONCE / organizationIds.length)
  const numbered = await sequenceEvents(ctx.db, organizationIds, ofEach, ctx.clock.now())
  if (numbered > 0) {
    ctx.signals.workAdded('deliveries')
    for (const organizationId of organizationIds) ctx.signals.workAdded('streams', organizationId)
  }
  return numbered
}
