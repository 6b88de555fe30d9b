// Who may give every scope away, those too that come later.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { scopesLacking } from '../../../src/core/organizations/grant.ts'
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
