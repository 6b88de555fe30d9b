// Turns a step that core decided about a refund into rows: the refund, what it holds of its payin, its bookings and its event.

import { type NewEvent, refundEventType } from '../../core/events/event.ts'
import type { Instant } from '../../core/instant.ts'
import { transfer } from '../../core/ledger/bookings.ts'
import { presentRefund } from '../../core/refunds/object.ts'
import { givenBackInCents, heldInCents, type Refund } from '../../core/refunds/refund.ts'
import { type RefundStep, refundBookings } from '../../core/refunds/settle.ts'
import type { Queryable } from '../../store/db.ts'
import { PAYOUT_SLOT, postTransfers } from '../../store/ledger/transfers.ts'
import { holdOfPayin, insertRefundEvent, updateRefund } from '../../store/refunds/write.ts'
import type { Needs } from '../context.ts'

export type RefundCause = {
  leaseToken?: string
  keepLease?: boolean
  // Where it is not what the stage says.
  dueAt?: Instant
  attempts?: number
}

// When a refund is looked at next. Null: somebody else must act first.
export function dueAtOf(refund: Refund): Instant | null {
  if (refund.stage === 'READY' || isUnfunded(refund)) return refund.updatedAt
  return refund.stage === 'AWAITING_CLAIM' ? refund.claimExpiresAt : null
}

// People or the payer have it, and its money is not set aside yet.
export function isUnfunded({ stage, reservedInCents }: Refund): boolean {
  return (stage === 'AWAITING_CLAIM' || stage === 'AWAITING_APPROVAL') && reservedInCents === 0n
}

// False if somebody else has moved the refund, or has its lease. Then nothing was written.
export async function writeRefundStep(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  tx: Queryable,
  refund: Refund,
  { next = refund }: RefundStep,
  { leaseToken, keepLease = false, dueAt, attempts = 0 }: RefundCause,
): Promise<boolean> {
  const now = ctx.clock.now()
  const isWritten = await updateRefund(tx, {
    refund: next,
    expectedVersion: refund.version,
    leaseToken: leaseToken ?? null,
    keepLease,
    dueAt: dueAt ?? dueAtOf(next),
    attempts,
  })
  if (!isWritten || next === refund) return isWritten
  const change = {
    heldInCents: heldInCents(next) - heldInCents(refund),
    refundedInCents: givenBackInCents(next) - givenBackInCents(refund),
  }
  const isUnderWay = (one: Refund): boolean => one.stage === 'SENDING'
  if (change.heldInCents !== 0n || change.refundedInCents !== 0n || isUnderWay(next) !== isUnderWay(refund))
    await holdOfPayin(tx, refund, change, now)
  await bookRefund(ctx, tx, refund, next)
  const event = refundEvent(ctx, refund, next)
  if (event !== undefined) await insertRefundEvent(tx, event)
  return true
}

// Money may be set aside again, after a payout that failed. It leaves only once.
export function bookRefund(
  ctx: Needs<'ids'>,
  tx: Queryable,
  before: Refund | null,
  next: Refund,
): Promise<void> {
  const { organizationId, refundId: subjectId, rail, version } = next
  const transfers = refundBookings(before, next).map(([booking, amountInCents]) =>
    transfer(booking, rail, {
      organizationId,
      transferId: ctx.ids.next(),
      subjectId,
      ...(booking !== 'refund given back' && { part: String(version) }),
      amountInCents,
    }),
  )
  return postTransfers(tx, transfers, PAYOUT_SLOT)
}

export function refundEvent(
  ctx: Needs<'ids' | 'settings'>,
  before: Refund | null,
  next: Refund,
): NewEvent | undefined {
  const type = refundEventType(before, next)
  return (
    type && {
      organizationId: next.organizationId,
      eventId: ctx.ids.next(),
      type,
      resource: 'refund',
      objectId: next.refundId,
      version: next.version,
      data: JSON.stringify(presentRefund(ctx.settings, next, null)),
      createdAt: next.updatedAt,
    }
  )
}
