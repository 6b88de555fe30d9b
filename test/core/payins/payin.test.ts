// A payin on a payment link's page: how long it may be paid, and that the payment which decided it is remembered.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createIdSource, instantOfId } from '../../../src/core/ids.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { newOrganization } from '../../../src/core/organizations/organization.ts'
import { newPayin, type Payin } from '../../../src/core/payins/payin.ts'
import { settlePayin } from '../../../src/core/payins/settle.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const organization = newOrganization('0199a0b0-0000-7000-8000-000000000001', 'Café La Palma', NOW)
const LINK_ID = '0199a0b0-0000-7000-8000-000000000003'
const payinId = createIdSource((count) => new Uint8Array(count))(NOW)
const request = {
  amountInCents: 5_000_000n,
  reference: 'order-1',
  customer: null,
  callbackUrl: null,
  way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
} as const
const attempt = (linkExpiresAt: number): Payin =>
  newPayin(organization, payinId, request, { paymentLinkId: LINK_ID, linkExpiresAt })

describe('an attempt on a payment link', () => {
  it('may be paid for as long as the organization says, and never longer than its link', () => {
    assert.equal(instantOfId(payinId), NOW)
    assert.equal(newPayin(organization, payinId, request).expiresAt, NOW + 15 * MINUTE_MS)
    assert.equal(attempt(NOW + HOUR_MS).expiresAt, NOW + 15 * MINUTE_MS)
    assert.equal(attempt(NOW + 4 * MINUTE_MS).expiresAt, NOW + 4 * MINUTE_MS)
  })

  const ways = {
    'confirms it': { update: {}, facts: {} },
    'is of another amount': { update: { amountInCents: 1n }, facts: {} },
    'comes after its link has ended': { update: {}, facts: { linkHasEnded: true } },
  }
  for (const [what, { update, facts }] of Object.entries(ways)) {
    it(`remembers the payment that ${what}: the same payment is not counted again`, () => {
      const payin = attempt(NOW + HOUR_MS)
      const paid = {
        kind: 'payin.paid',
        amountInCents: 5_000_000n,
        paymentId: 'the payment',
        ...update,
      } as const
      const known = { paymentId: null, onAmountMismatch: 'decline', ...facts } as const
      const step = settlePayin(payin, paid, known, NOW)
      assert.equal(step.paymentId, 'the payment')
      const again = settlePayin(step.next as Payin, paid, { ...known, paymentId: step.paymentId }, NOW)
      assert.deepEqual(again, {})
    })
  }
})
