// Puts something before other people, in the transaction of the act itself. If the rules ask nobody, there is no approval and the
// caller goes on as ever. What is approved is bound here: an edit voids the approval, and what was edited is submitted anew.

import { type Approval, endApproval, newApproval, type Submission } from '../../core/approvals/approval.ts'
import { approversFor } from '../../core/approvals/rule.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import {
  insertApproval,
  lockWaitingApproval,
  type SubjectAddress,
  writeApproval,
} from '../../store/approvals/approvals.ts'
import { listDecisions } from '../../store/approvals/decisions.ts'
import type { Queryable } from '../../store/db.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { approvalEvent, auditedApproval } from './event.ts'

// `organization` as the caller knows it: its rules decide. The maker is whoever acts (`ctx.actor`).
export type Submitted = Pick<Submission, 'kind' | 'subjectId' | 'amountInCents' | 'document' | 'payload'> & {
  readonly organization: Pick<Organization, 'organizationId' | 'approvalRules'>
}

// The approval that now waits, or null if nobody is asked. Tell the console and the sequencer after the commit
// (`workAdded`, of `events`).
export async function submitForApproval(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  { organization, ...submitted }: Submitted,
): Promise<Approval | null> {
  const { organizationId, approvalRules } = organization
  const approvers = approversFor(approvalRules, submitted.kind, submitted.amountInCents)
  if (approvers === 0) return null
  const { kind, id, name } = ctx.actor
  const submission = { ...submitted, organizationId, maker: { kind, id, name } }
  const approval = newApproval(ctx.ids.next(), approvers, submission, ctx.clock.now())
  await insertApproval(tx, approval, approvalEvent(ctx, approval, []))
  const act = { act: 'approval.submit', before: null, after: auditedApproval(approval) } as const
  await recordAct(ctx, tx, { ...act, organizationId, objectId: approval.approvalId })
  return approval
}

// For what answers with the thing itself once it is there: whoever asked learns that nothing has happened yet, and where it waits.
export function refuseUntilApproved({ approvalId }: Approval): Refusal {
  const message = 'waits until other people have approved it'
  return refuse('APPROVAL_REQUIRED', `Other people must approve it first: approval ${approvalId}.`, {
    errors: [{ path: '', code: 'APPROVAL_REQUIRED', message, approvalId }],
  })
}

// What waits was changed or withdrawn. Call it before the subject is locked: whoever decides locks in that order too. Null if nothing
// waits for it.
export async function voidApproval(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  subject: SubjectAddress,
): Promise<Approval | null> {
  const approval = await lockWaitingApproval(tx, subject)
  return approval === undefined ? null : voidLocked(ctx, tx, approval)
}

export async function voidLocked(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  approval: Approval,
): Promise<Approval | null> {
  const voided = endApproval(approval, 'void', ctx.clock.now())
  if (voided === undefined) return null
  const decisions = await listDecisions(tx, approval)
  await writeApproval(tx, voided, approvalEvent(ctx, voided, decisions))
  const act = {
    act: 'approval.void',
    before: auditedApproval(approval),
    after: auditedApproval(voided),
  } as const
  const { organizationId, approvalId: objectId } = approval
  await recordAct(ctx, tx, { ...act, organizationId, objectId })
  return voided
}
