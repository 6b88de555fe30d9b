// New events get their numbers, those of many organizations at a time: where each has one or two, a transaction for each
// would cost more than the numbering.

import type { Logger } from 'pino'
import type { Context } from '../flows/context.ts'
import { sequenceNewEvents } from '../flows/events/sequence.ts'
import { StoreBusy, StoreUnavailable } from '../store/db.ts'
import { organizationsWithUnsequencedEvents } from '../store/events/events.ts'
import { coalesce } from './coalesce.ts'
import { errorSummary, type Loop, startLoop } from './loop.ts'

const REST_MS = 250
// Few: each holds a connection, and those who write money must not wait for one.
const SEQUENCERS = 3
// As many as one transaction numbers some events of each of.
const ORGANIZATIONS_AT_ONCE = 100

export function startSequencer(ctx: Context, log: Logger): Loop {
  return startLoop({
    name: 'events',
    restMs: REST_MS,
    quiet: true,
    log,
    turn: async () => {
      const { organizations, events } = await sequenceAllDue(ctx, log)
      await coalesce(events, organizations)
      return events
    },
  })
}

// Each organization has one go, however much it has: none waits for another's backlog.
export async function sequenceAllDue(
  ctx: Context,
  log: Logger,
): Promise<{ organizations: number; events: number }> {
  const due = await organizationsWithUnsequencedEvents(ctx.db)
  const organizations = due.length
  const share = Math.min(Math.ceil(organizations / SEQUENCERS), ORGANIZATIONS_AT_ONCE)
  let events = 0
  const stamp = async (): Promise<void> => {
    for (let some = due.splice(0, share); some.length > 0; some = due.splice(0, share)) {
      // Apart from the sum, which the other stampers add to meanwhile.
      const numbered = await sequenceSome(ctx, log, some)
      events += numbered
    }
  }
  await Promise.all(Array.from({ length: SEQUENCERS }, stamp))
  return { organizations, events }
}

// What hinders one organization must not hinder those that travel with it.
async function sequenceSome(ctx: Context, log: Logger, organizationIds: readonly string[]): Promise<number> {
  try {
    return await sequenceNewEvents(ctx, organizationIds)
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof StoreBusy) throw error
    if (organizationIds.length === 1) {
      const [organizationId] = organizationIds
      log.error({ job: 'events', organizationId, error: errorSummary(error) }, 'work failed')
      return 0
    }
  }
  let events = 0
  for (const organizationId of organizationIds) events += await sequenceSome(ctx, log, [organizationId])
  return events
}
