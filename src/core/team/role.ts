// What people may do, by role. A role is made of the scopes that keys have. Whoever grants a role must hold all of its scopes;
// only owners make, change and remove owners.

import type { Scope } from '../organizations/scope.ts'
import { SCOPES } from '../organizations/scope.ts'

export const ROLES = [
  'owner',
  'administrator',
  'preparer',
  'approver',
  'support',
  'accountant',
  'developer',
] as const
export type Role = (typeof ROLES)[number]

// How a role sees payers: as they are, masked until they ask (which is written down), or masked always.
export type PeopleView = 'shown' | 'on request' | 'masked'

const READS: readonly Scope[] = [
  'payins:read',
  'payouts:read',
  'links:read',
  'ledger:read',
  'events:read',
  'organization:read',
  'approvals:read',
]

export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  administrator: SCOPES,
  preparer: [
    ...READS,
    'payins:write',
    'payouts:write',
    'refunds:write',
    'links:write',
    'keys:read',
    'alarms:write',
  ],
  approver: [...READS, 'approvals:write', 'keys:read', 'audit:read'],
  support: [
    ...READS,
    'refunds:write',
    'links:write',
    'keys:read',
    'webhooks:read',
    'webhooks:write',
    'alarms:write',
  ],
  accountant: [...READS, 'reports:write', 'audit:read'],
  developer: [
    ...READS,
    'links:write',
    'payins:write',
    'keys:read',
    'alarms:write',
    'webhooks:read',
    'webhooks:write',
    'connections:read',
    'credentials:read',
    'credentials:write',
    'sandbox:write',
  ],
}

export const PEOPLE_VIEW: Readonly<Record<Role, PeopleView>> = {
  owner: 'shown',
  administrator: 'shown',
  preparer: 'on request',
  approver: 'shown',
  support: 'on request',
  accountant: 'shown',
  developer: 'masked',
}

// Whatever carries one of these answers with payers and receivers as they are, for as long as it works and without a line in the
// audit log for each.
const TELLS_OF_PEOPLE = /^(?:payins|payouts|refunds|links|events):/

// What a person may put into a key, a client or a webhook endpoint. Nobody passes on a sight of people that they do not have
// themselves. In staging people are made up, and whoever builds needs everything.
export function grantableScopes(role: Role, isStaging: boolean): readonly Scope[] {
  const held = ROLE_SCOPES[role]
  if (isStaging || PEOPLE_VIEW[role] === 'shown') return held
  return held.filter((scope) => !TELLS_OF_PEOPLE.test(scope))
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}

// What a granter lacks to grant a role: all of its scopes, and the one to change the team. Null scopes: a key that may do everything.
export function missingToGrant(role: Role, granter: Granter): readonly Scope[] {
  const held = granter.scopes
  const needed = new Set<Scope>(['team:write', ...ROLE_SCOPES[role]])
  return held === null ? [] : [...needed].filter((scope) => !held.includes(scope))
}

// `role` is null for a key or a client, which is nobody's owner.
export type Granter = { readonly role: Role | null; readonly scopes: readonly Scope[] | null }

export function mayGrant(role: Role, granter: Granter): boolean {
  if (role === 'owner' && granter.role !== 'owner') return false
  return missingToGrant(role, granter).length === 0
}
