// Who may give every scope away, those too that come later.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  grantProblems,
  refuseGrant,
  refuseLimited,
  scopesLacking,
} from '../../../src/core/organizations/grant.ts'
import { UNLIMITED_CREDENTIAL } from '../../../src/core/organizations/limits.ts'
import { SCOPES } from '../../../src/core/organizations/scope.ts'

it('every scope, later ones too, is given by whoever will have them: not by a key or a client with a list', () => {
  assert.deepEqual(scopesLacking({ kind: 'key', scopes: null }, null), [])
  assert.deepEqual(scopesLacking({ kind: 'person', scopes: SCOPES }, null), [])
  for (const kind of ['key', 'client'] as const) {
    assert.equal(scopesLacking({ kind, scopes: SCOPES }, null), 'later ones', kind)
    assert.deepEqual(scopesLacking({ kind, scopes: SCOPES }, SCOPES), [], kind)
    assert.deepEqual(scopesLacking({ kind, scopes: ['payins:read'] }, ['payins:write']), ['payins:write'])
  }
})

it('what is lacking is named, whether scopes are asked for or a credential that has them', () => {
  const key = { kind: 'key', scopes: ['payins:read'] } as const
  assert.deepEqual(grantProblems(key, ['payins:read']), [])
  assert.equal(refuseGrant(key, { scopes: ['payins:read'] }), undefined)
  assert.deepEqual(grantProblems(key, ['payins:read', 'payouts:read', 'links:read']), [
    {
      path: '/scopes',
      code: 'SCOPE_NOT_HELD',
      message: 'must hold only what whoever grants it holds; not held: payouts:read, links:read',
    },
  ])
  assert.deepEqual(refuseGrant(key, { scopes: ['payouts:read', 'links:read'] }), {
    refused: 'SCOPE_NOT_HELD',
    detail: 'It may do what you may not: payouts:read, links:read.',
  })
  const all = { kind: 'client', scopes: SCOPES } as const
  assert.deepEqual(grantProblems(all, null), [
    {
      path: '/scopes',
      code: 'SCOPE_NOT_HELD',
      message: 'must be a list, because whoever grants it has a list too',
    },
  ])
  assert.equal(
    refuseGrant(all, { scopes: null })?.detail,
    'It may do what you may not: every scope, later ones too.',
  )
})

it('a credential with any limit of its own makes no others', () => {
  assert.equal(refuseLimited({ limits: UNLIMITED_CREDENTIAL }), undefined)
  const limits = [
    { maxPerSecond: 1 },
    { allowedAddresses: [] },
    { payoutsPerDay: 0 },
    { payoutSumPerDay: 0n },
  ]
  for (const limit of limits)
    assert.equal(
      refuseLimited({ limits: { ...UNLIMITED_CREDENTIAL, ...limit } })?.refused,
      'CREDENTIAL_LIMITED',
      Object.keys(limit).join(),
    )
})
