// Who gets a payout's money. It is stored sealed, and opened to be paid.

import type { Payout, PayoutErrorCode } from '../../core/payouts/payout.ts'
import type { Receiver } from '../../core/people/customer.ts'
import type { KeyRefusal } from '../../rails/rail.ts'
import type { Needs } from '../context.ts'
import { chargeMiss, refundLookup } from '../directory/look-up-key.ts'
import { openReceiver } from '../people/vault.ts'

// Whose key is gone cannot be paid. The payout keeps its money, and a person is told that it fails each time.
export async function receiverOf(ctx: Needs<'vault'>, payout: Payout): Promise<Receiver> {
  const receiver = openReceiver(await ctx.vault(payout.organizationId), payout.payoutId, payout.receiver)
  if (typeof receiver === 'string')
    throw new Error(`the receiver of payout ${payout.payoutId} is ${receiver}`)
  return receiver
}

// What the end of a payout does to the budget for look-ups: one that was paid gives some back, and one that ended because of its
// key costs what a look-up of it would have cost.
export async function countPayoutEnd(
  ctx: Needs<'clock' | 'db' | 'vault'>,
  payout: Payout,
  next: Payout | undefined,
): Promise<void> {
  if (next === undefined || next.status === payout.status) return
  if (next.status === 'CONFIRMED') await refundLookupOf(ctx, payout)
  else if (KEY_ERRORS.has(next.errorCode)) await chargeMiss(ctx, payout.organizationId)
}

const KEY_ERRORS: ReadonlySet<PayoutErrorCode | null> = new Set<KeyRefusal>([
  'KEY_NOT_FOUND',
  'KEY_SUSPENDED',
  'KEY_INVALID',
])

async function refundLookupOf(ctx: Needs<'clock' | 'db' | 'vault'>, payout: Payout): Promise<void> {
  const { organizationId } = payout
  const receiver = openReceiver(await ctx.vault(organizationId), payout.payoutId, payout.receiver)
  if (typeof receiver !== 'string') await refundLookup(ctx, { organizationId, keyString: receiver.keyString })
}
