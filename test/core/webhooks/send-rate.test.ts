// How many deliveries an endpoint with a limit is granted.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { grantSends } from '../../../src/core/webhooks/send-rate.ts'

// What is sent to an endpoint that always has more, if workers ask this often.
function sentWithin(maxPerSecond: number, totalMs: number, everyMs: number): number {
  let sendsUntil: number | null = null
  let sent = 0
  for (let now = 0; now <= totalMs; now += everyMs) {
    const grant = grantSends(maxPerSecond, sendsUntil, now, 200)
    if (grant.count > 0) sendsUntil = grant.sendsUntil
    sent += grant.count
  }
  return sent
}

describe('the limit of an endpoint', () => {
  for (const maxPerSecond of [1, 2, 3, 7, 50, 1_000])
    it(`is kept and used at ${maxPerSecond} a second`, () => {
      const burst = Math.ceil(maxPerSecond / 2)
      for (const everyMs of [1, 50, 275]) {
        const sent = sentWithin(maxPerSecond, 60_000, everyMs)
        assert.ok(sent <= 60 * maxPerSecond + burst, `${sent} every ${everyMs} ms`)
        const reachable = Math.min(60 * maxPerSecond, (60_000 / everyMs) * 200)
        assert.ok(sent >= 0.9 * reachable, `${sent} every ${everyMs} ms`)
      }
    })

  it('grants half a second ahead, and no more before that has passed', () => {
    const first = grantSends(50, null, 10_000, 200)
    assert.deepEqual(first, { count: 25, sendsUntil: 10_500 })
    assert.equal(grantSends(50, first.sendsUntil, 10_000, 200).count, 0)
    assert.equal(grantSends(50, first.sendsUntil, 10_100, 200).count, 5)
    assert.equal(grantSends(50, first.sendsUntil, 10_500, 200).count, 25)
  })

  it('saves nothing for later', () => {
    assert.deepEqual(grantSends(50, 10_000, 99_000, 200), { count: 25, sendsUntil: 99_500 })
  })

  it('grants no more than is wanted, and counts only that', () => {
    assert.deepEqual(grantSends(50, null, 10_000, 2), { count: 2, sendsUntil: 10_040 })
  })

  it('grants one at a time if that is the limit', () => {
    assert.deepEqual(grantSends(1, null, 10_000, 200), { count: 1, sendsUntil: 11_000 })
    assert.equal(grantSends(1, 11_000, 10_999, 200).count, 0)
    assert.equal(grantSends(1, 11_000, 11_000, 200).count, 1)
  })
})
