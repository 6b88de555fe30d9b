// Payins, payouts and refunds as merchants see them: each field, in each form that it has.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { presentPayin, presentPayinInList } from '../../src/core/payins/object.ts'
import { openPayinPageToken, payinPageToken } from '../../src/core/payins/page-token.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import { presentPayout } from '../../src/core/payouts/object.ts'
import type { Payout } from '../../src/core/payouts/payout.ts'
import { openRefundClaimToken, refundClaimToken } from '../../src/core/refunds/claim-token.ts'
import { presentRefund, type RefundReader } from '../../src/core/refunds/object.ts'
import type { Refund } from '../../src/core/refunds/refund.ts'
import { deriveKeys, sealToken } from '../../src/core/seal.ts'

const ID = '0199a0b0-0000-7000-8000-000000000001'
const T = Date.parse('2026-11-17T15:00:00.000Z')
const at = (minutes: number) => T + minutes * 60_000
const iso = (minutes: number) => new Date(at(minutes)).toISOString()
const presenter = { checkoutUrl: 'https://pay.example', keys: deriveKeys(Buffer.alloc(32)) }
const customer = { name: 'Ana', idType: 'CO_CC', idNumber: '1', phone: '', email: '' }

describe('a payin, as it is shown', () => {
  const payin = {
    ...{ organizationId: ID, payinId: ID, version: 3, connection: null, status: 'CONFIRMED' },
    ...{ settlementStatus: 'PENDING_SETTLEMENT', amountInCents: 12_345n, confirmedAmountInCents: 12_340n },
    ...{ currency: 'COP', reference: 'order-1', paymentLinkId: 'link', customer, note: null },
    ...{ callbackUrl: 'https://shop.example/', errorCode: 'EXPIRED' },
    ...{ source: { rail: 'PSE', bank: 'CO_NEQUI', personType: 'INDIVIDUAL' }, createdAt: at(0) },
    ...{ updatedAt: at(1), expiresAt: at(15), resultAt: at(2), chargebackAt: at(3) },
    ...{ chargedBackInCents: 40n, refundHeldInCents: 9n, refundedInCents: 7n },
  } as unknown as Payin
  const { sourceData, ...shown } = presentPayin(presenter, payin)

  it('has its money, its people, its times and its source', () => {
    assert.deepEqual(shown, {
      id: ID,
      amount: 123.45,
      amountInCents: 12_345,
      confirmedAmount: 123.4,
      confirmedAmountInCents: 12_340,
      currency: 'COP',
      status: 'CONFIRMED',
      settlementStatus: 'PENDING_SETTLEMENT',
      rail: 'PSE',
      reference: 'order-1',
      description: null,
      metadata: null,
      paymentLinkId: 'link',
      inlineCustomer: customer,
      errorCode: 'EXPIRED',
      createdAt: iso(0),
      updatedAt: iso(1),
      expiresAt: iso(15),
      resultAt: iso(2),
      chargebackAt: iso(3),
      chargebackAmountInCents: 40,
      refundedAmountInCents: 7,
      organizationId: ID,
      callbackUrl: 'https://shop.example/',
    })
    const { bank, pseUrl, ...rest } = sourceData as Record<string, string>
    assert.deepEqual([bank, rest], ['CO_NEQUI', {}])
    assert.match(pseUrl ?? '', /^https:\/\/pay\.example\/pay\/[\w.-]+$/)
  })

  it('has nothing where nothing has come yet, and one name in lists', () => {
    const open = {
      ...payin,
      confirmedAmountInCents: null,
      chargebackAt: null,
      resultAt: null,
      updatedAt: at(0),
    }
    const young = presentPayin(presenter, open)
    assert.deepEqual(
      [
        young.confirmedAmount,
        young.confirmedAmountInCents,
        young.chargebackAt,
        young.chargebackAmountInCents,
      ],
      [null, null, null, null],
    )
    assert.deepEqual([young.resultAt, young.createdAt, young.updatedAt], [null, iso(0), iso(0)])
    assert.equal(presentPayinInList(presenter, payin, 'Ana').inlineCustomer, 'Ana')
    assert.equal(presentPayinInList(presenter, payin, null).inlineCustomer, null)
  })

  it('over Bre-B has its key, and its code where it has one', () => {
    const sourceOf = (qrPayload: string | null, keyType: string) => {
      const source = { rail: 'BRE_B', keyType, keyString: '@RC1', qrPayload } as unknown as Payin['source']
      const { checkoutUrl, ...rest } = presentPayin(presenter, { ...payin, source }).sourceData as Record<
        string,
        unknown
      >
      assert.match(String(checkoutUrl), /^https:\/\/pay\.example\/pay\/[\w.-]+$/)
      return rest
    }
    assert.deepEqual(sourceOf(null, 'SINGLE_USE'), { keyType: 'SINGLE_USE', keyString: '@RC1' })
    assert.deepEqual(sourceOf('0002', 'QR_CODE'), {
      keyType: 'QR_CODE',
      keyString: '@RC1',
      qrString: 'qr:0002',
      qrPayload: '0002',
    })
  })
})

describe('a payout, as it is shown', () => {
  const payout = {
    ...{ organizationId: ID, payoutId: ID, status: 'DECLINED', stage: 'DONE', amountInCents: 12_345n },
    ...{ currency: 'COP', reference: 'wages-1', receiver: { sealed: 'x' }, note: { sealed: 'x' } },
    ...{ errorCode: 'RISK_REJECTED', missingInCents: 5n, feeInCents: 3n, feeTaxInCents: 1n },
    ...{ createdAt: at(0), updatedAt: at(1), resultAt: at(2), returnedAt: at(3), refundId: 'r' },
  } as unknown as Payout

  it('has its money, its people, its times and whatever else there is', () => {
    const { sourceData, ...shown } = presentPayout(payout)
    assert.deepEqual(shown, {
      id: ID,
      amount: 123.45,
      amountInCents: 12_345,
      currency: 'COP',
      status: 'DECLINED',
      stage: null,
      rail: 'BRE_B',
      reference: 'wages-1',
      description: { sealed: 'x' },
      metadata: { sealed: true },
      inlineCustomer: { sealed: 'x' },
      errorCode: 'RISK_REJECTED',
      missingAmountInCents: 5,
      feeInCents: 3,
      feeTaxInCents: 1,
      createdAt: iso(0),
      updatedAt: iso(1),
      resultAt: iso(2),
      returnedAt: iso(3),
      refundId: 'r',
      organizationId: ID,
    })
    assert.notEqual(sourceData, undefined)
  })

  it('says nothing of what it lacks', () => {
    const receiver = { customer, keyString: '@ANA', keyStringSent: '@ana' }
    const bare = {
      ...payout,
      receiver,
      missingInCents: null,
      feeInCents: 0n,
      refundId: null,
      returnedAt: null,
    }
    const shown = presentPayout(bare)
    for (const field of ['missingAmountInCents', 'feeInCents', 'feeTaxInCents', 'refundId'])
      assert.ok(!(field in shown), field)
    assert.deepEqual(shown.sourceData, { keyString: '@ana', canonicalKeyString: '@ANA' })
    assert.deepEqual([shown.inlineCustomer, shown.returnedAt], [customer, null])
    assert.equal(presentPayout({ ...bare, stage: 'AWAITING_APPROVAL' }).stage, 'AWAITING_APPROVAL')
  })
})

describe('a refund, as it is shown', () => {
  const claim = {
    match: 'SAME',
    holderName: 'Ana***',
    participant: 'Nequi',
    lastFour: '1234',
    claimedAt: at(4),
  }
  const refund = {
    ...{ organizationId: ID, refundId: ID, payinId: 'p', version: 2, status: 'PROCESSING' },
    ...{ stage: 'AWAITING_CLAIM', way: 'CLAIM', amountInCents: 12_345n, currency: 'COP', reason: 'FRAUD' },
    ...{ errorCode: 'QUIET_HOURS', claim, claimExpiresAt: at(9), payoutId: 'o', reservedInCents: 12_345n },
    ...{ credentialId: 'k', createdAt: at(0), updatedAt: at(1), resultAt: at(2), returnedAt: at(3) },
  } as unknown as Refund
  const reader = (changes: Partial<RefundReader> = {}): RefundReader => ({
    ...{ kind: 'key', scopes: null, credentialId: 'k' },
    ...changes,
  })

  it('has its money, its reason and its times, and whose key was claimed', () => {
    assert.deepEqual(presentRefund(presenter, refund, null), {
      id: ID,
      payinId: 'p',
      amount: 123.45,
      amountInCents: 12_345,
      currency: 'COP',
      status: 'PROCESSING',
      stage: 'AWAITING_CLAIM',
      way: 'CLAIM',
      reason: 'FRAUD',
      legalDeadline: { rule: 'REVERSAL', day: '2026-12-09', isEstimate: true },
      errorCode: 'QUIET_HOURS',
      claimUrl: null,
      claimExpiresAt: iso(9),
      claim: { ...claim, claimedAt: iso(4) },
      payoutId: 'o',
      reservedAmountInCents: 12_345,
      createdAt: iso(0),
      updatedAt: iso(1),
      resultAt: iso(2),
      returnedAt: iso(3),
      organizationId: ID,
    })
    const bare = presentRefund(presenter, { ...refund, claim: null, reason: 'OTHER' }, null)
    assert.deepEqual([bare.claim, bare.legalDeadline], [null, null])
  })

  it('shows the address of its page to whoever asked for it, and to people who may ask and not approve', () => {
    const sees = (who: RefundReader, of: Refund = refund) =>
      presentRefund(presenter, of, who).claimUrl !== null
    assert.match(
      String(presentRefund(presenter, refund, reader()).claimUrl),
      /^https:\/\/pay\.example\/refund\/[\w.-]+$/,
    )
    assert.equal(sees(reader({ credentialId: 'other' })), false)
    const person = { kind: 'person', credentialId: 'other' } as const
    assert.equal(sees(reader({ ...person, scopes: ['refunds:write'] })), true)
    assert.equal(sees(reader({ ...person, scopes: ['refunds:write', 'approvals:write'] })), false)
    assert.equal(sees(reader({ ...person, scopes: ['payins:read'] })), false)
    assert.equal(sees(reader({ ...person, kind: 'client', scopes: ['refunds:write'] })), false)
    assert.equal(sees(reader(), { ...refund, stage: 'READY' }), false)
  })
})

describe('the address of a payer’s page', () => {
  const OTHER = '0199a0b0-0000-7000-8000-000000000002'

  it('names what it is of, and opens for that alone', () => {
    const { page } = presenter.keys
    const ofPayin = payinPageToken(page, { organizationId: ID, payinId: OTHER })
    assert.deepEqual(openPayinPageToken(page, ofPayin), { organizationId: ID, payinId: OTHER })
    assert.equal(openRefundClaimToken(page, ofPayin), undefined)
    const ofRefund = refundClaimToken(page, { organizationId: ID, refundId: OTHER })
    assert.deepEqual(openRefundClaimToken(page, ofRefund), { organizationId: ID, refundId: OTHER })
    assert.equal(openPayinPageToken(page, ofRefund), undefined)
    for (const [context, open] of [
      ['payin-page', openPayinPageToken],
      ['refund-claim', openRefundClaimToken],
    ] as const)
      for (const length of [16, 31, 33, 48])
        assert.equal(open(page, sealToken(page, Buffer.alloc(length), context)), undefined, `${length} bytes`)
  })
})
