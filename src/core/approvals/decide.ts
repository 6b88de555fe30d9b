// Who may decide about an approval. The answer is the same for owners: nobody approves what they made.

import type { Instant } from '../instant.ts'
import { isScopeGranted } from '../organizations/scope.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { ROLE_SCOPES, type Role } from '../team/role.ts'
import { type Approval, type ApprovalDecision, type Ending, isLapsed } from './approval.ts'

export type Decider = {
  readonly userId: string
  readonly role: Role | null
  // They have seen the secret of the key or client that made it, so they may have made it themselves.
  readonly holdsCredential: boolean
}

// Undefined if they may. `digest` is what they have read.
export function refuseDecider(
  approval: Approval,
  decisions: readonly Pick<ApprovalDecision, 'userId'>[],
  { userId, role, holdsCredential }: Decider,
  digest: Buffer,
  now: Instant,
): Refusal | undefined {
  if (!mayApprove(role))
    return refuse('INSUFFICIENT_SCOPE', 'To decide needs a role with the scope approvals:write.')
  if (isLapsed(approval, now) || approval.status === 'LAPSED')
    return refuse('APPROVAL_LAPSED', 'Nobody decided within seven days.')
  if (approval.status !== 'WAITING')
    return refuse('APPROVAL_ENDED', `The approval is ${approval.status} already.`)
  if (isMaker(approval, userId))
    return refuse('APPROVAL_OWN', 'Whoever asked for it cannot decide about it. Somebody else must.')
  if (holdsCredential)
    return refuse(
      'APPROVAL_OWN',
      'It was asked for with a key or client that this person made or rolled. Somebody else must decide.',
    )
  if (decisions.some((one) => one.userId === userId))
    return refuse('APPROVAL_DECIDED_BEFORE', 'This person has decided about it already.')
  if (!digest.equals(approval.digest))
    return refuse('APPROVAL_STALE', 'The digest is not the one of this approval: read it again.')
  return undefined
}

// Nobody's role is null.
export function mayApprove(role: Role | null): boolean {
  return role !== null && isScopeGranted(ROLE_SCOPES[role], 'approvals:write')
}

export function isMaker({ maker }: Pick<Approval, 'maker'>, userId: string): boolean {
  return maker.kind === 'person' && maker.id === userId
}

// What a decision ends the approval with; undefined while it waits for another person. One refusal is enough. Somebody who has left the
// team since, or may no longer approve, is not counted (`roles` are those of now).
export function endingAfter(
  { approvers }: Pick<Approval, 'approvers'>,
  decisions: readonly Pick<ApprovalDecision, 'decision' | 'userId'>[],
  roles: ReadonlyMap<string, Role>,
): Ending | undefined {
  if (decisions.some(({ decision }) => decision === 'REFUSED')) return 'refuse'
  const counted = decisions.filter(({ userId }) => mayApprove(roles.get(userId) ?? null))
  return counted.length >= approvers ? 'approve' : undefined
}
