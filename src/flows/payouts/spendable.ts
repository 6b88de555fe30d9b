// What an organization's next payout can be paid from: what the installation holds for it, or what lies at its own providers.

import { isConnectedFor } from '../../core/connections/connection.ts'
import { spendable } from '../../core/connections/movement.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Queryable } from '../../store/db.ts'
import { readBalances } from '../../store/ledger/transfers.ts'

export async function readSpendable(
  db: Queryable,
  { organizationId, routes }: Pick<Organization, 'organizationId' | 'routes'>,
): Promise<bigint> {
  const { AVAILABLE, DEPOSITED } = await readBalances(db, organizationId)
  const funds = { availableInCents: AVAILABLE, depositedInCents: DEPOSITED }
  return spendable(funds, isConnectedFor(routes, 'BRE_B_OUT'))
}
