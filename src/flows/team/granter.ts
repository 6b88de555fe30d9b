// Who changes the team: a person by the role that they have at this moment, a key or client by its scopes, an operator by being
// one. A role is given, changed and taken away only by whoever could grant it.

import type { Scope } from '../../core/organizations/scope.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { type Granter, mayGrant, missingToGrant, ROLE_SCOPES, type Role } from '../../core/team/role.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import type { Queryable } from '../../store/db.ts'
import { getMember } from '../../store/team/members.ts'
import { getUser } from '../../store/team/users.ts'

export type TeamActor =
  | { readonly kind: 'person'; readonly id: string; readonly name: string }
  | {
      readonly kind: 'key' | 'client'
      readonly id: string
      readonly name: string
      readonly scopes: readonly Scope[] | null
    }
  | { readonly kind: 'operator'; readonly id: null; readonly name: string }

// Read in the transaction of the change: a role that was taken away grants nothing.
export async function granterOf(tx: Queryable, organizationId: string, by: TeamActor): Promise<Granter> {
  if (by.kind === 'operator') return { role: 'owner', scopes: null }
  if (by.kind !== 'person') return { role: null, scopes: by.scopes }
  const member = await getMember(tx, organizationId, by.id)
  return member === undefined
    ? { role: null, scopes: [] }
    : { role: member.role, scopes: ROLE_SCOPES[member.role] }
}

// Undefined if the granter may give each of the roles, and take it away.
export function roleRefusal(roles: readonly Role[], granter: Granter): Refusal | undefined {
  const refused = roles.find((role) => !mayGrant(role, granter))
  if (refused === undefined) return undefined
  const missing = missingToGrant(refused, granter)
  const why = refused === 'owner' ? 'only owners do' : `you lack ${missing.join(', ')}`
  return refuse('ROLE_NOT_GRANTABLE', `You cannot give or take the role ${refused}: ${why}.`)
}

// An inviter's own; ours is Spanish.
export async function languageOf(tx: Queryable, by: TeamActor): Promise<UserLanguage> {
  const user = by.kind === 'person' ? await getUser(tx, by.id) : undefined
  return user?.language ?? 'es'
}
