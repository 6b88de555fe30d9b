// What is due of a batch: its keys are to be looked up, its payouts to be made, or it may have ended.

import type { Organization } from '../../core/organizations/organization.ts'
import { type BatchClaim, lockBatch, updateBatch } from '../../store/payout-batches/batches.ts'
import type { Needs } from '../context.ts'
import { checkKeys } from './check-keys.ts'
import { sendBatch } from './send.ts'

// Returns true if there is more to do at once.
export async function advanceBatch(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'networks' | 'settings' | 'signals' | 'vault'>,
  claim: BatchClaim,
  organization: Organization,
): Promise<boolean> {
  const { organizationId, batchId, status } = claim.batch
  if (status === 'CHECKING') {
    await checkKeys(ctx, claim, organization)
    return false
  }
  if (status === 'PROCESSING') return sendBatch(ctx, claim, organization)
  // Nothing is due of a batch that waits or has ended.
  await ctx.db.inTransaction(async (tx) => {
    const batch = await lockBatch(tx, organizationId, batchId)
    if (batch?.status === status) await updateBatch(tx, batch, null)
  })
  return false
}
