// An operator decides about money in suspense: it is returned to its sender, or goes to the merchant it was meant for.

import { railReference } from '../../core/connections/reference.ts'
import { transfer } from '../../core/ledger/bookings.ts'
import { lockSuspenseItem, moveSuspenseItem, type SuspenseItem } from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'

export type Clearing = { item: SuspenseItem } | { problem: string }

// The intention is written before the network is called. If the outcome is unknown, the item stays RETURNING, and the
// next call uses the same reference: the money cannot be returned twice.
export async function returnSuspense(
  ctx: Needs<'clock' | 'ids' | 'db' | 'networks'>,
  suspenseId: string,
): Promise<Clearing> {
  const begun = await ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseItem(tx, suspenseId)
    if (item === undefined || (item.state !== 'OPEN' && item.state !== 'RETURNING')) return item
    await moveSuspenseItem(tx, item, 'RETURNING', null, ctx.clock.now())
    return { ...item, state: 'RETURNING' as const }
  })
  if (begun === undefined) return { problem: `there is no suspense item ${suspenseId}` }
  if (begun.state !== 'RETURNING') return { problem: `the item is ${begun.state} already` }
  const reference = railReference('return', begun.organizationId, begun.suspenseId)
  const answer = await ctx.networks.payins[begun.rail].returnPayment(
    reference,
    begun.paymentId,
    begun.amountInCents,
  )
  if (answer.outcome === 'unknown')
    return {
      problem: `the network did not say whether it returned the money (${answer.why}); run the command again`,
    }
  if (answer.outcome === 'rejected') {
    await finish(ctx, begun, 'OPEN', null)
    return { problem: `the network refused to return the money (${answer.networkCode})` }
  }
  return { item: await finish(ctx, begun, 'RETURNED', null) }
}

export async function attachSuspense(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched'>,
  suspenseId: string,
  payinId: string,
): Promise<Clearing> {
  const found = await ctx.db.inTransaction((tx) => lockSuspenseItem(tx, suspenseId))
  if (found === undefined) return { problem: `there is no suspense item ${suspenseId}` }
  if (found.state !== 'OPEN') return { problem: `the item is ${found.state}` }
  const payin = await ctx.batched.getPayin({ organizationId: found.organizationId, payinId })
  if (payin === undefined) return { problem: `the organization has no payin ${payinId}` }
  const item = await finish(ctx, found, 'ATTACHED', payinId)
  return item.state === 'ATTACHED' ? { item } : { problem: `the item is ${item.state}` }
}

async function finish(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  begun: SuspenseItem,
  state: 'RETURNED' | 'ATTACHED' | 'OPEN',
  attachedTo: string | null,
): Promise<SuspenseItem> {
  const now = ctx.clock.now()
  return ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseItem(tx, begun.suspenseId)
    // Another operator was first, and their decision counts.
    if (item === undefined || item.state !== begun.state) return item ?? begun
    await moveSuspenseItem(tx, item, state, attachedTo, now)
    if (state !== 'OPEN') {
      const { organizationId, suspenseId: subjectId, amountInCents } = item
      const booking = state === 'RETURNED' ? 'suspense returned' : 'suspense attached'
      const entry = { organizationId, transferId: ctx.ids.next(), subjectId, amountInCents, createdAt: now }
      await postTransfers(tx, [transfer(booking, item.rail, entry)], PAYOUT_SLOT)
    }
    return { ...item, state, attachedTo, updatedAt: now }
  })
}
