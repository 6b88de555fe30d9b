// Texts are kept up to a number of characters, those that are wanted again the longest.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRenderedPayinCache } from '../../../src/core/payins/rendered-payins.ts'

describe('a kept text', () => {
  it('is there under its own key, as it was kept first', () => {
    const texts = createRenderedPayinCache(100)
    assert.equal(texts.get('a'), undefined)
    texts.keep('a', 'one')
    texts.keep('a', 'two')
    assert.equal(texts.get('a'), 'one')
    assert.equal(texts.get('b'), undefined)
  })

  it('is forgotten before those that were wanted since', () => {
    const texts = createRenderedPayinCache(40)
    for (const key of ['a', 'b', 'c', 'd']) texts.keep(key, key.repeat(10))
    // The younger half is full of c and d. What is wanted again counts among the young.
    assert.equal(texts.get('a'), 'a'.repeat(10))
    texts.keep('e', 'e'.repeat(10))
    texts.keep('f', 'f'.repeat(10))
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => texts.get(key) !== undefined),
      [true, false, false, false],
    )
  })

  it('takes no more room than there is, whatever is kept and read', () => {
    const texts = createRenderedPayinCache(1_000)
    const keys = Array.from({ length: 500 }, (_, index) => String(index))
    for (const key of keys) {
      texts.keep(key, key.padEnd(10))
      texts.get(String(Number(key) - 60))
    }
    const kept = keys.filter((key) => texts.get(key) !== undefined)
    assert.ok(kept.length >= 50 && kept.length <= 100, `${kept.length} of ten characters each`)
    texts.keep('large', 'x'.repeat(501))
    assert.equal(texts.get('large'), undefined)
  })
})
