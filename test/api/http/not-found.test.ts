// An answer that something is not there names what was asked for.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createWorld, type World } from '../../world.ts'
import { callWith, MERCHANT_OPERATIONS } from './calls.ts'
import { assertProblem } from './problem.ts'

// Keys, days and months are read, not looked for.
const WITH_IDS = MERCHANT_OPERATIONS.filter(
  ({ params }) => params !== undefined && !['keyString', 'day', 'month'].some((name) => name in params),
)

describe('what is not there', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  for (const operation of WITH_IDS)
    it(`is named in the answer of ${operation.method} ${operation.path}, whether it could be an id or not`, async () => {
      for (const id of [randomUUID(), 'no-id-at-all']) {
        const ids = Object.keys(operation.params ?? {}).map((name) => [name, id])
        const { method, path, body } = callWith(operation, Object.fromEntries(ids))
        const answer = await world.client(method, path, body)
        assertProblem(answer, 'NOT_FOUND')
        assert.ok(answer.json.detail.includes(id), answer.json.detail)
      }
    })
})
