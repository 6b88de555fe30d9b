// When a network is asked about a payout that it may have, and when a person is told.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { newPayout, PAYOUT_STAGES, type Payout } from '../../../src/core/payouts/payout.ts'
import { askAgainAt, isUnresolved } from '../../../src/core/payouts/schedule.ts'

const sent: Payout = {
  ...newPayout('0199a0b0-0000-7000-8000-000000000001', '0199a0b0-0000-7000-8000-000000000003', {
    amountInCents: 1_000_000n,
    reference: 'wages-1',
    customer: { name: 'Ana', idType: 'CO_CC', idNumber: '1', phone: '+573001234567', email: 'a@b.co' },
    keyString: '@ANAGOMEZ',
    keyType: 'ALPHANUMERIC',
  }),
  stage: 'SENT',
}
const { updatedAt } = sent
const LONG_AGO = updatedAt + 2 * DAY_MS

describe('a payout without a decision of its network', () => {
  const pausesOf = (isAtNetwork: boolean) =>
    Array.from({ length: 100 }, (_, attempts) => askAgainAt(sent, attempts, isAtNetwork, LONG_AGO) - LONG_AGO)
  const later = [30_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS]

  it('is asked about for ever, after pauses that grow to a day', () => {
    const pauses = pausesOf(false)
    assert.deepEqual(pauses.slice(0, 10), [1_000, 2_000, 5_000, 10_000, ...later])
    assert.ok(pauses.slice(10).every((pause) => pause === DAY_MS))
  })

  it('is not asked about more often than every twenty seconds, if the network has it', () => {
    const pauses = pausesOf(true)
    assert.deepEqual(pauses.slice(0, 10), [20_000, 20_000, 20_000, 20_000, ...later])
    assert.ok(pauses.slice(10).every((pause) => pause === DAY_MS))
  })

  it('is asked about when the day is over after which a person is told', () => {
    const dayOver = updatedAt + DAY_MS
    assert.equal(askAgainAt(sent, 50, true, updatedAt), dayOver)
    assert.equal(askAgainAt(sent, 50, true, dayOver - 1), dayOver)
    assert.equal(askAgainAt(sent, 50, true, dayOver), dayOver + DAY_MS)
    assert.equal(askAgainAt(sent, 5, true, updatedAt), updatedAt + MINUTE_MS)
  })

  it('is for a person after a day, if it was handed over', () => {
    for (const stage of PAYOUT_STAGES) {
      const payout = { ...sent, stage }
      assert.equal(isUnresolved(payout, updatedAt + DAY_MS - 1), false)
      assert.equal(isUnresolved(payout, updatedAt + DAY_MS), stage === 'SENDING' || stage === 'SENT')
    }
  })
})
