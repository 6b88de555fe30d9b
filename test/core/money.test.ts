// Cents as people and networks read them.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { centsToDecimal } from '../../src/core/money.ts'

it('cents are written with two decimals, also below a peso and below zero', () => {
  const written = [0n, 5n, 100n, 1_234_567n, -5n, -1_234_567n].map(centsToDecimal)
  assert.deepEqual(written, ['0.00', '0.05', '1.00', '12345.67', '-0.05', '-12345.67'])
})
