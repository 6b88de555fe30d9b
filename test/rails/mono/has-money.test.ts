// A collection of Mono has money if anything says so: its state, a successful attempt, or an amount that was paid.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasMoney } from '../../../src/rails/mono/attempts.ts'
import type { Collection } from '../../../src/rails/mono/wire.ts'

const EMPTY = { state: 'pending', successful_attempts: 0, paid_amount: null } as unknown as Collection
const paid = (amount: number) =>
  ({ ...EMPTY, paid_amount: { amount, currency: 'COP' } }) as unknown as Collection

describe('a collection', () => {
  it('has no money where nothing was paid, whether or not Mono says of what amount', () => {
    assert.equal(hasMoney(EMPTY), false)
    assert.equal(hasMoney({ ...EMPTY, paid_amount: undefined } as unknown as Collection), false)
    assert.equal(hasMoney(paid(0)), false)
  })

  it('has money by its state, by an attempt, or by its amount alone', () => {
    for (const state of ['minimum_paid', 'paid'] as const) assert.equal(hasMoney({ ...EMPTY, state }), true)
    assert.equal(hasMoney({ ...EMPTY, successful_attempts: 1 }), true)
    assert.equal(hasMoney(paid(1)), true)
  })
})
