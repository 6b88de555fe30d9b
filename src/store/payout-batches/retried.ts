// Rows of a retry whose earlier payout the network paid after all.

import type { Instant } from '../../core/instant.ts'
import type { PayoutBatch } from '../../core/payout-batches/batch.ts'
import type { Queryable } from '../db.ts'
import { getBatch } from './batches.ts'

export type PaidAfterAll = { readonly rowNumber: number; readonly payoutId: string; readonly paidAt: Instant }

// By the number of the row, which is the same in every retry. What the network says meanwhile waits until the transaction ends.
export async function lockPaidAfterAll(
  tx: Queryable,
  { organizationId, batchId, retryOf }: Pick<PayoutBatch, 'organizationId' | 'batchId' | 'retryOf'>,
): Promise<Map<number, PaidAfterAll>> {
  const paid = new Map<number, PaidAfterAll>()
  let [earlier, later] = [retryOf, batchId]
  while (earlier !== null) {
    const found = await lockPaidOf(tx, organizationId, earlier, later)
    for (const one of found) paid.set(one.rowNumber, one)
    later = earlier
    earlier = (await getBatch(tx, organizationId, earlier))?.retryOf ?? null
  }
  return paid
}

async function lockPaidOf(
  tx: Queryable,
  organizationId: string,
  batchId: string,
  retriedIn: string,
): Promise<PaidAfterAll[]> {
  const { rows } = await tx.query<PaidAfterAll>({
    name: 'lock-paid-after-all-of-batch',
    text: `select b.row_number as "rowNumber", p.payout_id as "payoutId", p.updated_at as "paidAt"
             from payout_batch_rows b
             join payouts p on p.organization_id = b.organization_id and p.payout_id = b.payout_id
            where b.organization_id = $1 and b.batch_id = $2 and b.retried_in = $3 and p.stage = 'STOPPED'
              for share of p`,
    values: [organizationId, batchId, retriedIn],
  })
  return rows
}
