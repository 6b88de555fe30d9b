// What was paid out on a day, by a credential and by its organization as a whole (an empty credential id). insertPayouts counts it
// with the payouts that it writes; here it is read, and held while somebody decides about one more.

import type { Day } from '../../core/bogota-day.ts'
import type { PayoutUsage } from '../../core/organizations/limits.ts'
import type { Queryable } from '../db.ts'
import { anchoredOrganization, fromAnchored, isAnchored, scopedStatement } from '../scoped-statement.ts'

export type UsageAddress = { organizationId: string; day: Day; credentialId: string }
export const WHOLE_ORGANIZATION = ''

// All are locked until the transaction ends, in one order, so that two that hold several do not wait for each other.
export async function lockPayoutUsage(
  tx: Queryable,
  addresses: readonly UsageAddress[],
): Promise<(UsageAddress & PayoutUsage)[]> {
  const rows = addresses.map(({ organizationId, day, credentialId }) => ({
    organization_id: organizationId,
    day,
    credential_id: credentialId,
  }))
  const result = await tx.query<UsageAddress & PayoutUsage>(
    await lockPayoutUsageStatement(
      tx,
      addresses.map(({ organizationId }) => organizationId),
      [JSON.stringify(rows)],
    ),
  )
  return result.rows
}

const lockPayoutUsageStatement = scopedStatement(
  'lock-payout-usage',
  1,
  (scope) => `
  insert into payout_usage as u (organization_id, day, credential_id, payouts, sum_cents)
  select distinct ${anchoredOrganization(scope, 'i')}, i.day, i.credential_id, 0, 0
    from ${fromAnchored(scope, 'json_to_recordset($1) as i (organization_id uuid, day date, credential_id text)')}
   where ${isAnchored(scope)}
   order by 1, 2, 3
      on conflict (organization_id, day, credential_id) do update
     set payouts = u.payouts
returning u.organization_id as "organizationId", u.day, u.credential_id as "credentialId", u.payouts,
          u.sum_cents as "sumInCents"`,
)

export async function readPayoutUsage(
  db: Queryable,
  { organizationId, day, credentialId }: UsageAddress,
): Promise<PayoutUsage> {
  const result = await db.query<PayoutUsage>({
    text: `select payouts, sum_cents as "sumInCents"
             from payout_usage
            where organization_id = $1 and day = $2 and credential_id = $3`,
    values: [organizationId, day, credentialId],
  })
  return result.rows[0] ?? { payouts: 0, sumInCents: 0n }
}
