// What a statement about a payment says, how much of it, and what the address of it is.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newOrganization } from '../../src/core/organizations/organization.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import type { Payout } from '../../src/core/payouts/payout.ts'
import { isMailSender, nextMailAt } from '../../src/core/receipts/mail.ts'
import {
  evidenceStatementFields,
  factsOfPayin,
  factsOfPayout,
  networkReferenceOf,
  payinStatementFields,
  payoutStatementFields,
  qrTextOf,
} from '../../src/core/receipts/statement.ts'

const ID = '0199a0b0-0000-7000-8000-000000000001'
const organization = { ...newOrganization(ID, 'Café', 0), taxId: '900123456-8' }
const payin = {
  ...{ organizationId: ID, payinId: ID, amountInCents: 100n, confirmedAmountInCents: 90n },
  ...{ reference: 'order-1', source: { rail: 'PSE' }, updatedAt: 1_999, resultAt: 5_999 },
  ...{ frozenOrder: { merchantName: 'Café de antes' }, progress: { traceId: 'T1', paymentId: 'P1' } },
} as unknown as Payin
const payout = {
  ...{ organizationId: ID, payoutId: ID, amountInCents: 100n, reference: 'wages-1', traceId: 'E1' },
  ...{ status: 'CONFIRMED', createdAt: 1_999, resultAt: 5_999 },
} as unknown as Payout

describe('a statement', () => {
  it('about a payin says who was paid, how much, when, for what and how', () => {
    assert.deepEqual(payinStatementFields(organization, payin), [
      ...['payin', 'Café de antes', '900123456-8', 90, 5, 'order-1', 'PSE', 'T1'],
    ])
    const bare = {
      ...payin,
      confirmedAmountInCents: null,
      resultAt: null,
      frozenOrder: { ...payin.frozenOrder, merchantName: null },
      progress: { ...payin.progress, traceId: null },
    }
    const unnamed = { ...organization, taxId: null }
    assert.deepEqual(payinStatementFields(unnamed, bare), [
      ...['payin', 'Café', null, 100, 1, 'order-1', 'PSE', 'P1'],
    ])
    const unknown = { ...bare, progress: { ...bare.progress, paymentId: null } }
    assert.equal(payinStatementFields(unnamed, unknown).at(-1), null)
    assert.deepEqual(factsOfPayin(bare), {
      ...{ merchant: null, key: null, amountInCents: 100, reference: 'order-1', rail: 'PSE', times: [1] },
    })
    assert.equal(factsOfPayin(payin).merchant, 'Café de antes')
  })

  it('about a payout says how it stands and which key it goes to, and evidence all of it', () => {
    const fields = ['Café', '900123456-8', 100, 5, 'wages-1', 'BRE_B', 'E1', 'CONFIRMED', '@ANA']
    const stated = payoutStatementFields(organization, payout, '@ANA')
    assert.deepEqual(stated, ['payout', ...fields])
    assert.deepEqual(evidenceStatementFields(stated, { a: 1 }), ['evidence', ...fields, { a: 1 }])
    const open = { ...payout, resultAt: null, traceId: null }
    assert.deepEqual(payoutStatementFields(organization, open, null), [
      ...['payout', 'Café', '900123456-8', 100, 1, 'wages-1', 'BRE_B', null, 'CONFIRMED', null],
    ])
    const facts = { merchant: null, amountInCents: 100, reference: 'wages-1', rail: 'BRE_B' }
    assert.deepEqual(factsOfPayout(payout, '@ANA'), { ...facts, key: '@ANA', times: [1, 5] })
    assert.deepEqual(factsOfPayout(open, null), { ...facts, key: null, times: [1] })
    assert.equal(networkReferenceOf(payout), 'OAZmgsAAAcACAAAAAAAAAAQGZoLAAAHAAgAAAAAAAAAE')
  })

  it('cuts what is too long for paper, and shows that it did', () => {
    const long = (length: number) => 'x'.repeat(length)
    const cutTo = (limit: number, of: (text: string) => unknown) => {
      assert.equal(of(long(limit)), long(limit), `${limit}`)
      // The dots take three bytes.
      assert.equal(of(long(limit + 1)), `${long(limit - 3)}…`, `${limit + 1}`)
    }
    cutTo(72, (name) => payoutStatementFields({ ...organization, name }, payout, null)[1])
    cutTo(24, (taxId) => payoutStatementFields({ ...organization, taxId }, payout, null)[2])
    cutTo(96, (reference) => payinStatementFields(organization, { ...payin, reference })[5])
    cutTo(96, (reference) => factsOfPayout({ ...payout, reference }, null).reference)
    cutTo(64, (traceId) => payoutStatementFields(organization, { ...payout, traceId }, null)[7])
    cutTo(
      64,
      (traceId) =>
        payinStatementFields(organization, { ...payin, progress: { ...payin.progress, traceId } })[7],
    )
    cutTo(80, (key) => payoutStatementFields(organization, payout, key)[9])
    cutTo(80, (key) => factsOfPayout(payout, key).key)
    const emoji = payoutStatementFields({ ...organization, name: '😀'.repeat(19) }, payout, null)[1]
    assert.equal(emoji, `${'😀'.repeat(17)}…`, 'whole characters only')
    const quotes = payoutStatementFields({ ...organization, name: '"'.repeat(37) }, payout, null)[1]
    assert.equal(quotes, `${'"'.repeat(34)}…`, 'as JSON, where a quote takes two')
  })

  it('is an address in its code, or itself where that would be too long', () => {
    const room = 666 - 'https://pay.example/verify#'.length
    const text = (length: number) => qrTextOf('https://pay.example/verify', 'x'.repeat(length))
    assert.equal(text(room), `https://pay.example/verify#${'x'.repeat(room)}`)
    assert.equal(text(room + 1), 'x'.repeat(room + 1))
  })
})

describe('a mail', () => {
  it('has an address as its sender, alone or behind a name', () => {
    for (const sender of ['a@b.co', 'Café La Palma <a@b.co>']) assert.ok(isMailSender(sender), sender)
    for (const wrong of [
      ...['', 'a', '<a@b.co>', 'Café <a@b.co> x', 'Café<a@b.co>', 'a@b@c.co', 'a b@c.co', '"Café" <a@b.co>'],
      ...['Café\r\nBcc: x <a@b.co>', 'Café <a@b.co>\n', 'Café <a b@c.co>', ' <a@b.co>x'],
    ])
      assert.equal(isMailSender(wrong), false, JSON.stringify(wrong))
  })

  it('is tried again seven times within a day, and then given up', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => nextMailAt(attempts, 1_000_000))
    const minutes = [1, 5, 15, 60, 180, 360, 720].map((wait) => 1_000_000 + wait * 60_000)
    assert.deepEqual(waits, [...minutes, null])
  })
})
