// Does what is due for a refund. First, in one transaction: set the money aside where that is not done yet, and write down that the rail is
// about to be asked, or make the payout that pays it. Then, outside any transaction, ask the rail under the refund's one reference. Whatever fails after the commit, the
// next worker finds the refund SENDING and asks again under the same reference, which the rail gives back once.

import { backoffMs, patientBackoffMs } from '../../core/backoff.ts'
import { railReference } from '../../core/connections/reference.ts'
import { DAY_MS, type Instant } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { heldInCents, type Refund, refundableInCents } from '../../core/refunds/refund.ts'
import {
  awaitFunds,
  cancelChargedBack,
  expireClaim,
  followPayout,
  givenBack,
  isOvertaken,
  NO_CHANGE,
  type RefundStep,
  refusedByRail,
  reserveWaiting,
  sendOverRail,
} from '../../core/refunds/settle.ts'
import { lockWaitingApproval } from '../../store/approvals/approvals.ts'
import { readHoldState } from '../../store/backups/hold-back.ts'
import type { Queryable } from '../../store/db.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import { lockPayin } from '../../store/payins/payins.ts'
import { payoutPaidAfterDecline } from '../../store/payouts/of-refund.ts'
import { claimDueRefunds, lockRefund, type RefundClaimed } from '../../store/refunds/refunds.ts'
import { voidLocked } from '../approvals/submit.ts'
import type { Needs } from '../context.ts'
import { payinRailOf } from '../rails-of.ts'
import { callPayoutOff } from './cancel.ts'
import { type PayoutMaking, payByPayout } from './pay.ts'
import { withMoneySetAside } from './reserve.ts'
import { dueAtOf, isUnfunded, type RefundCause, writeRefundStep } from './write.ts'

// Longer than any answer of a rail takes. While a lease holds, nobody else acts on the refund.
const LEASE_MS = 60_000
const UNRESOLVED_AFTER_MS = DAY_MS
const UNRESOLVED = 'the rail has not said for a day whether it gave this refund back'

type Advancing = PayoutMaking & Needs<'actor' | 'batched' | 'signals'>

export function claimRefunds(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  organizationId: string,
  limit: number,
): Promise<RefundClaimed[]> {
  const now = ctx.clock.now()
  return claimDueRefunds(ctx.db, organizationId, now, { token: ctx.ids.next(), until: now + LEASE_MS }, limit)
}

export async function advanceRefund(
  ctx: Advancing,
  claimed: RefundClaimed,
  organization: Organization,
): Promise<void> {
  const { refund } = claimed
  if (refund.stage === 'SENDING') return giveBack(ctx, claimed)
  if (refund.stage === 'READY' || refund.stage === 'AWAITING_FUNDS') {
    const begun = await begin(ctx, claimed, organization)
    if (begun?.stage === 'PAYING') ctx.signals.workAdded('payouts', refund.organizationId)
    if (begun?.stage === 'SENDING') await giveBack(ctx, { ...claimed, refund: begun, attempts: 0 })
  } else await follow(ctx, claimed, organization)
  ctx.signals.workAdded('events', refund.organizationId)
}

// The refund if its rail must be asked now, or a payout has it.
function begin(
  ctx: Advancing,
  { refund: read, attempts, leaseToken }: RefundClaimed,
  organization: Organization,
): Promise<Refund | undefined> {
  const now = ctx.clock.now()
  return ctx.db.inTransaction(async (tx) => {
    const refund = await lockRefund(tx, read)
    const locked = refund && (await lockPayin(tx, refund))
    if (refund === undefined || refund.version !== read.version || locked === undefined) return undefined
    const write = (step: RefundStep, cause: RefundCause = {}): Promise<boolean> =>
      writeRefundStep(ctx, tx, refund, step, { leaseToken, ...cause })
    if (isOvertaken(locked.payin)) {
      await write(cancelChargedBack(refund, now))
      return undefined
    }
    if (refund.way !== 'RAIL') {
      const { step, dueAt } = await payByPayout(ctx, tx, refund, locked.payin, organization)
      const isPaying = step.next?.stage === 'PAYING'
      const later = isPaying ? 0 : attempts
      const isWritten = await write(step, { dueAt: dueAt ?? now + backoffMs(later), attempts: later + 1 })
      // Its payout is taken back with this transaction: whoever has the lease makes another.
      if (isPaying && !isWritten) throw new Error('the lease of a refund was lost while its payout was made')
      return isPaying ? step.next : undefined
    }
    const reserved = await withMoneySetAside(ctx, tx, organization, refund, locked.payin)
    if (reserved.reservedInCents === 0n) {
      const step = awaitFunds(refund, reserved, 'INSUFFICIENT_FUNDS', now)
      await write(step, { dueAt: now + backoffMs(attempts), attempts: attempts + 1 })
      return undefined
    }
    const step = sendOverRail(reserved, now)
    return (await write(step, { keepLease: true, dueAt: now + LEASE_MS })) ? step.next : undefined
  })
}

async function giveBack(ctx: Advancing, claimed: RefundClaimed): Promise<void> {
  const { refund } = claimed
  const payin = await ctx.batched.getPayin(refund)
  const returnPayment = payin && (await payinRailOf(ctx, payin)).returnPayment
  // A connection whose credentials cannot be had answers nothing.
  if (payin === undefined || returnPayment === undefined || returnPayment === null)
    return askLater(ctx, claimed)
  const reference = railReference('return', refund.organizationId, refund.refundId)
  const paymentId = payin.progress.paymentId as string
  ctx.signals.crashPoint('refund-before-rail')
  const answer = await returnPayment(reference, paymentId, refund.amountInCents)
  ctx.signals.crashPoint('refund-after-rail')
  if (answer.outcome === 'unknown') return askLater(ctx, claimed)
  const now = ctx.clock.now()
  const step =
    answer.outcome === 'accepted'
      ? givenBack(refund, answer.value.traceId, now)
      : refusedByRail(refund, answer.networkCode, now)
  await writeAlone(ctx, claimed, step, {})
}

// The money stays reserved, and we ask until the rail answers, ever more seldom.
async function askLater(ctx: Advancing, claimed: RefundClaimed): Promise<void> {
  const { refund, attempts } = claimed
  const now = ctx.clock.now()
  const alarmAt = refund.updatedAt + UNRESOLVED_AFTER_MS
  if (now >= alarmAt) {
    const alarm = { alarmId: ctx.ids.next(), kind: 'refund-unresolved', detail: UNRESOLVED } as const
    await insertAlarm(ctx.db, refund.organizationId, refund.refundId, alarm, now)
  }
  const dueAt = now + patientBackoffMs(attempts)
  const cause = { dueAt: now < alarmAt ? Math.min(dueAt, alarmAt) : dueAt, attempts: attempts + 1 }
  await writeAlone(ctx, claimed, NO_CHANGE, cause)
}

// What became of its payout, or of the time that the payer had.
async function follow(ctx: Advancing, claimed: RefundClaimed, organization: Organization): Promise<void> {
  const { refund, attempts } = claimed
  const { organizationId, payoutId } = refund
  const now = ctx.clock.now()
  if (await endPaidAfterAll(ctx, claimed)) return
  const payout = payoutId === null ? undefined : await ctx.batched.getPayout({ organizationId, payoutId })
  const followed: RefundStep = payout ? followPayout(refund, payout, now) : NO_CHANGE
  const step = followed.next === undefined ? await endWaiting(ctx, refund, now) : followed
  if (step.next === undefined && isUnfunded(refund)) return fund(ctx, claimed, organization)
  const isCalledOff = step.next === undefined && (await callOffOvertaken(ctx, refund))
  if (isCalledOff) return
  const cause = step.next === undefined ? { ...again(refund, attempts, now), attempts: attempts + 1 } : {}
  await ctx.db.inTransaction(async (tx) => {
    const subject = { organizationId, kind: 'refund', subjectId: refund.refundId } as const
    // Before the refund, as whoever decides does. An approval that somebody else's step has asked for stays.
    const approval = step.next && (await lockWaitingApproval(tx, subject))
    if (!(await writeRefundStep(ctx, tx, refund, step, { leaseToken: claimed.leaseToken, ...cause }))) return
    if (approval !== undefined) await voidLocked(ctx, tx, approval)
    if (step.next?.status === 'CONFIRMED') await raiseOvertaken(ctx, tx, step.next)
  })
}

// The network has paid a payout of it that it had declined. What was made of the refund meanwhile is called off, if it can be: the payer
// has the money. True if that was all there was to do.
async function endPaidAfterAll(
  ctx: Advancing,
  { refund: read, leaseToken }: RefundClaimed,
): Promise<boolean> {
  if (read.payoutId === null || read.status === 'CONFIRMED') return false
  const { organizationId, refundId: subjectId } = read
  const payin = await ctx.batched.getPayin(read)
  const paid = payin && (await payoutPaidAfterDecline(ctx.db, { ...read, reference: payin.reference }))
  if (paid === undefined) return false
  return ctx.db.inTransaction(async (tx) => {
    // Before the refund, as whoever decides does.
    const approval = await lockWaitingApproval(tx, { organizationId, kind: 'refund', subjectId })
    const refund = await lockRefund(tx, read)
    if (refund === undefined || refund.version !== read.version) return false
    const isOther = refund.stage === 'PAYING' && refund.payoutId !== paid.payoutId
    if (isOther && !(await callOff(ctx, tx, refund))) return false
    const step = (await hasRoom(ctx, tx, refund)) ? followPayout(refund, paid, ctx.clock.now()) : NO_CHANGE
    // A payout that was called off has woken the refund, whoever has its lease.
    if (!(await writeRefundStep(ctx, tx, refund, step, isOther ? {} : { leaseToken }))) return false
    if (approval !== undefined && step.next !== undefined) await voidLocked(ctx, tx, approval)
    return true
  })
}

// Whether its payin has so much left: the refund holds it still, or nobody else has taken it since it ended. Otherwise money has left
// twice, and people are told.
async function hasRoom(ctx: Advancing, tx: Queryable, refund: Refund): Promise<boolean> {
  if (heldInCents(refund) > 0n) return true
  const locked = await lockPayin(tx, refund)
  if (locked === undefined) return false
  const left = refundableInCents(locked.payin)
  if (left >= refund.amountInCents) return true
  const { organizationId, refundId, payinId, amountInCents } = refund
  const detail = `refund ${refundId} had ended when the network paid ${amountInCents} cents of it by payout, and ${left} cents of the payin were left`
  const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail } as const
  await insertAlarm(tx, organizationId, payinId, alarm, ctx.clock.now())
  return false
}

// What is held back since a restore stays where it is: it may have been paid, and a person must look.
async function callOff(ctx: Advancing, tx: Queryable, refund: Refund): Promise<boolean> {
  const { organizationId, payoutId } = refund
  const hold = payoutId && (await readHoldState(tx, { kind: 'payout', organizationId, id: payoutId }))
  return (hold ? hold.leaseToken === null : true) && callPayoutOff(ctx, tx, refund)
}

// A payout has it, and the network took the payin's money back before anything was sent. True if both have ended.
async function callOffOvertaken(ctx: Advancing, read: Refund): Promise<boolean> {
  if (read.stage !== 'PAYING') return false
  const payin = await ctx.batched.getPayin(read)
  if (payin === undefined || !isOvertaken(payin)) return false
  return ctx.db.inTransaction(async (tx) => {
    const refund = await lockRefund(tx, read)
    if (refund === undefined || refund.version !== read.version) return false
    if (!(await callOff(ctx, tx, refund))) return false
    return writeRefundStep(ctx, tx, refund, cancelChargedBack(refund, ctx.clock.now()), {})
  })
}

// The payout was on its way when the payin was charged back, so the money has left twice. The payin is read after it was written: a
// chargeback that comes later finds the refund, and tells of it itself.
async function raiseOvertaken(ctx: Advancing, tx: Queryable, refund: Refund): Promise<void> {
  const locked = await lockPayin(tx, refund)
  if (locked === undefined || !isOvertaken(locked.payin)) return
  const { chargedBackInCents } = locked.payin
  const detail = `refund ${refund.refundId} has paid ${refund.amountInCents} cents by payout, after ${chargedBackInCents} cents of the payin were charged back`
  const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail } as const
  await insertAlarm(tx, refund.organizationId, refund.payinId, alarm, ctx.clock.now())
}

// There was too little when it was made, or its payout has given the money back. It waits on for people or its payer, and looks for money
// meanwhile.
async function fund(
  ctx: Advancing,
  { refund: read, attempts, leaseToken }: RefundClaimed,
  organization: Organization,
): Promise<void> {
  const now = ctx.clock.now()
  const payin = await ctx.batched.getPayin(read)
  await ctx.db.inTransaction(async (tx) => {
    const refund = await lockRefund(tx, read)
    if (payin === undefined || refund?.version !== read.version) return
    const reserved = await withMoneySetAside(ctx, tx, organization, refund, payin)
    if (!isUnfunded(reserved)) {
      await writeRefundStep(ctx, tx, refund, reserveWaiting(reserved, now), { leaseToken })
      return
    }
    const dueAt = Math.min(now + backoffMs(attempts), refund.claimExpiresAt ?? Number.POSITIVE_INFINITY)
    await writeRefundStep(ctx, tx, refund, NO_CHANGE, { leaseToken, dueAt, attempts: attempts + 1 })
  })
}

// Nobody has named a key in time, or the network took the money back before anybody did.
async function endWaiting(ctx: Advancing, refund: Refund, now: Instant): Promise<RefundStep> {
  if (refund.stage !== 'AWAITING_CLAIM' && refund.stage !== 'AWAITING_APPROVAL') return NO_CHANGE
  const payin = await ctx.batched.getPayin(refund)
  return payin && isOvertaken(payin) ? cancelChargedBack(refund, now) : expireClaim(refund, now)
}

// Its payout wakes it. Looking by itself is for what was missed.
function again(refund: Refund, attempts: number, now: Instant): RefundCause {
  if (refund.stage === 'PAYING') return { dueAt: now + backoffMs(attempts) }
  const dueAt = dueAtOf(refund)
  return dueAt === null ? {} : { dueAt: Math.max(dueAt, now) }
}

function writeAlone(
  ctx: Advancing,
  { refund, leaseToken }: RefundClaimed,
  step: RefundStep,
  cause: RefundCause,
): Promise<boolean> {
  return ctx.db.inTransaction((tx) => writeRefundStep(ctx, tx, refund, step, { leaseToken, ...cause }))
}
