// Reconciles the days that are due, one after the other. Of several workers one does a day, under its lease.

import type { Logger } from 'pino'
import { reconcileNextConnection } from '../flows/connections/reconcile-connection.ts'
import type { Context } from '../flows/context.ts'
import { reconcileNextDue } from '../flows/ledger/reconcile-due.ts'
import { type Loop, startLoop } from './loop.ts'

const REST_MS = 1_000

export function startReconciliation(ctx: Context, log: Logger): Loop {
  return startLoop({
    name: 'reconciliation',
    restMs: REST_MS,
    turn: () => reconcileTurn(ctx, log),
    log,
    quiet: true,
  })
}

// Returns 1 if a day was taken up, 0 if none is due.
async function reconcileTurn(ctx: Context, log: Logger): Promise<number> {
  const done = await reconcileNextDue(ctx)
  if (done !== undefined) {
    const { claim, result } = done
    log.info({ job: 'reconciliation', rail: claim.rail, day: claim.day, ...result })
    return 1
  }
  const connection = await reconcileNextConnection(ctx)
  if (connection === undefined) return 0
  log.info({ job: 'reconciliation', ...connection })
  return 1
}
