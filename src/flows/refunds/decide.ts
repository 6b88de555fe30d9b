// A person decides about a key whose holder is not shown to be the payer: it is paid, or the refund ends.

import type { RefundAddress } from '../../core/refunds/claim-token.ts'
import type { Refund } from '../../core/refunds/refund.ts'
import { decideClaim } from '../../core/refunds/settle.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { lockRefund } from '../../store/refunds/refunds.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseUnknownRefund } from './cancel.ts'
import { writeRefundStep } from './write.ts'

export async function decideRefund(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>,
  address: RefundAddress,
  isAccepted: boolean,
  idempotency: Idempotency<Refund> | null,
): Promise<Refund | Refusal> {
  const { organizationId, refundId } = address
  const decided = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const refund = await lockRefund(tx, address)
    if (refund === undefined) return refuseUnknownRefund(refundId)
    const step = decideClaim(refund, isAccepted, ctx.clock.now())
    if (step?.next === undefined) return refuse('REFUND_NOT_WAITING', `The refund is ${refund.stage}.`)
    await writeRefundStep(ctx, tx, refund, step, {})
    const act = isAccepted ? 'refund.accept' : 'refund.refuse'
    await recordAct(ctx, tx, { act, before: refund, after: step.next, organizationId, objectId: refundId })
    return step.next
  })
  ctx.signals.workAdded('refunds', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return decided
}
