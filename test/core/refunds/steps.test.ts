// What a refund is made of, which of its fields each step changes, and how many people must approve it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { instantOfId } from '../../../src/core/ids.ts'
import { DAY_MS } from '../../../src/core/instant.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import type { Payout } from '../../../src/core/payouts/payout.ts'
import {
  isPaidAfterAll,
  type NamedKey,
  newRefund,
  REFUND_STAGES,
  type Refund,
  type RefundRequest,
  refundApprovers,
  refundableInCents,
} from '../../../src/core/refunds/refund.ts'
import {
  approveRefund,
  awaitFunds,
  cancelChargedBack,
  cancelRefund,
  claimRefund,
  declineRefund,
  expireClaim,
  followPayout,
  givenBack,
  isOvertaken,
  NO_CHANGE,
  payBy,
  type RefundStep,
  refundBookings,
  refusedByRail,
  reserveWaiting,
  sendOverRail,
} from '../../../src/core/refunds/settle.ts'
import { changedFieldsOf } from '../changed-fields.ts'

const REFUND_ID = '0199a0b0-0000-7000-8000-000000000009'
const CREATED = instantOfId(REFUND_ID)
const NOW = CREATED + 60_000
const payin = {
  ...{ organizationId: 'o', payinId: 'p', status: 'CONFIRMED', source: { rail: 'PSE' } },
  ...{ confirmedAmountInCents: 100n, chargedBackInCents: 0n, refundHeldInCents: 0n },
} as unknown as Payin
const REQUEST: RefundRequest = {
  amountInCents: 10n,
  reason: 'DEFECTIVE',
  way: 'RAIL',
  credentialId: 'k',
  isAsked: false,
}
const named = {
  receiver: { sealed: 'receiver' },
  keyType: 'PHONE',
  claim: { match: 'SAME', holderName: 'A', participant: 'B', lastFour: null, claimedAt: CREATED },
} as unknown as NamedKey
const NEW = newRefund(payin, REFUND_ID, REQUEST)
// With everything that an end takes away.
const full = (stage: Refund['stage'], changes: Partial<Refund> = {}): Refund => ({
  ...NEW,
  ...named,
  ...{ stage, version: 4, way: 'KEY', reservedInCents: 10n, depositInCents: 10n },
  ...{ claimExpiresAt: NOW + 1, errorCode: 'QUIET_HOURS' },
  ...changes,
})
const told = (refund: Refund, step: RefundStep | undefined) => changedFieldsOf(refund, step?.next)
const MOVED = { version: 5, updatedAt: NOW }
const ENDED = {
  ...MOVED,
  stage: 'DONE',
  reservedInCents: 0n,
  depositInCents: 0n,
  receiver: null,
  keyType: null,
  claimExpiresAt: null,
  resultAt: NOW,
} as const

describe('a new refund', () => {
  const made = {
    organizationId: 'o',
    refundId: REFUND_ID,
    payinId: 'p',
    version: 1,
    status: 'PROCESSING',
    stage: 'READY',
    way: 'RAIL',
    amountInCents: 10n,
    currency: 'COP',
    reason: 'DEFECTIVE',
    rail: 'PSE',
    errorCode: null,
    networkCode: null,
    traceId: null,
    receiver: null,
    keyType: null,
    claim: null,
    claimAttempts: 0,
    claimExpiresAt: null,
    payoutId: null,
    reservedInCents: 0n,
    depositInCents: 0n,
    credentialId: 'k',
    createdAt: CREATED,
    updatedAt: CREATED,
    resultAt: null,
    returnedAt: null,
  }
  const forms: [what: string, Partial<RefundRequest>, object][] = [
    ['over its rail is ready', {}, {}],
    ['to a named key is ready, and has the key', { way: 'KEY', named }, { way: 'KEY', ...named }],
    [
      'to its payer waits thirty days for a key',
      { way: 'CLAIM' },
      { way: 'CLAIM', stage: 'AWAITING_CLAIM', claimExpiresAt: CREATED + 30 * DAY_MS },
    ],
    ['that others must approve waits for them', { isAsked: true }, { stage: 'AWAITING_APPROVAL' }],
    [
      'to its payer waits for those who approve it first',
      { way: 'CLAIM', isAsked: true },
      { way: 'CLAIM', stage: 'AWAITING_APPROVAL' },
    ],
  ]
  for (const [what, request, changes] of forms)
    it(what, () =>
      assert.deepEqual(newRefund(payin, REFUND_ID, { ...REQUEST, ...request }), { ...made, ...changes }),
    )
})

describe('a step of a refund changes this and nothing else', () => {
  const waiting = full('AWAITING_CLAIM')
  const sending = full('SENDING')
  const paying = full('PAYING', { payoutId: 'one', reservedInCents: 0n, depositInCents: 0n })
  const payout = (changes: Partial<Payout>) =>
    ({
      stage: 'DONE',
      errorCode: null,
      networkCode: 'N1',
      traceId: 'E2E1',
      returnedAt: null,
      ...changes,
    }) as Payout
  const follow = (refund: Refund, changes: Partial<Payout>) => followPayout(refund, payout(changes), NOW)
  const endedPaying = { ...ENDED }
  const { reservedInCents: _, depositInCents: __, ...endedWithoutMoney } = endedPaying
  const steps: [what: string, Refund, RefundStep | undefined, Partial<Refund>][] = [
    [
      'sent over its rail',
      full('READY'),
      sendOverRail(full('READY'), NOW),
      { ...MOVED, stage: 'SENDING', errorCode: null },
    ],
    [
      'taken over by a payout',
      full('READY'),
      payBy(full('READY'), 'one', NOW),
      {
        ...{ ...MOVED, stage: 'PAYING', errorCode: null, payoutId: 'one', receiver: null, keyType: null },
        ...{ reservedInCents: 0n, depositInCents: 0n },
      },
    ],
    ['reserved while it waits', waiting, reserveWaiting(waiting, NOW), MOVED],
    [
      'held up by a limit',
      full('READY'),
      awaitFunds(full('READY'), full('READY', { reservedInCents: 7n }), 'PAYOUT_LIMIT_REACHED', NOW),
      { ...MOVED, stage: 'AWAITING_FUNDS', errorCode: 'PAYOUT_LIMIT_REACHED', reservedInCents: 7n },
    ],
    [
      'given back',
      sending,
      givenBack(sending, 'T1', NOW),
      { ...ENDED, status: 'CONFIRMED', errorCode: null, traceId: 'T1' },
    ],
    [
      'refused by its rail',
      sending,
      refusedByRail(sending, 'N1', NOW),
      { ...ENDED, status: 'DECLINED', errorCode: 'RAIL_ERROR', networkCode: 'N1' },
    ],
    [
      'overtaken by a chargeback',
      waiting,
      cancelChargedBack(waiting, NOW),
      { ...ENDED, status: 'CANCELED', errorCode: 'CHARGED_BACK' },
    ],
    [
      'refused by a person',
      waiting,
      declineRefund(waiting, 'RISK_REJECTED', NOW),
      { ...ENDED, status: 'DECLINED', errorCode: 'RISK_REJECTED' },
    ],
    [
      'not claimed in time',
      waiting,
      expireClaim(waiting, NOW + 1),
      { ...ENDED, updatedAt: NOW + 1, resultAt: NOW + 1, status: 'CANCELED', errorCode: 'CLAIM_EXPIRED' },
    ],
    [
      'approved',
      full('AWAITING_APPROVAL'),
      approveRefund(full('AWAITING_APPROVAL'), NOW),
      { ...MOVED, stage: 'READY' },
    ],
    [
      'approved, with the key that its payer has named',
      full('AWAITING_APPROVAL', { way: 'CLAIM' }),
      approveRefund(full('AWAITING_APPROVAL', { way: 'CLAIM' }), NOW),
      { ...MOVED, stage: 'READY' },
    ],
    [
      'approved, for its payer to name a key',
      full('AWAITING_APPROVAL', { way: 'CLAIM', receiver: null }),
      approveRefund(full('AWAITING_APPROVAL', { way: 'CLAIM', receiver: null }), NOW),
      { ...MOVED, stage: 'AWAITING_CLAIM', claimExpiresAt: NOW + 30 * DAY_MS },
    ],
    [
      'claimed',
      full('AWAITING_CLAIM', { receiver: null, keyType: null, claim: null }),
      claimRefund(full('AWAITING_CLAIM', { receiver: null, keyType: null, claim: null }), named, false, NOW),
      { ...MOVED, ...named, stage: 'READY', errorCode: null, claimExpiresAt: null },
    ],
    [
      'claimed with a key that others must approve',
      waiting,
      claimRefund(waiting, named, true, NOW),
      { ...MOVED, stage: 'AWAITING_APPROVAL', errorCode: null, claimExpiresAt: null },
    ],
    [
      'paid by its payout',
      paying,
      follow(paying, { status: 'CONFIRMED' }),
      { ...endedWithoutMoney, status: 'CONFIRMED', errorCode: null, traceId: 'E2E1', networkCode: 'N1' },
    ],
    [
      'canceled with its payout',
      paying,
      follow(paying, { status: 'CANCELED', errorCode: 'CANCELED_BY_MERCHANT' }),
      { ...endedWithoutMoney, status: 'CANCELED', errorCode: 'CANCELED_BY_MERCHANT' },
    ],
    [
      'asked for another key',
      paying,
      follow(paying, { status: 'DECLINED', errorCode: 'RECEIVER_LIMIT_EXCEEDED' }),
      {
        ...{ ...MOVED, stage: 'AWAITING_CLAIM', way: 'CLAIM', errorCode: 'RECEIVER_LIMIT_EXCEEDED' },
        ...{ receiver: null, keyType: null, claim: null, claimExpiresAt: NOW + 30 * DAY_MS },
      },
    ],
    [
      'paid after its payout was declined',
      paying,
      follow(paying, { status: 'DECLINED', stage: 'STOPPED' }),
      { ...endedWithoutMoney, status: 'DECLINED', errorCode: 'RAIL_ERROR', networkCode: 'N1' },
    ],
    [
      'paid after it had ended',
      full('DONE', { status: 'CANCELED', payoutId: 'one' }),
      follow(full('DONE', { status: 'CANCELED', payoutId: 'one' }), { status: 'DECLINED', stage: 'STOPPED' }),
      { ...MOVED, errorCode: 'RAIL_ERROR', networkCode: 'N1' },
    ],
    [
      'returned after it was paid',
      full('DONE', { status: 'CONFIRMED' }),
      follow(full('DONE', { status: 'CONFIRMED' }), { status: 'CONFIRMED', returnedAt: NOW - 1 }),
      { ...MOVED, returnedAt: NOW - 1 },
    ],
  ]
  for (const [what, before, step, changes] of steps)
    it(what, () => assert.deepEqual(told(before, step), changes))

  it('its cancelation, unless its rail was asked already', () => {
    const cancelable = REFUND_STAGES.filter((stage) => cancelRefund(full(stage), NOW) !== undefined)
    assert.deepEqual(cancelable, ['READY', 'AWAITING_FUNDS', 'AWAITING_CLAIM', 'AWAITING_APPROVAL', 'PAYING'])
    for (const stage of cancelable)
      assert.deepEqual(
        told(full(stage), cancelRefund(full(stage), NOW)),
        { ...ENDED, status: 'CANCELED', errorCode: 'CANCELED_BY_MERCHANT' },
        stage,
      )
  })

  it('nothing, once it has ended or where it does not fit', () => {
    for (const status of ['CONFIRMED', 'CANCELED', 'DECLINED'] as const) {
      const over = full('DONE', { status })
      assert.deepEqual(cancelChargedBack(over, NOW), NO_CHANGE)
      assert.deepEqual(declineRefund(over, 'RISK_REJECTED', NOW), NO_CHANGE)
      assert.equal(claimRefund(over, named, false, NOW), undefined)
      assert.deepEqual(follow(over, { status: 'CONFIRMED' }), NO_CHANGE)
    }
    const ofOther = full('READY')
    for (const status of ['CONFIRMED', 'CANCELED', 'DECLINED'] as const)
      assert.deepEqual(follow(ofOther, { status }), NO_CHANGE)
    for (const stage of REFUND_STAGES.filter((one) => one !== 'SENDING'))
      assert.throws(() => givenBack(full(stage), null, NOW), new RegExp(`${stage} was not sent`))
    for (const stage of REFUND_STAGES.filter((one) => one !== 'AWAITING_CLAIM'))
      assert.deepEqual(expireClaim(full(stage, { claimExpiresAt: CREATED }), NOW), NO_CHANGE)
  })

  it('no end of a claim that has none', () => {
    const endless = full('AWAITING_CLAIM', { claimExpiresAt: null })
    assert.deepEqual(expireClaim(endless, NOW), NO_CHANGE)
    assert.equal(claimRefund(endless, named, false, NOW)?.next?.stage, 'READY')
  })
})

describe('what a refund is of its payin', () => {
  it('what is left to give back is what arrived, without what was taken back and what refunds hold', () => {
    const left = (changes: Partial<Payin>) => refundableInCents({ ...payin, ...changes })
    assert.equal(left({}), 100n)
    assert.equal(left({ chargedBackInCents: 30n, refundHeldInCents: 50n }), 20n)
    assert.equal(left({ chargedBackInCents: 60n, refundHeldInCents: 40n }), 0n)
    assert.equal(left({ chargedBackInCents: 60n, refundHeldInCents: 50n }), 0n)
    assert.equal(left({ status: 'CANCELED' }), 0n)
  })

  it('it is overtaken when refunds hold more than was not taken back', () => {
    const overtaken = (changes: Partial<Payin>) => isOvertaken({ ...payin, ...changes })
    assert.equal(overtaken({ chargedBackInCents: 60n, refundHeldInCents: 40n }), false)
    assert.equal(overtaken({ chargedBackInCents: 60n, refundHeldInCents: 41n }), true)
    assert.equal(overtaken({ confirmedAmountInCents: null, refundHeldInCents: 1n }), true)
    assert.equal(overtaken({ confirmedAmountInCents: null }), false)
  })

  it('it was paid after all only by a payout, whichever way it had ended', () => {
    const paid = { errorCode: 'RAIL_ERROR', payoutId: 'one' } as const
    const isSo = (changes: Partial<Refund>) => isPaidAfterAll(full('DONE', { ...paid, ...changes }))
    assert.deepEqual([isSo({ status: 'DECLINED' }), isSo({ status: 'CANCELED' })], [true, true])
    assert.equal(isSo({ status: 'CONFIRMED' }), false)
    assert.equal(isSo({ status: 'PROCESSING' }), false)
    assert.equal(isSo({ status: 'DECLINED', payoutId: null }), false)
    assert.equal(isSo({ status: 'DECLINED', errorCode: 'CLAIM_EXPIRED' }), false)
  })

  it('what was set aside is booked as given back when it is, and not once more', () => {
    const before = full('SENDING', { depositInCents: 0n })
    const after = givenBack(before, null, NOW).next as Refund
    assert.deepEqual(refundBookings(before, after), [['refund given back', 10n]])
    assert.deepEqual(refundBookings(null, full('READY', { depositInCents: 4n })), [
      ['refund reserved', 6n],
      ['refund reserved from deposits', 4n],
    ])
    assert.deepEqual(refundBookings(null, NEW), [])
  })
})

describe('the people who must approve a refund', () => {
  const rule = (kind: 'refund' | 'payout', approvers: 0 | 1 | 2, fromInCents = 10n) => ({
    kind,
    tiers: [{ fromInCents, approvers }],
  })
  const asked = (rules: Parameters<typeof refundApprovers>[0], refund: Partial<Refund> = {}) =>
    refundApprovers(rules, { ...NEW, ...refund })
  const ofOther = { claim: { match: 'OTHER' } as Refund['claim'] }

  it('are as many as the rules ask, and by payout no fewer than a payout takes', () => {
    assert.equal(asked([]), 0)
    assert.equal(asked([rule('refund', 2)]), 2)
    assert.equal(asked([rule('refund', 2, 11n)]), 0)
    assert.equal(asked([rule('payout', 2)]), 0)
    for (const way of ['KEY', 'CLAIM'] as const) {
      assert.equal(asked([rule('payout', 2)], { way }), 2, way)
      assert.equal(asked([rule('refund', 1), rule('payout', 2)], { way }), 2, way)
      assert.equal(asked([rule('refund', 2), rule('payout', 1)], { way }), 2, way)
    }
  })

  it('are one at least for a key that is not shown to be the payer’s', () => {
    assert.equal(asked([], ofOther), 1)
    assert.equal(asked([], { claim: { match: 'UNKNOWN' } as Refund['claim'] }), 1)
    assert.equal(asked([], { claim: { match: 'SAME' } as Refund['claim'] }), 0)
    assert.equal(asked([rule('refund', 2)], ofOther), 2)
    assert.equal(asked([rule('refund', 1)], ofOther), 1)
  })
})
