// What a network is asked to collect.

import type { Organization } from '../../core/organizations/organization.ts'
import type { Payin } from '../../core/payins/payin.ts'
import type { PayinOrder } from '../../rails/rail.ts'
import type { Needs } from '../context.ts'
import { deviceOf, openCustomer } from '../people/vault.ts'
import { referenceOf } from './apply-rail-status.ts'
import { returnUrlOf } from './return-url.ts'
import { linkOf } from './write.ts'

// Sent again exactly as first sent: a network refuses a reference that comes again with other content. Payins from before
// the order was kept use the settings of the day.
export async function orderOf(
  ctx: Needs<'db' | 'settings' | 'vault'>,
  payin: Payin,
  organization: Organization,
): Promise<PayinOrder> {
  const { source, frozenOrder } = payin
  const customer = openCustomer(await ctx.vault(payin.organizationId), payin.payinId, payin.customer)
  return {
    reference: referenceOf(payin),
    amountInCents: payin.amountInCents,
    merchantName: frozenOrder.merchantName ?? organization.name,
    expiresAt: payin.expiresAt,
    // A payer whose key is gone is as good as none. The network says whether it needs one.
    customer: typeof customer === 'string' ? null : customer,
    returnUrl: frozenOrder.returnUrl ?? returnUrlOf(ctx, payin, await linkOf(ctx, payin)),
    device: deviceOf(await ctx.vault(payin.organizationId), payin),
    acceptedTerms: frozenOrder.acceptedTerms ?? [],
    source: source.rail === 'BRE_B' ? { rail: 'BRE_B', keyString: source.keyString } : source,
  }
}
