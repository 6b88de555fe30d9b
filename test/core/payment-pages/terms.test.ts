// What does not fit together in the terms of a payment page is told by field, all of it at once.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type SentTerms, termProblems } from '../../../src/core/payment-pages/terms.ts'

const NOW = Date.parse('2026-11-17T12:00:00.000Z')
const told = (terms: SentTerms, capInCents: bigint | null = 1_000n) =>
  termProblems(terms, { now: NOW, capInCents }).map(
    ({ path, code, message }) => `${path} ${code}: ${message}`,
  )
const FIXED = { amountType: 'FIXED', amountInCents: 100 }
const OPEN = { amountType: 'OPEN' }

describe('the terms of a page', () => {
  it('with a fixed amount have that amount, and no limits of one', () => {
    assert.deepEqual(told(FIXED), [])
    for (const none of [undefined, null])
      assert.deepEqual(told({ ...FIXED, amountInCents: none }), ['/amountInCents REQUIRED: is required'])
    assert.deepEqual(told({ ...FIXED, minAmountInCents: 1, maxAmountInCents: 2 }), [
      '/minAmountInCents NOT_ALLOWED: may be sent only with amountType OPEN',
      '/maxAmountInCents NOT_ALLOWED: may be sent only with amountType OPEN',
    ])
    assert.deepEqual(told({ ...FIXED, minAmountInCents: null, maxAmountInCents: null, maxPieces: 3 }), [])
  })

  it('with an amount that the payer types have limits that fit, and nothing that needs a fixed one', () => {
    assert.deepEqual(told(OPEN), [])
    assert.deepEqual(told({ ...OPEN, amountInCents: 0, items: [], maxPieces: 1 }), [
      '/amountInCents NOT_ALLOWED: may be sent only with amountType FIXED',
      '/items NOT_ALLOWED: may be sent only with amountType FIXED',
      '/maxPieces NOT_ALLOWED: may be sent only with amountType FIXED',
    ])
    assert.deepEqual(told({ ...OPEN, amountInCents: null, items: null, maxPieces: null }), [])
    const range = (min: unknown, max: unknown) =>
      told({ ...OPEN, minAmountInCents: min, maxAmountInCents: max })
    assert.deepEqual(range(5, 5), [])
    assert.deepEqual(range(6, 5), ['/maxAmountInCents OUT_OF_RANGE: must be at least minAmountInCents'])
    assert.deepEqual([range('6', 5), range(6, null), range(null, 5)], [[], [], []])
  })

  it('ask for no more than can be paid', () => {
    const most = 'AMOUNT_ABOVE_MAXIMUM: must be at most 1000'
    assert.deepEqual(told({ ...FIXED, amountInCents: 1_000 }), [])
    assert.deepEqual(told({ ...FIXED, amountInCents: 1_001 }), [`/amountInCents ${most}`])
    assert.deepEqual(told({ ...OPEN, minAmountInCents: 1_001, maxAmountInCents: 1_001 }), [
      `/minAmountInCents ${most}`,
      `/maxAmountInCents ${most}`,
    ])
    assert.deepEqual(told({ ...FIXED, amountInCents: 1_001 }, null), [])
    for (const none of ['1001', 1_001.5]) assert.deepEqual(told({ ...FIXED, amountInCents: none }), [])
  })

  it('have items that add up to the amount', () => {
    const items = (...list: [unknown, unknown][]) =>
      told({
        ...FIXED,
        items: list.map(([quantity, unitAmountInCents]) => ({ quantity, unitAmountInCents })),
      })
    assert.deepEqual(items([2, 30], [1, 40]), [])
    assert.deepEqual(items([2, 30], [1, 41]), [
      '/items NOT_ALLOWED: must add up to amountInCents: they come to 101, and it is 100',
    ])
    assert.equal(items().length, 1)
    for (const wrong of [
      ['2', 30],
      [2, null],
      [2.5, 30],
    ] as [unknown, unknown][])
      assert.deepEqual(items(wrong, [1, 1]), [])
    assert.deepEqual(told({ ...FIXED, items: [null] }), [])
    assert.deepEqual(told({ ...FIXED, items: 'x' }), [])
    assert.deepEqual(told({ items: [{ quantity: 1, unitAmountInCents: 1 }], amountInCents: 'x' }), [])
  })

  it('have an image that is one, and end in the future', () => {
    const notOne = ['/image WRONG_FORMAT: must hold an image of the kind that it names']
    assert.deepEqual(told({ ...FIXED, image: 'data:image/png;base64,AAAA' }), notOne)
    for (const image of ['data:text/plain,x', 7, null, `data:image/gif;base64,${btoa('GIF89a')}`])
      assert.deepEqual(told({ ...FIXED, image }), [], String(image))
    const over = ['/validUntil OUT_OF_RANGE: must be in the future']
    assert.deepEqual(told({ ...FIXED, validUntil: '2026-11-17T12:00:00.000Z' }), over)
    for (const validUntil of ['2026-11-17T12:00:00.001Z', 'x', null, 0])
      assert.deepEqual(told({ ...FIXED, validUntil }), [], String(validUntil))
  })
})
