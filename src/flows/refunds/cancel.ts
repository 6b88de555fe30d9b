// The merchant takes a refund back. Possible while nothing was sent: a payout that was made for it is canceled with it.

import { cancelPayout } from '../../core/payouts/settle.ts'
import type { RefundAddress } from '../../core/refunds/claim-token.ts'
import type { Refund } from '../../core/refunds/refund.ts'
import { cancelRefund as cancel } from '../../core/refunds/settle.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import { lockPayout } from '../../store/payouts/payouts.ts'
import { writePayouts } from '../../store/payouts/write.ts'
import { lockRefund } from '../../store/refunds/refunds.ts'
import { voidApproval } from '../approvals/submit.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { payoutWrite } from '../payouts/write.ts'
import { recordAct } from '../record-act.ts'
import { writeRefundStep } from './write.ts'

type Canceling = Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>

export async function cancelRefund(
  ctx: Canceling,
  address: RefundAddress,
  idempotency: Idempotency<Refund> | null,
): Promise<Refund | Refusal> {
  const { organizationId, refundId } = address
  const canceled = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    // Before the refund is locked, as whoever decides does.
    await voidApproval(ctx, tx, { organizationId, kind: 'refund', subjectId: refundId })
    const refund = await lockRefund(tx, address)
    if (refund === undefined) return refuseUnknownRefund(refundId)
    const step = cancel(refund, ctx.clock.now())
    if (step?.next === undefined || !(await callPayoutOff(ctx, tx, refund))) {
      const why = refund.status === 'PROCESSING' ? 'is with the network already' : `is ${refund.status}`
      return refuse('REFUND_NOT_CANCELABLE', `The refund ${why}.`)
    }
    await writeRefundStep(ctx, tx, refund, step, {})
    const act = { act: 'refund.cancel', before: refund, after: step.next } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: refundId })
    return step.next
  })
  ctx.signals.workAdded('events', organizationId)
  return canceled
}

// False if its payout was submitted.
export async function callPayoutOff(
  ctx: Needs<'clock' | 'ids'>,
  tx: Queryable,
  refund: Refund,
): Promise<boolean> {
  const { organizationId, payoutId, stage } = refund
  if (stage !== 'PAYING' || payoutId === null) return true
  const payout = await lockPayout(tx, { organizationId, payoutId })
  const step = payout && cancelPayout(payout, ctx.clock.now())
  if (payout === undefined || step === undefined) return false
  const [isWritten = false] = await writePayouts(tx, [payoutWrite(ctx, payout, step, {})])
  return isWritten
}

export function refuseUnknownRefund(refundId: string): Refusal {
  return refuse('NOT_FOUND', `No refund has the id ${refundId}.`)
}
