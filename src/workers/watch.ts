// Asks four times a second, in one statement, which queues have something due, and wakes their loops. So an idle process asks
// one question and not one for each kind of work. The loops look by themselves too, but seldom.

import type { Logger } from 'pino'
import type { Context, WorkKind } from '../flows/context.ts'
import { type QueueName, queuesWithWork } from '../store/due-work.ts'
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
      const found = await queuesWithWork(ctx.db, ctx.clock.now(), (queue) => searches[queue].from())
      for (const kind of new Set(found.map((queue) => KIND_OF[queue]))) wake(kind)
      // The loops do the work.
      return 0
    },
  })
}
