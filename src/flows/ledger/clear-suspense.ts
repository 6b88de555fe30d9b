// An operator decides about money in suspense: it is returned to its sender, or goes to the merchant it was meant for.

import type { Act } from '../../core/audit/act.ts'
import { railReference } from '../../core/connections/reference.ts'
import { transfer } from '../../core/ledger/bookings.ts'
import { type PaymentPlace, placeInWords } from '../../core/payins/settle.ts'
import type { PayinRail } from '../../rails/rail.ts'
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
import { payinRailOf } from '../rails-of.ts'
import { recordAct } from '../record-act.ts'
import { leaveOnePlace } from './leave-one-place.ts'

export type Clearing = { item: SuspenseItem } | { problem: string }

export function findSuspenseItem(ctx: Needs<'db'>, suspenseId: string): Promise<SuspenseItem | undefined> {
  return ctx.db.inTransaction((tx) => lockSuspenseItem(tx, suspenseId))
}

// The intention is written before the network is called. If the outcome is unknown, the item stays RETURNING, and the
// next call uses the same reference: the money cannot be returned twice.
export async function returnSuspense(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'batched' | 'networks'>,
  suspenseId: string,
): Promise<Clearing> {
  const found = await findSuspenseItem(ctx, suspenseId)
  if (found?.state === 'OPEN') await leaveOnePlace(ctx, found)
  const begun = await ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseItem(tx, suspenseId)
    if (item === undefined || (item.state !== 'OPEN' && item.state !== 'RETURNING')) return item
    if (item.state === 'OPEN') {
      const elsewhere = await otherPlace(tx, item)
      if (elsewhere !== undefined) return isElsewhere(item, elsewhere)
    }
    await moveSuspenseItem(tx, item, 'RETURNING', null, ctx.clock.now())
    const after = { ...item, state: 'RETURNING' as const }
    await recordClearing(ctx, tx, 'suspense.return', item, after)
    return after
  })
  if (begun === undefined) return { problem: `there is no suspense item ${suspenseId}` }
  if ('problem' in begun) return begun
  if (begun.state !== 'RETURNING')
    return { problem: `the item is ${begun.state} already${countedForInWords(begun)}` }
  const reference = railReference('return', begun.organizationId, begun.suspenseId)
  const returnPayment = await returnOf(ctx, begun)
  if (returnPayment === null) {
    const { item } = await finish(ctx, 'suspense.return', begun, ['RETURNING'], 'OPEN', null)
    return { problem: `${CANNOT_RETURN} (the item is ${item.state})` }
  }
  const answer = await returnPayment(reference, begun.paymentId, leftInCents(begun))
  if (answer.outcome === 'unknown')
    return {
      problem: `the network did not say whether it returned the money (${answer.why}); run the command again`,
    }
  if (answer.outcome === 'rejected') {
    const { item, isWritten } = await finish(ctx, 'suspense.return', begun, ['RETURNING'], 'OPEN', null)
    const refused = `the network refused to return the money (${answer.networkCode})`
    return { problem: isWritten ? refused : `${refused}, and the item is ${item.state} meanwhile` }
  }
  // The money has left. An item that another operator has reopened meanwhile must not be spent again.
  const sent = await finish(ctx, 'suspense.return', begun, ['RETURNING', 'OPEN'], 'RETURNED', null)
  const { item, isWritten } = sent
  // Another operator asked for the same return, under the same reference, and was first to write it down.
  if (isWritten || item.state === 'RETURNED') return { item }
  await raiseContradiction(ctx, item)
  return { problem: `the network returned the money, but the item is ${item.state} meanwhile; see the alarm` }
}

// Null: the provider that took the money cannot send it back.
async function returnOf(
  ctx: Needs<'batched' | 'networks'>,
  { organizationId, payinId, rail }: SuspenseItem,
): Promise<PayinRail['returnPayment']> {
  const payin = payinId === null ? undefined : await ctx.batched.getPayin({ organizationId, payinId })
  if (payin === undefined) return ctx.networks.payins[rail].returnPayment
  return (await payinRailOf(ctx, payin)).returnPayment
}

const CANNOT_RETURN =
  'the provider cannot send money back: pay the payer yourself and release the item by hand, or attach it'

// The payment is counted elsewhere as well, and could not be released: then a person has an alarm to look at first. It must not be
// spent a second time.
async function otherPlace(
  db: Queryable,
  { rail, paymentId, suspenseId }: SuspenseItem,
): Promise<PaymentPlace | undefined> {
  return (await placesOfPayment(db, { rail, paymentId })).find(({ id }) => id !== suspenseId)
}

function isElsewhere({ paymentId }: SuspenseItem, place: PaymentPlace): { problem: string } {
  return {
    problem: `payment ${paymentId} is not only here: ${placeInWords(place)}; see the alarm, then release the wrong one`,
  }
}

export function countedForInWords({ state, paymentId, attachedTo }: SuspenseItem): string {
  if (state !== 'COUNTED') return ''
  const where = attachedTo === null ? 'is in suspense elsewhere' : `has confirmed payin ${attachedTo}`
  return `: payment ${paymentId} ${where}`
}

async function raiseContradiction(ctx: Needs<'clock' | 'ids' | 'db'>, item: SuspenseItem): Promise<void> {
  const { organizationId, suspenseId, state, paymentId } = item
  const detail = `the network returned payment ${paymentId}, whose suspense item ${suspenseId} is ${state}`
  const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail } as const
  await insertAlarm(ctx.db, organizationId, item.payinId ?? suspenseId, alarm, ctx.clock.now())
}

export async function attachSuspense(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'batched'>,
  suspenseId: string,
  payinId: string,
): Promise<Clearing> {
  const before = await findSuspenseItem(ctx, suspenseId)
  if (before?.state === 'OPEN') await leaveOnePlace(ctx, before)
  const found = await findSuspenseItem(ctx, suspenseId)
  if (found === undefined) return { problem: `there is no suspense item ${suspenseId}` }
  if (found.state !== 'OPEN') return { problem: `the item is ${found.state}${countedForInWords(found)}` }
  const elsewhere = await otherPlace(ctx.db, found)
  if (elsewhere !== undefined) return isElsewhere(found, elsewhere)
  const payin = await ctx.batched.getPayin({ organizationId: found.organizationId, payinId })
  if (payin === undefined) return { problem: `the organization has no payin ${payinId}` }
  const { item, isWritten } = await finish(ctx, 'suspense.attach', found, ['OPEN'], 'ATTACHED', payinId)
  return isWritten ? { item } : { problem: `the item is ${item.state} meanwhile${countedForInWords(item)}` }
}

async function finish(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db'>,
  act: Act,
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
    const after = { ...item, state, attachedTo, updatedAt: now }
    await recordClearing(ctx, tx, act, item, after)
    return { item: after, isWritten: true }
  })
}

export function recordClearing(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  act: Act,
  before: SuspenseItem,
  after: SuspenseItem,
): Promise<void> {
  const { organizationId, suspenseId: objectId } = before
  return recordAct(ctx, tx, { organizationId, act, objectId, before, after })
}
