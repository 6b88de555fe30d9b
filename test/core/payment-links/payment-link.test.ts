// What a payment link is made of, how it ends, and what is shown and told of it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { instantOfId } from '../../../src/core/ids.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import {
  endLink,
  linkEventData,
  linkUrl,
  newPaymentLink,
  type PaymentLink,
  presentLink,
  readLinkToken,
} from '../../../src/core/payment-links/payment-link.ts'
import { changedFieldsOf } from '../changed-fields.ts'

const ORGANIZATION_ID = '0199a0b0-0000-7000-8000-000000000001'
const LINK_ID = '0199a0b0-0000-7000-8000-000000000005'
const TOKEN = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
const CREATED = instantOfId(LINK_ID)
const NOW = CREATED + 60_000
const REQUEST = {
  amountInCents: 123_456n,
  reference: 'order-1',
  callbackUrl: 'https://shop.example/paid',
  rail: null,
  customer: null,
  bank: null,
}
const link = newPaymentLink(ORGANIZATION_ID, LINK_ID, TOKEN, REQUEST)

describe('a payment link', () => {
  it('waits for an hour for its payer', () => {
    assert.deepEqual(link, {
      ...REQUEST,
      organizationId: ORGANIZATION_ID,
      paymentLinkId: LINK_ID,
      token: TOKEN,
      version: 1,
      status: 'PENDING',
      currency: 'COP',
      note: null,
      paymentPageId: null,
      pieces: null,
      createdAt: CREATED,
      updatedAt: CREATED,
      expiresAt: CREATED + HOUR_MS,
      completedAt: null,
    })
    const ofPage = newPaymentLink(ORGANIZATION_ID, LINK_ID, TOKEN, {
      ...REQUEST,
      paymentPageId: 'p',
      pieces: 2,
    })
    assert.deepEqual([ofPage.paymentPageId, ofPage.pieces], ['p', 2])
  })

  it('ends once: paid, which has a time of its own, or expired', () => {
    const paid = endLink(link, 'complete', NOW)
    const ended = { version: 2, updatedAt: NOW }
    assert.deepEqual(changedFieldsOf<PaymentLink>(link, paid), {
      ...ended,
      status: 'COMPLETED',
      completedAt: NOW,
    })
    const over = endLink(link, 'expire', NOW)
    assert.deepEqual(changedFieldsOf<PaymentLink>(link, over), { ...ended, status: 'EXPIRED' })
    for (const last of [paid, over] as PaymentLink[])
      for (const how of ['complete', 'expire'] as const) assert.equal(endLink(last, how, NOW), undefined)
  })

  it('has an address that names its organization, and is read from it again', () => {
    const url = linkUrl('https://pay.example', link)
    assert.equal(url, 'https://pay.example/pay/AZmgsAAAcACAAAAAAAAAAQARIjNEVWZ3iJmqu8zd7v8')
    const read = { organizationId: ORGANIZATION_ID, token: TOKEN }
    assert.deepEqual(readLinkToken(url.slice('https://pay.example/pay/'.length)), read)
    assert.equal(readLinkToken(''), undefined)
  })

  const at = (instant: number) => new Date(instant).toISOString()

  it('is shown whole', () => {
    const shown = {
      paymentLinkId: LINK_ID,
      paymentLinkUrl: linkUrl('https://pay.example', link),
      status: 'PENDING',
      amountType: 'FIXED',
      amount: 1_234.56,
      amountInCents: 123_456,
      currency: 'COP',
      reference: 'order-1',
      callbackUrl: 'https://shop.example/paid',
      rail: null,
      inlineCustomer: null,
      pse: null,
      paymentPageId: null,
      createdAt: at(CREATED),
      updatedAt: at(CREATED),
      expiresAt: at(CREATED + HOUR_MS),
      completedAt: null,
    }
    const { description: _, items: __, metadata: ___, ...others } = presentLink('https://pay.example', link)
    assert.deepEqual(others, shown)
    const { rail, pse } = presentLink('https://pay.example', { ...link, rail: 'PSE', bank: 'CO_NEQUI' })
    assert.deepEqual([rail, pse], ['PSE', { bank: 'CO_NEQUI' }])
  })

  it('is told with the time of its end: a paid one has no expiry, an expired one no completion', () => {
    const told = (how: 'complete' | 'expire') => {
      const data = JSON.parse(linkEventData(endLink(link, how, NOW) as PaymentLink))
      const { description: _, items: __, metadata: ___, ...others } = data
      return others
    }
    const same = {
      paymentLinkId: LINK_ID,
      reference: 'order-1',
      amount: 1_234.56,
      amountInCents: 123_456,
      currency: 'COP',
      createdAt: at(CREATED),
      updatedAt: at(NOW),
    }
    const paid = { ...same, status: 'COMPLETED', expiresAt: null, completedAt: at(NOW) }
    assert.deepEqual(told('complete'), paid)
    const over = { ...same, status: 'EXPIRED', expiresAt: at(CREATED + HOUR_MS), completedAt: null }
    assert.deepEqual(told('expire'), over)
  })
})
