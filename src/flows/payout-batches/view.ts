// A batch with what its rows add up to: what merchants are shown.

import type { BatchResults, BatchTotals, PayoutBatch } from '../../core/payout-batches/batch.ts'
import type { Queryable } from '../../store/db.ts'
import { readBatchTotals } from '../../store/payout-batches/rows.ts'

export type BatchView = {
  readonly batch: PayoutBatch
  readonly totals: BatchTotals
  readonly results: BatchResults
}

export async function viewsOf(db: Queryable, batches: readonly PayoutBatch[]): Promise<BatchView[]> {
  const [first] = batches
  if (first === undefined) return []
  const ids = batches.map(({ batchId }) => batchId)
  const read = await readBatchTotals(db, first.organizationId, ids)
  return batches.map((batch) => {
    const found = read.get(batch.batchId)
    if (found === undefined) throw new Error(`the batch ${batch.batchId} has no rows`)
    return { batch, ...found }
  })
}

export async function viewOf(db: Queryable, batch: PayoutBatch): Promise<BatchView> {
  const [view] = await viewsOf(db, [batch])
  return view as BatchView
}
