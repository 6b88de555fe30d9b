// What follows the end of an approval, by its kind. An effect runs in the transaction of the last decision, or of the lapse: it is
// done with it or not at all, and once. The approval is locked, and the effect locks its subject.

import { APPROVAL_KINDS, type ApprovalKind } from '../../core/approvals/rule.ts'
import { batchApproval } from '../payout-batches/approval.ts'
import { payoutApproval } from '../payouts/approval.ts'
import { refundApproval } from '../refunds/approval.ts'
import { rulesApproval } from './change-rules.ts'
import type { ApprovalEffect } from './effect.ts'

const EFFECTS: Readonly<Partial<Record<ApprovalKind, ApprovalEffect>>> = {
  payout: payoutApproval,
  refund: refundApproval,
  'payout-batch': batchApproval,
  'approval-rule': rulesApproval,
}

// What rules may ask approvers for.
export const ASKED_KINDS: readonly ApprovalKind[] = APPROVAL_KINDS.filter(
  (kind) => EFFECTS[kind] !== undefined,
)

export function effectOf(kind: ApprovalKind): ApprovalEffect {
  const effect = EFFECTS[kind]
  if (effect === undefined) throw new Error(`nothing follows an approval of the kind ${kind}`)
  return effect
}
