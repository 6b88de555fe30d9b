// The columns of a close: whatever is booked, the opening balance with the columns is the closing balance.

import assert from 'node:assert/strict'
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
    assert.deepEqual(bookingsOfColumn('confirmed'), ['payin confirmed', 'payin confirmed from suspense'])
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
  })
})
