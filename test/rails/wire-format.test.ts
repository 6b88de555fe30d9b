// What a network's refusal of an order means: money that may have moved is never taken for money that has not.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ORDER_REFUSED, refusedOrder } from '../../src/rails/wire-format.ts'

const STATUSES = Array.from({ length: 200 }, (_, index) => 400 + index)
const outcomesOf = (reason: string | null | undefined) =>
  STATUSES.filter((httpStatus) => {
    const refused = { outcome: 'refused', httpStatus, code: 'NO', body: {} } as const
    return refusedOrder(refused, reason, 'RAIL_ERROR', ORDER_REFUSED).outcome === 'rejected'
  })

describe('a refused order', () => {
  it('with a reason that nobody knows has ended only where the status is about the order alone', () => {
    assert.deepEqual(outcomesOf(undefined), [400, 402, 413, 415, 422])
  })

  it('with a reason that is known has ended, unless the network itself is at fault', () => {
    assert.deepEqual(
      outcomesOf('KEY_NOT_FOUND'),
      STATUSES.filter((status) => status < 500),
    )
  })

  it('with a reason that says nothing of the order has not ended', () => {
    assert.deepEqual(outcomesOf(null), [])
  })
})
