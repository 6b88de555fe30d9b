// Notices are signed, and sent again until the receiver answers 2xx.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collection, DELAY_MS, startHarness, transfer, until } from './harness.ts'

describe('a notice', () => {
  it('is signed, and sent again under the same id until 2xx', async () => {
    await using harness = await startHarness()
    harness.listener.answers.push(500, 302, 401)
    await harness.breb('PUT', '/transfers/O1', transfer())
    const receivedAfter = async (ms: number) => {
      await harness.sandbox.advance(ms)
      return harness.listener.received.length
    }
    assert.equal(await receivedAfter(DELAY_MS), 1)
    assert.equal(await receivedAfter(999), 1)
    assert.equal(await receivedAfter(1), 2)
    assert.equal(await receivedAfter(5_000), 3)
    assert.equal(await receivedAfter(30_000), 4)
    assert.equal(await receivedAfter(2 * 86_400_000), 4)
    const ids = harness.listener.received.map(({ noticeId }) => noticeId)
    assert.equal(new Set(ids).size, 1)
    assert.match(ids[0] ?? '', /^ntf_[0-9a-f]{32}$/)
    assert.equal(harness.listener.received[0]?.notice.id, ids[0])
    assert.equal(harness.sandbox.log().length, 1)
  })

  it('is given up after about a day', async () => {
    await using harness = await startHarness()
    harness.listener.answers.push(...Array(100).fill(503))
    await harness.breb('PUT', '/transfers/O1', transfer())
    await harness.sandbox.advance(DELAY_MS)
    for (let hour = 0; hour < 23; hour += 1) await harness.sandbox.advance(3_600_000)
    const attempts = harness.listener.received.length
    assert.ok(attempts > 5)
    await harness.sandbox.advance(10 * 86_400_000)
    await harness.sandbox.advance(10 * 86_400_000)
    assert.equal(harness.listener.received.length, 11)
    await harness.sandbox.advance(10 * 86_400_000)
    assert.equal(harness.listener.received.length, 11)
  })

  it('waits for a service that has not started yet', async () => {
    await using harness = await startHarness({ now: Date.now, delayMs: 0 })
    const { url } = harness.listener
    await harness.listener.close()
    await harness.breb('PUT', '/transfers/O1', transfer())
    await until(() => harness.sandbox.log().length === 1)
    const { createServer } = await import('node:http')
    let received = 0
    const later = createServer((_, response) => {
      received += 1
      response.writeHead(204).end()
    })
    await new Promise<void>((resolve) => later.listen(Number(new URL(url).port), '127.0.0.1', resolve))
    try {
      await until(() => received === 1)
    } finally {
      later.closeAllConnections()
      later.close()
    }
  })

  it('of one payment never overtakes another of the same payment, unless a fault reorders them; payments do not wait for each other', async () => {
    await using harness = await startHarness()
    const references = Array.from({ length: 200 }, (_, index) => `P${index}`)
    for (const reference of references)
      await harness.breb('PUT', `/collections/${reference}`, collection('1000000017'))
    await harness.sandbox.advance(3_600_000)
    for (const reference of references)
      assert.deepEqual(harness.types(reference), ['collection.paid', 'collection.chargeback'])
    assert.equal(harness.listener.received.length, 400)
  })
})
