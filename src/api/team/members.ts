// Operations on the members of the organization and their sessions.

import type { Static } from '../../core/json-schema.ts'
import { refuseLimited } from '../../core/organizations/grant.ts'
import { isScopeGranted } from '../../core/organizations/scope.ts'
import { isRefusal } from '../../core/refusal.ts'
import { madeBy } from '../../flows/team/made-by.ts'
import { changeRole, endMemberSessions, refuseUnknownMember, removeMember } from '../../flows/team/members.ts'
import { ownSessions } from '../../flows/team/sessions.ts'
import { getMember, listMembers } from '../../store/team/members.ts'
import { json, type Operation } from '../http/operation.ts'
import { NOT_BY_LIMITED, READ, USER_ID, WRITE, withMember } from './one-of-the-team.ts'
import {
  EndedTeamSessions,
  TEAM_EXAMPLES as EXAMPLES,
  presentMember,
  presentSession,
  RemovedTeamMember,
  TeamMember,
  TeamMemberChanges,
  TeamMemberList,
  TeamSessionList,
} from './schema.ts'

export const listTeamMembersOperation: Operation = {
  method: 'GET',
  path: '/team/members',
  operationId: 'listTeamMembers',
  tag: 'Team',
  summary: 'List the team',
  description: 'Everybody who belongs to the organization, those who came first first.',
  access: READ,
  success: {
    status: 200,
    description: 'The members.',
    schema: TeamMemberList,
    examples: { all: { summary: 'One member', value: { data: [EXAMPLES.member] } } },
  },
  refusals: [],
  handle: async ({ ctx, caller }) => {
    const members = await listMembers(ctx.db, caller.organization.organizationId)
    return json(200, { data: members.map(presentMember) })
  },
}

export const changeTeamMemberOperation: Operation = {
  method: 'PATCH',
  path: '/team/members/{userId}',
  operationId: 'changeTeamMember',
  act: 'member.role',
  tag: 'Team',
  summary: 'Change the role of a member',
  description: `The new role counts from their next click on. You must hold all scopes of both roles. Only owners make, change and remove owners, and one owner stays. ${NOT_BY_LIMITED} Open invitations that they may no longer make are revoked.`,
  access: WRITE,
  params: USER_ID,
  body: {
    schema: TeamMemberChanges,
    required: true,
    examples: { role: { summary: 'Make somebody an accountant', value: { role: 'accountant' } } },
  },
  success: {
    status: 200,
    description: 'The member.',
    schema: TeamMember,
    examples: { member: { summary: 'The member', value: { ...EXAMPLES.member, role: 'accountant' } } },
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'ROLE_NOT_GRANTABLE', 'CREDENTIAL_LIMITED', 'LAST_OWNER'],
  handle: (request) =>
    withMember(request, async (address, by) => {
      const limited = refuseLimited(request.caller)
      if (limited !== undefined) return limited
      const { role } = request.body as Static<typeof TeamMemberChanges>
      const changed = await changeRole(request.ctx, address, role, by)
      return isRefusal(changed) ? changed : json(200, presentMember(changed))
    }),
}

export const removeTeamMemberOperation: Operation = {
  method: 'DELETE',
  path: '/team/members/{userId}',
  operationId: 'removeTeamMember',
  act: 'member.remove',
  tag: 'Team',
  summary: 'Remove a member',
  description:
    'They see nothing of the organization from their next click on, and their open invitations are revoked. What they made goes on working, and is in `remaining`. You must hold all scopes of their role; only owners remove owners, and one owner stays. Anybody may leave by themselves.',
  access: WRITE,
  params: USER_ID,
  success: {
    status: 200,
    description: 'They no longer belong to the organization.',
    schema: RemovedTeamMember,
    examples: { removed: { summary: 'A key remains', value: EXAMPLES.removed } },
  },
  refusals: ['NOT_FOUND', 'ROLE_NOT_GRANTABLE', 'LAST_OWNER'],
  handle: (request) =>
    withMember(request, async (address, by) => {
      const removed = await removeMember(request.ctx, address, by)
      if (isRefusal(removed)) return removed
      const { scopes } = request.caller
      const remaining = (await madeBy(request.ctx, address)).filter(({ kind }) =>
        isScopeGranted(scopes, kind === 'WEBHOOK_ENDPOINT' ? 'webhooks:read' : 'credentials:read'),
      )
      return json(200, { userId: address.userId, removed: true, remaining })
    }),
}

export const listTeamSessionsOperation: Operation = {
  method: 'GET',
  path: '/team/members/{userId}/sessions',
  operationId: 'listTeamSessions',
  tag: 'Team',
  summary: 'List where a member is signed in',
  description:
    'Newest first. A session ends 12 hours after its last use, and after seven days at the latest.',
  access: READ,
  params: USER_ID,
  success: {
    status: 200,
    description: 'The sessions.',
    schema: TeamSessionList,
    examples: { all: { summary: 'One session', value: { data: [EXAMPLES.session] } } },
  },
  refusals: ['NOT_FOUND'],
  handle: (request) =>
    withMember(request, async ({ organizationId, userId }) => {
      const { ctx } = request
      if ((await getMember(ctx.db, organizationId, userId)) === undefined) return refuseUnknownMember(userId)
      const sessions = await ownSessions(ctx, { user: { userId } })
      return json(200, { data: sessions.map(presentSession) })
    }),
}

export const endTeamSessionsOperation: Operation = {
  method: 'DELETE',
  path: '/team/members/{userId}/sessions',
  operationId: 'endTeamSessions',
  act: 'member.signout',
  tag: 'Team',
  summary: 'Sign a member out everywhere',
  description:
    'Ends all of their sessions, and the one-time links and sign-ins that were begun: for a lost phone or a stolen laptop. They may sign in again. You must hold all scopes of their role; only owners sign owners out.',
  access: WRITE,
  params: USER_ID,
  success: {
    status: 200,
    description: 'They are signed out.',
    schema: EndedTeamSessions,
    examples: { ended: { summary: 'Three sessions', value: { userId: EXAMPLES.userId, ended: 3 } } },
  },
  refusals: ['NOT_FOUND', 'ROLE_NOT_GRANTABLE'],
  handle: (request) =>
    withMember(request, async (address, by) => {
      const ended = await endMemberSessions(request.ctx, address, by)
      return isRefusal(ended) ? ended : json(200, { userId: address.userId, ended })
    }),
}
