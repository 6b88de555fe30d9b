// A provider that is asked about a payin may say that it has taken the money back. That is stored like a notice, which is applied once
// however often it is told.

import type { Payin } from '../../core/payins/payin.ts'
import type { RailPayinStatus } from '../../rails/rail.ts'
import type { Needs } from '../context.ts'
import { referenceOf } from './apply-rail-status.ts'

export async function reportChargebacks(
  ctx: Needs<'clock' | 'batched' | 'signals'>,
  payin: Payin,
  { chargebacks = [], networkCode }: Extract<RailPayinStatus, { state: 'paid' }>,
): Promise<void> {
  const now = ctx.clock.now()
  for (const { paymentId, amountInCents, chargebackId } of chargebacks)
    await ctx.batched.insertNotice({
      organizationId: payin.organizationId,
      rail: payin.source.rail,
      noticeId: `${payin.payinId} ${chargebackId}`,
      subjectKind: 'payin',
      subjectId: payin.payinId,
      reference: referenceOf(payin),
      update: { kind: 'payin.chargeback', amountInCents, paymentId, chargebackId },
      networkCode,
      occurredAt: now,
      receivedAt: now,
      dueAt: now,
    })
  if (chargebacks.length > 0) ctx.signals.workAdded('notices')
}
