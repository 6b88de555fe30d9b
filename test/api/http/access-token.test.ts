// Signing keys are read again for a key id that is unknown, and for nothing else: whoever sends bad tokens costs no statement.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openAccessTokens } from '../../../src/api/http/access-token.ts'
import type { Queryable } from '../../../src/store/db.ts'
import { createWorld } from '../../world.ts'

describe('an access token', () => {
  it('that was altered or has expired is refused without a look at the database', async () => {
    await using world = await createWorld()
    let statements = 0
    const query: Queryable['query'] = (statement) => {
      statements += 1
      return world.db.query(statement)
    }
    const tokens = await openAccessTokens({ ...world.ctx, db: { ...world.db, query } })
    const { organizationId } = world.organization
    const token = await tokens.issue({ clientId: 'a-client', organizationId, scopes: null })
    const opened = statements
    assert.equal((await tokens.verify(token))?.clientId, 'a-client')
    const [head, claims, signature = ''] = token.split('.')
    const altered = `${head}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    assert.equal(await tokens.verify(altered), undefined)
    world.advance(3_601_000)
    assert.equal(await tokens.verify(token), undefined)
    assert.equal(await tokens.verify('no token'), undefined)
    assert.equal(statements, opened)
  })
})
