// What people approve of a payout, and what follows. It is made with its money reserved, and waits. Once it is approved the
// dispatcher sends it like any other; if it is refused or nobody decides, it ends and the money is released.

import { hash } from 'node:crypto'
import type { Approval } from '../../core/approvals/approval.ts'
import type { Payout, PayoutErrorCode } from '../../core/payouts/payout.ts'
import { approvePayout, declinePayout, type PayoutStep } from '../../core/payouts/settle.ts'
import type { Queryable } from '../../store/db.ts'
import { lockPayout } from '../../store/payouts/payouts.ts'
import { writePayouts } from '../../store/payouts/write.ts'
import type { ApprovalEffect, EffectContext } from '../approvals/effect.ts'
import { type PayoutCause, payoutWrite } from './write.ts'

// The receiver is bound by the digest of its sealed text: nobody can read it from here, and another receiver is another text.
export function payoutDocument(payout: Payout): Readonly<Record<string, unknown>> {
  return {
    amountInCents: payout.amountInCents,
    currency: payout.currency,
    rail: 'BRE_B',
    reference: payout.reference,
    keyType: payout.keyType,
    receiverSha256: sha256(JSON.stringify(payout.receiver)),
    noteSha256: payout.note === null ? null : sha256(JSON.stringify(payout.note)),
    connectionId: payout.connection?.connectionId ?? null,
  }
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

export const payoutApproval: ApprovalEffect = {
  current: async (tx, approval) => {
    const payout = await waitingPayout(tx, approval)
    return payout && payoutDocument(payout)
  },
  approved: (ctx, tx, approval) =>
    move(ctx, tx, approval, (payout) => approvePayout(payout, ctx.clock.now()), { dueAt: ctx.clock.now() }),
  refused: (ctx, tx, approval) => end(ctx, tx, approval, 'APPROVAL_REFUSED'),
  lapsed: (ctx, tx, approval) => end(ctx, tx, approval, 'APPROVAL_LAPSED'),
  stale: (ctx, tx, approval) => end(ctx, tx, approval, 'APPROVAL_VOIDED'),
  wakes: ['payouts'],
}

async function waitingPayout(tx: Queryable, approval: Approval): Promise<Payout | undefined> {
  const { organizationId, subjectId: payoutId } = approval
  const payout = await lockPayout(tx, { organizationId, payoutId })
  return payout?.stage === 'AWAITING_APPROVAL' ? payout : undefined
}

function end(ctx: EffectContext, tx: Queryable, approval: Approval, reason: PayoutErrorCode): Promise<void> {
  return move(ctx, tx, approval, (payout) => declinePayout(payout, reason, null, ctx.clock.now()), {})
}

// A payout that no longer waits has ended otherwise, and stays as it is.
async function move(
  ctx: EffectContext,
  tx: Queryable,
  approval: Approval,
  decide: (payout: Payout) => PayoutStep,
  cause: PayoutCause,
): Promise<void> {
  const payout = await waitingPayout(tx, approval)
  if (payout !== undefined) await writePayouts(tx, [payoutWrite(ctx, payout, decide(payout), cause)])
}
