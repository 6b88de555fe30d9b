// An answer that something is not there names what was asked for.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { createWorld } from '../../world.ts'
import { assertProblem } from './problem.ts'

describe('what is not there', () => {
  it('is named in the answer', async () => {
    await using world = await createWorld()
    for (const list of ['payins', 'payouts', 'payment-links', 'webhook-endpoints', 'connections', 'events']) {
      const id = randomUUID()
      const answer = await world.client('GET', `/${list}/${id}`)
      assertProblem(answer, 'NOT_FOUND')
      assert.ok(answer.json.detail.includes(id), `${list}: ${answer.json.detail}`)
    }
  })
})
