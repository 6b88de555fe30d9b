// Whether a key still belongs to whom it was shown to belong when the merchant or its people agreed to pay it. A key may have another owner
// days later. Of a payout that nobody compared there is nothing to hold it against.

import { isSameName, isVerified } from '../../core/payout-batches/holder.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import type { Customer } from '../../core/people/customer.ts'
import { compareDocuments } from '../../core/refunds/compare.ts'
import type { KeyHolder } from '../../rails/rail.ts'
import { keyCheckOfPayout } from '../../store/payout-batches/rows.ts'
import { getRefund } from '../../store/refunds/refunds.ts'
import type { Needs } from '../context.ts'

// `found`: whom the directory names now. What it masks decides nothing.
export async function isOtherHolder(
  ctx: Needs<'db'>,
  payout: Payout,
  customer: Customer,
  found: KeyHolder,
): Promise<boolean> {
  const { holder, isMasked } = found
  if (isMasked) return false
  if (payout.refundId !== null) return isOtherThanClaimed(ctx, payout, customer, found)
  const hasNumber = holder.idNumber !== null && !holder.idNumber.includes('*')
  if (!hasNumber || isVerified(customer, holder)) return false
  return (await keyCheckOfPayout(ctx.db, payout)) === 'VERIFIED'
}

// The payer's own key is still the payer's. Of anybody else's, people approved the name, of which a part is kept.
async function isOtherThanClaimed(
  ctx: Needs<'db'>,
  { organizationId, refundId }: Payout,
  customer: Customer,
  { holder }: KeyHolder,
): Promise<boolean> {
  const refund = await getRefund(ctx.db, { organizationId, refundId: refundId as string })
  const claim = refund?.claim ?? null
  if (claim === null) return false
  if (claim.match === 'SAME') return compareDocuments(customer, holder) === 'OTHER'
  return claim.holderName !== '' && !isSameName(claim.holderName, holder.name)
}
