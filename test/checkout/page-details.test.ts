// What a page offers and says beside its main sentence: how long there is, what is copied, what may still be done, and how much.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CheckoutSubject } from '../../src/checkout/backend.ts'
import { MINUTE_MS } from '../../src/core/instant.ts'
import { startHarness, TOKEN } from './harness.ts'
import { brebPayin, EVERY_STATE, link, NOW, psePayin } from './subjects.ts'

async function visit(subject: CheckoutSubject, query = ''): Promise<string> {
  const { app } = startHarness(subject)
  const { body } = await app.inject(`/pay/${TOKEN}${query}`)
  return body.replaceAll(/<(style|script type)[\s\S]*?<\/(style|script)>/g, '')
}

const words = (text: string): string => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ')
const row = (text: string, label: string): string | undefined =>
  new RegExp(`<dt>${label}</dt><dd[^>]*>(.+?)</dd>`).exec(text)?.[1]?.replaceAll('\u00a0', ' ')

describe('the deadline', () => {
  const timer = (text: string): (string | undefined)[] =>
    /data-left="(\d+)" data-last="(\d+)"/.exec(text)?.slice(1) ?? []

  it('is counted down only in the last fifth of the time that an attempt has', async () => {
    const payin = brebPayin({ createdAt: NOW - 5 * MINUTE_MS, expiresAt: NOW + 10 * MINUTE_MS })
    assert.deepEqual(
      timer(await visit(link({ payin }))),
      [10, 3].map((minutes) => String(minutes * MINUTE_MS)),
    )
  })

  it('of a link is counted down in the last twelve minutes of its hour', async () => {
    assert.deepEqual(
      timer(await visit(link())),
      [55, 12].map((minutes) => String(minutes * MINUTE_MS)),
    )
  })
})

describe('the page of an open attempt', () => {
  it('copies the amount with its cents, as an app takes them', async () => {
    const text = await visit(
      link({ amountInCents: 8_000_050n, payin: brebPayin({ amountInCents: 8_000_050n }) }),
    )
    assert.match(text, /data-copy="80000,50"/)
  })

  it('asks the network by itself only when the payer comes back from the bank', async () => {
    const subject = link({ payin: psePayin() })
    for (const [query, asks] of [
      ['?step=back', true],
      ['?step=checked', false],
      ['?step=late', false],
    ] as const)
      assert.equal(
        (await visit(subject, query)).includes(`data-recheck="/pay/${TOKEN}/recheck"`),
        asks,
        query,
      )
  })

  it('offers no other way to pay when its time is over, nor to whoever was just told that it is too late', async () => {
    const offersAnother = async (subject: CheckoutSubject, query = '') =>
      (await visit(subject, query)).includes('/leave"')
    assert.equal(await offersAnother(link({ payin: psePayin() })), true)
    assert.equal(await offersAnother(link({ payin: psePayin() }), '?step=late'), false)
    assert.equal(await offersAnother(link({ payin: psePayin({ expiresAt: NOW }) })), false)
    assert.equal(await offersAnother(link({ payin: brebPayin({ expiresAt: NOW }) })), false)
  })

  it('names the test bank in staging', async () => {
    const text = await visit(link({ payin: psePayin({ bank: 'CO_BANCO_DE_PRUEBAS' }) }))
    assert.match(words(text), /Continuar en Banco de Pruebas/)
  })
})

describe('a page', () => {
  it('shows the same view in the other language', async () => {
    const declined = psePayin({ status: 'DECLINED', errorCode: 'BANK_DECLINED', resultAt: NOW })
    const text = await visit(link({ payin: declined }), '?step=retry')
    assert.ok(text.includes(`href="/pay/${TOKEN}?step=retry&amp;lang=en" hreflang="en"`))
  })

  it('says in its preview what is paid for, where the merchant said it', async () => {
    const preview = (text: string) => /property="og:description" content="([^"]*)"/.exec(text)?.[1]
    assert.equal(preview(await visit(link({ description: 'Dos libras de café' }))), 'Dos libras de café')
    assert.equal(preview(await visit(link())), 'Referencia: Pedido 1042')
  })
})

describe('the page of what has ended', () => {
  const paid = { status: 'CONFIRMED', resultAt: NOW, confirmedAmountInCents: 7_950_000n } as const

  it('has the amount that was paid in its receipt, where the merchant accepts another', async () => {
    const text = await visit(link({ kind: 'payin', status: 'COMPLETED', payin: brebPayin(paid) }))
    assert.equal(row(text, 'Valor'), '$ 79.500')
  })

  it('can be printed, paid or not, and an open one cannot', async () => {
    const canBePrinted = async (name: string): Promise<boolean> => {
      const { subject, step } = EVERY_STATE[name] as { subject: CheckoutSubject; step?: string }
      return (await visit(subject, step === undefined ? '' : `?step=${step}`)).includes('data-print')
    }
    for (const name of ['approved-pse', 'declined-link', 'canceled', 'lapsed'])
      assert.equal(await canBePrinted(name), true, name)
    for (const name of ['at-bank', 'confirming', 'confirming-overdue'])
      assert.equal(await canBePrinted(name), false, name)
  })

  it('was charged back whole if all that was paid is gone, however much was asked for; and leads nowhere by itself', async () => {
    const chargedBack = (amountInCents: bigint) =>
      visit(
        link({
          kind: 'payin',
          status: 'COMPLETED',
          payin: brebPayin({ ...paid, chargedBack: { amountInCents, at: NOW } }),
        }),
      )
    const whole = await chargedBack(7_950_000n)
    assert.match(whole, /<h1>Este pago fue devuelto<\/h1>/)
    assert.match(await chargedBack(7_949_999n), /<h1>Se devolvió una parte de este pago<\/h1>/)
    assert.doesNotMatch(whole, /data-return/)
  })

  it('says how to reach the merchant, where money came and was not counted', async () => {
    const declined = psePayin({ status: 'DECLINED', errorCode: 'BANK_DECLINED', resultAt: NOW })
    const contact = async (holdsMoney: boolean) =>
      (await visit(link({ payin: declined, holdsMoney }))).includes('<p class="contact">')
    assert.deepEqual([await contact(true), await contact(false)], [true, false])
  })
})
