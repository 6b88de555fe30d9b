// The payouts of one refund. Those that were declined are among them: the network may have paid one after all.

import type { Payout } from '../../core/payouts/payout.ts'
import type { Queryable } from '../db.ts'
import { PAYOUT_COLUMNS, type PayoutRow, toPayout } from './payouts.ts'

// `reference`: that of the refund's payin, which its payouts have too.
export type PayoutsOfRefund = {
  readonly organizationId: string
  readonly refundId: string
  readonly reference: string
}

// What the network paid after it had been declined. Undefined: nothing.
export async function payoutPaidAfterDecline(
  db: Queryable,
  { organizationId, refundId, reference }: PayoutsOfRefund,
): Promise<Payout | undefined> {
  const { rows } = await db.query<PayoutRow>({
    name: 'paid-after-all-of-refund',
    text: `select ${PAYOUT_COLUMNS}
             from payouts
            where organization_id = $1 and reference = $2 and refund_id = $3 and stage = 'STOPPED'
            order by payout_id
            limit 1`,
    values: [organizationId, reference, refundId],
  })
  return rows[0] && toPayout(rows[0])
}

// As they are until the transaction ends: the network's word about any of them is written before or after.
export async function lockPayoutsOfRefund(
  tx: Queryable,
  { organizationId, refundId, reference }: PayoutsOfRefund,
): Promise<Payout[]> {
  const { rows } = await tx.query<PayoutRow>({
    name: 'lock-payouts-of-refund',
    text: `select ${PAYOUT_COLUMNS}
             from payouts
            where organization_id = $1 and reference = $2 and refund_id = $3
            order by payout_id
              for update`,
    values: [organizationId, reference, refundId],
  })
  return rows.map(toPayout)
}
