// When a payout is looked at next, and how often its network was asked in vain.

import type { Instant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import type { PayoutAddress } from './payouts.ts'

// `dueAt` is null where nothing is left to be done, or where it is held back since a restore. A worker that has it may be calling the network right now.
export type NextPayoutWork = { dueAt: Instant | null; isClaimed: boolean; attempts: number }

export async function nextPayoutWork(
  db: Queryable,
  { organizationId, payoutId }: PayoutAddress,
): Promise<NextPayoutWork | undefined> {
  const result = await db.query<NextPayoutWork>({
    text: `select nullif(due_at, 'infinity') as "dueAt", lease_token is not null as "isClaimed", attempts
             from payouts
            where organization_id = $1 and payout_id = $2`,
    values: [organizationId, payoutId],
  })
  return result.rows[0]
}

// Payouts that a person must look into with the network. There are none on most days.
export async function countStoppedPayouts(db: Queryable, organizationId: string): Promise<number> {
  const result = await db.query<{ stopped: bigint }>({
    text: `select count(*) as stopped
             from payouts
            where organization_id = $1 and status = 'PROCESSING' and stage = 'STOPPED'`,
    values: [organizationId],
  })
  return Number(result.rows[0]?.stopped ?? 0n)
}
