// What somebody tries who has a small key that may make others: to be told the secret of a big one.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { clientOf, createWorld, type World } from '../../world.ts'

describe('an answer with a secret that is kept for a repeated request', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('is given again to whoever got it, and to nobody else', async () => {
    const { client } = await world.newMerchant()
    const small = await client('POST', '/api-keys', { name: 'Small', scopes: ['credentials:write'] })
    const other = clientOf(world.baseUrl, { 'x-api-key': small.json.secret })
    const asked = ['POST', '/api-keys', { name: 'Big' }, { 'idempotency-key': 'big-key-1' }] as const
    const made = await client(...asked)
    assert.equal(made.status, 201)
    assert.equal((await client(...asked)).json.secret, made.json.secret)
    const stolen = await other(...asked)
    assert.ok(stolen.status >= 400, `${stolen.status}`)
    assert.equal(stolen.json.secret, undefined)
  })
})
