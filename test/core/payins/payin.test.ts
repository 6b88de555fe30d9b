// A payin on a payment link's page: how long it may be paid, and that the payment which decided it is remembered.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createIdSource, instantOfId } from '../../../src/core/ids.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { newOrganization } from '../../../src/core/organizations/organization.ts'
import { newPayin, newTermsSince, type Payin, TERMS_CHANGED } from '../../../src/core/payins/payin.ts'
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

describe('terms that a provider has replaced since the payer accepted them', () => {
  const refused = (changes: Partial<Payin>): Payin => {
    const payin = attempt(NOW + HOUR_MS)
    const connection = { connectionId: LINK_ID, provider: 'wompi' } as const
    const source = { rail: 'PSE', bank: 'CO_NEQUI', personType: 'INDIVIDUAL' } as unknown as Payin['source']
    const progress = { ...payin.progress, stage: 'TO_OPEN', networkCode: TERMS_CHANGED } as const
    return { ...payin, connection, source, progress, updatedAt: NOW + 1, ...changes }
  }
  const accepted = { frozenOrder: { ...attempt(NOW + HOUR_MS).frozenOrder, acceptedTerms: {} as never } }

  it('are shown again to whoever has not accepted the new ones, and to nobody else', () => {
    assert.equal(newTermsSince(refused({ status: 'DECLINED' })), NOW + 1)
    assert.equal(newTermsSince(refused({})), NOW + 1)
    assert.equal(newTermsSince(refused(accepted)), null)
    assert.equal(newTermsSince(refused({ ...accepted, status: 'CONFIRMED' })), null)
    assert.equal(newTermsSince(attempt(NOW + HOUR_MS)), null)
    const atBank = { ...refused({}).progress, stage: 'OPEN' } as const
    assert.equal(newTermsSince(refused({ progress: atBank })), null)
    assert.equal(newTermsSince(refused({ progress: atBank, status: 'DECLINED' })), NOW + 1)
  })
})
