// The people of one organization: who they are, what they may do, and whom they invite. An entry of its own, so that whoever only
// collects and sends does not load it.

import { type ClientOptions, openConnection } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { type List, listOf } from './list.ts'
import type { CallOptions } from './request.ts'
import type {
  CreateTeamInvitation,
  EndedTeamSessions,
  RemovedTeamMember,
  RevokedTeamInvitation,
  TeamInvitationList,
  TeamInvitationWithLink,
  TeamMember,
  TeamMemberChanges,
  TeamMemberList,
  TeamSessionList,
} from './schema.ts'

export { ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
export type {
  CreateTeamInvitation,
  TeamInvitation,
  TeamInvitationWithLink,
  TeamMember,
  TeamMemberChanges,
  TeamSession,
} from './schema.ts'

export type TeamMembers = {
  list: (options?: CallOptions) => List<TeamMemberList>
  /** The new role counts from their next click on. */
  update: (userId: string, body: TeamMemberChanges, options?: CallOptions) => Promise<TeamMember>
  remove: (userId: string, options?: CallOptions) => Promise<RemovedTeamMember>
  /** Where they are signed in. */
  sessions: (userId: string, options?: CallOptions) => List<TeamSessionList>
  /** Signs them out everywhere. */
  endSessions: (userId: string, options?: CallOptions) => Promise<EndedTeamSessions>
}

export type TeamInvitations = {
  /** The answer holds the link to accept it by, this once. */
  create: (body: CreateTeamInvitation, options?: CallOptions) => Promise<TeamInvitationWithLink>
  /** Those that can still be accepted. */
  list: (options?: CallOptions) => List<TeamInvitationList>
  revoke: (invitationId: string, options?: CallOptions) => Promise<RevokedTeamInvitation>
}

/** The team of one organization. */
export class Team {
  readonly members: TeamMembers
  readonly invitations: TeamInvitations

  constructor(credentials: Credentials, options: ClientOptions = {}) {
    const { call } = openConnection(credentials, options)
    this.members = {
      list: (given) => listOf(() => call('GET /team/members', {}, given)),
      update: (id, body, given) => call('PATCH /team/members/{userId}', { id, body }, given),
      remove: (id, given) =>
        call('DELETE /team/members/{userId}', { id }, given).catch(
          doneBefore({ userId: id, removed: true, remaining: [] } as const),
        ),
      sessions: (id, given) => listOf(() => call('GET /team/members/{userId}/sessions', { id }, given)),
      endSessions: (id, given) => call('DELETE /team/members/{userId}/sessions', { id }, given),
    }
    this.invitations = {
      create: (body, given) => call('POST /team/invitations', { body }, given),
      list: (given) => listOf(() => call('GET /team/invitations', {}, given)),
      revoke: (id, given) =>
        call('DELETE /team/invitations/{invitationId}', { id }, given).catch(
          doneBefore({ invitationId: id, revoked: true } as const),
        ),
    }
  }
}

// An earlier attempt did it, but its response was lost.
function doneBefore<Done>(done: Done): (error: { status?: number; tries?: number }) => Done {
  return (error) => {
    if (error.status === 404 && (error.tries ?? 0) > 1) return done
    throw error
  }
}
