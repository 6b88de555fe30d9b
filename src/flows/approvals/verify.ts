// Proves an organization's approvals again, all of them: by what is stored of each, by the audit log, which is a chain of its own,
// by the passkeys that are still there, and by what was approved. It reads everything, so it is the operator's to run.

import type { Approval, ApprovalDecision } from '../../core/approvals/approval.ts'
import { approvalProblems } from '../../core/approvals/check.ts'
import { approvalList } from '../../store/approvals/approvals.ts'
import { listDecisionsOf } from '../../store/approvals/decisions.ts'
import { auditList } from '../../store/audit/entries.ts'
import { findPasskey } from '../../store/team/passkeys.ts'
import type { Needs } from '../context.ts'
import { subjectProblems } from './verify-subject.ts'

const PER_PAGE = 200
// Of one approval there are a few: submitted, decided, ended.
const MAX_ENTRIES = 50

export type VerifiedApprovals = {
  readonly approvals: number
  readonly decisions: number
  // Signed by a passkey; the others were shown by a code or a session, which leave no signature.
  readonly signed: number
  readonly problems: readonly { readonly approvalId: string; readonly problem: string }[]
}

export async function verifyApprovals(
  ctx: Needs<'db' | 'vault'>,
  organizationId: string,
): Promise<VerifiedApprovals> {
  const list = approvalList(ctx.db, organizationId, {})
  const counted = { approvals: 0, decisions: 0, signed: 0 }
  const problems: { approvalId: string; problem: string }[] = []
  for (let from: string | null = null, isMore = true; isMore; ) {
    const page = await list.seek({ direction: 'newer', from }, PER_PAGE)
    const ids = page.map(({ approvalId }) => approvalId)
    const decisions = await listDecisionsOf(ctx.db, organizationId, ids)
    for (const approval of page) {
      const { approvalId } = approval
      const own = decisions.filter((one) => one.approvalId === approvalId)
      const found = [...approvalProblems(approval, own), ...(await outsideProblems(ctx, approval, own))]
      problems.push(...found.map((problem) => ({ approvalId, problem })))
      counted.decisions += own.length
      counted.signed += own.filter(({ proof }) => proof === 'PASSKEY').length
    }
    counted.approvals += page.length
    from = ids.at(-1) ?? null
    isMore = page.length === PER_PAGE
  }
  return { ...counted, problems }
}

// What the rest of the database says of it.
async function outsideProblems(
  ctx: Needs<'db' | 'vault'>,
  approval: Approval,
  decisions: readonly ApprovalDecision[],
): Promise<string[]> {
  const problems = await auditProblems(ctx, approval, decisions)
  for (const { signed, userId, userName } of decisions) {
    const passkey = signed && (await findPasskey(ctx.db, signed.credentialId))
    // One that was deleted since proves nothing against it.
    if (passkey && (passkey.userId !== userId || !passkey.publicKey.equals(signed.publicKey)))
      problems.push(`the key that signed for ${userName} is not that of their passkey`)
  }
  return [...problems, ...(await subjectProblems(ctx, approval))]
}

async function auditProblems(
  ctx: Needs<'db'>,
  { organizationId, approvalId, digest }: Approval,
  decisions: readonly ApprovalDecision[],
): Promise<string[]> {
  const list = auditList(ctx.db, organizationId, { objectId: approvalId })
  const entries = await list.seek({ direction: 'newer', from: null }, MAX_ENTRIES)
  return decisions.flatMap(({ decision, userId, userName }) => {
    const act = decision === 'APPROVED' ? 'approval.approve' : 'approval.refuse'
    const isWritten = entries.some(
      (entry) =>
        entry.act === act &&
        entry.outcome === 'done' &&
        entry.actor.id === userId &&
        entry.changes.includes(digest.toString('hex')),
    )
    return isWritten ? [] : [`the audit log does not say that ${userName} decided so about this digest`]
  })
}
