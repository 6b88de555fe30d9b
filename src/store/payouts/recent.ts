// Payouts that somebody may be about to repeat.

import type { Payout } from '../../core/payouts/payout.ts'
import type { Queryable } from '../db.ts'
import { PAYOUT_COLUMNS, type PayoutRow, toPayout } from './payouts.ts'

// The newest since an id that have one of the amounts and were not refused. One that was refused and then paid after all is STOPPED.
export async function listRecentPayouts(
  db: Queryable,
  organizationId: string,
  sinceId: string,
  amountsInCents: readonly bigint[],
  limit: number,
): Promise<Payout[]> {
  const result = await db.query<PayoutRow>({
    name: 'list-recent-payouts',
    text: `select ${PAYOUT_COLUMNS}
             from payouts
            where organization_id = $1 and payout_id >= $2 and amount_cents = any($3::bigint[])
              and (status in ('PROCESSING', 'CONFIRMED') or stage = 'STOPPED')
            order by payout_id desc
            limit $4`,
    values: [organizationId, sinceId, amountsInCents.map(String), limit],
  })
  return result.rows.map(toPayout)
}
