// Ranges of amounts that can be paid say of every amount what each of them says.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type AmountRange,
  isInRanges,
  mergedRanges,
  rangesWithin,
} from '../../../src/core/connections/amount-range.ts'
import { type Route, servedRanges } from '../../../src/core/connections/connection.ts'
import { amountsOffered, isPayable, payableCounts } from '../../../src/core/payment-pages/payment-page.ts'

const range = (least: number, most: number): AmountRange => ({
  leastInCents: BigInt(least),
  mostInCents: BigInt(most),
})
const someRange = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 12 }))
  .map(([least, more]) => range(least, least + more))
const someRanges = fc.array(someRange, { maxLength: 6 })
const AMOUNTS = Array.from({ length: 60 }, (_, index) => BigInt(index))
const isIn = (ranges: readonly AmountRange[], amount: bigint) =>
  ranges.some(({ leastInCents, mostInCents }) => amount >= leastInCents && amount <= mostInCents)

describe('ranges of amounts', () => {
  it('merged hold the same amounts, in order and without touching each other', () => {
    fc.assert(
      fc.property(someRanges, (ranges) => {
        const merged = mergedRanges(ranges)
        for (const amount of AMOUNTS) assert.equal(isInRanges(merged, amount), isIn(ranges, amount))
        for (const [index, one] of merged.entries())
          if (index > 0) assert.ok((merged[index - 1] as AmountRange).mostInCents + 1n < one.leastInCents)
      }),
    )
    assert.deepEqual(mergedRanges([range(5, 9), range(1, 4), range(20, 30)]), [range(1, 9), range(20, 30)])
  })

  it('within limits hold what lies between them', () => {
    fc.assert(
      fc.property(
        someRanges,
        fc.integer({ min: 1, max: 50 }),
        fc.option(fc.integer({ min: 1, max: 50 })),
        (ranges, least, most) => {
          const within = rangesWithin(ranges, BigInt(least), most === null ? null : BigInt(most))
          for (const amount of AMOUNTS) {
            const isWanted = amount >= BigInt(least) && (most === null || amount <= BigInt(most))
            assert.equal(isIn(within, amount), isIn(ranges, amount) && isWanted)
          }
        },
      ),
    )
  })

  it('of connections are those that serve the use, of what the rail carries', () => {
    const route = (use: 'PSE_IN' | 'BRE_B_IN', least: bigint, most: bigint | null): Route => ({
      connectionId: 'x',
      provider: 'wompi',
      uses: [use],
      minimumInCents: least,
      maximumInCents: most,
      namesKeys: false,
    })
    const routes = [route('PSE_IN', 10n, 20n), route('PSE_IN', 30n, null), route('PSE_IN', 200n, null)]
    assert.deepEqual(servedRanges(routes, 'PSE_IN', 100n), [range(10, 20), range(30, 100)])
    assert.equal(servedRanges(routes, 'BRE_B_IN', 100n), undefined)
    assert.deepEqual(servedRanges([route('PSE_IN', 200n, null)], 'PSE_IN', 100n), [])
  })

  it('leave a page what it can sell', () => {
    const payable = [range(10, 20), range(35, 50)]
    const open = { minAmountInCents: 15n, maxAmountInCents: 40n }
    assert.deepEqual(amountsOffered(open, payable), [range(15, 20), range(35, 40)])
    assert.deepEqual(amountsOffered({ minAmountInCents: null, maxAmountInCents: null }, payable), payable)
    assert.deepEqual(payableCounts(6n, 20, payable), [2, 3, 6, 7, 8])
    const none = { minAmountInCents: null, maxAmountInCents: null }
    assert.equal(isPayable({ ...none, amountInCents: 6n, maxPieces: null }, payable), false)
    assert.equal(isPayable({ ...none, amountInCents: 6n, maxPieces: 1 }, payable), false)
    assert.equal(isPayable({ ...none, amountInCents: 6n, maxPieces: 2 }, payable), true)
    assert.equal(isPayable({ ...none, amountInCents: 10n, maxPieces: null }, payable), true)
    assert.equal(isPayable({ ...none, amountInCents: null, maxPieces: null }, []), false)
    assert.equal(
      isPayable(
        { amountInCents: null, minAmountInCents: 21n, maxAmountInCents: 34n, maxPieces: null },
        payable,
      ),
      false,
    )
  })
})
