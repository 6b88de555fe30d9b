// The columns of a close: whatever is booked, the opening balance with the columns is the closing balance.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { RAILS } from '../../../src/core/connections/rail.ts'
import { type Account, BOOKINGS, type Booking, transfer } from '../../../src/core/ledger/bookings.ts'
import {
  bookingsOfColumn,
  CLOSE_COLUMN_NAMES,
  CLOSE_COLUMNS,
  COLUMNS_OF_BOOKING,
  HELD_ACCOUNTS,
} from '../../../src/core/ledger/close-columns.ts'
import {
  type BookingSum,
  closeDigest,
  figuresOf,
  figuresText,
  heldInCents,
  movementsDigest,
  NO_MONEY,
  readFigures,
} from '../../../src/core/ledger/daily-close.ts'

const NAMES = Object.keys(BOOKINGS) as Booking[]
const OF = { organizationId: 'o', transferId: 't', subjectId: 's' }
const isHeld = (account: Account): boolean => (HELD_ACCOUNTS as readonly Account[]).includes(account)

function sumOf(booking: Booking, rail: (typeof RAILS)[number], amountInCents: bigint): BookingSum {
  const { debit, credit } = transfer(booking, rail, { ...OF, amountInCents })
  return { booking, debit, credit, movements: 1, amountInCents }
}

describe('the columns of a close', () => {
  for (const booking of NAMES) {
    it(`${booking} changes the balance by what its columns say`, () => {
      const { debit, credit } = sumOf(booking, 'PSE', 1n)
      const change = Number(isHeld(credit)) - Number(isHeld(debit))
      const told = COLUMNS_OF_BOOKING[booking].reduce((sum, column) => sum + CLOSE_COLUMNS[column], 0)
      assert.equal(told, change)
    })
  }

  it('the opening balance and the columns make the closing balance, whatever was booked', () => {
    const sum = fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...RAILS), fc.bigInt(1n, 10n ** 13n))
      .map(([booking, rail, amountInCents]) => sumOf(booking, rail, amountInCents))
    fc.assert(
      fc.property(fc.array(sum), (sums) => {
        const { opening, closing, columns } = figuresOf({ ...NO_MONEY, AVAILABLE: 7n }, sums)
        const added = CLOSE_COLUMN_NAMES.reduce(
          (total, column) => total + BigInt(CLOSE_COLUMNS[column]) * columns[column].amountInCents,
          0n,
        )
        assert.equal(heldInCents(opening) + added, heldInCents(closing))
      }),
    )
  })

  it('figures are read as they were written', () => {
    const figures = figuresOf(NO_MONEY, [sumOf('payin confirmed', 'PSE', 5n), sumOf('payin fee', 'PSE', 2n)])
    const { movementsDigest, ...read } = readFigures(figuresText(figures, 'abc'))
    assert.deepEqual(read, figures)
    assert.equal(movementsDigest, 'abc')
  })

  it('a column is made of the bookings that name it', () => {
    const columns = Object.fromEntries(CLOSE_COLUMN_NAMES.map((column) => [column, bookingsOfColumn(column)]))
    assert.deepEqual(columns, {
      confirmed: ['payin confirmed', 'payin confirmed from suspense'],
      settled: ['payin settled', 'payin settled to deposits'],
      attached: ['suspense attached', 'suspense attached to deposits'],
      refunded: ['refund given back', 'refund paid'],
      chargedBack: [
        'payin charged back before settlement',
        'payin charged back after settlement',
        'payin charged back from deposits',
        'suspense charged back after attaching',
        'suspense charged back from deposits',
      ],
      paidOut: ['payout confirmed', 'payout paid after rejection from deposits'],
      payoutsReturned: ['payout returned', 'payout returned to deposits'],
      deposited: ['opening balance', 'connection deposit'],
      withdrawn: ['connection withdrawal', 'collected money withdrawn'],
      fees: ['payin fee', 'payout fee'],
      feeTax: ['payin fee tax', 'payout fee tax'],
      withheld: ['payin withholding'],
      suspenseIn: ['money in suspense'],
      suspenseOut: [
        'payin confirmed from suspense',
        'suspense returned',
        'suspense attached',
        'suspense attached to deposits',
        'suspense released',
        'suspense charged back',
        'payout paid after rejection',
      ],
    })
  })

  it('a day sums each column, each account and all of its movements', () => {
    const twice = { ...sumOf('payin confirmed', 'PSE', 5n), movements: 2 }
    const sums = [
      twice,
      { ...sumOf('payin confirmed', 'BRE_B', 7n), movements: 3 },
      sumOf('payin fee', 'PSE', 2n),
    ]
    const { columns, closing, movements, bookings } = figuresOf({ ...NO_MONEY, AVAILABLE: 9n }, sums)
    assert.equal(movements, 6)
    assert.equal(bookings, sums)
    const none = { movements: 0, amountInCents: 0n }
    assert.deepEqual(columns, {
      ...Object.fromEntries(CLOSE_COLUMN_NAMES.map((column) => [column, none])),
      confirmed: { movements: 5, amountInCents: 12n },
      fees: { movements: 1, amountInCents: 2n },
    })
    assert.deepEqual(closing, {
      ...NO_MONEY,
      ...{ AVAILABLE: 7n, PENDING_SETTLEMENT: 12n, FEES: 2n, CLEARING_PSE: -5n, CLEARING_BRE_B: -7n },
    })
  })

  it('figures of before an account or a column was there have nothing in it', () => {
    const { CLEARING_PSE: _, ...older } = NO_MONEY
    const text = figuresText(figuresOf(NO_MONEY, []), 'abc')
    const { columns, ...others } = JSON.parse(text)
    const { withheld: __, ...columnsThen } = columns
    const opening = Object.fromEntries(Object.keys(older).map((account) => [account, 1]))
    const read = readFigures(JSON.stringify({ ...others, columns: columnsThen, opening }))
    assert.deepEqual(read.columns.withheld, { movements: 0, amountInCents: 0n })
    assert.deepEqual([read.opening.CLEARING_PSE, read.opening.FEES], [0n, 1n])
  })

  it('a digest is of the organization, the day, the close before and the figures', () => {
    const one = { organizationId: 'a', day: '2026-11-14', previousDigest: null, figures: '{}' }
    const digests = [
      one,
      { ...one, organizationId: 'b' },
      { ...one, day: '2026-11-15' },
      { ...one, previousDigest: Buffer.alloc(32) },
      { ...one, figures: '{ }' },
    ].map((digested) => closeDigest(digested).toString('hex'))
    assert.equal(new Set(digests).size, 5)
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    assert.equal(digests[0], sha256('recaudo close 1\na\n2026-11-14\n-\n{}\n'))
    assert.equal(digests[3], sha256(`recaudo close 1\na\n2026-11-14\n${'0'.repeat(64)}\n{}\n`))
    const parts = [
      { part: '0199a0b0', digest: Buffer.from('aa', 'hex') },
      { part: '0199a0b1', digest: Buffer.from('bb', 'hex') },
    ]
    assert.equal(movementsDigest(parts), sha256('0199a0b0 aa\n0199a0b1 bb\n'))
    assert.equal(movementsDigest([]), sha256(''))
  })
})
