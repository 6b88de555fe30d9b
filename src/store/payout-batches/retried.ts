// Rows of a retry whose earlier payout the network paid after all.

import type { Instant } from '../../core/instant.ts'
import type { PayoutBatch } from '../../core/payout-batches/batch.ts'
import type { PayoutStage } from '../../core/payouts/payout.ts'
import type { Queryable } from '../db.ts'
import { getBatch } from './batches.ts'

export type PaidAfterAll = { readonly payoutId: string; readonly paidAt: Instant }

// By the number of the row, which is the same in every retry. What the network says meanwhile waits until the transaction ends.
export async function lockRetriedPaidAfterDecline(
  tx: Queryable,
  { organizationId, batchId, retryOf }: Pick<PayoutBatch, 'organizationId' | 'batchId' | 'retryOf'>,
  rowNumbers: readonly number[],
): Promise<Map<number, PaidAfterAll>> {
  const paid = new Map<number, PaidAfterAll>()
  let [earlier, later] = [retryOf, batchId]
  while (earlier !== null) {
    const tried = await listTried(tx, organizationId, earlier, later, rowNumbers)
    for (const [rowNumber, one] of await lockPaid(tx, organizationId, tried)) paid.set(rowNumber, one)
    later = earlier
    earlier = (await getBatch(tx, organizationId, earlier))?.retryOf ?? null
  }
  return paid
}

type Tried = { rowNumber: number; payoutId: string }

async function listTried(
  tx: Queryable,
  organizationId: string,
  batchId: string,
  retriedIn: string,
  rowNumbers: readonly number[],
): Promise<Tried[]> {
  const { rows } = await tx.query<Tried>({
    name: 'list-tried-payout-batch-rows',
    text: `select row_number as "rowNumber", payout_id as "payoutId"
             from payout_batch_rows
            where organization_id = $1 and batch_id = $2 and retried_in = $3 and row_number = any($4) and payout_id is not null`,
    values: [organizationId, batchId, retriedIn, rowNumbers],
  })
  return rows
}

// A statement of its own: Citus locks no rows of a join. All of them are locked, and not only what was paid by now.
async function lockPaid(
  tx: Queryable,
  organizationId: string,
  tried: readonly Tried[],
): Promise<[number, PaidAfterAll][]> {
  const { rows } = await tx.query<PaidAfterAll & { stage: PayoutStage }>({
    name: 'lock-tried-payouts',
    text: `select payout_id as "payoutId", stage, updated_at as "paidAt"
             from payouts
            where organization_id = $1 and payout_id = any($2::uuid[])
            order by payout_id
              for share`,
    values: [organizationId, tried.map(({ payoutId }) => payoutId)],
  })
  const paid = new Map(rows.filter(({ stage }) => stage === 'STOPPED').map((one) => [one.payoutId, one]))
  return tried.flatMap(({ rowNumber, payoutId }): [number, PaidAfterAll][] => {
    const one = paid.get(payoutId)
    return one === undefined ? [] : [[rowNumber, one]]
  })
}
