// What a merchant is told of an approval, as it stands after the change, and what the audit log keeps of it.

import type { Approval, ApprovalDecision, ApprovalStatus } from '../../core/approvals/approval.ts'
import { presentApproval } from '../../core/approvals/object.ts'
import type { EventType, NewEvent } from '../../core/events/event.ts'
import type { Needs } from '../context.ts'

const TYPE_OF = {
  WAITING: 'approval.waiting',
  APPROVED: 'approval.approved',
  REFUSED: 'approval.refused',
  LAPSED: 'approval.lapsed',
  VOIDED: 'approval.voided',
} as const satisfies Readonly<Record<ApprovalStatus, EventType>>

export function approvalEvent(
  ctx: Needs<'ids'>,
  approval: Approval,
  decisions: readonly ApprovalDecision[],
): NewEvent {
  return {
    organizationId: approval.organizationId,
    eventId: ctx.ids.next(),
    type: TYPE_OF[approval.status],
    resource: 'approval',
    objectId: approval.approvalId,
    version: approval.version,
    data: JSON.stringify(presentApproval(approval, decisions)),
    createdAt: approval.updatedAt,
  }
}

// The digest is in the audit log's chain, so that nobody exchanges an approval without breaking it.
export function auditedApproval(approval: Approval, decision?: ApprovalDecision): object {
  return {
    ...approval,
    digestHex: approval.digest.toString('hex'),
    ...(decision && {
      proof: decision.proof,
      reason: decision.reason,
      publicKey: decision.signed?.publicKey.toString('base64url') ?? null,
    }),
  }
}
