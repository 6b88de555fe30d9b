// What operations on the team have in common: who asks, and whom or what it is about.

import { isUuid } from '../../core/ids.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { TeamActor } from '../../flows/team/granter.ts'
import { type MemberAddress, refuseUnknownMember } from '../../flows/team/members.ts'
import type { Caller } from '../http/auth.ts'
import type { ApiAnswer, ApiRequest } from '../http/operation.ts'
import { TEAM_EXAMPLES as EXAMPLES } from './schema.ts'

export const READ = { scope: 'team:read', shown: 'apiKey' } as const
export const WRITE = { scope: 'team:write', shown: 'apiKey' } as const
// A role has no limits.
export const NOT_BY_LIMITED = 'A key or client that has limits of its own gives no roles.'
export const USER_ID = { userId: { description: 'Identifier of the person.', example: EXAMPLES.userId } }

// A person's role is looked up when it counts.
export function teamActorOf({ kind, credentialId: id, name, scopes }: Caller): TeamActor {
  return kind === 'person' ? { kind, id, name } : { kind, id, name, scopes }
}

// An id that is not a UUID is nobody's.
export async function withMember(
  { caller, params }: ApiRequest,
  answer: (address: MemberAddress, by: TeamActor) => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal> {
  const userId = (params.userId ?? '').toLowerCase()
  if (!isUuid(userId)) return refuseUnknownMember(params.userId ?? '')
  return answer({ organizationId: caller.organization.organizationId, userId }, teamActorOf(caller))
}
