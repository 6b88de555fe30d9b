// Whether the person who looks may decide, and if not, why: what they may not do is shown disabled, with the reason.

import type { Approval, ApprovalDecision } from '../../core/approvals/approval.ts'
import { isMaker, mayApprove } from '../../core/approvals/decide.ts'
import { rolesOf } from '../../store/team/members.ts'
import { may, type Visit } from '../visit.ts'
import { APPROVAL_WORDS } from './words.ts'

// Undefined if they may.
export function whyNot(
  visit: Visit,
  approval: Approval,
  decisions: readonly Pick<ApprovalDecision, 'userId'>[],
  holdsCredential = false,
): string | undefined {
  const words = APPROVAL_WORDS[visit.language]
  const { userId } = visit.signedIn.user
  if (isMaker(approval, userId)) return words.mine
  if (holdsCredential) return words.mineByKey
  if (decisions.some((one) => one.userId === userId)) return words.decidedByMe
  return may(visit, 'approvals:write') ? undefined : words.lacks
}

// As people call whoever asked for it.
export function makerText({ language }: Pick<Visit, 'language'>, { maker }: Approval): string {
  const { makers } = APPROVAL_WORDS[language]
  const name = maker.name ?? maker.id ?? ''
  return maker.kind === 'person' ? name : `${makers[maker.kind]} ${name}`.trim()
}

// The approvals among these that count now: of people who are of the team, in a role that approves.
export async function countedApprovals(
  { ctx, organization }: Pick<Visit, 'ctx' | 'organization'>,
  decisions: readonly ApprovalDecision[],
): Promise<readonly ApprovalDecision[]> {
  const approved = decisions.filter(({ decision }) => decision === 'APPROVED')
  if (approved.length === 0) return []
  const userIds = approved.map(({ userId }) => userId)
  const roles = await rolesOf(ctx.db, organization.organizationId, userIds)
  return approved.filter(({ userId }) => mayApprove(roles.get(userId) ?? null))
}
