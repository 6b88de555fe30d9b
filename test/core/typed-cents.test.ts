// Amounts that people type, in Spanish or in English, to the cent.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { centsToDecimal, centsToNumber, centsToPesos } from '../../src/core/money.ts'
import { typedCents } from '../../src/core/typed-cents.ts'

it('an amount is read in both ways of writing it, where it cannot be mistaken', () => {
  const read: [text: string, cents: number][] = [
    ['0', 0],
    ['5', 500],
    ['5,5', 550],
    ['5.05', 505],
    ['1250000', 125_000_000],
    ['1250000,50', 125_000_050],
    ['1.250', 125_000],
    ['1,250', 125_000],
    ['1.250.000,5', 125_000_050],
    ['1,250,000.50', 125_000_050],
    ['1 250 000', 125_000_000],
    ['1 250,75', 125_075],
    ['$ 5', 500],
    ['$5', 500],
    [' 5 ', 500],
    ['90071992547409.91', 9_007_199_254_740_991],
  ]
  for (const [text, cents] of read) assert.equal(typedCents(text), cents, text)
})

it('what may mean two amounts, or none, is not read', () => {
  for (const text of [
    ...[
      '',
      '$',
      'x',
      '-5',
      '1.25.000',
      '1,25,000',
      '1.250,000',
      '1,250.000',
      '1.2345',
      '5,',
      '.5',
      '1 25',
      '5 000 0',
    ],
    ...['1 2500', '12 34,5', '90071992547409.92', '$$5', '1.250 000', '1250.000.000'],
  ])
    assert.equal(typedCents(text), undefined, text)
})

it('cents are pesos where people and JSON want them, and decimals where networks do', () => {
  assert.deepEqual([centsToPesos(1_234_567n), centsToNumber(1_234_567n)], [12_345.67, 1_234_567])
  const decimals = [0n, 5n, 50n, 100n, 1_234_567n, -5n, -1_234_567n].map(centsToDecimal)
  assert.deepEqual(decimals, ['0.00', '0.05', '0.50', '1.00', '12345.67', '-0.05', '-12345.67'])
})
