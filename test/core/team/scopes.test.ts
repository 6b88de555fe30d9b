// What each role may read, what of it may be passed on, and how it sees payers.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SCOPES, type Scope } from '../../../src/core/organizations/scope.ts'
import {
  grantableScopes,
  isRole,
  PEOPLE_VIEW,
  ROLE_SCOPES,
  ROLES,
  type Role,
} from '../../../src/core/team/role.ts'

it('each role reads what it works with, and owners and administrators all', () => {
  const everybody = [
    ...['payins:read', 'payouts:read', 'links:read', 'ledger:read', 'events:read'],
    ...['organization:read', 'approvals:read'],
  ]
  const more: Partial<Record<Role, string[]>> = {
    preparer: ['keys:read'],
    approver: ['keys:read', 'audit:read'],
    support: ['keys:read', 'webhooks:read'],
    accountant: ['audit:read'],
    developer: ['keys:read', 'webhooks:read', 'connections:read', 'credentials:read'],
  }
  const reads = SCOPES.filter((scope) => scope.endsWith(':read'))
  for (const role of ROLES) {
    const expected = more[role] === undefined ? reads : [...everybody, ...more[role]]
    const held = ROLE_SCOPES[role].filter((scope) => scope.endsWith(':read'))
    assert.deepEqual([...held].sort(), [...expected].sort(), role)
  }
})

it('nobody passes on a sight of people that they do not have, but in staging, where people are made up', () => {
  const ofPeople = (scope: Scope) => /^(payins|payouts|refunds|links|events):/.test(scope)
  for (const role of ROLES) {
    assert.deepEqual(grantableScopes(role, true), ROLE_SCOPES[role], role)
    const sees = PEOPLE_VIEW[role] === 'shown'
    const expected = ROLE_SCOPES[role].filter((scope) => sees || !ofPeople(scope))
    assert.deepEqual(grantableScopes(role, false), expected, role)
    assert.ok(ROLE_SCOPES[role].some(ofPeople), role)
  }
})

it('payers are shown, masked until somebody asks, or masked', () => {
  assert.deepEqual(
    ROLES.map((role) => [role, PEOPLE_VIEW[role]]),
    [
      ['owner', 'shown'],
      ['administrator', 'shown'],
      ['preparer', 'on request'],
      ['approver', 'shown'],
      ['support', 'on request'],
      ['accountant', 'shown'],
      ['developer', 'masked'],
    ],
  )
  assert.ok(ROLES.every(isRole))
  for (const text of ['', 'Owner', 'root', 'toString']) assert.equal(isRole(text), false, text)
})
