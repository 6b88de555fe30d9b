// Closes the days that have ended, and tells of balances that have fallen below their minimum. A day is summed in parts, with rests between
// them: payments go first.

import type { Logger } from 'pino'
import type { Context } from '../flows/context.ts'
import { closeNextDue, type Rest } from '../flows/ledger/close-days.ts'
import { watchMinimums } from '../flows/ledger/watch-minimums.ts'
import { type Loop, startLoop } from './loop.ts'

const REST_MS = 5_000
const MINIMUM_REST_MS = 15_000
// Of the time that a day takes, at least so much is rest.
const REST_SHARE = 0.7
const MAX_REST_MS = 2_000

export function startDailyCloses(ctx: Context, log: Logger): Loop {
  return startLoop({
    name: 'daily-closes',
    restMs: REST_MS,
    turn: () => closeTurn(ctx, log),
    log,
    quiet: true,
  })
}

export function startMinimumBalances(ctx: Context, log: Logger): Loop {
  return startLoop({
    name: 'minimum-balances',
    restMs: MINIMUM_REST_MS,
    turn: () => watchMinimums(ctx),
    log,
  })
}

// Returns 1 if something was due.
async function closeTurn(ctx: Context, log: Logger): Promise<number> {
  const startedAt = performance.now()
  const done = await closeNextDue(ctx, restBetweenParts())
  if (done === null) return 0
  if (done !== 'none closed')
    log.info({ job: 'daily-closes', ...done, durationMs: Math.round(performance.now() - startedAt) })
  return 1
}

export function restBetweenParts(): Rest {
  let startedAt = performance.now()
  return async () => {
    const tookMs = performance.now() - startedAt
    const restMs = Math.min(MAX_REST_MS, (tookMs * REST_SHARE) / (1 - REST_SHARE))
    await new Promise((resolve) => setTimeout(resolve, restMs))
    startedAt = performance.now()
  }
}
