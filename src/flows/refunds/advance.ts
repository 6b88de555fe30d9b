// Does what is due for a refund. First, in one transaction: set the money aside and write down that the rail is about to be asked, or make the
// payout that pays it. Then, outside any transaction, ask the rail under the refund's one reference. Whatever fails after the commit, the
// next worker finds the refund SENDING and asks again under the same reference, which the rail gives back once.

import { backoffMs, patientBackoffMs } from '../../core/backoff.ts'
import { railReference } from '../../core/connections/reference.ts'
import { DAY_MS, type Instant } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Refund } from '../../core/refunds/refund.ts'
import {
  awaitFunds,
  cancelChargedBack,
  expireClaim,
  followPayout,
  givenBack,
  isOvertaken,
  type RefundStep,
  refusedByRail,
  sendOverRail,
} from '../../core/refunds/settle.ts'
import type { Queryable } from '../../store/db.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import { lockAvailable, readBalances } from '../../store/ledger/transfers.ts'
import { lockPayin } from '../../store/payins/payins.ts'
import { claimDueRefunds, lockRefund, type RefundClaimed } from '../../store/refunds/refunds.ts'
import { voidApproval } from '../approvals/submit.ts'
import type { Needs } from '../context.ts'
import { payinRailOf } from '../rails-of.ts'
import { type PayoutMaking, payByPayout } from './pay.ts'
import { dueAtOf, type RefundCause, writeRefundStep } from './write.ts'

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
    if (begun !== undefined) await giveBack(ctx, { ...claimed, refund: begun, attempts: 0 })
  } else await follow(ctx, claimed)
  ctx.signals.workAdded('events', refund.organizationId)
}

// The refund if its rail must be asked now.
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
      const later = step.next?.stage === 'PAYING' ? 0 : attempts
      await write(step, { dueAt: dueAt ?? now + backoffMs(later), attempts: later + 1 })
      return undefined
    }
    if ((await availableInCents(tx, refund)) < refund.amountInCents) {
      const step = awaitFunds(refund, 'INSUFFICIENT_FUNDS', now)
      await write(step, { dueAt: now + backoffMs(attempts), attempts: attempts + 1 })
      return undefined
    }
    const step = sendOverRail(refund, now)
    return (await write(step, { keepLease: true, dueAt: now + LEASE_MS })) ? step.next : undefined
  })
}

async function availableInCents(tx: Queryable, { organizationId }: Refund): Promise<bigint> {
  await lockAvailable(tx, organizationId)
  return (await readBalances(tx, organizationId)).AVAILABLE
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
  await writeAlone(ctx, claimed, { bookings: [] }, cause)
}

// What became of its payout, or of the time that the payer had.
async function follow(ctx: Advancing, claimed: RefundClaimed): Promise<void> {
  const { refund, attempts } = claimed
  const { organizationId, payoutId } = refund
  const now = ctx.clock.now()
  const payout = payoutId === null ? undefined : await ctx.batched.getPayout({ organizationId, payoutId })
  const followed: RefundStep = payout ? followPayout(refund, payout, now) : { bookings: [] }
  const step = followed.next === undefined ? await endWaiting(ctx, refund, now) : followed
  const cause = step.next === undefined ? { ...again(refund, attempts, now), attempts: attempts + 1 } : {}
  await ctx.db.inTransaction(async (tx) => {
    const { refundId: subjectId } = refund
    if (step.next !== undefined) await voidApproval(ctx, tx, { organizationId, kind: 'refund', subjectId })
    await writeRefundStep(ctx, tx, refund, step, { leaseToken: claimed.leaseToken, ...cause })
  })
}

// Nobody has named a key in time, or the network took the money back before anybody did.
async function endWaiting(ctx: Advancing, refund: Refund, now: Instant): Promise<RefundStep> {
  if (refund.stage !== 'AWAITING_CLAIM' && refund.stage !== 'AWAITING_APPROVAL') return { bookings: [] }
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
