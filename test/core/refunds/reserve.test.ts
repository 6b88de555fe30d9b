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

  it('over a connection comes from the deposits alone, and else from the balance alone', () => {
    const connected = reserveRefund(REFUND, funds(-1n, 10n), true)
    assert.deepEqual([connected.reservedInCents, connected.depositInCents], [10n, 10n])
    assert.equal(reserveRefund(REFUND, funds(100n, 9n), true), REFUND)
    assert.equal(reserveRefund(REFUND, funds(9n, 100n), false), REFUND)
    assert.equal(reserveRefund(REFUND, funds(10n, 100n), false).depositInCents, 0n)
  })

  it('is set aside once, however much comes later', () => {
    // As it may have been set aside before schema 0060.
    const mixed = { ...REFUND, reservedInCents: 10n, depositInCents: 4n }
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
