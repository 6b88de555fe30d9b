// Gives new events their sequence numbers, for many organizations in one transaction. If each has only one or two events, a
// transaction per organization would cost more than the sequencing itself.

import type { Logger } from 'pino'
import type { Instant } from '../core/instant.ts'
import type { Context } from '../flows/context.ts'
import { sequenceNewEvents } from '../flows/events/sequence.ts'
import { StoreBusy, StoreUnavailable } from '../store/db.ts'
import { searchForUnsequenced } from './due-queues.ts'
import type { DueSearch } from './due-search.ts'
import { errorSummary, type Loop, startLoop } from './loop.ts'
import { waitForMoreWork } from './wait-for-more-work.ts'

// Few: each holds a connection, and writers of money must not wait for one.
const SEQUENCERS = 3
const ORGANIZATIONS_PER_TRANSACTION = 100

export function startSequencer(ctx: Context, log: Logger, search: DueSearch, restMs: number): Loop {
  return startLoop({
    name: 'events',
    restMs,
    quiet: true,
    log,
    turn: async () => {
      const { organizations, events } = await sequenceAllDue(ctx, log, search)
      await waitForMoreWork(events, organizations)
      return events
    },
  })
}

// Each organization gets one turn, whatever its backlog, so none waits for another's.
export async function sequenceAllDue(
  ctx: Context,
  log: Logger,
  search = searchForUnsequenced(ctx),
): Promise<{ organizations: number; events: number }> {
  const due = await search.look()
  // What commits late with an older id is found by the next look.
  const from = search.firstAt()
  const organizations = due.length
  const share = Math.min(Math.ceil(organizations / SEQUENCERS), ORGANIZATIONS_PER_TRANSACTION)
  let events = 0
  const sequenceShares = async (): Promise<void> => {
    for (let batch = due.splice(0, share); batch.length > 0; batch = due.splice(0, share)) {
      // Awaited before the addition: the other sequencers change the sum meanwhile.
      const sequenced = await sequenceBatch(ctx, log, batch, from)
      events += sequenced
    }
  }
  await Promise.all(Array.from({ length: SEQUENCERS }, sequenceShares))
  return { organizations, events }
}

// A failure of one organization must not affect the others in its batch.
async function sequenceBatch(
  ctx: Context,
  log: Logger,
  organizationIds: readonly string[],
  from: Instant,
): Promise<number> {
  try {
    return await sequenceNewEvents(ctx, organizationIds, from)
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof StoreBusy) throw error
    if (organizationIds.length === 1) {
      const [organizationId] = organizationIds
      log.error({ job: 'events', organizationId, error: errorSummary(error) }, 'work failed')
      return 0
    }
  }
  let events = 0
  for (const organizationId of organizationIds)
    events += await sequenceBatch(ctx, log, [organizationId], from)
  return events
}
