// The table of bookings: each moves money between two different accounts, on either rail, and only clearing accounts
// represent money outside.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { RAILS, type Rail } from '../../../src/core/connections/rail.ts'
import { firstIdAt } from '../../../src/core/ids.ts'
import {
  ACCOUNTS,
  type Account,
  BOOKINGS,
  type Booking,
  transfer,
} from '../../../src/core/ledger/bookings.ts'

const OF = {
  organizationId: '0199a0b0-0000-7000-8000-000000000001',
  transferId: '0199a0b0-0000-7000-8000-000000000002',
  subjectId: '0199a0b0-0000-7000-8000-000000000003',
}
const NAMES = Object.keys(BOOKINGS) as Booking[]
const book = (booking: Booking, rail: Rail, amountInCents: bigint) =>
  transfer(booking, rail, { ...OF, amountInCents })

// Written out again: the debit and credit account of each booking, with CLEARING for the rail's own.
const MOVES: Readonly<Record<Booking, readonly [debit: string, credit: string]>> = {
  'opening balance': ['CLEARING', 'AVAILABLE'],
  'payin confirmed': ['CLEARING', 'PENDING_SETTLEMENT'],
  'payin confirmed from suspense': ['SUSPENSE', 'PENDING_SETTLEMENT'],
  'payin settled': ['PENDING_SETTLEMENT', 'AVAILABLE'],
  'payin settled to deposits': ['PENDING_SETTLEMENT', 'DEPOSITED'],
  'payin fee': ['AVAILABLE', 'FEES'],
  'payin fee tax': ['AVAILABLE', 'FEES'],
  'payin withholding': ['AVAILABLE', 'WITHHELD'],
  'payin charged back before settlement': ['PENDING_SETTLEMENT', 'CLEARING'],
  'payin charged back after settlement': ['AVAILABLE', 'CLEARING'],
  'payin charged back from deposits': ['DEPOSITED', 'CLEARING'],
  'money in suspense': ['CLEARING', 'SUSPENSE'],
  'suspense returned': ['SUSPENSE', 'CLEARING'],
  'suspense attached': ['SUSPENSE', 'AVAILABLE'],
  'suspense attached to deposits': ['SUSPENSE', 'DEPOSITED'],
  'suspense released': ['SUSPENSE', 'CLEARING'],
  'suspense charged back': ['SUSPENSE', 'CLEARING'],
  'suspense charged back after attaching': ['AVAILABLE', 'CLEARING'],
  'suspense charged back from deposits': ['DEPOSITED', 'CLEARING'],
  'refund reserved': ['AVAILABLE', 'RESERVED'],
  'refund released': ['RESERVED', 'AVAILABLE'],
  'refund reserved from deposits': ['DEPOSITED', 'RESERVED'],
  'refund released to deposits': ['RESERVED', 'DEPOSITED'],
  'refund given back': ['RESERVED', 'CLEARING'],
  'connection deposit': ['CLEARING', 'DEPOSITED'],
  'connection withdrawal': ['DEPOSITED', 'CLEARING'],
  'collected money withdrawn': ['AVAILABLE', 'CLEARING'],
  'collected money moved to deposits': ['AVAILABLE', 'DEPOSITED'],
  'collected money moved from deposits': ['DEPOSITED', 'AVAILABLE'],
  'payout reserved': ['AVAILABLE', 'RESERVED'],
  'payout released': ['RESERVED', 'AVAILABLE'],
  'payout reserved from deposits': ['DEPOSITED', 'RESERVED'],
  'payout released to deposits': ['RESERVED', 'DEPOSITED'],
  'batch reserved': ['AVAILABLE', 'RESERVED'],
  'batch released': ['RESERVED', 'AVAILABLE'],
  'batch reserved from deposits': ['DEPOSITED', 'RESERVED'],
  'batch released to deposits': ['RESERVED', 'DEPOSITED'],
  'payout confirmed': ['RESERVED', 'CLEARING'],
  'refund paid': ['RESERVED', 'CLEARING'],
  'payout fee': ['RESERVED', 'FEES'],
  'payout fee tax': ['RESERVED', 'FEES'],
  'payout returned': ['CLEARING', 'AVAILABLE'],
  'payout returned to deposits': ['CLEARING', 'DEPOSITED'],
  'payout paid after rejection': ['SUSPENSE', 'CLEARING'],
  'payout paid after rejection from deposits': ['DEPOSITED', 'CLEARING'],
}

describe('bookings', () => {
  it('stands at the time of its id, by which balances of the past and days are summed', () => {
    const transferId = firstIdAt(1_763_000_000_123)
    const booked = transfer('payin confirmed', 'BRE_B', { ...OF, transferId, amountInCents: 1n })
    assert.equal(booked.createdAt, 1_763_000_000_123)
  })

  for (const booking of NAMES) {
    for (const rail of RAILS) {
      it(`${booking} over ${rail} moves an amount between two different accounts`, () => {
        const [debit, credit] = MOVES[booking].map((account) =>
          account === 'CLEARING' ? `CLEARING_${rail}` : account,
        )
        const made = book(booking, rail, 7n)
        assert.deepEqual(made, {
          ...OF,
          booking,
          debit,
          credit,
          amountInCents: 7n,
          createdAt: 0x0199a0b00000,
        })
        assert.notEqual(made.debit, made.credit)
        assert.ok(ACCOUNTS.includes(made.debit))
        assert.ok(ACCOUNTS.includes(made.credit))
      })
    }
  }

  it('are all in the table above', () => {
    assert.deepEqual(NAMES.toSorted(), Object.keys(MOVES).sort())
  })

  it('swap debit and credit where one reverses the other', () => {
    const pairs: [Booking, Booking][] = [
      ['payin confirmed', 'payin charged back before settlement'],
      ['money in suspense', 'suspense returned'],
      ['money in suspense', 'suspense released'],
      ['payout reserved', 'payout released'],
      ['payout reserved from deposits', 'payout released to deposits'],
      ['batch reserved', 'batch released'],
      ['batch reserved from deposits', 'batch released to deposits'],
      ['connection deposit', 'connection withdrawal'],
    ]
    for (const [there, back] of pairs) {
      assert.equal(book(there, 'PSE', 1n).debit, book(back, 'PSE', 1n).credit)
      assert.equal(book(there, 'PSE', 1n).credit, book(back, 'PSE', 1n).debit)
    }
  })

  it('sum to zero whatever is booked', () => {
    const anyBooking = fc.tuple(
      fc.constantFrom(...NAMES),
      fc.constantFrom(...RAILS),
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
    )
    fc.assert(
      fc.property(fc.array(anyBooking), (bookings) => {
        const balances = new Map<Account, bigint>()
        for (const [booking, rail, amountInCents] of bookings) {
          const { debit, credit } = book(booking, rail, amountInCents)
          balances.set(debit, (balances.get(debit) ?? 0n) - amountInCents)
          balances.set(credit, (balances.get(credit) ?? 0n) + amountInCents)
        }
        assert.equal(
          [...balances.values()].reduce((sum, cents) => sum + cents, 0n),
          0n,
        )
      }),
    )
  })
})
