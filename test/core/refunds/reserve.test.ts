// What of the balance a refund sets aside, and what the books show of it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Refund, reserveRefund } from '../../../src/core/refunds/refund.ts'
import { refundBookings, sendOverRail } from '../../../src/core/refunds/settle.ts'

const REFUND = { amountInCents: 10n, reservedInCents: 0n, depositInCents: 0n, version: 1 } as Refund
const funds = (availableInCents: bigint, depositedInCents = 0n) => ({ availableInCents, depositedInCents })

describe('the money of a refund', () => {
  it('is set aside as a whole, or not at all', () => {
    assert.equal(reserveRefund(REFUND, funds(9n), false), REFUND)
    assert.equal(reserveRefund(REFUND, funds(-5n), false), REFUND)
    assert.equal(reserveRefund(REFUND, funds(10n), false).reservedInCents, 10n)
  })

  it('comes from deposits first where they pay, and from nothing but the balance where they do not', () => {
    const mixed = reserveRefund(REFUND, funds(6n, 4n), true)
    assert.deepEqual([mixed.reservedInCents, mixed.depositInCents], [10n, 4n])
    assert.equal(reserveRefund(REFUND, funds(5n, 4n), true), REFUND)
    // What is owed after a chargeback is no matter of the deposits.
    assert.equal(reserveRefund(REFUND, funds(-1n, 10n), true).depositInCents, 10n)
    assert.equal(reserveRefund(REFUND, funds(6n, 4n), false), REFUND)
  })

  it('is set aside once, however much comes later', () => {
    const mixed = reserveRefund(REFUND, funds(6n, 4n), true)
    assert.equal(reserveRefund(mixed, funds(100n, 100n), true), mixed)
    assert.deepEqual(refundBookings(REFUND, mixed), [
      ['refund reserved', 6n],
      ['refund reserved from deposits', 4n],
    ])
    assert.deepEqual(refundBookings(mixed, mixed), [])
    assert.deepEqual(refundBookings(mixed, REFUND), [
      ['refund released', 6n],
      ['refund released to deposits', 4n],
    ])
  })

  it('must be set aside before it is sent', () => {
    assert.throws(() => sendOverRail(REFUND, 0), /unreserved/)
  })
})
