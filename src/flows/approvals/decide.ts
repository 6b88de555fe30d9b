// A person approves or refuses. Everything is read anew under the approval's lock: their role, the state, the subject, and
// the roles of those who decided before. The decision, its proof, the end of the approval and what follows from it are one transaction.

import {
  type Approval,
  type ApprovalDecision,
  type Decision,
  endApproval,
  isBoundTo,
} from '../../core/approvals/approval.ts'
import { endingAfter, refuseDecider } from '../../core/approvals/decide.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Member } from '../../core/team/user.ts'
import { type ApprovalAddress, lockApproval, writeApproval } from '../../store/approvals/approvals.ts'
import { insertDecision, listDecisions } from '../../store/approvals/decisions.ts'
import { credentialHolders } from '../../store/audit/credential-holders.ts'
import type { Queryable } from '../../store/db.ts'
import { getMember, rolesOf } from '../../store/team/members.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { effectOf } from './effects.ts'
import { approvalEvent, auditedApproval } from './event.ts'
import { beginProof, dropProof, type GivenProof, type Proof, provePerson } from './proof.ts'
import { voidLocked } from './submit.ts'

export type DecisionRequest = ApprovalAddress & {
  readonly userId: string
  readonly decision: Decision
  // Of what they have read.
  readonly digest: Buffer
  readonly reason: string | null
  readonly given: GivenProof
}

export type Decided = { readonly approval: Approval; readonly decisions: readonly ApprovalDecision[] }

type Deciding = Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>

export async function decideApproval(ctx: Deciding, request: DecisionRequest): Promise<Decided | Refusal> {
  const { organizationId, userId } = request
  const proof = await beginProof(ctx, userId, request.given)
  if (isRefusal(proof)) return proof
  const outcome = await ctx.db.inTransaction(async (tx) => {
    const decided = await decideLocked(ctx, tx, request, proof)
    ctx.signals.crashPoint('approval-before-commit')
    return decided
  })
  ctx.signals.crashPoint('approval-after-commit')
  // Only a wrong code is an attempt to guess one.
  if (isRefusal(outcome) && outcome.refused !== 'APPROVAL_PROOF_WRONG') await dropProof(ctx.db, proof)
  if (!isRefusal(outcome))
    for (const kind of effectOf(outcome.approval.kind).wakes) ctx.signals.workAdded(kind, organizationId)
  ctx.signals.workAdded('events', organizationId)
  return outcome
}

async function decideLocked(
  ctx: Deciding,
  tx: Queryable,
  request: DecisionRequest,
  proof: Proof,
): Promise<Decided | Refusal> {
  const { organizationId, approvalId, userId, decision, digest, reason } = request
  const approval = await lockApproval(tx, request)
  if (approval === undefined) return refuse('NOT_FOUND', `No approval has the id ${approvalId}.`)
  const [before, member] = [await listDecisions(tx, request), await getMember(tx, organizationId, userId)]
  const now = ctx.clock.now()
  const holdsCredential = await holdsMakersCredential(tx, approval, userId)
  const decider = { userId, role: member?.role ?? null, holdsCredential }
  const refused = refuseDecider(approval, before, decider, digest, now)
  if (refused !== undefined) return refused
  const current = await effectOf(approval.kind).current(tx, approval, ctx)
  if (current === undefined || !isBoundTo(approval, current)) return voidStale(ctx, tx, approval)
  const proved = await provePerson(ctx, tx, { userId, decision, digest: approval.digest }, proof)
  if (isRefusal(proved)) return proved
  const { name: userName, role } = member as Member
  const made: ApprovalDecision = {
    ...{ organizationId, approvalId, userId, userName, role, decision, reason },
    ...proved,
    digest: approval.digest,
    decidedAt: now,
  }
  await insertDecision(tx, made)
  return finish(ctx, tx, approval, [...before, made])
}

// Whether a person has asked for it themselves, or could have, with a key or client whose secret they have seen.
export async function holdsMakersCredential(
  db: Queryable,
  approval: Approval,
  userId: string,
): Promise<boolean> {
  const { organizationId, kind, maker } = approval
  const isCredential = maker.kind === 'key' || maker.kind === 'client'
  const askedBy = (await effectOf(kind).askedBy?.(db, approval)) ?? null
  for (const id of [isCredential ? maker.id : null, askedBy].flat()) {
    if (id === null) continue
    if (id === userId || (await credentialHolders(db, organizationId, id)).includes(userId)) return true
  }
  return false
}

async function finish(
  ctx: Deciding,
  tx: Queryable,
  approval: Approval,
  decisions: readonly ApprovalDecision[],
): Promise<Decided> {
  const made = decisions.at(-1) as ApprovalDecision
  const userIds = decisions.map(({ userId }) => userId)
  const ending = endingAfter(approval, decisions, await rolesOf(tx, approval.organizationId, userIds))
  const next =
    ending === undefined
      ? { ...approval, version: approval.version + 1, updatedAt: made.decidedAt }
      : (endApproval(approval, ending, made.decidedAt) as Approval)
  if (!(await writeApproval(tx, next, approvalEvent(ctx, next, decisions))))
    throw new Error('an approval that was locked has changed')
  const effect = effectOf(approval.kind)
  if (ending === 'approve') await effect.approved(ctx, tx, approval)
  if (ending === 'refuse') await effect.refused(ctx, tx, approval)
  await recordAct(ctx, tx, {
    organizationId: approval.organizationId,
    act: made.decision === 'APPROVED' ? 'approval.approve' : 'approval.refuse',
    objectId: approval.approvalId,
    before: null,
    after: auditedApproval(next, made),
  })
  return { approval: next, decisions }
}

// The subject is not what was submitted, so nobody can approve it any more.
async function voidStale(ctx: Deciding, tx: Queryable, approval: Approval): Promise<Refusal> {
  await voidLocked(ctx, tx, approval)
  await effectOf(approval.kind).stale(ctx, tx, approval)
  return refuse('APPROVAL_STALE', 'It was changed after it was submitted. The approval is void.')
}
