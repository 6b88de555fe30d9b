// What people approve of a refund, and what follows: it is given back, the payer is asked for a key, or it ends.

import { hash } from 'node:crypto'
import type { Approval } from '../../core/approvals/approval.ts'
import type { Approvers } from '../../core/approvals/rule.ts'
import type { Refund, RefundErrorCode } from '../../core/refunds/refund.ts'
import { approveRefund, declineRefund, type RefundStep } from '../../core/refunds/settle.ts'
import type { Queryable } from '../../store/db.ts'
import { getRefund, lockRefund } from '../../store/refunds/refunds.ts'
import type { ApprovalEffect, EffectContext } from '../approvals/effect.ts'
import { submitForApproval } from '../approvals/submit.ts'
import type { Needs } from '../context.ts'
import { writeRefundStep } from './write.ts'

// A key that is not the payer's needs somebody's eyes, whatever the rules say: so it is submitted under the rule that it needs.
export async function submitRefund(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  refund: Refund,
  approvers: Approvers,
): Promise<void> {
  if (approvers === 0) return
  const { organizationId, refundId: subjectId, amountInCents } = refund
  const approvalRules = [{ kind: 'refund', tiers: [{ fromInCents: 0n, approvers }] }] as const
  const organization = { organizationId, approvalRules }
  const document = refundDocument(refund)
  await submitForApproval(ctx, tx, { organization, kind: 'refund', subjectId, amountInCents, document })
}

// The receiver is bound by the digest of its sealed text: nobody can read it from here, and another receiver is another text.
function refundDocument(refund: Refund): Readonly<Record<string, unknown>> {
  const { claim, receiver } = refund
  return {
    payinId: refund.payinId,
    amountInCents: refund.amountInCents,
    currency: refund.currency,
    reason: refund.reason,
    way: refund.way,
    claim: claim && {
      match: claim.match,
      holderName: claim.holderName,
      participant: claim.participant,
      lastFour: claim.lastFour,
    },
    receiverSha256: receiver === null ? null : hash('sha256', JSON.stringify(receiver), 'hex'),
  }
}

export const refundApproval: ApprovalEffect = {
  current: async (tx, approval) => {
    const refund = await waitingRefund(tx, approval)
    return refund && refundDocument(refund)
  },
  approved: (ctx, tx, approval) =>
    move(ctx, tx, approval, (refund) => approveRefund(refund, ctx.clock.now())),
  refused: (ctx, tx, approval) => end(ctx, tx, approval, 'APPROVAL_REFUSED'),
  lapsed: (ctx, tx, approval) => end(ctx, tx, approval, 'APPROVAL_LAPSED'),
  stale: (ctx, tx, approval) => end(ctx, tx, approval, 'APPROVAL_VOIDED'),
  // A claim is the payer's. Whoever asked for the refund may have sent them there.
  askedBy: async (db, { organizationId, subjectId: refundId }) =>
    (await getRefund(db, { organizationId, refundId }))?.credentialId ?? null,
  wakes: ['refunds'],
}

async function waitingRefund(tx: Queryable, approval: Approval): Promise<Refund | undefined> {
  const { organizationId, subjectId: refundId } = approval
  const refund = await lockRefund(tx, { organizationId, refundId })
  return refund?.stage === 'AWAITING_APPROVAL' ? refund : undefined
}

function end(ctx: EffectContext, tx: Queryable, approval: Approval, why: RefundErrorCode): Promise<void> {
  return move(ctx, tx, approval, (refund) => declineRefund(refund, why, ctx.clock.now()))
}

// A refund that no longer waits has ended otherwise, and stays as it is.
async function move(
  ctx: EffectContext,
  tx: Queryable,
  approval: Approval,
  decide: (refund: Refund) => RefundStep,
): Promise<void> {
  const refund = await waitingRefund(tx, approval)
  if (refund !== undefined) await writeRefundStep(ctx, tx, refund, decide(refund), {})
}
