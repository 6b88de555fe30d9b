// When a payin is looked at next, and by whom it is being looked at now.

import type { Instant } from '../../core/instant.ts'
import type { PayinAddress } from '../../core/payins/payin.ts'
import type { Queryable } from '../db.ts'

// `dueAt` is null where nothing is left to be done. A worker that has it may be calling the network right now.
export type NextWork = { dueAt: Instant | null; isClaimed: boolean }

export async function nextPayinWork(
  db: Queryable,
  { organizationId, payinId }: PayinAddress,
): Promise<NextWork | undefined> {
  const result = await db.query<NextWork>({
    text: `select due_at as "dueAt", lease_token is not null as "isClaimed"
             from payins
            where organization_id = $1 and payin_id = $2`,
    values: [organizationId, payinId],
  })
  return result.rows[0]
}
