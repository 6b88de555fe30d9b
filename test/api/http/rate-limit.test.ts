// The token buckets of the rate limit, with a clock of the test's own.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRateLimit, policyOf } from '../../../src/api/http/rate-limit.ts'

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
})
