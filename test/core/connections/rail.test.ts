// How much one payment may carry, and what a payment is called where it was made.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { maximumInCents, widestMaximumInCents } from '../../../src/core/connections/rail.ts'
import { providerTrace } from '../../../src/core/connections/trace.ts'
import { PUC_ENTRIES, PUC_PATTERN } from '../../../src/core/ledger/accounting.ts'
import { isTooOldToTell } from '../../../src/core/ledger/alarm-telling.ts'

const at = (text: string): number => Date.parse(text)

it('a payment over Bre-B carries a thousand UVB of its year in Bogotá, and over PSE what the operator says', () => {
  const caps: [when: string, inCents: bigint][] = [
    ['2024-06-01T00:00:00-05:00', 1_155_200_000n],
    ['2025-01-01T00:00:00-05:00', 1_155_200_000n],
    ['2025-12-31T23:59:59-05:00', 1_155_200_000n],
    ['2026-01-01T00:00:00-05:00', 1_211_000_000n],
    ['2031-01-01T00:00:00-05:00', 1_211_000_000n],
  ]
  for (const [when, inCents] of caps) assert.equal(maximumInCents('BRE_B', at(when), 7n), inCents, when)
  assert.equal(maximumInCents('PSE', at('2026-01-01T00:00:00Z'), 7n), 7n)
})

it('of several rails the widest counts, whichever it is', () => {
  const now = at('2026-11-17T12:00:00Z')
  const breb = 1_211_000_000n
  assert.equal(widestMaximumInCents([], now, 7n), null)
  assert.equal(widestMaximumInCents(['PSE'], now, 7n), 7n)
  assert.equal(widestMaximumInCents(['PSE', 'BRE_B'], now, 7n), breb)
  assert.equal(widestMaximumInCents(['BRE_B', 'PSE'], now, breb + 1n), breb + 1n)
})

it('a provider’s payment is called by the provider’s title and its own id, and a network’s by nobody’s', () => {
  assert.deepEqual(providerTrace('wompi:1292-5'), { title: 'Wompi', id: '1292-5' })
  assert.deepEqual(providerTrace('placetopay:a:b'), { title: 'PlacetoPay', id: 'a:b' })
  for (const none of [null, '', '1292', 'wompi1292', 'other:1', 'x wompi:1'])
    assert.equal(providerTrace(none), undefined)
})

it('an alarm that is two days old is told to nobody by e-mail', () => {
  const twoDays = 2 * 86_400_000
  assert.deepEqual([isTooOldToTell(5, twoDays + 5), isTooOldToTell(5, twoDays + 6)], [false, true])
})

it('an account of an accountant has one digit or an even number of them, and each column may have one', () => {
  const pattern = new RegExp(PUC_PATTERN)
  for (const account of ['1', '13', '1305', '130505', '13050501', '1234567890', '123456789012'])
    assert.match(account, pattern)
  for (const account of ['', '130', '13050', '12345678901234', 'a', '13 05'])
    assert.doesNotMatch(account, pattern)
  assert.deepEqual(PUC_ENTRIES, [
    ...[
      'balance',
      'confirmed',
      'settled',
      'attached',
      'refunded',
      'chargedBack',
      'paidOut',
      'payoutsReturned',
    ],
    ...['deposited', 'withdrawn', 'fees', 'feeTax', 'withheld', 'suspenseIn', 'suspenseOut', 'movementTax'],
  ])
})
