// Roles: what each may do, and who grants whom.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SCOPES, type Scope } from '../../../src/core/organizations/scope.ts'
import {
  mayGrant,
  missingToGrant,
  PEOPLE_VIEW,
  ROLE_SCOPES,
  ROLES,
  type Role,
} from '../../../src/core/team/role.ts'

describe('a role', () => {
  it('is made of scopes that keys have', () => {
    for (const role of ROLES) for (const scope of ROLE_SCOPES[role]) assert.ok(SCOPES.includes(scope))
    assert.deepEqual(ROLE_SCOPES.owner, SCOPES)
    for (const role of ['preparer', 'approver', 'support', 'accountant', 'developer'] as const)
      assert.deepEqual(
        ROLE_SCOPES[role].filter((scope) => scope.startsWith('team:')),
        [],
        `${role} does not manage the team`,
      )
    assert.equal(PEOPLE_VIEW.developer, 'masked')
  })

  it('changes what it is there for, and nothing else', () => {
    const changers: Partial<Record<Scope, readonly Role[]>> = {
      'payins:write': ['preparer', 'developer'],
      'payouts:write': ['preparer'],
      'refunds:write': ['preparer', 'support'],
      'links:write': ['preparer', 'support', 'developer'],
      'reports:write': ['accountant'],
      'alarms:write': ['preparer', 'support', 'developer'],
      'webhooks:write': ['support', 'developer'],
      'credentials:write': ['developer'],
      'approvals:write': ['approver'],
      'sandbox:write': ['developer'],
    }
    const all: readonly Role[] = ['owner', 'administrator']
    for (const scope of SCOPES.filter((one) => one.endsWith(':write')))
      assert.deepEqual(
        ROLES.filter((role) => ROLE_SCOPES[role].includes(scope)),
        [...all, ...(changers[scope] ?? [])],
        scope,
      )
  })

  it('is granted by whoever holds all of it, and the owner’s only by owners', () => {
    for (const granter of ROLES)
      for (const role of ROLES) {
        const holds = [...ROLE_SCOPES[role], 'team:write' as const].every((scope) =>
          ROLE_SCOPES[granter].includes(scope),
        )
        const granted = mayGrant(role, { role: granter, scopes: ROLE_SCOPES[granter] })
        assert.equal(granted, holds && (role !== 'owner' || granter === 'owner'), `${granter} → ${role}`)
      }
  })

  it('is granted by a key that may do everything, but for the owner’s', () => {
    for (const role of ROLES) assert.equal(mayGrant(role, { role: null, scopes: null }), role !== 'owner')
    assert.equal(mayGrant('owner', { role: null, scopes: SCOPES }), false)
    assert.equal(mayGrant('accountant', { role: null, scopes: ['team:write'] }), false)
    const support = { role: null, scopes: [...ROLE_SCOPES.support] }
    assert.deepEqual(missingToGrant('accountant', support), ['team:write', 'reports:write', 'audit:read'])
  })
})
