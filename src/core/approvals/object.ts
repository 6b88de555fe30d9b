// An approval as merchants see it, in responses and events. What it holds of people is digests alone.

import { isoInstant, isoOrNull } from '../instant.ts'
import { centsToNumber } from '../money.ts'
import { type Approval, type ApprovalDecision, documentOf } from './approval.ts'

export function presentApproval(
  approval: Approval,
  decisions: readonly ApprovalDecision[],
): Record<string, unknown> {
  return {
    id: approval.approvalId,
    kind: approval.kind,
    subjectId: approval.subjectId,
    status: approval.status,
    amountInCents: approval.amountInCents === null ? null : centsToNumber(approval.amountInCents),
    approvers: approval.approvers,
    maker: approval.maker,
    document: documentOf(approval),
    digest: approval.digest.toString('hex'),
    decisions: decisions.map(presentDecision),
    createdAt: isoInstant(approval.createdAt),
    updatedAt: isoInstant(approval.updatedAt),
    lapsesAt: isoInstant(approval.lapsesAt),
    decidedAt: isoOrNull(approval.decidedAt),
    usedAt: isoOrNull(approval.usedAt),
    organizationId: approval.organizationId,
  }
}

function presentDecision(one: ApprovalDecision): Record<string, unknown> {
  const { userId, userName, role, decision, proof, reason, decidedAt } = one
  return { userId, userName, role, decision, proof, reason, decidedAt: isoInstant(decidedAt) }
}
