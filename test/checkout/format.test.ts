// Amounts and times as Colombians write them.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  amountText,
  amountToPaste,
  clockText,
  dateAndClockText,
  deadlineText,
} from '../../src/checkout/words/format.ts'

const plain = (text: string): string => text.replaceAll('\u00a0', ' ')
const at = (iso: string): number => Date.parse(iso)

describe('an amount', () => {
  for (const [cents, es, en, pasted] of [
    [100n, '$ 1', 'COP 1', '1'],
    [99_900n, '$ 999', 'COP 999', '999'],
    [100_000n, '$ 1.000', 'COP 1,000', '1000'],
    [123_456_789n, '$ 1.234.567,89', 'COP 1,234,567.89', '1234567,89'],
    [5n, '$ 0,05', 'COP 0.05', '0,05'],
  ] as const)
    it(`of ${cents} cents is ${es}`, () => {
      assert.equal(plain(amountText(cents, 'es')), es)
      assert.equal(plain(amountText(cents, 'en')), en)
      assert.equal(amountToPaste(cents), pasted)
    })

  it('never breaks between its sign and its number', () => {
    assert.ok(!amountText(8_000_000n, 'es').includes(' '))
  })
})

describe('a time', () => {
  it('is Bogotá’s, with noon and midnight as twelve', () => {
    assert.equal(plain(clockText(at('2026-11-05T21:35:00Z'), 'es')), '4:35 p. m.')
    assert.equal(plain(clockText(at('2026-11-05T05:05:00Z'), 'es')), '12:05 a. m.')
    assert.equal(plain(clockText(at('2026-11-05T17:00:00Z'), 'en')), '12:00 p.m.')
    assert.equal(
      plain(dateAndClockText(at('2027-01-01T04:59:00Z'), 'es')),
      '31 de diciembre de 2026, 11:59 p. m.',
    )
    assert.equal(plain(dateAndClockText(at('2027-01-01T05:00:00Z'), 'en')), 'January 1, 2027, 12:00 a.m.')
  })

  it('as a deadline has its article, and its day if that is not today', () => {
    const now = at('2026-11-05T20:00:00Z')
    assert.equal(plain(deadlineText(at('2026-11-05T21:35:00Z'), now, 'es')), 'las 4:35 p. m.')
    assert.equal(
      plain(deadlineText(at('2026-11-06T18:05:00Z'), now, 'es')),
      'la 1:05 p. m. del 6 de noviembre',
    )
    assert.equal(plain(deadlineText(at('2026-11-06T18:05:00Z'), now, 'en')), '1:05 p.m. on November 6')
  })
})
