// recaudo user: the first owner of an organization, and letting people in again. Everything else owners do themselves.

import { isPrintable, NAME_MAX_LENGTH } from '../../core/contact.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { accountEmail } from '../../core/team/email.ts'
import { isRole, ROLES, type Role } from '../../core/team/role.ts'
import type { User } from '../../core/team/user.ts'
import type { Context } from '../../flows/context.ts'
import type { TeamActor } from '../../flows/team/granter.ts'
import { createInvitation } from '../../flows/team/invitations.ts'
import { letInOnce, resetUser, userNamed } from '../../flows/team/let-in.ts'
import { removeMember } from '../../flows/team/members.ts'
import { listMembers } from '../../store/team/members.ts'
import { listUsers } from '../../store/team/users.ts'
import { organizationOf } from '../credentials.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from '../failure.ts'
import type { Flags, Row } from '../flags.ts'
import { takeSecretsKey } from '../secrets.ts'

// The flags of the command.
export const INVITED = {
  email: { type: 'string', help: 'their e-mail address: only they can accept' },
  role: { type: 'string', help: `what they may do: ${ROLES.join(', ')}` },
  name: { type: 'string', help: 'how they are called' },
} as const

export async function inviteUser(ctx: Context, flags: Flags): Promise<Row> {
  const request = { email: emailIn(flags), role: roleIn(flags), name: nameIn(flags) }
  const organizationId = await organizationOf(ctx, flags)
  // The link is sealed until it is mailed.
  await takeSecretsKey(ctx)
  const made = await createInvitation(ctx, organizationId, request, operator(ctx), null)
  if (isRefusal(made)) throw refused(made)
  const { invitation, url, isMailed } = made
  return {
    invitationId: invitation.invitationId,
    organizationId,
    email: invitation.email,
    role: invitation.role,
    worksUntil: isoInstant(invitation.expiresAt),
    emailed: isMailed,
    link: url,
  }
}

// Everybody, or the members of one organization.
export async function showUsers(ctx: Context, flags: Flags): Promise<Row[]> {
  if (flags.org === undefined)
    return (await listUsers(ctx.db)).map(({ email, name, roles, createdAt }) => ({
      email,
      name,
      roles,
      createdAt: isoInstant(createdAt),
    }))
  const members = await listMembers(ctx.db, await organizationOf(ctx, flags))
  return members.map((member) => ({
    email: member.email,
    name: member.name,
    role: member.role,
    passkeys: member.passkeys,
    password: member.hasPassword,
    authenticatorApp: member.hasTotp,
    lastSeenAt: isoOrNull(member.lastSeenAt),
  }))
}

export async function makeSignInLink(ctx: Context, _flags: Flags, email: string): Promise<Row> {
  const user = await knownUser(ctx, email)
  const { url, expiresAt } = await letInOnce(ctx, user)
  return { email: user.email, worksUntil: isoInstant(expiresAt), link: url }
}

export async function removeUser(ctx: Context, flags: Flags, email: string): Promise<Row> {
  const { userId } = await knownUser(ctx, email)
  const organizationId = await organizationOf(ctx, flags)
  const removed = await removeMember(ctx, { organizationId, userId }, operator(ctx))
  if (isRefusal(removed)) throw refused(removed)
  return { email: removed.email, organizationId, removed: true }
}

export async function letIn(ctx: Context, _flags: Flags, email: string): Promise<Row> {
  const user = await knownUser(ctx, email)
  const { url, expiresAt } = await resetUser(ctx, user)
  return {
    email: user.email,
    cleared: ['password', 'authenticator app', 'recovery codes', 'passkeys', 'company sign-in', 'sessions'],
    worksUntil: isoInstant(expiresAt),
    link: url,
  }
}

function operator({ actor }: Context): TeamActor {
  return { kind: 'operator', id: null, name: actor.name ?? 'operator' }
}

async function knownUser(ctx: Context, email: string): Promise<User> {
  const user = await userNamed(ctx, email)
  if (user !== undefined) return user
  throw new OperatorFailure(`Nobody signs in as ${email}: \`recaudo user list\` shows who does.`)
}

function emailIn({ email }: Flags): string {
  const account = typeof email === 'string' ? accountEmail(email) : undefined
  if (account !== undefined) return account
  throw new OperatorFailure('--email must be an e-mail address.', USAGE_EXIT_CODE)
}

function roleIn({ role }: Flags): Role {
  if (typeof role === 'string' && isRole(role)) return role
  throw new OperatorFailure(`--role must be one of ${ROLES.join(', ')}.`, USAGE_EXIT_CODE)
}

function nameIn({ name }: Flags): string | null {
  if (name === undefined) return null
  if (typeof name === 'string' && name.trim() !== '' && name.length <= NAME_MAX_LENGTH && isPrintable(name))
    return name
  throw new OperatorFailure(
    `--name must have 1 to ${NAME_MAX_LENGTH} characters and no control characters.`,
    USAGE_EXIT_CODE,
  )
}

function refused({ detail }: Refusal): OperatorFailure {
  return new OperatorFailure(detail)
}
