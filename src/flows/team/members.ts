// Changes of an organization's members, one at a time: the organization is locked, so that two owners cannot remove each other.

import { type Refusal, refuse } from '../../core/refusal.ts'
import { mayGrant, ROLE_SCOPES, ROLES, type Role } from '../../core/team/role.ts'
import type { Member } from '../../core/team/user.ts'
import type { Queryable } from '../../store/db.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import { countOwners, deleteMembership, getMember, updateRole } from '../../store/team/members.ts'
import { endSessions } from '../../store/team/sessions.ts'
import { deleteTokensOf } from '../../store/team/sign-in-tokens.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { granterOf, roleRefusal, type TeamActor } from './granter.ts'
import { revokeInvitationOfMember, revokeInvitationsOf } from './invitations.ts'

export type MemberAddress = { readonly organizationId: string; readonly userId: string }

export async function changeRole(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  { organizationId, userId }: MemberAddress,
  role: Role,
  by: TeamActor,
): Promise<Member | Refusal> {
  return ctx.db.inTransaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    const member = await getMember(tx, organizationId, userId)
    if (member === undefined) return refuseUnknownMember(userId)
    const refused = roleRefusal([member.role, role], await granterOf(tx, organizationId, by))
    if (refused !== undefined) return refused
    if (member.role === role) return member
    if (await isLastOwner(tx, organizationId, member)) return refuseLastOwner()
    const now = ctx.clock.wallClock()
    // While it is still known for theirs by the role that it granted.
    await revokeInvitationOfMember(ctx, tx, organizationId, member.email)
    await updateRole(tx, organizationId, userId, role, now)
    const granter = { role, scopes: ROLE_SCOPES[role] }
    const lost = ROLES.filter((one) => !mayGrant(one, granter))
    await revokeInvitationsOf(ctx, tx, organizationId, userId, lost)
    const changed = { ...member, role, updatedAt: now }
    const act = { act: 'member.role', before: member, after: changed } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: userId })
    return changed
  })
}

// Whoever leaves by themselves needs nobody's leave. What they invited others to is revoked with them.
export async function removeMember(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  { organizationId, userId }: MemberAddress,
  by: TeamActor,
): Promise<Member | Refusal> {
  return ctx.db.inTransaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    const member = await getMember(tx, organizationId, userId)
    if (member === undefined) return refuseUnknownMember(userId)
    if (!isSelf(by, userId)) {
      const refused = roleRefusal([member.role], await granterOf(tx, organizationId, by))
      if (refused !== undefined) return refused
    }
    if (await isLastOwner(tx, organizationId, member)) return refuseLastOwner()
    await revokeInvitationOfMember(ctx, tx, organizationId, member.email)
    await deleteMembership(tx, organizationId, userId)
    await revokeInvitationsOf(ctx, tx, organizationId, userId)
    const act = { act: 'member.remove', before: member, after: null } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: userId })
    return member
  })
}

// All of a member's, in whichever organizations they work, and whatever they have begun. How many there were.
export async function endMemberSessions(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  { organizationId, userId }: MemberAddress,
  by: TeamActor,
): Promise<number | Refusal> {
  return ctx.db.inTransaction(async (tx) => {
    await lockOrganization(tx, organizationId)
    const member = await getMember(tx, organizationId, userId)
    if (member === undefined) return refuseUnknownMember(userId)
    if (!isSelf(by, userId)) {
      const refused = roleRefusal([member.role], await granterOf(tx, organizationId, by))
      if (refused !== undefined) return refused
    }
    await deleteTokensOf(tx, userId)
    await revokeInvitationOfMember(ctx, tx, organizationId, member.email)
    const endedSessions = await endSessions(tx, userId, null, ctx.clock.wallClock())
    const act = { act: 'member.signout', before: null, after: { endedSessions } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: userId })
    return endedSessions
  })
}

function isSelf(by: TeamActor, userId: string): boolean {
  return by.kind === 'person' && by.id === userId
}

async function isLastOwner(tx: Queryable, organizationId: string, { role }: Member): Promise<boolean> {
  return role === 'owner' && (await countOwners(tx, organizationId)) === 1
}

export function refuseUnknownMember(userId: string): Refusal {
  return refuse('NOT_FOUND', `Nobody in this organization has the id ${userId}.`)
}

function refuseLastOwner(): Refusal {
  return refuse('LAST_OWNER', 'An organization has one owner at least: make somebody else an owner first.')
}
