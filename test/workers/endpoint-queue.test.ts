// A batch of an endpoint has ended when each of its deliveries has, and not before: its attempts are recorded then. Retries leave room
// for first attempts.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BREAKER_FAILURES, BREAKER_REST_MS } from '../../src/core/webhooks/delivery.ts'
import { createEndpointQueues } from '../../src/workers/endpoint-queues.ts'

it('a batch ends with the last of its items, and with the error of any', async () => {
  for (const perEndpoint of [1, 2, 8]) {
    const queue = createEndpointQueues(perEndpoint).of('endpoint')
    const ended: number[] = []
    await queue.runAll([1, 2, 3, 4, 5], async (item) => {
      for (let turn = 0; turn < item; turn += 1) await new Promise(setImmediate)
      ended.push(item)
    })
    assert.equal(ended.length, 5)
    const failing = queue.runAll([1, 2, 3], async (item) => {
      await new Promise(setImmediate)
      ended.push(item)
      if (item === 1) throw new Error('the first')
    })
    await assert.rejects(failing, /the first/)
    assert.equal(ended.length, 8)
  }
})

it('half of a claim is left to first attempts, and every second probe', () => {
  const queue = createEndpointQueues(1).of('endpoint')
  assert.deepEqual(
    [200, 5, 2].map((capacity) => queue.retryShare(capacity)),
    [100, 3, 1],
  )
  assert.deepEqual(
    [1, 1, 1, 1].map((capacity) => queue.retryShare(capacity)),
    [0, 1, 0, 1],
  )
})

it('an endpoint that rests is remembered, however many others have been served', async () => {
  const queues = createEndpointQueues(1)
  const resting = queues.of('resting')
  for (let failure = 0; failure < BREAKER_FAILURES; failure += 1) resting.recordFailure(0)
  for (let count = 0; count < 10_001; count += 1) queues.of(`endpoint ${count}`)
  // What is left of its batch ends.
  await resting.runAll([1], async () => {})
  assert.equal(queues.capacity('resting', 1), 0)
  assert.equal(queues.capacity('resting', BREAKER_REST_MS), 1, 'one probe')
})
