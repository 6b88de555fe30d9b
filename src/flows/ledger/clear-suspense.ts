// A person decides about money in suspense: it is returned to its sender, or goes to the merchant it was meant for. An operator names
// the item alone, and a merchant only its own (decide-suspense.ts).

import type { Act } from '../../core/audit/act.ts'
import { railReference } from '../../core/connections/reference.ts'
import { transfer } from '../../core/ledger/bookings.ts'
import { type PaymentPlace, placeInWords } from '../../core/payins/settle.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { PayinRail } from '../../rails/rail.ts'
import type { Queryable } from '../../store/db.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import {
  isAtProvider,
  leftInCents,
  lockSuspenseItem,
  moveSuspenseItem,
  ownerOfSuspense,
  placesOfPayment,
  type SuspenseAddress,
  type SuspenseItem,
  type SuspenseState,
} from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import type { Needs } from '../context.ts'
import { payinRailOf } from '../rails-of.ts'
import { recordAct } from '../record-act.ts'
import { leaveOnePlace } from './leave-one-place.ts'

// Why nothing was decided. UNANSWERED: the network did not say whether it returned the money, and is asked again.
export type ClearingFailure =
  | 'NO_SUCH_ITEM'
  | 'NO_SUCH_PAYIN'
  | 'DECIDED'
  | 'ELSEWHERE'
  | 'CANNOT_RETURN'
  | 'NOT_RETURNED'
  | 'UNANSWERED'
  | 'NOT_APPROVED'
// The problem in an operator's words, which may name what is another organization's.
type ClearingProblem = { problem: string; why: ClearingFailure; item?: SuspenseItem; refusal?: Refusal }
export type Clearing = { item: SuspenseItem } | ClearingProblem

export async function findSuspenseItem(
  ctx: Needs<'db'>,
  which: string | SuspenseAddress,
): Promise<SuspenseItem | undefined> {
  return ctx.db.inTransaction(async (tx) => {
    if (typeof which !== 'string') return lockSuspenseItem(tx, which)
    const organizationId = await ownerOfSuspense(tx, which)
    return organizationId === undefined
      ? undefined
      : lockSuspenseItem(tx, { organizationId, suspenseId: which })
  })
}

function noSuchItem(which: string | SuspenseAddress): ClearingProblem {
  const suspenseId = typeof which === 'string' ? which : which.suspenseId
  return { why: 'NO_SUCH_ITEM', problem: `there is no suspense item ${suspenseId}` }
}

// Runs in the transaction that writes the decision down.
export type OnDecided = (tx: Queryable, item: SuspenseItem) => Promise<void>

// Whether it may be returned, asked in the transaction that begins the return.
export type MayReturn = (tx: Queryable, item: SuspenseItem) => Promise<Refusal | undefined>

// The intention is written before the network is called. If the outcome is unknown, the item stays RETURNING, and the
// next call uses the same reference: the money cannot be returned twice.
export async function returnSuspense(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'batched' | 'networks'>,
  which: string | SuspenseAddress,
  onDecided?: OnDecided,
  mayReturn?: MayReturn,
): Promise<Clearing> {
  const found = await findSuspenseItem(ctx, which)
  if (found === undefined) return noSuchItem(which)
  if (found.state === 'OPEN') await leaveOnePlace(ctx, found)
  const begun = await ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseItem(tx, found)
    if (item === undefined || (item.state !== 'OPEN' && item.state !== 'RETURNING')) return item
    if (item.state === 'OPEN') {
      const elsewhere = await otherPlace(tx, item)
      if (elsewhere !== undefined) return isElsewhere(item, elsewhere)
      const refusal = await mayReturn?.(tx, item)
      if (refusal !== undefined) return notApproved(item, refusal)
    }
    await moveSuspenseItem(tx, item, 'RETURNING', null, ctx.clock.now())
    const after = { ...item, state: 'RETURNING' as const }
    await recordClearing(ctx, tx, 'suspense.return', item, after)
    return after
  })
  if (begun === undefined) return noSuchItem(which)
  if ('problem' in begun) return begun
  if (begun.state !== 'RETURNING')
    return {
      why: 'DECIDED',
      item: begun,
      problem: `the item is ${begun.state} already${countedForInWords(begun)}`,
    }
  const reference = railReference('return', begun.organizationId, begun.suspenseId)
  const returnPayment = await returnOf(ctx, begun)
  if (returnPayment === null) {
    const { item } = await finish(ctx, 'suspense.return', begun, ['RETURNING'], 'OPEN', null)
    return { why: 'CANNOT_RETURN', item, problem: `${CANNOT_RETURN} (the item is ${item.state})` }
  }
  const answer = await returnPayment(reference, begun.paymentId, leftInCents(begun))
  if (answer.outcome === 'unknown')
    return {
      why: 'UNANSWERED',
      item: begun,
      problem: `the network did not say whether it returned the money (${answer.why}); run the command again`,
    }
  if (answer.outcome === 'rejected') {
    const { item, isWritten } = await finish(ctx, 'suspense.return', begun, ['RETURNING'], 'OPEN', null)
    const refused = `the network refused to return the money (${answer.networkCode})`
    const problem = isWritten ? refused : `${refused}, and the item is ${item.state} meanwhile`
    return { why: 'NOT_RETURNED', item, problem }
  }
  // The money has left. An item that another operator has reopened meanwhile must not be spent again.
  const sent = await finish(ctx, 'suspense.return', begun, ['RETURNING', 'OPEN'], 'RETURNED', null, onDecided)
  const { item, isWritten } = sent
  // Another operator asked for the same return, under the same reference, and was first to write it down.
  if (isWritten || item.state === 'RETURNED') return { item }
  await raiseContradiction(ctx, item)
  const problem = `the network returned the money, but the item is ${item.state} meanwhile; see the alarm`
  return { why: 'DECIDED', item, problem }
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

function isElsewhere(item: SuspenseItem, place: PaymentPlace): ClearingProblem {
  return {
    why: 'ELSEWHERE',
    item,
    problem: `payment ${item.paymentId} is not only here: ${placeInWords(place)}; see the alarm, then release the wrong one`,
  }
}

function notApproved(item: SuspenseItem, refusal: Refusal): ClearingProblem {
  return { why: 'NOT_APPROVED', item, refusal, problem: 'other people must approve the return first' }
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
  which: string | SuspenseAddress,
  payinId: string,
  onDecided?: OnDecided,
): Promise<Clearing> {
  const before = await findSuspenseItem(ctx, which)
  if (before?.state === 'OPEN') await leaveOnePlace(ctx, before)
  const found = before && (await findSuspenseItem(ctx, before))
  if (found === undefined) return noSuchItem(which)
  if (found.state !== 'OPEN')
    return {
      why: 'DECIDED',
      item: found,
      problem: `the item is ${found.state}${countedForInWords(found)}`,
    }
  const elsewhere = await otherPlace(ctx.db, found)
  if (elsewhere !== undefined) return isElsewhere(found, elsewhere)
  const payin = await ctx.batched.getPayin({ organizationId: found.organizationId, payinId })
  if (payin === undefined)
    return { why: 'NO_SUCH_PAYIN', item: found, problem: `the organization has no payin ${payinId}` }
  const done = await finish(ctx, 'suspense.attach', found, ['OPEN'], 'ATTACHED', payinId, onDecided)
  const { item, isWritten } = done
  if (isWritten) return { item }
  return { why: 'DECIDED', item, problem: `the item is ${item.state} meanwhile${countedForInWords(item)}` }
}

async function finish(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db'>,
  act: Act,
  begun: SuspenseItem,
  from: readonly SuspenseState[],
  state: 'RETURNED' | 'ATTACHED' | 'OPEN',
  attachedTo: string | null,
  onDecided?: OnDecided,
): Promise<{ item: SuspenseItem; isWritten: boolean }> {
  const now = ctx.clock.now()
  return ctx.db.inTransaction(async (tx) => {
    const item = (await lockSuspenseItem(tx, begun)) ?? begun
    // Another person or a payin was first, and their decision counts.
    if (!from.includes(item.state)) return { item, isWritten: false }
    await moveSuspenseItem(tx, item, state, attachedTo, now)
    if (state !== 'OPEN') {
      const { organizationId, suspenseId: subjectId } = item
      const amountInCents = leftInCents(item)
      const attached = (await isAtProvider(tx, item)) ? 'suspense attached to deposits' : 'suspense attached'
      const booking = state === 'RETURNED' ? 'suspense returned' : attached
      const entry = { organizationId, transferId: ctx.ids.next(), subjectId, amountInCents }
      await postTransfers(tx, [transfer(booking, item.rail, entry)], PAYOUT_SLOT)
    }
    const after = { ...item, state, attachedTo, updatedAt: now }
    await recordClearing(ctx, tx, act, item, after)
    await onDecided?.(tx, after)
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
