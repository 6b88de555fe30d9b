// The batch that an address names.

import { isUuid } from '../../core/ids.ts'
import { type BatchView, viewOf } from '../../flows/payout-batches/view.ts'
import { getBatch } from '../../store/payout-batches/batches.ts'
import type { Visit } from '../visit.ts'

export function batchIdIn({ request }: Visit): string {
  const { batchId } = request.params as { batchId: string }
  return isUuid(batchId) ? batchId.toLowerCase() : ''
}

export async function viewIn(visit: Visit): Promise<BatchView | undefined> {
  const batchId = batchIdIn(visit)
  const { ctx, organization } = visit
  const batch = batchId === '' ? undefined : await getBatch(ctx.db, organization.organizationId, batchId)
  return batch && viewOf(ctx.db, batch)
}
