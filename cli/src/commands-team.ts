// The commands for the people of the organization.

import type { CommandTable } from './command.ts'

const ROLES = ['owner', 'administrator', 'preparer', 'approver', 'support', 'accountant', 'developer']
const ROLE = { value: 'ROLE', values: ROLES, help: `what they may do: ${ROLES.join(', ')}` } as const
const USER_ID = { name: 'user-id' } as const

const team = () => import('./team.ts')

export const TEAM_COMMANDS: CommandTable = {
  'team list': {
    group: 'Team',
    help: 'list who belongs to the organization, and how they sign in',
    flags: {},
    load: async () => (await team()).listMembers,
  },
  'team invite': {
    group: 'Team',
    help: 'invite somebody; the link is shown once',
    flags: {
      email: { value: 'ADDRESS', help: 'their e-mail address: only they can accept' },
      role: ROLE,
      name: { value: 'NAME', help: 'how they are called' },
      'idempotency-key': {
        value: 'KEY',
        help: 'with the same key it is done once, however often you send it',
      },
    },
    example: 'recaudo team invite --email leo@example.com --role accountant',
    load: async () => (await team()).invite,
  },
  'team invitations': {
    group: 'Team',
    help: 'list invitations that can still be accepted',
    flags: {},
    load: async () => (await team()).listInvitations,
  },
  'team revoke': {
    group: 'Team',
    help: 'revoke an invitation',
    argument: { name: 'invitation-id' },
    flags: {},
    load: async () => (await team()).revokeInvitation,
  },
  'team role': {
    group: 'Team',
    help: 'change the role of a member',
    argument: USER_ID,
    flags: { role: ROLE },
    load: async () => (await team()).changeRole,
  },
  'team remove': {
    group: 'Team',
    help: 'remove a member from the organization',
    argument: USER_ID,
    flags: {},
    load: async () => (await team()).removeMember,
  },
  'team sessions': {
    group: 'Team',
    help: 'list where a member is signed in',
    argument: USER_ID,
    flags: {},
    load: async () => (await team()).listSessions,
  },
  'team sign-out': {
    group: 'Team',
    help: 'sign a member out everywhere',
    argument: USER_ID,
    flags: {},
    load: async () => (await team()).signOut,
  },
}
