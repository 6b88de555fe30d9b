// What follows the end of an approval, by its kind. An effect runs in the transaction of the last decision, or of the lapse: it is
// done with it or not at all, and once. The approval is locked, and the effect locks its subject.

import type { ApprovalKind } from '../../core/approvals/rule.ts'
import { connectionApproval } from '../connections/approval.ts'
import { credentialApproval } from '../credentials/approval.ts'
import { suspenseApproval } from '../ledger/approval.ts'
import { batchApproval } from '../payout-batches/approval.ts'
import { payoutApproval } from '../payouts/approval.ts'
import { refundApproval } from '../refunds/approval.ts'
import { rulesApproval } from './change-rules.ts'
import type { ApprovalEffect } from './effect.ts'

const EFFECTS: Readonly<Record<ApprovalKind, ApprovalEffect>> = {
  payout: payoutApproval,
  refund: refundApproval,
  'payout-batch': batchApproval,
  'suspense-return': suspenseApproval,
  connection: connectionApproval,
  credential: credentialApproval,
  'approval-rule': rulesApproval,
}

export function effectOf(kind: ApprovalKind): ApprovalEffect {
  return EFFECTS[kind]
}
