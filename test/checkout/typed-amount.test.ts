// What a payer types on a payment page is read by the rules of everywhere else: what may mean two amounts is none.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAmount } from '../../src/checkout/page-form.ts'

describe('the amount that a payer types', () => {
  for (const [typed, cents] of [
    ['25000', 2_500_000n],
    [' 25.000 ', 2_500_000n],
    ['25 000', 2_500_000n],
    ['25000,5', 2_500_050n],
    ['$ 25.000,50', 2_500_050n],
    ['COP 25,000', 2_500_000n],
    ['cop25,000.5', 2_500_050n],
    ['9999999999999,99', 999_999_999_999_999n],
  ] as const)
    it(`${typed} is ${cents} cents`, () => assert.equal(readAmount(typed), cents))

  for (const typed of [
    ...['25000 50', '1 50', '3 000 00', '25.000.50', '25,000,5', '25.00.000', '25.000,500'],
    ...['', 'COP', '$', '-5', '5e3', '25000 COP 5', '10000000000000', '99999999999999999'],
  ])
    it(`${JSON.stringify(typed)} is none`, () => assert.equal(readAmount(typed), undefined))
})
