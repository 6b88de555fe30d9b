// The token buckets of the rate limit, with a clock of the test's own.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBuckets, createRateLimit, policyOf, takeToken } from '../../../src/api/http/rate-limit.ts'

describe('the rate limit of an organization', () => {
  it('allows a burst of twice the rate, then the rate', () => {
    let nowMs = 0
    const limit = createRateLimit(policyOf(10), () => nowMs)
    const allowed = () => Array.from({ length: 100 }, () => limit('a').allowed).filter(Boolean).length
    assert.equal(allowed(), 20)
    nowMs += 1_000
    assert.equal(allowed(), 10)
    nowMs += 60_000
    assert.equal(allowed(), 20, 'it holds no more than a burst')
    assert.deepEqual(limit('a'), { allowed: false, remaining: 0, retryAfterSeconds: 1 })
  })

  it('goes by a credential’s own, from the moment that it is changed', () => {
    let nowMs = 0
    const limit = createRateLimit(policyOf(0), () => nowMs)
    const allowed = (perSecond: number) =>
      Array.from({ length: 100 }, () => limit('key', policyOf(perSecond)).allowed).filter(Boolean).length
    assert.equal(allowed(10), 20)
    nowMs += 1_000
    assert.equal(allowed(2), 2, 'the lower one holds at once')
    nowMs += 10_000
    assert.equal(allowed(2), 4)
  })

  it('stays spent, however many others come', () => {
    let nowMs = 0
    const limit = createRateLimit(policyOf(1), () => nowMs)
    for (const _ of [1, 2]) assert.equal(limit('spent').allowed, true)
    for (let other = 0; other < 10_050; other += 1) limit(`other ${other}`)
    assert.equal(limit('spent').allowed, false)
    // The buckets that are full again are dropped, and nobody gains or loses by it.
    nowMs += 1_000
    for (let other = 0; other < 10_050; other += 1) limit(`later ${other}`)
    assert.equal(limit('spent').allowed, true)
    assert.equal(limit('spent').allowed, false)
  })

  it('keeps no bucket that is full again once there are ten thousand, and every other', () => {
    let nowMs = 0
    let made = 0
    const policy = policyOf(1)
    const bucketOf = createBuckets(
      policy,
      () => nowMs,
      () => ({ number: ++made }),
    )
    for (let organization = 0; organization < 9_999; organization += 1) bucketOf(`early ${organization}`)
    nowMs = 60_000
    takeToken(bucketOf('busy'))
    assert.equal(bucketOf('early 0').number, 1, 'there is room for all')
    const { number } = bucketOf('one more')
    assert.equal(number, 10_001)
    assert.equal(bucketOf('busy').number, 10_000, 'one that is not full is kept')
    assert.equal(bucketOf('early 0').number, 10_002, 'one that was full is a new one')
  })
})
