// Sets a refund's money aside, under the lock that payouts reserve under: whatever else is asked for at the same time finds what is left. It
// is taken from where it will leave: over its rail, that is where the payin came in.

import { isConnectedFor } from '../../core/connections/connection.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Payin } from '../../core/payins/payin.ts'
import { type Refund, reserveRefund } from '../../core/refunds/refund.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import { lockAvailable, readBalances } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'
import { routePayment } from '../payment-route.ts'

// The refund as it is if there is too little. Whoever writes it books the difference.
export async function withMoneySetAside(
  ctx: Needs<'clock' | 'networks' | 'settings'>,
  tx: Queryable,
  organization: Organization,
  refund: Refund,
  { connection }: Pick<Payin, 'connection'>,
): Promise<Refund> {
  const { organizationId, amountInCents, way } = refund
  const route = way === 'RAIL' ? connection : routePayment(ctx, organization, 'BRE_B_OUT', amountInCents)
  await lockAvailable(tx, organizationId)
  const { AVAILABLE, DEPOSITED } = await readBalances(tx, organizationId)
  const funds = { availableInCents: AVAILABLE, depositedInCents: DEPOSITED }
  // Connections that do not take this amount are still what it must leave over.
  const isConnected = isRefusal(route) ? isConnectedFor(organization.routes, 'BRE_B_OUT') : route !== null
  return reserveRefund(refund, funds, isConnected)
}
