// A merchant asks us to send money. The payout is only written down here; a worker reserves the money and sends it.

import { MINUTE_MS } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { newPayout, type Payout, type PayoutRequest } from '../../core/payouts/payout.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { lastLookup } from '../../store/directory/key-lookups.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { insertOnce } from '../insert-once.ts'

const LOOKUP_COUNTS_FOR_MS = 30 * MINUTE_MS

export async function createPayout(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals'>,
  organization: Organization,
  request: PayoutRequest,
  remember: Idempotency<Payout> | null,
): Promise<Payout | Refusal> {
  const { organizationId } = organization
  if (organization.requireKeyLookup) {
    const at = await lastLookup(ctx.db, organizationId, request.keyString)
    if (at === undefined || at < ctx.clock.now() - LOOKUP_COUNTS_FOR_MS) {
      return refuse(
        'KEY_NOT_LOOKED_UP',
        'This organization pays only to keys it looked up in the last 30 minutes.',
      )
    }
  }
  const payout = newPayout(organizationId, ctx.ids.next(), request)
  ctx.signals.crashPoint('creation-before-commit')
  const record = remember && idempotencyRecordOf(remember, payout)
  const inserted = await insertOnce(remember !== null, () => ctx.batched.insertPayout({ payout, record }))
  ctx.signals.crashPoint('creation-after-commit')
  if (isRefusal(inserted)) return inserted
  if (!inserted) {
    // A commit whose answer was lost is run again by the store: the row in its way is our own.
    const own = await ctx.batched.getPayout(payout)
    if (own === undefined) throw new AnsweredBefore()
    return own
  }
  ctx.signals.workAdded('payouts')
  return payout
}
