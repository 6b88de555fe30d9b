// recaudo team: who belongs to the organization, what they may do, and whom you invite.

import type { CreateTeamInvitation, TeamMember, TeamMemberChanges } from '@recaudo/sdk/team'
import { callOptions, openTeam } from './client.ts'
import { fields, table } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { usageFailure } from './failure.ts'
import { shownTime } from './time.ts'

export async function listMembers(): Promise<Shown> {
  const { data } = await (await openTeam()).members.list()
  return {
    json: { data, hasMore: false },
    text: () =>
      table(
        ['user id', 'e-mail', 'name', 'role', 'signs in by', 'last seen'],
        data.map((member) => [
          member.userId,
          member.email,
          member.name,
          member.role,
          waysOf(member),
          shownTime(member.lastSeenAt),
        ]),
      ),
  }
}

export async function invite(call: Call): Promise<Shown> {
  const { email, role, name } = call.flags
  if (typeof email !== 'string' || typeof role !== 'string')
    throw usageFailure('--email and --role are required.')
  const body = { email, role, ...(typeof name === 'string' && { name }) } as CreateTeamInvitation
  const made = await (await openTeam()).invitations.create(body, callOptions(call))
  return {
    json: made,
    text: () =>
      `${fields([
        ['id', made.invitationId],
        ['e-mail', made.email],
        ['role', made.role],
        ['works until', shownTime(made.expiresAt)],
        ['link', made.url],
      ])}\n${made.emailed ? 'It is sent by e-mail, too.' : 'Hand it to them: it is not shown again.'}`,
  }
}

export async function listInvitations(): Promise<Shown> {
  const { data } = await (await openTeam()).invitations.list()
  return {
    json: { data, hasMore: false },
    text: () =>
      table(
        ['id', 'e-mail', 'name', 'role', 'invited by', 'works until'],
        data.map((one) => [
          one.invitationId,
          one.email,
          one.name,
          one.role,
          one.invitedBy,
          shownTime(one.expiresAt),
        ]),
      ),
  }
}

export async function revokeInvitation({ argument }: Call): Promise<Shown> {
  const revoked = await (await openTeam()).invitations.revoke(argument)
  return { json: revoked, text: () => `Revoked ${revoked.invitationId}.` }
}

export async function changeRole({ argument, flags: { role } }: Call): Promise<Shown> {
  if (typeof role !== 'string') throw usageFailure('--role is required.')
  const member = await (await openTeam()).members.update(argument, { role } as TeamMemberChanges)
  return { json: member, text: () => `${member.name} (${member.email}) is ${member.role} now.` }
}

export async function removeMember({ argument }: Call): Promise<Shown> {
  const removed = await (await openTeam()).members.remove(argument)
  return { json: removed, text: () => `Removed ${removed.userId}.` }
}

export async function listSessions({ argument }: Call): Promise<Shown> {
  const { data } = await (await openTeam()).members.sessions(argument)
  return {
    json: { data, hasMore: false },
    text: () =>
      table(
        ['signed in', 'by', 'from', 'last seen', 'browser'],
        data.map((one) => [
          shownTime(one.createdAt),
          one.method,
          one.address,
          shownTime(one.lastSeenAt),
          one.browser,
        ]),
      ),
  }
}

export async function signOut({ argument }: Call): Promise<Shown> {
  const done = await (await openTeam()).members.endSessions(argument)
  return { json: done, text: () => `Ended ${done.ended} ${done.ended === 1 ? 'session' : 'sessions'}.` }
}

function waysOf({ passkeys, password, authenticatorApp }: TeamMember): string {
  const ways = [
    passkeys > 0 && (passkeys === 1 ? 'passkey' : `${passkeys} passkeys`),
    password && (authenticatorApp ? 'password and code' : 'password alone'),
  ].filter((way) => way !== false)
  return ways.length === 0 ? '–' : ways.join(', ')
}
