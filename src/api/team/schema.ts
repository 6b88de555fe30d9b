// The team on the wire: members, invitations and sessions.

import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../core/contact.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import type { Invitation } from '../../core/team/invitation.ts'
import { ROLES } from '../../core/team/role.ts'
import { type Member, type Session, SIGN_IN_METHODS } from '../../core/team/user.ts'
import type { InvitationWithLink } from '../../flows/team/invitations.ts'
import { REMAINING_KINDS } from '../../flows/team/made-by.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'

const role = OneOf(ROLES, {
  description: 'What the person may do. Each role is made of scopes: see the guide “Team and sign-in”.',
})
const Email = (description: string) =>
  Type.String({ maxLength: EMAIL_MAX_LENGTH, format: 'email', description, examples: ['ana@example.com'] })

export const TeamMember = Type.Object({
  userId: Uuid('Identifier of the person.'),
  email: Email('The address they sign in with, in lower case.'),
  name: Type.String({ description: 'How they are called.', examples: ['Ana Gómez'] }),
  role,
  passkeys: Type.Integer({ minimum: 0, description: 'How many passkeys they have.' }),
  password: Type.Boolean({ description: 'Whether they have a password.' }),
  authenticatorApp: Type.Boolean({ description: 'Whether a code of an app must follow their password.' }),
  lastSeenAt: Nullable(DateTime('When they were last seen, or null.')),
  createdAt: DateTime('When they joined.'),
  updatedAt: DateTime('When their role last changed.'),
})

export const TeamMemberList = Type.Object({ data: Type.Array(TeamMember) })

export const TeamMemberChanges = Type.Object({ role })

export const RemovedTeamMember = Type.Object({
  userId: Uuid('Identifier of the person.'),
  removed: Type.Literal(true),
  remaining: Type.Array(
    Type.Object({
      kind: OneOf(REMAINING_KINDS, { description: 'What it is.' }),
      id: Type.String({ description: 'Identifier of the key, the client or the endpoint.' }),
      name: Type.String({ description: 'Its name; of an endpoint its address.' }),
    }),
    {
      description:
        'What they made in the console that goes on working: keys and clients whose secret they have seen, and webhook endpoints. Revoke, roll or delete what only they used. Credentials are named to who has `credentials:read`, endpoints to who has `webhooks:read`.',
    },
  ),
})

export const CreateTeamInvitation = Type.Object({
  email: Email('Whom to invite. Only somebody with this address can accept.'),
  role,
  name: Type.Optional(Text(NAME_MAX_LENGTH, { description: 'How they are called, as far as you know.' })),
})

const INVITATION = {
  invitationId: Uuid('Identifier of the invitation.'),
  email: Email('Whom it is for.'),
  name: Nullable(Type.String({ description: 'How they are called, if you said so.' })),
  role,
  invitedBy: Type.String({ description: 'Who invited: a person, or the name of a key.' }),
  createdAt: DateTime('When it was made.'),
  expiresAt: DateTime('Until when it can be accepted: 72 hours after it was made.'),
}

export const TeamInvitation = Type.Object(INVITATION)

export const TeamInvitationWithLink = Type.Object({
  ...INVITATION,
  url: Type.String({
    description: 'The link to accept it by, this once. Whoever has it can accept: hand it on with care.',
  }),
  emailed: Type.Boolean({ description: 'Whether we send it by e-mail, too.' }),
})

export const TeamInvitationList = Type.Object({ data: Type.Array(TeamInvitation) })

export const RevokedTeamInvitation = Type.Object({
  invitationId: Uuid('Identifier of the invitation.'),
  revoked: Type.Literal(true),
})

export const TeamSession = Type.Object({
  sessionId: Uuid('Identifier of the session.'),
  method: OneOf(SIGN_IN_METHODS, {
    description: 'How they signed in: `link` is a one-time link or an invitation.',
  }),
  address: Nullable(Type.String({ description: 'From which network address, if it is known.' })),
  browser: Nullable(Type.String({ description: 'With which browser, as it says itself.' })),
  createdAt: DateTime('When they signed in.'),
  lastSeenAt: DateTime('When it was last used, to the minute.'),
  expiresAt: DateTime('When it ends at the latest.'),
})

export const TeamSessionList = Type.Object({ data: Type.Array(TeamSession) })

export const EndedTeamSessions = Type.Object({
  userId: Uuid('Identifier of the person.'),
  ended: Type.Integer({ minimum: 0, description: 'How many sessions there were.' }),
})

export function presentMember(member: Member): Static<typeof TeamMember> {
  const { userId, email, name, role, passkeys, hasPassword, hasTotp, lastSeenAt } = member
  return {
    userId,
    email,
    name,
    role,
    passkeys,
    password: hasPassword,
    authenticatorApp: hasTotp,
    lastSeenAt: isoOrNull(lastSeenAt),
    createdAt: isoInstant(member.createdAt),
    updatedAt: isoInstant(member.updatedAt),
  }
}

export function presentInvitation(invitation: Invitation): Static<typeof TeamInvitation> {
  const { invitationId, email, name, role, invitedBy, createdAt, expiresAt } = invitation
  return {
    invitationId,
    email,
    name,
    role,
    invitedBy,
    createdAt: isoInstant(createdAt),
    expiresAt: isoInstant(expiresAt),
  }
}

export function presentWithLink({
  invitation,
  url,
  isMailed,
}: InvitationWithLink): Static<typeof TeamInvitationWithLink> {
  return { ...presentInvitation(invitation), url, emailed: isMailed }
}

export function presentSession(session: Session): Static<typeof TeamSession> {
  const { sessionId, method, address, browser, createdAt, seenAt, expiresAt } = session
  return {
    sessionId,
    method,
    address,
    browser,
    createdAt: isoInstant(createdAt),
    lastSeenAt: isoInstant(seenAt),
    expiresAt: isoInstant(expiresAt),
  }
}

const USER_ID = '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90'
const INVITATION_ID = '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d91'
const INVITED = {
  invitationId: INVITATION_ID,
  email: 'leo@example.com',
  name: 'Leo Díaz',
  role: 'accountant',
  invitedBy: 'Ana Gómez',
  createdAt: '2026-11-15T13:00:00.000Z',
  expiresAt: '2026-11-18T13:00:00.000Z',
}

export const TEAM_EXAMPLES = {
  removed: {
    userId: USER_ID,
    removed: true,
    remaining: [{ kind: 'API_KEY', id: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d95', name: 'Web shop' }],
  },
  userId: USER_ID,
  invitationId: INVITATION_ID,
  member: {
    userId: USER_ID,
    email: 'ana@example.com',
    name: 'Ana Gómez',
    role: 'administrator',
    passkeys: 2,
    password: false,
    authenticatorApp: false,
    lastSeenAt: '2026-11-15T13:00:00.000Z',
    createdAt: '2026-11-07T13:00:00.000Z',
    updatedAt: '2026-11-07T13:00:00.000Z',
  },
  invite: { email: 'leo@example.com', role: 'accountant', name: 'Leo Díaz' },
  inviteShort: { email: 'eva@example.com', role: 'developer' },
  invitation: INVITED,
  created: {
    ...INVITED,
    url: 'https://pay.example.com/console/invite/5t0kZ0nVX2bq2Qm2yqfWbq4zH6o8yq1mD3cJ7uEwRkA',
    emailed: false,
  },
  session: {
    sessionId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d92',
    method: 'passkey',
    address: '203.0.113.7',
    browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
    createdAt: '2026-11-15T08:00:00.000Z',
    lastSeenAt: '2026-11-15T13:00:00.000Z',
    expiresAt: '2026-11-22T08:00:00.000Z',
  },
} as const
