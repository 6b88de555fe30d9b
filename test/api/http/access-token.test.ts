// Signing keys are read again for a key id that is unknown, and for nothing else: whoever sends bad tokens costs no statement.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { openAccessTokens } from '../../../src/api/http/access-token.ts'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { rotateSigningKeys } from '../../../src/operator/signing-keys.ts'
import { type Queryable, StoreUnavailable } from '../../../src/store/db.ts'
import { createWorld, eventually, type World } from '../../world.ts'

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

  // A process that was idle while the key was replaced, and what its statements meet.
  const idleSince = async (world: World, meet: () => Promise<void>) => {
    const query: Queryable['query'] = async (statement) => {
      if (isOpen) await meet()
      return world.db.query(statement)
    }
    let isOpen = false
    const idle = await openAccessTokens({ ...world.ctx, db: { ...world.db, query } })
    isOpen = true
    await rotateSigningKeys(world.ctx, {})
    world.advance(11 * MINUTE_MS)
    const { organizationId } = world.organization
    const other = await openAccessTokens(world.ctx)
    return { idle, token: await other.issue({ clientId: 'a-client', organizationId, scopes: null }) }
  }

  it('of a new key is valid for all who send it at once to a process that was idle', async () => {
    await using world = await createWorld()
    const slow = Promise.withResolvers<void>()
    const { idle, token } = await idleSince(world, () => slow.promise)
    const verified = Promise.all([idle.verify(token), idle.verify(token), idle.verify(token)])
    setImmediate(slow.resolve)
    for (const claims of await verified) assert.equal(claims?.clientId, 'a-client')
  })

  it('is signed by the new key soon, although the process does nothing but issue tokens', async () => {
    await using world = await createWorld()
    const { idle, token } = await idleSince(world, async () => {})
    const { organizationId } = world.organization
    const keyOf = (one: string) => decodeProtectedHeader(one).kid
    await eventually(
      async () => keyOf(await idle.issue({ clientId: 'a-client', organizationId, scopes: null })),
      (keyId) => keyId === keyOf(token),
    )
  })

  it('of a new key is valid as soon as the keys can be read again', async () => {
    await using world = await createWorld()
    let failures = 1
    const { idle, token } = await idleSince(world, async () => {
      failures -= 1
      if (failures >= 0) throw new StoreUnavailable('the database is away')
    })
    await assert.rejects(idle.verify(token), /the database is away/)
    assert.equal((await idle.verify(token))?.clientId, 'a-client')
  })
})
