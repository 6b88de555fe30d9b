// Which chargeback a network speaks of: the same one told again, by whatever way, or another.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type BookedChargeback,
  chargebackInWords,
  chargebackPart,
  type Recognition,
  type ReportedChargeback,
  readChargebackPart,
  recognizeChargeback,
} from '../../../src/core/ledger/chargebacks.ts'

const booked = (amountInCents: bigint, chargebackId: string | null = null): BookedChargeback => ({
  chargebackId,
  amountInCents,
})
const told = (
  noticeId: string,
  amountInCents: bigint,
  chargebackId: string | null = null,
): ReportedChargeback => ({
  noticeId,
  ...booked(amountInCents, chargebackId),
})
const N1 = told('n1', 10n)
const S1 = told('statement:day-1', 10n)
const X1 = told('n2', 10n, 'X')
const Y1 = told('n3', 10n, 'Y')

type Row = [
  what: string,
  told: ReportedChargeback,
  booked: BookedChargeback[],
  before: ReportedChargeback[],
  Recognition,
]
const ROWS: Row[] = [
  ['the first', N1, [], [], 'new'],
  ['of another amount', told('n9', 20n), [booked(10n)], [N1], 'new'],
  ['without ids: a notice after the statement', N1, [booked(10n)], [S1], 'matched'],
  ['without ids: the statement after a notice', S1, [booked(10n)], [N1], 'matched'],
  ['without ids: a second notice', told('n9', 10n), [booked(10n)], [N1], 'doubtful'],
  ['without ids: a second notice after the statement', told('n9', 10n), [booked(10n)], [S1, N1], 'doubtful'],
  ['without ids: another day’s statement', told('statement:day-2', 10n), [booked(10n)], [S1], 'doubtful'],
  ['booked before notices were kept', N1, [booked(10n)], [], 'matched'],
  ['under a booked id', told('n9', 10n, 'X'), [booked(10n, 'X')], [X1], 'known'],
  ['under a booked id, with another amount', told('n9', 11n, 'X'), [booked(10n, 'X')], [X1], 'other amount'],
  ['under a booked id of which no notice was kept', told('n9', 10n, 'X'), [booked(10n, 'X')], [], 'known'],
  [
    'under a booked id of which no notice was kept, with another amount',
    told('n9', 11n, 'X'),
    [booked(10n, 'X')],
    [],
    'other amount',
  ],
  [
    'under an id that was told, and is booked without it',
    told('n9', 10n, 'X'),
    [booked(10n)],
    [S1, X1],
    'known',
  ],
  ['under another id', Y1, [booked(10n, 'X')], [X1], 'new'],
  ['under an id, after the statement told it without', X1, [booked(10n)], [S1], 'matched'],
  ['under another id, after the first was the statement’s', Y1, [booked(10n)], [S1, X1], 'new'],
  ['under an id, of two that the statements told', Y1, [booked(10n), booked(10n)], [S1, X1], 'matched'],
  [
    'under an id, while another id has its own booking',
    Y1,
    [booked(10n), booked(10n, 'X')],
    [S1, X1],
    'matched',
  ],
  ['under an id, after a notice told one without', X1, [booked(10n)], [N1], 'new'],
  ['in the statement, after notices with ids', S1, [booked(10n, 'X'), booked(10n, 'Y')], [X1, Y1], 'matched'],
  [
    'in a second statement, after notices with ids',
    told('statement:day-2', 10n),
    [booked(10n, 'X'), booked(10n, 'Y')],
    [X1, Y1, S1],
    'matched',
  ],
  [
    'in a third statement, after notices with ids',
    told('statement:day-3', 10n),
    [booked(10n, 'X'), booked(10n, 'Y')],
    [X1, Y1, S1, told('statement:day-2', 10n)],
    'doubtful',
  ],
]

describe('a chargeback', () => {
  for (const [what, one, inBooks, before, expected] of ROWS)
    it(`${what}, is ${expected}`, () =>
      assert.equal(recognizeChargeback(one, { booked: inBooks, reportedBefore: before }), expected))

  it('has a part in the books that says which it is', () => {
    for (const one of [booked(10n), booked(10n, 'X')])
      assert.deepEqual(readChargebackPart(chargebackPart(one), 7n), one)
    assert.notEqual(chargebackPart(booked(10n)), chargebackPart(booked(10n, 'X')))
    assert.deepEqual(readChargebackPart('', 7n), booked(7n))
  })

  it('is told to a person with its amount, its id and its notice', () => {
    assert.equal(
      chargebackInWords(X1, 50n),
      'the network charged back 10 cents of 50 (chargeback X, notice n2)',
    )
    assert.equal(chargebackInWords(N1, 50n), 'the network charged back 10 cents of 50 (notice n1)')
  })
})
