// Gives organizations' new events their sequences, and adds them to the batches of the endpoints that want them.

import type { Instant } from '../../core/instant.ts'
import { sequenceEvents } from '../../store/events/events.ts'
import type { Needs } from '../context.ts'

// Enough to keep up with any rate of events, few enough to hold the counters only for milliseconds.
const MAX_EVENTS_PER_RUN = 500

// `from`: all events made before it are known to have their sequence. Returns how many events got one. There may be more: the sequenced ones are sent, and other organizations are
// served, before the next run.
export async function sequenceNewEvents(
  ctx: Needs<'clock' | 'db' | 'signals'>,
  organizationIds: readonly string[],
  from: Instant = 0,
): Promise<number> {
  const limitPerOrganization = Math.ceil(MAX_EVENTS_PER_RUN / organizationIds.length)
  const sequencedCount = await sequenceEvents(
    ctx.db,
    organizationIds,
    limitPerOrganization,
    ctx.clock.now(),
    from,
  )
  if (sequencedCount > 0) {
    for (const organizationId of organizationIds) {
      ctx.signals.workAdded('deliveries', organizationId)
      ctx.signals.workAdded('streams', organizationId)
    }
  }
  return sequencedCount
}
