// What of the balance a refund sets aside, and what the books show of it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Refund, reserveRefund } from '../../../src/core/refunds/refund.ts'
import { awaitFunds, NO_CHANGE, refundBookings, sendOverRail } from '../../../src/core/refunds/settle.ts'

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
    for (const isConnected of [true, false]) {
      const reserved = reserveRefund(REFUND, funds(10n, 10n), isConnected)
      assert.equal(reserveRefund(reserved, funds(100n, 100n), isConnected), reserved)
    }
  })

  it('follows the way that the refund goes by now, and is released if there is too little', () => {
    const ofBalance = { ...REFUND, reservedInCents: 10n }
    const moved = reserveRefund(ofBalance, funds(0n, 10n), true)
    assert.deepEqual(refundBookings(ofBalance, moved), [
      ['refund released', 10n],
      ['refund reserved from deposits', 10n],
    ])
    assert.deepEqual(refundBookings(moved, reserveRefund(moved, funds(10n, 0n), false)), [
      ['refund released to deposits', 10n],
      ['refund reserved', 10n],
    ])
    const released = reserveRefund(ofBalance, funds(100n, 9n), true)
    assert.deepEqual([released.reservedInCents, released.depositInCents], [0n, 0n])
    assert.deepEqual(refundBookings(ofBalance, released), [['refund released', 10n]])
    const back = reserveRefund(moved, funds(9n, 100n), false)
    assert.deepEqual(refundBookings(moved, back), [['refund released to deposits', 10n]])
  })

  it('that waits on is written again only if something else is set aside, or from elsewhere', () => {
    const waiting = {
      ...REFUND,
      stage: 'AWAITING_FUNDS',
      errorCode: 'QUIET_HOURS',
      reservedInCents: 10n,
    } as const
    const again = (reserved: Refund) => awaitFunds(waiting, reserved, 'QUIET_HOURS', 0)
    assert.equal(again(waiting), NO_CHANGE)
    assert.equal(again({ ...waiting, depositInCents: 10n }).next?.depositInCents, 10n)
    assert.equal(again({ ...waiting, reservedInCents: 0n }).next?.reservedInCents, 0n)
    assert.equal(awaitFunds(waiting, waiting, 'INSUFFICIENT_FUNDS', 0).next?.errorCode, 'INSUFFICIENT_FUNDS')
  })

  it('may have been set aside of both before schema 0060', () => {
    const mixed = { ...REFUND, reservedInCents: 10n, depositInCents: 4n }
    assert.equal(reserveRefund(mixed, funds(0n, 6n), true).depositInCents, 10n)
    assert.equal(reserveRefund(mixed, funds(0n, 5n), true).reservedInCents, 0n)
    assert.equal(reserveRefund(mixed, funds(4n, 0n), false).depositInCents, 0n)
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
