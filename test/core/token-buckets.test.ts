// Token buckets for keys that strangers choose.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTokenBuckets } from '../../src/core/token-buckets.ts'

describe('token buckets', () => {
  const taken = (buckets: ReturnType<typeof createTokenBuckets>, key: string, nowMs: number) =>
    Array.from({ length: 100 }, () => buckets.take(key, nowMs)).filter(({ allowed }) => allowed).length

  it('allow a burst, then the rate, to each key by itself', () => {
    const buckets = createTokenBuckets({ perSecond: 10, burst: 20 })
    assert.equal(taken(buckets, 'a', 0), 20)
    assert.equal(buckets.isEmpty('a', 0), true)
    assert.equal(buckets.isEmpty('b', 0), false)
    assert.equal(taken(buckets, 'b', 0), 20)
    assert.equal(taken(buckets, 'a', 1_000), 10)
    assert.equal(taken(buckets, 'a', 61_000), 20, 'no more than a burst')
    assert.equal(taken(buckets, 'a', 60_000), 0, 'a clock that goes back gives nothing')
  })

  it('are empty while less than one is left, and not with one', () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 2 })
    buckets.take('a', 0)
    assert.equal(buckets.isEmpty('a', 0), false)
    buckets.take('a', 0)
    assert.deepEqual([buckets.isEmpty('a', 999), buckets.isEmpty('a', 1_000)], [true, false])
    assert.equal(buckets.take('a', 999).allowed, false)
    assert.equal(buckets.take('a', 1_000).allowed, true)
  })

  it('say when to come again', () => {
    const buckets = createTokenBuckets({ perSecond: 1 / 30, burst: 2 })
    assert.equal(taken(buckets, 'a', 0), 2)
    assert.deepEqual(buckets.take('a', 0), { allowed: false, retryAfterSeconds: 30 })
    assert.deepEqual(buckets.take('a', 10_000), { allowed: false, retryAfterSeconds: 20 })
    assert.equal(buckets.take('a', 30_000).allowed, true)
    const nearlyFull = createTokenBuckets({ perSecond: 1_000, burst: 1 })
    assert.equal(taken(nearlyFull, 'a', 0), 1)
    const refused = { allowed: false, retryAfterSeconds: 1 }
    assert.deepEqual(nearlyFull.take('a', 1 - 1e-9), refused, 'a refusal never says at once')
  })

  it('stay spent for as long as a bucket takes to fill, whoever else comes', () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 10 }, 1_000)
    assert.equal(taken(buckets, 'spent', 0), 10)
    for (let second = 1; second <= 9; second += 1) {
      for (let other = 0; other < 100; other += 1) buckets.take(`other ${second} ${other}`, second * 1_000)
    }
    assert.equal(taken(buckets, 'spent', 9_000), 9)
    assert.equal(taken(buckets, 'spent', 9_999), 0)
  })

  it('stay spent when a generation ends right after', () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 10 })
    buckets.take('first', 0)
    assert.equal(taken(buckets, 'spent', 9_000), 10)
    buckets.take('first of the next generation', 10_000)
    assert.equal(buckets.isEmpty('spent', 9_500), true)
    assert.equal(taken(buckets, 'spent', 10_000), 1)
    assert.equal(taken(buckets, 'spent', 10_000), 0)
  })

  it('never hold more than two generations of keys, and forget those that were not seen', () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 10 }, 100)
    for (let key = 0; key < 10_000; key += 1) {
      buckets.take(`key ${key}`, 0)
      assert.ok(buckets.size() <= 200, `${buckets.size()} are kept`)
    }
    for (const nowMs of [10_000, 20_000]) buckets.take(`later ${nowMs}`, nowMs)
    assert.equal(buckets.size(), 2)
  })
})
