// A batch of an endpoint has ended when each of its deliveries has, and not before: its attempts are recorded then. Retries leave room
// for first attempts.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BREAKER_FAILURES, BREAKER_REST_MS } from '../../src/core/webhooks/delivery.ts'
import {
  BATCH_SIZE,
  createEndpointQueues,
  type EndpointQueues,
  FIRST_BATCH_SIZE,
} from '../../src/workers/endpoint-queues.ts'

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

// So many batches of more than a handful that have begun and not ended.
function fullBatches(queues: EndpointQueues, count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const ends = Array.from({ length: count }, (_, index) =>
    queues.of(`busy ${index}`).runAll(Array(FIRST_BATCH_SIZE + 1).fill(0), () => promise),
  )
  return async () => {
    resolve()
    await Promise.all(ends)
  }
}

it('an endpoint is given a handful until it has acknowledged one, and then two hundred, twice at once', async () => {
  const queues = createEndpointQueues(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  assert.equal(queues.capacity('endpoint', 0), 5, 'nobody knows it')
  const queue = queues.of('endpoint')
  assert.equal(queues.capacity('endpoint', 0), 5)
  const first = queue.runAll([1], () => promise)
  assert.equal(queues.capacity('endpoint', 0), 0, 'it has not acknowledged any')
  queue.recordSuccess()
  assert.equal(queues.capacity('endpoint', 0), 200, 'the next is claimed while the first is sent')
  const second = queue.runAll([1], () => promise)
  assert.equal(queues.capacity('endpoint', 0), 0)
  resolve()
  await Promise.all([first, second])
  assert.equal(queues.capacity('endpoint', 0), 200, 'it is remembered')
})

it('an endpoint that has failed five times gets one at a time, after a rest, and everything once it works', async () => {
  const queues = createEndpointQueues(1)
  const queue = queues.of('endpoint')
  queue.recordSuccess()
  for (let failure = 1; failure < BREAKER_FAILURES; failure += 1) queue.recordFailure(1_000)
  assert.equal(queues.capacity('endpoint', 1_000), 200)
  queue.recordFailure(1_000)
  assert.deepEqual([queue.failures, queue.isTripped], [BREAKER_FAILURES, true])
  assert.equal(queues.capacity('endpoint', 1_000 + BREAKER_REST_MS - 1), 0)
  assert.equal(queues.capacity('endpoint', 1_000 + BREAKER_REST_MS), 1)
  await queue.runAll([1], async () => {
    assert.equal(queues.capacity('endpoint', 1_000 + BREAKER_REST_MS), 0, 'while it is tried')
  })
  queue.recordSuccess()
  assert.deepEqual([queue.failures, queue.isTripped], [0, false])
  assert.equal(queues.capacity('endpoint', 1_000), 200)
})

it('where many endpoints have full batches, no endpoint has a second one, and then none a full one', async () => {
  const queues = createEndpointQueues(1)
  queues.of('idle').recordSuccess()
  const { promise, resolve } = Promise.withResolvers<void>()
  queues.of('sending').recordSuccess()
  const sending = queues.of('sending').runAll([1], () => promise)
  const room = () => ['idle', 'sending'].map((endpointId) => queues.capacity(endpointId, 0))

  const endSome = fullBatches(queues, 99)
  assert.deepEqual(room(), [BATCH_SIZE, BATCH_SIZE])
  const endOne = fullBatches(queues, 1)
  assert.deepEqual(room(), [BATCH_SIZE, 0])
  const endMore = fullBatches(queues, 99)
  assert.deepEqual(room(), [BATCH_SIZE, 0])
  const endLast = fullBatches(queues, 1)
  assert.deepEqual(room(), [FIRST_BATCH_SIZE, 0])
  await Promise.all([endSome(), endOne(), endMore(), endLast()])
  assert.deepEqual(room(), [BATCH_SIZE, BATCH_SIZE], 'they have ended')
  resolve()
  await sending
})

it('an endpoint that is idle is forgotten only where more than ten thousand are known', async () => {
  const queues = createEndpointQueues(1)
  const served = async (): Promise<number> => {
    queues.of('idle').recordSuccess()
    await queues.of('idle').runAll([1], async () => {})
    return queues.capacity('idle', 0)
  }
  for (let count = 1; count < 10_000; count += 1) queues.of(`endpoint ${count}`)
  assert.equal(await served(), BATCH_SIZE)
  queues.of('one more')
  assert.equal(await served(), FIRST_BATCH_SIZE)
})
