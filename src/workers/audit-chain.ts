// Adds new audit entries to their organizations' chains, a moment after they are committed. Each organization has one turn, whatever
// it has waiting, and a failure of one does not affect the others.

import type { Logger } from 'pino'
import { chainEntries } from '../flows/audit/chain.ts'
import type { Context } from '../flows/context.ts'
import { StoreBusy, StoreUnavailable } from '../store/db.ts'
import { searchFor } from './due-queues.ts'
import type { DueSearch } from './due-search.ts'
import { errorSummary, type Loop, startLoop } from './loop.ts'

export function startAuditChain(ctx: Context, log: Logger, search: DueSearch, restMs: number): Loop {
  return startLoop({ name: 'audit', restMs, quiet: true, log, turn: () => chainAllDue(ctx, log, search) })
}

// Returns how many entries were dealt with. There may be more.
export async function chainAllDue(
  ctx: Context,
  log: Logger,
  search: DueSearch = searchFor(ctx, 'audit_unchained'),
): Promise<number> {
  let done = 0
  for (const organizationId of await search.look()) {
    try {
      done += await chainEntries(ctx, organizationId)
    } catch (error) {
      if (error instanceof StoreUnavailable || error instanceof StoreBusy) throw error
      log.error({ job: 'audit', organizationId, error: errorSummary(error) }, 'work failed')
    }
  }
  return done
}
