// Notices are signed, and told again until somebody hears them.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collection, DELAY_MS, startHarness, transfer, until } from './harness.ts'

describe('a notice', () => {
  it('is signed, and told again under the same id until 2xx', async () => {
    await using stage = await startHarness()
    stage.listener.answers.push(500, 302, 401)
    await stage.breb('PUT', '/transfers/O1', transfer())
    const heardAfter = async (ms: number) => {
      await stage.sandbox.advance(ms)
      return stage.listener.heard.length
    }
    assert.equal(await heardAfter(DELAY_MS), 1)
    assert.equal(await heardAfter(999), 1)
    assert.equal(await heardAfter(1), 2)
    assert.equal(await heardAfter(5_000), 3)
    assert.equal(await heardAfter(30_000), 4)
    assert.equal(await heardAfter(2 * 86_400_000), 4)
    const ids = stage.listener.heard.map(({ noticeId }) => noticeId)
    assert.equal(new Set(ids).size, 1)
    assert.match(ids[0] ?? '', /^ntf_[0-9a-f]{32}$/)
    assert.equal(stage.listener.heard[0]?.notice.id, ids[0])
    assert.equal(stage.sandbox.log().length, 1)
  })

  it('is given up after about a day', async () => {
    await using stage = await startHarness()
    stage.listener.answers.push(...Array(100).fill(503))
    await stage.breb('PUT', '/transfers/O1', transfer())
    await stage.sandbox.advance(DELAY_MS)
    for (let hour = 0; hour < 23; hour += 1) await stage.sandbox.advance(3_600_000)
    const tries = stage.listener.heard.length
    assert.ok(tries > 5)
    await stage.sandbox.advance(10 * 86_400_000)
    await stage.sandbox.advance(10 * 86_400_000)
    assert.equal(stage.listener.heard.length, 11)
    await stage.sandbox.advance(10 * 86_400_000)
    assert.equal(stage.listener.heard.length, 11)
  })

  it('waits for a service that is not there yet', async () => {
    await using stage = await startHarness({ now: Date.now, delayMs: 0 })
    const { url } = stage.listener
    await stage.listener.close()
    await stage.breb('PUT', '/transfers/O1', transfer())
    await until(() => stage.sandbox.log().length === 1)
    const { createServer } = await import('node:http')
    let heard = 0
    const later = createServer((_, response) => {
      heard += 1
      response.writeHead(204).end()
    })
    await new Promise<void>((resolve) => later.listen(Number(new URL(url).port), '127.0.0.1', resolve))
    try {
      await until(() => heard === 1)
    } finally {
      later.closeAllConnections()
      later.close()
    }
  })

  it('of one payment never overtakes another of it, unless told to; many payments go side by side', async () => {
    await using stage = await startHarness()
    const references = Array.from({ length: 200 }, (_, index) => `P${index}`)
    for (const reference of references)
      await stage.breb('PUT', `/collections/${reference}`, collection('1000000017'))
    await stage.sandbox.advance(3_600_000)
    for (const reference of references)
      assert.deepEqual(stage.types(reference), ['collection.paid', 'collection.chargeback'])
    assert.equal(stage.listener.heard.length, 400)
  })
})
