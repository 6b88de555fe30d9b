// An operator decides that a payment in suspense is counted elsewhere, where it could not be released by itself: the network told
// two amounts, or a part was charged back. The item leaves the books, and the other place keeps the payment.

import { transfer } from '../../core/ledger/bookings.ts'
import type { PaymentPlace } from '../../core/payins/settle.ts'
import type { Queryable } from '../../store/db.ts'
import {
  leftInCents,
  lockSuspenseOfPayment,
  moveSuspenseItem,
  placesOfPayment,
  type SuspenseItem,
} from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'
import { type Clearing, countedForInWords, findSuspenseItem, recordClearing } from './clear-suspense.ts'

export async function releaseByHand(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db'>,
  suspenseId: string,
): Promise<Clearing> {
  const found = await findSuspenseItem(ctx, suspenseId)
  if (found === undefined) return { why: 'NO_SUCH_ITEM', problem: `there is no suspense item ${suspenseId}` }
  const places = await placesOfPayment(ctx.db, found)
  // A payin before other suspense: that is where the payment ends in the end.
  const keeper = places.find(({ id }) => id !== suspenseId)
  const now = ctx.clock.now()
  return ctx.db.inTransaction(async (tx) => {
    const { item, isKept } = await lockBoth(tx, found, keeper)
    if (item.state !== 'OPEN')
      return { why: 'DECIDED', problem: `the item is ${item.state}${countedForInWords(item)}` }
    if (keeper === undefined || !isKept)
      return { why: 'DECIDED', problem: `payment ${item.paymentId} is nowhere else: return or attach it` }
    const attachedTo = keeper.kind === 'payin' ? keeper.id : null
    const { organizationId, rail } = item
    const amountInCents = leftInCents(item)
    const entry = { organizationId, subjectId: suspenseId, amountInCents }
    await moveSuspenseItem(tx, item, 'COUNTED', attachedTo, now)
    await postTransfers(
      tx,
      [transfer('suspense released', rail, { ...entry, transferId: ctx.ids.next() })],
      PAYOUT_SLOT,
    )
    const counted = { ...item, state: 'COUNTED' as const, attachedTo, updatedAt: now }
    await recordClearing(ctx, tx, 'suspense.release', item, counted)
    return { item: counted }
  })
}

// Two operators may release one item each. Both items are locked, always in the same order, so that one of them stays. A payin that
// a payment has confirmed keeps it for good.
async function lockBoth(
  tx: Queryable,
  found: SuspenseItem,
  keeper: PaymentPlace | undefined,
): Promise<{ item: SuspenseItem; isKept: boolean }> {
  const { organizationId, rail, paymentId } = found
  const owners = keeper?.kind === 'suspense' ? [organizationId, keeper.organizationId] : [organizationId]
  const locked = new Map<string, SuspenseItem>()
  for (const owner of owners.toSorted()) {
    const item = await lockSuspenseOfPayment(tx, { organizationId: owner, rail, paymentId })
    if (item !== undefined) locked.set(owner, item)
  }
  const other = keeper && locked.get(keeper.organizationId)
  const isKept = keeper?.kind === 'payin' || (other !== undefined && other.state !== 'COUNTED')
  return { item: locked.get(organizationId) ?? found, isKept }
}
