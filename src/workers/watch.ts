// Asks four times a second, in one statement, which queues have something due, and wakes their loops. So an idle process asks
// one question and not one for each kind of work. The loops look by themselves too, but seldom.

import type { Logger } from 'pino'
import type { Instant } from '../core/instant.ts'
import type { Context, Needs, WorkKind } from '../flows/context.ts'
import { type QueueName, queuesWithWork, type WorkQueue } from '../store/due-work.ts'
import type { DueSearches } from './due-queues.ts'
import { type Loop, startLoop } from './loop.ts'

const REST_MS = 250

const KIND_OF: Readonly<Record<QueueName, WorkKind>> = {
  payins: 'payins',
  payouts: 'payouts',
  refunds: 'refunds',
  payout_batches: 'batches',
  payment_links: 'links',
  rail_notices: 'notices',
  deliveries: 'deliveries',
  first_attempt_batches: 'deliveries',
  webhook_endpoints: 'deliveries',
  events: 'events',
  audit_unchained: 'audit',
}

// Of which kinds something is due that is not older than the beginning of its queue.
export async function kindsWithWork(
  ctx: Needs<'db' | 'clock'>,
  beginningOf: (queue: WorkQueue | 'events') => Instant,
): Promise<Set<WorkKind>> {
  const found = await queuesWithWork(ctx.db, ctx.clock.now(), beginningOf)
  return new Set(found.map((queue) => KIND_OF[queue]))
}

export function startWatch(
  ctx: Context,
  log: Logger,
  searches: DueSearches,
  wake: (kind: WorkKind) => void,
): Loop {
  return startLoop({
    name: 'watch',
    restMs: REST_MS,
    log,
    turn: async () => {
      for (const kind of await kindsWithWork(ctx, (queue) => searches[queue].from())) wake(kind)
      // The loops do the work.
      return 0
    },
  })
}
