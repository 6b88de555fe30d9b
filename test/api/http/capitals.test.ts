// An id is the same id in capital letters.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isUuid } from '../../../src/core/ids.ts'
import { createWorld, type World } from '../../world.ts'
import { callWith, MERCHANT_OPERATIONS, makeSubjects } from './calls.ts'

// The others are told apart by their letters, or are no ids. What only a person may do, no client of a test does.
const WITH_UUIDS = MERCHANT_OPERATIONS.filter(
  ({ params = {}, refusals }) =>
    Object.keys(params).some((name) => name.endsWith('Id') && name !== 'clientId') &&
    !refusals.includes('PERSON_REQUIRED'),
)

describe('an id in capital letters', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('is asked for by many operations', () => {
    assert.ok(WITH_UUIDS.length > 30, String(WITH_UUIDS.length))
  })

  for (const operation of WITH_UUIDS)
    it(`is the same for ${operation.method} ${operation.path}`, async () => {
      const ids = await makeSubjects(world, world.client, operation)
      const capital = Object.fromEntries(
        Object.entries(ids).map(([name, id]) => [name, isUuid(id) ? id.toUpperCase() : id]),
      )
      const { method, path, body } = callWith(operation, capital)
      const answer = await world.client(method, path, body)
      assert.equal(answer.json?.code, undefined, `${path}: ${answer.text}`)
      assert.equal(answer.status, operation.success.status)
      for (const id of Object.values(ids).filter(isUuid))
        assert.ok(!answer.text.includes(id.toUpperCase()), 'it is answered as it was given')
    })
})
