// An operator decides about money in suspense: it is returned to its sender, or goes to the merchant it was meant for.

import { railReference } from '../../core/connections/reference.ts'
import { transfer } from '../../core/ledger/bookings.ts'
import type { PayinAddress } from '../../core/payins/payin.ts'
import type { Queryable } from '../../store/db.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import {
  leftInCents,
  lockSuspenseItem,
  moveSuspenseItem,
  placesOfPayment,
  type SuspenseItem,
  type SuspenseState,
} from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'
import { placeOfPayin, releaseItem } from './release-suspense.ts'

export type Clearing = { item: SuspenseItem } | { problem: string }

// The intention is written before the network is called. If the outcome is unknown, the item stays RETURNING, and the
// next call uses the same reference: the money cannot be returned twice.
export async function returnSuspense(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'networks'>,
  suspenseId: string,
): Promise<Clearing> {
  const begun = await ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseItem(tx, suspenseId)
    if (item === undefined || (item.state !== 'OPEN' && item.state !== 'RETURNING')) return item
    if (item.state === 'OPEN') {
      const payin = await payinOfPayment(tx, item)
      if (payin !== undefined) return { item, payin }
    }
    await moveSuspenseItem(tx, item, 'RETURNING', null, ctx.clock.now())
    return { ...item, state: 'RETURNING' as const }
  })
  if (begun === undefined) return { problem: `there is no suspense item ${suspenseId}` }
  if ('payin' in begun) return isAPayins(ctx, begun.item, begun.payin)
  if (begun.state !== 'RETURNING')
    return { problem: `the item is ${begun.state} already${countedFor(begun)}` }
  const reference = railReference('return', begun.organizationId, begun.suspenseId)
  const answer = await ctx.networks.payins[begun.rail].returnPayment(
    reference,
    begun.paymentId,
    leftInCents(begun),
  )
  if (answer.outcome === 'unknown')
    return {
      problem: `the network did not say whether it returned the money (${answer.why}); run the command again`,
    }
  if (answer.outcome === 'rejected') {
    const { item, isWritten } = await finish(ctx, begun, ['RETURNING'], 'OPEN', null)
    const refused = `the network refused to return the money (${answer.networkCode})`
    return { problem: isWritten ? refused : `${refused}, and the item is ${item.state} meanwhile` }
  }
  // The money has left. An item that another operator has reopened meanwhile must not be spent again.
  const { item, isWritten } = await finish(ctx, begun, ['RETURNING', 'OPEN'], 'RETURNED', null)
  // Another operator asked for the same return, under the same reference, and was first to write it down.
  if (isWritten || item.state === 'RETURNED') return { item }
  await raiseContradiction(ctx, item)
  return { problem: `the network returned the money, but the item is ${item.state} meanwhile; see the alarm` }
}

// A payment that names nobody, or another merchant, can turn out to be a payin's after it went to suspense. It must not be spent
// a second time.
async function payinOfPayment(
  db: Queryable,
  { rail, paymentId }: SuspenseItem,
): Promise<PayinAddress | undefined> {
  const places = await placesOfPayment(db, { rail, paymentId })
  const payin = places.find(({ kind }) => kind === 'payin')
  return payin && { organizationId: payin.organizationId, payinId: payin.id }
}

async function isAPayins(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched'>,
  item: SuspenseItem,
  address: PayinAddress,
): Promise<Clearing> {
  const payin = await ctx.batched.getPayin(address)
  if (payin !== undefined) await releaseItem(ctx, placeOfPayin(payin), item)
  const { paymentId } = item
  return {
    problem: `payment ${paymentId} has confirmed payin ${address.payinId}: it is not money without an owner`,
  }
}

function countedFor({ state, paymentId, attachedTo }: SuspenseItem): string {
  return state === 'COUNTED' ? `: payment ${paymentId} has confirmed payin ${attachedTo}` : ''
}

async function raiseContradiction(ctx: Needs<'clock' | 'ids' | 'db'>, item: SuspenseItem): Promise<void> {
  const { organizationId, suspenseId, state, paymentId } = item
  const detail = `the network returned payment ${paymentId}, whose suspense item ${suspenseId} is ${state}`
  const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail } as const
  await insertAlarm(ctx.db, organizationId, item.payinId ?? suspenseId, alarm, ctx.clock.now())
}

export async function attachSuspense(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched'>,
  suspenseId: string,
  payinId: string,
): Promise<Clearing> {
  const found = await ctx.db.inTransaction((tx) => lockSuspenseItem(tx, suspenseId))
  if (found === undefined) return { problem: `there is no suspense item ${suspenseId}` }
  if (found.state !== 'OPEN') return { problem: `the item is ${found.state}${countedFor(found)}` }
  const owner = await payinOfPayment(ctx.db, found)
  if (owner !== undefined) return isAPayins(ctx, found, owner)
  const payin = await ctx.batched.getPayin({ organizationId: found.organizationId, payinId })
  if (payin === undefined) return { problem: `the organization has no payin ${payinId}` }
  const { item, isWritten } = await finish(ctx, found, ['OPEN'], 'ATTACHED', payinId)
  return isWritten ? { item } : { problem: `the item is ${item.state} meanwhile${countedFor(item)}` }
}

async function finish(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  begun: SuspenseItem,
  from: readonly SuspenseState[],
  state: 'RETURNED' | 'ATTACHED' | 'OPEN',
  attachedTo: string | null,
): Promise<{ item: SuspenseItem; isWritten: boolean }> {
  const now = ctx.clock.now()
  return ctx.db.inTransaction(async (tx) => {
    const item = (await lockSuspenseItem(tx, begun.suspenseId)) ?? begun
    // Another operator or a payin was first, and their decision counts.
    if (!from.includes(item.state)) return { item, isWritten: false }
    await moveSuspenseItem(tx, item, state, attachedTo, now)
    if (state !== 'OPEN') {
      const { organizationId, suspenseId: subjectId } = item
      const amountInCents = leftInCents(item)
      const booking = state === 'RETURNED' ? 'suspense returned' : 'suspense attached'
      const entry = { organizationId, transferId: ctx.ids.next(), subjectId, amountInCents, createdAt: now }
      await postTransfers(tx, [transfer(booking, item.rail, entry)], PAYOUT_SLOT)
    }
    return { item: { ...item, state, attachedTo, updatedAt: now }, isWritten: true }
  })
}
