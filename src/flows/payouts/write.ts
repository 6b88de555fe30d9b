// Turns a step that core decided about a payout into what the store writes.

import { type NewEvent, payoutEventType } from '../../core/events/event.ts'
import type { Instant } from '../../core/instant.ts'
import { transfer } from '../../core/ledger/bookings.ts'
import { presentPayout } from '../../core/payouts/object.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import { isUnresolved } from '../../core/payouts/schedule.ts'
import { type PayoutStep, partsOf } from '../../core/payouts/settle.ts'
import type { PayoutWrite } from '../../store/payouts/write.ts'
import type { Needs } from '../context.ts'

export type PayoutCause = {
  leaseToken?: string
  keepLease?: boolean
  noticeId?: string
  dueAt?: Instant
  attempts?: number
}

export function payoutWrite(
  ctx: Needs<'clock' | 'ids'>,
  payout: Payout,
  step: PayoutStep,
  cause: PayoutCause,
): PayoutWrite {
  const now = ctx.clock.now()
  const { organizationId, payoutId: subjectId } = payout
  const next = step.next ?? payout
  return {
    payout: next,
    expectedVersion: payout.version,
    leaseToken: cause.leaseToken ?? null,
    keepLease: cause.keepLease ?? false,
    dueAt: cause.dueAt ?? null,
    attempts: cause.attempts ?? 0,
    at: now,
    transfers: step.bookings
      .flatMap((booking) => partsOf(booking, next))
      .map(([booking, amountInCents]) =>
        transfer(booking, 'BRE_B', {
          organizationId,
          transferId: ctx.ids.next(),
          subjectId,
          amountInCents,
        }),
      ),
    alarm: alarmOf(ctx, payout, step, now),
    event: step.next === undefined ? null : payoutEvent(ctx, payout, step.next),
    noticeId: cause.noticeId ?? null,
  }
}

const UNRESOLVED = 'the network has not said for a day whether it paid this payout'

function alarmOf(ctx: Needs<'ids'>, payout: Payout, step: PayoutStep, now: Instant): PayoutWrite['alarm'] {
  const alarmId = ctx.ids.next()
  if (step.alarm !== undefined) return { alarmId, kind: 'payout-contradiction', detail: step.alarm }
  return isUnresolved(step.next ?? payout, now)
    ? { alarmId, kind: 'payout-unresolved', detail: UNRESOLVED }
    : null
}

function payoutEvent(ctx: Needs<'ids'>, before: Payout, next: Payout): NewEvent | null {
  const type = payoutEventType(before, next)
  if (type === undefined) return null
  return {
    organizationId: next.organizationId,
    eventId: ctx.ids.next(),
    type,
    resource: 'payout',
    objectId: next.payoutId,
    version: next.version,
    data: JSON.stringify(presentPayout(next)),
    createdAt: next.updatedAt,
  }
}
