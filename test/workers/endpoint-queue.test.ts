// A batch of an endpoint has ended when each of its deliveries has, and not before: its attempts are recorded then. Retries leave room
// for first attempts.

import assert from 'node:assert/strict'
import { it } from 'node:test'
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
