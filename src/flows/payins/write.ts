// Turns a step that core decided into what the store writes: bookings become transfers, money for suspense gets an id,
// and the payin gets its next rail stage.

import type { PayinUpdate } from '../../core/connections/notice.ts'
import { type NewEvent, payinEventType } from '../../core/events/event.ts'
import { type Booking, transfer } from '../../core/ledger/bookings.ts'
import type { ChargebackFacts } from '../../core/ledger/chargebacks.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { presentPayin } from '../../core/payins/object.ts'
import { isOpen, type Payin } from '../../core/payins/payin.ts'
import { stageAfterOutcome } from '../../core/payins/schedule.ts'
import {
  type HeldPayment,
  mayBeElsewhere,
  type PayinFacts,
  type PayinStep,
  settlePayin,
} from '../../core/payins/settle.ts'
import { endLink, linkEventData, type PaymentLink } from '../../core/payment-links/payment-link.ts'
import { chargebacksReportedBefore, type StoredNotice } from '../../store/connections/notices.ts'
import { isFree, placesOfPayment } from '../../store/ledger/suspense.ts'
import { chargebacksOf } from '../../store/ledger/transfers.ts'
import type { PayinWrite } from '../../store/payins/write.ts'
import { getLink } from '../../store/payment-links/payment-links.ts'
import type { Needs } from '../context.ts'

export type PayinCause = {
  leaseToken?: string
  notice?: PayinWrite['notice']
  networkCode?: string
  // The payment link that the payin is an attempt on, as it was when the step was decided.
  link?: PaymentLink | undefined
}

export function payinWrite(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  payin: Payin,
  step: PayinStep,
  cause: PayinCause,
  dueAtIfUnchanged: PayinWrite['dueAt'],
): PayinWrite {
  const now = ctx.clock.now()
  const settled = hasNewOutcome(payin, step.next)
    ? stageAfterOutcome(
        withNetworkIds(step.next, step, cause),
        cause.notice ? 'notice' : 'answer',
        ctx.settings.settlementDelayMs,
        now,
      )
    : { payin: step.next ?? payin, dueAt: dueAtIfUnchanged }
  const suspense = step.suspense && { suspenseId: ctx.ids.next(), ...step.suspense }
  return {
    payin: settled.payin,
    expectedVersion: payin.version,
    leaseToken: cause.leaseToken ?? null,
    // An item of nobody is released as soon as the payin is confirmed. See `settle` in advance.ts.
    dueAt: step.counted?.isOwn === false ? now : settled.dueAt,
    at: now,
    transfers: transfersOf(ctx, payin, step, suspense?.suspenseId),
    suspense: suspense ?? null,
    alarm:
      step.alarm === undefined
        ? null
        : { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail: step.alarm },
    ...linkCompletion(ctx, settled.payin, cause.link, payin),
    notice: cause.notice ?? null,
    mailsReceipt:
      ctx.settings.mailsReceipts &&
      payin.customer !== null &&
      payin.status !== 'CONFIRMED' &&
      settled.payin.status === 'CONFIRMED',
  }
}

// A chargeback of a part is no new outcome: the rest of the payin is settled at the time that was planned before.
function hasNewOutcome(payin: Payin, next: Payin | undefined): next is Payin {
  return next !== undefined && (isOpen(payin) || next.settlementStatus !== payin.settlementStatus)
}

// A confirmed attempt completes its link, and the merchant gets the link's event instead of the payin's.
function linkCompletion(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  next: Payin,
  link: PaymentLink | undefined,
  before: Payin,
): Pick<PayinWrite, 'event' | 'link'> {
  const completed =
    link !== undefined && next.status === 'CONFIRMED' ? endLink(link, 'complete', next.updatedAt) : undefined
  if (link === undefined || completed === undefined)
    return { event: payinEvent(ctx, before, next), link: null }
  return { event: linkEvent(ctx, completed), link: { next: completed, expectedVersion: link.version } }
}

export function linkEvent(ctx: Needs<'ids'>, link: PaymentLink): NewEvent {
  return {
    organizationId: link.organizationId,
    eventId: ctx.ids.next(),
    type: link.status === 'COMPLETED' ? 'paymentlink.completed' : 'paymentlink.expired',
    resource: 'paymentlink',
    objectId: link.paymentLinkId,
    version: link.version,
    data: linkEventData(link),
    createdAt: link.updatedAt,
  }
}

// The event for the change, if it has one, with the payin as it is after the change.
export function payinEvent(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  before: Payin,
  next: Payin,
): NewEvent | null {
  const type = payinEventType(before, next)
  if (type === undefined) return null
  return {
    organizationId: next.organizationId,
    eventId: ctx.ids.next(),
    type,
    resource: 'payin',
    objectId: next.payinId,
    version: next.version,
    data: JSON.stringify(presentPayin(ctx.settings, next)),
    // A hand-over to Bre-B changes nothing that a merchant sees, so the payin has no newer time.
    createdAt: next.version === before.version ? ctx.clock.now() : next.updatedAt,
  }
}

function withNetworkIds(payin: Payin, step: PayinStep, cause: PayinCause): Payin {
  const { progress } = payin
  return {
    ...payin,
    progress: {
      ...progress,
      paymentId: step.paymentId ?? progress.paymentId,
      networkCode: cause.networkCode ?? progress.networkCode,
    },
  }
}

function transfersOf(ctx: Needs<'ids'>, payin: Payin, step: PayinStep, suspenseId: string | undefined) {
  const { organizationId, payinId, source } = payin
  const book = (
    booking: Booking,
    entry: { subjectId: string; amountInCents: bigint; part?: string | undefined },
  ) => {
    const { subjectId, amountInCents, part } = entry
    const about = { subjectId, amountInCents, ...(part !== undefined && { part }) }
    return transfer(booking, source.rail, {
      organizationId,
      transferId: ctx.ids.next(),
      ...about,
    })
  }
  return [
    ...(step.booking ? [book(step.booking.booking, { subjectId: payinId, ...step.booking })] : []),
    ...(step.charges ?? []).map(({ booking, amountInCents }) =>
      book(booking, { subjectId: payinId, amountInCents }),
    ),
    ...(step.suspense && suspenseId
      ? [book('money in suspense', { subjectId: suspenseId, ...step.suspense })]
      : []),
  ]
}

export async function linkOf(ctx: Needs<'db'>, payin: Payin): Promise<PaymentLink | undefined> {
  return payin.paymentLinkId === null ? undefined : getLink(ctx.db, payin.organizationId, payin.paymentLinkId)
}

// A payment that is reported for a payin may be in suspense already.
export async function readPayinFacts(
  ctx: Needs<'batched'>,
  payin: Payin,
  organization: Organization,
  link: PaymentLink | undefined,
  update: PayinUpdate,
): Promise<PayinFacts> {
  return {
    held: update.kind === 'payin.paid' ? await heldPayment(ctx, payin, update.paymentId) : undefined,
    paymentId: payin.progress.paymentId,
    onAmountMismatch: organization.onAmountMismatch,
    linkHasEnded: link !== undefined && link.status !== 'PENDING',
  }
}

// What the update does to the payin. `wasLost`: the step was decided before, and could not be written. Perhaps another payin has
// been confirmed by the payment.
export async function decidePayin(
  ctx: Needs<'clock' | 'db'>,
  payin: Payin,
  update: PayinUpdate,
  facts: PayinFacts,
  wasLost: boolean,
): Promise<PayinStep> {
  const now = ctx.clock.now()
  const step = settlePayin(payin, update, facts, now)
  if (update.kind !== 'payin.paid' || !(wasLost || mayBeElsewhere(payin, step))) return step
  const places = await placesOfPayment(ctx.db, { rail: payin.source.rail, paymentId: update.paymentId })
  const elsewhere = places.find(({ id }) => id !== payin.payinId && id !== facts.held?.suspenseId)
  return elsewhere === undefined ? step : settlePayin(payin, update, { ...facts, elsewhere }, now)
}

async function heldPayment(
  ctx: Needs<'batched'>,
  { organizationId, source }: Payin,
  paymentId: string,
): Promise<HeldPayment | undefined> {
  const [item] = await ctx.batched.suspenseOfPayment({ organizationId, rail: source.rail, paymentId })
  if (item === undefined) return undefined
  const { suspenseId, amountInCents } = item
  return { suspenseId, amountInCents, isFree: isFree(item), isOwn: item.organizationId === organizationId }
}

// A payin that is charged back may have been charged back before, in part or by the same chargeback.
export async function readChargebackFacts(
  ctx: Needs<'db'>,
  { organizationId, payinId, chargedBackInCents }: Payin,
  notice: StoredNotice,
): Promise<ChargebackFacts | undefined> {
  const { update } = notice
  if (update.kind !== 'payin.chargeback' || chargedBackInCents === 0n) return undefined
  return {
    booked: await chargebacksOf(ctx.db, organizationId, payinId),
    reportedBefore: await chargebacksReportedBefore(ctx.db, notice, update.paymentId, organizationId),
  }
}
