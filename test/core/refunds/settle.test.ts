// What becomes of a refund: what its payout came to, how long the payer has to name a key, and whose key it is.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '../../../src/core/instant.ts'
import type { Payout } from '../../../src/core/payouts/payout.ts'
import { compareDocuments } from '../../../src/core/refunds/compare.ts'
import {
  givenBackInCents,
  heldInCents,
  type NamedKey,
  type Refund,
} from '../../../src/core/refunds/refund.ts'
import {
  approveRefund,
  awaitFunds,
  claimRefund,
  expireClaim,
  followPayout,
  isClaimable,
  NO_CHANGE,
  payBy,
  sendOverRail,
} from '../../../src/core/refunds/settle.ts'

const NOW = Date.UTC(2026, 10, 17)
const PAYING = {
  ...{ version: 3, status: 'PROCESSING', stage: 'PAYING', way: 'KEY', amountInCents: 10n, payoutId: 'one' },
  ...{ reservedInCents: 0n, depositInCents: 0n, claim: { match: 'SAME' }, claimExpiresAt: null },
  ...{ errorCode: null, returnedAt: null },
} as unknown as Refund
const payout = (changes: Partial<Payout>) =>
  ({
    stage: 'DONE',
    errorCode: null,
    networkCode: null,
    traceId: null,
    returnedAt: null,
    ...changes,
  }) as Payout
const follow = (refund: Refund, changes: Partial<Payout>): Refund =>
  followPayout(refund, payout(changes), NOW).next ?? refund
const held = (refund: Refund) => [heldInCents(refund), givenBackInCents(refund)]

describe('a refund that waits for money', () => {
  const waiting = { ...PAYING, stage: 'AWAITING_FUNDS', errorCode: 'INSUFFICIENT_FUNDS' } as Refund

  it('does not change for the same reason, so nobody is told twice', () => {
    assert.deepEqual(awaitFunds(waiting, waiting, 'INSUFFICIENT_FUNDS', NOW), NO_CHANGE)
  })

  it('changes for another reason, from another stage, and once its money is set aside', () => {
    const other = awaitFunds(waiting, waiting, 'QUIET_HOURS', NOW).next
    assert.deepEqual([other?.errorCode, other?.version], ['QUIET_HOURS', 4])
    const ready = { ...waiting, stage: 'READY' } as const
    assert.equal(awaitFunds(ready, ready, 'INSUFFICIENT_FUNDS', NOW).next?.stage, 'AWAITING_FUNDS')
    const reserved = { ...waiting, reservedInCents: 10n }
    const set = awaitFunds(waiting, reserved, 'INSUFFICIENT_FUNDS', NOW).next
    assert.deepEqual([set?.reservedInCents, set?.version], [10n, 4])
  })
})

describe('a refund that goes on', () => {
  const waited = {
    ...PAYING,
    stage: 'AWAITING_FUNDS',
    errorCode: 'QUIET_HOURS',
    reservedInCents: 10n,
  } as const

  it('says no longer what it waited for: over its rail, by a payout, or with another key', () => {
    const asked = { ...waited, stage: 'AWAITING_CLAIM', errorCode: 'KEY_NOT_FOUND' } as const
    const steps = [
      sendOverRail(waited, NOW),
      payBy(waited, 'two', NOW),
      claimRefund(asked, {} as NamedKey, false, NOW),
    ]
    assert.deepEqual(
      steps.map((step) => [step?.next?.stage, step?.next?.errorCode]),
      [
        ['SENDING', null],
        ['PAYING', null],
        ['READY', null],
      ],
    )
  })

  it('to its payer gives them thirty days from when it was approved', () => {
    const approved = { ...waited, way: 'CLAIM', receiver: null, createdAt: NOW - 7 * DAY_MS } as const
    assert.equal(approveRefund(approved, NOW).next?.claimExpiresAt, NOW + 30 * DAY_MS)
  })
})

describe('a refund whose payout was declined, and then paid', () => {
  it('has given it back, whatever it had come to, and once', () => {
    for (const status of ['CANCELED', 'DECLINED'] as const) {
      const over = { ...PAYING, status, stage: 'DONE', errorCode: 'CANCELED_BY_MERCHANT' } as Refund
      assert.deepEqual(held(over), [0n, 0n])
      const paid = follow(over, { status: 'DECLINED', stage: 'STOPPED', networkCode: 'late' })
      assert.deepEqual(
        [paid.status, paid.errorCode, paid.networkCode, paid.version, paid.updatedAt, ...held(paid)],
        [status, 'RAIL_ERROR', 'late', 4, NOW, 10n, 10n],
      )
      assert.equal(follow(paid, { status: 'DECLINED', stage: 'STOPPED' }), paid)
    }
  })
})

describe('a refund that a payout has', () => {
  it('does not change while the payout is on its way', () => {
    assert.equal(follow(PAYING, { status: 'PROCESSING', stage: 'SENT' }), PAYING)
    assert.deepEqual(held(PAYING), [10n, 0n])
  })

  it('has given back once it is paid, and no longer when the money comes back', () => {
    const paid = follow(PAYING, { status: 'CONFIRMED' })
    assert.deepEqual([paid.status, paid.stage, ...held(paid)], ['CONFIRMED', 'DONE', 10n, 10n])
    const returned = follow(paid, { status: 'CONFIRMED', returnedAt: NOW })
    assert.deepEqual([returned.status, returned.returnedAt, ...held(returned)], ['CONFIRMED', NOW, 0n, 0n])
    assert.equal(follow(returned, { status: 'CONFIRMED', returnedAt: NOW }), returned)
    const later = followPayout(paid, payout({ status: 'CONFIRMED', returnedAt: NOW }), NOW + 1).next
    assert.deepEqual([later?.returnedAt, later?.updatedAt], [NOW, NOW + 1])
  })

  it('ends with a payout that the merchant has canceled: nobody is asked for a key', () => {
    const canceled = follow(PAYING, { status: 'CANCELED', errorCode: 'CANCELED_BY_MERCHANT' })
    assert.deepEqual([canceled.status, canceled.stage, ...held(canceled)], ['CANCELED', 'DONE', 0n, 0n])
  })

  it('asks the payer for another key if the payout was refused, and gives all the time for it', () => {
    const late = { ...PAYING, claimExpiresAt: NOW + 1 }
    for (const status of ['DECLINED', 'CANCELED'] as const) {
      const asked = follow(late, { status, errorCode: 'RECEIVER_ACCOUNT_INVALID' })
      assert.deepEqual(
        [asked.status, asked.stage, asked.way, asked.errorCode],
        ['PROCESSING', 'AWAITING_CLAIM', 'CLAIM', 'RECEIVER_ACCOUNT_INVALID'],
      )
      assert.deepEqual([asked.claim, asked.receiver, asked.keyType], [null, null, null])
      assert.equal(asked.claimExpiresAt, NOW + 30 * DAY_MS)
      assert.deepEqual(held(asked), [10n, 0n])
    }
  })

  it('that was paid after all counts as given back, and nobody is asked again', () => {
    const after = follow(PAYING, { status: 'DECLINED', stage: 'STOPPED' })
    assert.deepEqual([after.status, after.errorCode, ...held(after)], ['DECLINED', 'RAIL_ERROR', 10n, 10n])
  })
})

describe('a key that the payer names', () => {
  const waiting = { ...PAYING, stage: 'AWAITING_CLAIM', claimExpiresAt: NOW } as Refund

  it('counts until the time is over, and not at its end', () => {
    assert.equal(isClaimable(waiting, NOW - 1), true)
    assert.equal(isClaimable(waiting, NOW), false)
    assert.deepEqual(expireClaim(waiting, NOW - 1), {})
    assert.equal(expireClaim(waiting, NOW).next?.errorCode, 'CLAIM_EXPIRED')
  })

  it('is theirs only if both documents are known as a whole and are the same', () => {
    const own = { idType: 'CO_CC', idNumber: '1020304050' }
    assert.equal(compareDocuments(own, { idType: 'CO_CC', idNumber: '1.020.304.050' }), 'SAME')
    assert.equal(compareDocuments(own, { idType: 'CO_CC', idNumber: '1020304051' }), 'OTHER')
    for (const unknown of [null, '******4050', '-', ''].map((idNumber) => ({ idType: 'CO_CC', idNumber }))) {
      assert.equal(compareDocuments(own, unknown), 'UNKNOWN', String(unknown.idNumber))
      assert.equal(compareDocuments(unknown, own), 'UNKNOWN', String(unknown.idNumber))
    }
    assert.equal(compareDocuments(null, own), 'UNKNOWN')
  })
})
