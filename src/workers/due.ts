// What becomes due by time alone: payins nobody paid, and answers kept long enough.

import type { Logger } from 'pino'
import { DAY_MS } from '../core/instant.ts'
import type { Context } from '../flows/context.ts'
import { expirePayins } from '../flows/expire-payins.ts'
import { forgetRecordsBefore } from '../store/idempotency.ts'
import { listOrganizations } from '../store/organizations.ts'
import { organizationsWithExpiredPayins } from '../store/payins.ts'
import { type Loop, startLoop } from './loop.ts'

const EXPIRY_REST_MS = 1_000
const FORGET_REST_MS = 60 * 60_000
const IDEMPOTENCY_DAYS = 30
// Organizations served in one turn; the others come in the next, which follows at once.
const ORGANIZATIONS_A_TURN = 100
const RECORDS_AT_ONCE = 1_000

export function startWorkers(ctx: Context, log: Logger): Loop[] {
  return [
    startLoop({ name: 'expire-payins', restMs: EXPIRY_REST_MS, turn: () => expireDuePayins(ctx), log }),
    startLoop({ name: 'forget-answers', restMs: FORGET_REST_MS, turn: () => forgetOldAnswers(ctx), log }),
  ]
}

export async function expireDuePayins(ctx: Context): Promise<number> {
  let expired = 0
  for (const organizationId of await organizationsWithExpiredPayins(
    ctx.db,
    ctx.now(),
    ORGANIZATIONS_A_TURN,
  )) {
    expired += await expirePayins(ctx, organizationId)
  }
  return expired
}

export async function forgetOldAnswers(ctx: Context): Promise<number> {
  const before = ctx.now() - IDEMPOTENCY_DAYS * DAY_MS
  let forgotten = 0
  for (const { organizationId } of await listOrganizations(ctx.db)) {
    forgotten += await forgetRecordsBefore(ctx.db, organizationId, before, RECORDS_AT_ONCE)
  }
  return forgotten
}
