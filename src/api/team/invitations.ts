// Operations on invitations to the organization.

import { isUuid } from '../../core/ids.ts'
import type { Static } from '../../core/json-schema.ts'
import { refuseLimited } from '../../core/organizations/grant.ts'
import { type FieldProblem, isRefusal, refuse } from '../../core/refusal.ts'
import { accountEmail } from '../../core/team/email.ts'
import { MAX_INVITATIONS_A_DAY, MAX_TEAM } from '../../core/team/invitation.ts'
import {
  createInvitation,
  type InvitationWithLink,
  revokeOpenInvitation,
} from '../../flows/team/invitations.ts'
import { listOpenInvitations } from '../../store/team/invitations.ts'
import { type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { NOT_BY_LIMITED, READ, teamActorOf, WRITE } from './one-of-the-team.ts'
import {
  CreateTeamInvitation,
  TEAM_EXAMPLES as EXAMPLES,
  presentInvitation,
  presentWithLink,
  RevokedTeamInvitation,
  TeamInvitationList,
  TeamInvitationWithLink,
} from './schema.ts'

export const createTeamInvitationOperation: Operation = {
  method: 'POST',
  path: '/team/invitations',
  operationId: 'createTeamInvitation',
  act: 'invitation.create',
  tag: 'Team',
  summary: 'Invite somebody to the team',
  description: `The answer holds the link to accept it by, this once; it works once, for 72 hours, and only for the address that you name. Where e-mail is set up we send it, too. You must hold all scopes of the role; only owners invite owners, and a key never does. ${NOT_BY_LIMITED} An open invitation to the same address is replaced. An organization has ${MAX_TEAM} members and open invitations at most, and makes ${MAX_INVITATIONS_A_DAY} invitations a day at most.`,
  access: WRITE,
  body: {
    schema: CreateTeamInvitation,
    required: true,
    examples: {
      named: { summary: 'An accountant', value: EXAMPLES.invite },
      short: { summary: 'A developer', value: EXAMPLES.inviteShort },
    },
  },
  rules: emailRules,
  success: {
    status: 201,
    description: 'The invitation was made.',
    schema: TeamInvitationWithLink,
    examples: { created: { summary: 'With its link', value: EXAMPLES.created } },
  },
  refusals: [
    'INVALID_INPUT',
    'ROLE_NOT_GRANTABLE',
    'CREDENTIAL_LIMITED',
    'ALREADY_A_MEMBER',
    'TEAM_TOO_LARGE',
    'TOO_MANY_INVITATIONS',
  ],
  idempotent: true,
  hasSecret: true,
  handle: async ({ ctx, caller, body, idempotency }) => {
    const limited = refuseLimited(caller)
    if (limited !== undefined) return limited
    const answer = renderOnce((made: InvitationWithLink) => json(201, presentWithLink(made)))
    const { email, role, name } = body as Static<typeof CreateTeamInvitation>
    const created = await createInvitation(
      ctx,
      caller.organization.organizationId,
      { email: accountEmail(email) as string, role, name: name ?? null },
      teamActorOf(caller),
      idempotency && { ...idempotency, answer },
    )
    return isRefusal(created) ? created : answer(created)
  },
}

// The schema says what is no e-mail address at all.
function emailRules({ body }: ApiRequest): FieldProblem[] {
  const { email } = body as { email?: unknown }
  if (typeof email !== 'string' || accountEmail(email) !== undefined) return []
  const message = 'must be an e-mail address without characters that nobody sees'
  return [{ path: '/email', code: 'WRONG_FORMAT', message }]
}

export const listTeamInvitationsOperation: Operation = {
  method: 'GET',
  path: '/team/invitations',
  operationId: 'listTeamInvitations',
  tag: 'Team',
  summary: 'List open invitations',
  description: 'Those that can still be accepted, oldest first. Their links are not shown again.',
  access: READ,
  success: {
    status: 200,
    description: 'The invitations.',
    schema: TeamInvitationList,
    examples: { open: { summary: 'One invitation', value: { data: [EXAMPLES.invitation] } } },
  },
  refusals: [],
  handle: async ({ ctx, caller }) => {
    const { organizationId } = caller.organization
    const open = await listOpenInvitations(ctx.db, organizationId, ctx.clock.wallClock())
    return json(200, { data: open.map(presentInvitation) })
  },
}

export const revokeTeamInvitationOperation: Operation = {
  method: 'DELETE',
  path: '/team/invitations/{invitationId}',
  operationId: 'revokeTeamInvitation',
  act: 'invitation.revoke',
  tag: 'Team',
  summary: 'Revoke an invitation',
  description: 'Its link works no more. You must hold all scopes of its role.',
  access: WRITE,
  params: {
    invitationId: { description: 'Identifier of the invitation.', example: EXAMPLES.invitationId },
  },
  success: {
    status: 200,
    description: 'The invitation was revoked.',
    schema: RevokedTeamInvitation,
    examples: {
      revoked: { summary: 'Revoked', value: { invitationId: EXAMPLES.invitationId, revoked: true } },
    },
  },
  refusals: ['NOT_FOUND', 'ROLE_NOT_GRANTABLE'],
  handle: async ({ ctx, caller, params }) => {
    const invitationId = (params.invitationId ?? '').toLowerCase()
    if (!isUuid(invitationId))
      return refuse('NOT_FOUND', `No open invitation has the id ${params.invitationId ?? ''}.`)
    const { organizationId } = caller.organization
    const revoked = await revokeOpenInvitation(ctx, organizationId, invitationId, teamActorOf(caller))
    return isRefusal(revoked) ? revoked : json(200, { invitationId, revoked: true })
  },
}
