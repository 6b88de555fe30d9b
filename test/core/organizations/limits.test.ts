// Limits a day and quiet hours, by the clock of Bogotá.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  hasPayoutLimits,
  isLooser,
  limitsOf,
  parseQuietHours,
  quietUntil,
  reachedLimit,
  refusePayoutLimit,
  refuseQuietHours,
  UNLIMITED_CREDENTIAL,
  UNLIMITED_ORGANIZATION,
} from '../../../src/core/organizations/limits.ts'

const at = (text: string): number => Date.parse(text)

describe('quiet hours', () => {
  it('may cross midnight, begin with their first hour and end with the last one before them', () => {
    const until = (text: string) => quietUntil('22-06', at(text))
    assert.equal(until('2026-11-16T21:59:59.999-05:00'), null)
    assert.equal(until('2026-11-16T22:00:00.000-05:00'), at('2026-11-17T06:00:00-05:00'))
    assert.equal(until('2026-11-16T23:59:59.999-05:00'), at('2026-11-17T06:00:00-05:00'))
    assert.equal(until('2026-11-17T00:00:00.000-05:00'), at('2026-11-17T06:00:00-05:00'))
    assert.equal(until('2026-11-17T05:59:59.999-05:00'), at('2026-11-17T06:00:00-05:00'))
    assert.equal(until('2026-11-17T06:00:00.000-05:00'), null)
  })

  it('may be within a day', () => {
    const until = (text: string) => quietUntil('12-14', at(text))
    assert.equal(until('2026-11-16T11:59:59.999-05:00'), null)
    assert.equal(until('2026-11-16T12:00:00.000-05:00'), at('2026-11-16T14:00:00-05:00'))
    assert.equal(until('2026-11-16T13:59:59.999-05:00'), at('2026-11-16T14:00:00-05:00'))
    assert.equal(until('2026-11-16T14:00:00.000-05:00'), null)
    assert.equal(quietUntil(null, 0), null)
  })

  it('are two different hours', () => {
    assert.equal(parseQuietHours('22-6'), '22-06')
    assert.equal(parseQuietHours('00-23'), '00-23')
    for (const wrong of [
      '',
      '22',
      '22-22',
      '6-06',
      '24-06',
      '22-24',
      '22:00-06:00',
      '-1-6',
      ' 22-06',
      'none',
    ])
      assert.equal(parseQuietHours(wrong), null, wrong)
  })
})

describe('a limit of payouts a day', () => {
  const NONE = { payoutsPerDay: null, payoutSumPerDay: null }

  it('lets pass what fits exactly, and tells what is left', () => {
    const used = { payouts: 2, sumInCents: 700n }
    const reached = (limits: Partial<typeof NONE> | object, amount: bigint) =>
      reachedLimit('credential', { ...NONE, ...limits }, used, amount)
    assert.equal(reached({}, 10n ** 15n), undefined)
    assert.equal(reached({ payoutsPerDay: 3 }, 1n), undefined)
    assert.deepEqual(reached({ payoutsPerDay: 2 }, 1n), {
      owner: 'credential',
      kind: 'payouts',
      allowed: 2n,
      left: 0n,
    })
    assert.equal(reached({ payoutSumPerDay: 1_000n }, 300n), undefined)
    assert.equal(reached({ payoutSumPerDay: 1_000n }, 301n)?.left, 300n)
    assert.equal(reached({ payoutSumPerDay: 500n }, 1n)?.left, 0n, 'less than nothing is nothing')
  })

  it('is free again at midnight in Bogotá', () => {
    const reached = { owner: 'organization', kind: 'cents', allowed: 1_000n, left: 300n } as const
    const refusal = refusePayoutLimit(reached, at('2026-11-16T23:59:00-05:00'))
    assert.equal(refusal.refused, 'PAYOUT_LIMIT_REACHED')
    assert.match(
      refusal.detail,
      /organization may pay out 1000 cents a day: 300 cents are left until 2026-11-17T05:00:00.000Z/,
    )
    assert.equal(refusal.retryAfterSeconds, 60)
  })
})

describe('the limits of a credential', () => {
  const none = UNLIMITED_CREDENTIAL
  const some = {
    ...{ maxPerSecond: 5, payoutsPerDay: 6, payoutSumPerDay: 7n },
    allowedAddresses: ['203.0.113.7/32', '198.51.100.0/24'],
  }

  it('are none until the operator sets some', () => {
    const unlimited = { payoutsPerDay: null, payoutSumPerDay: null }
    assert.deepEqual(none, { ...unlimited, maxPerSecond: null, allowedAddresses: null })
    assert.deepEqual(UNLIMITED_ORGANIZATION, { ...unlimited, quietHours: null })
    assert.deepEqual(limitsOf({ ...some, more: 1 } as typeof some), some)
    assert.deepEqual(
      [{}, { payoutsPerDay: 1 }, { payoutSumPerDay: 1n }].map((one) =>
        hasPayoutLimits({ ...unlimited, ...one }),
      ),
      [false, true, true],
    )
  })

  it('are looser if they allow more in any way, and not if they allow less', () => {
    const looser = (changes: object) => isLooser(some, { ...some, ...changes })
    assert.equal(looser({}), false)
    for (const less of [
      { maxPerSecond: 4 },
      { payoutsPerDay: 0 },
      { payoutSumPerDay: 6n },
      { allowedAddresses: [] },
    ])
      assert.equal(looser(less), false, Object.keys(less).join())
    assert.equal(looser({ allowedAddresses: ['198.51.100.0/24'] }), false)
    const more = [
      ...[{ maxPerSecond: 6 }, { maxPerSecond: null }, { payoutsPerDay: 7 }, { payoutsPerDay: null }],
      ...[{ payoutSumPerDay: 8n }, { payoutSumPerDay: null }, { allowedAddresses: null }],
      { allowedAddresses: ['198.51.100.0/24', '192.0.2.1/32'] },
    ]
    for (const one of more) assert.equal(looser(one), true, Object.entries(one).join())
    for (const tighter of [some, none, { ...none, allowedAddresses: [] }])
      assert.equal(isLooser(none, tighter), false)
  })
})

describe('what is refused', () => {
  it('in quiet hours says from when to when, and how long they last', () => {
    const endsAt = at('2026-11-17T06:00:00-05:00')
    assert.deepEqual(refuseQuietHours('22-06', endsAt, endsAt - 90_500), {
      refused: 'QUIET_HOURS',
      detail:
        'This organization pays out nothing from 22:00 until 06:00 in Bogotá: they end at 2026-11-17T11:00:00.000Z.',
      retryAfterSeconds: 91,
    })
    assert.equal(refuseQuietHours('22-06', endsAt, endsAt).retryAfterSeconds, 1)
  })

  it('over a limit says whose it is', () => {
    const reached = { owner: 'credential', kind: 'payouts', allowed: 2n, left: 0n } as const
    const { detail } = refusePayoutLimit(reached, at('2026-11-16T23:59:00-05:00'))
    assert.equal(
      detail,
      'This key or client may pay out 2 payouts a day: 0 payouts are left until 2026-11-17T05:00:00.000Z.',
    )
  })
})
