// The simulated payer's app: a page without script on which anyone who enters a key can pay it, correctly or not.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emvPayload } from '../../src/core/emv-qr.ts'
import { collection, DELAY_MS, type Harness, startHarness } from './harness.ts'

const KEY = '@RCCAFE1'
const LIFE_MS = 15 * 60_000
const CHARGE = {
  key: KEY,
  amountInCents: 5_000_000n,
  merchantName: 'Café La Palma',
  merchantCity: 'Bogotá',
  transactionId: 'TRX1',
}

type Page = { status: number; text: string }

async function collecting(
  harness: Harness,
  idNumber: string | null = null,
  changes: object = {},
): Promise<void> {
  const put = await harness.breb('PUT', '/collections/P1', collection(idNumber, { key: KEY, ...changes }))
  assert.equal(put.status, 201)
}

async function send(harness: Harness, fields: Record<string, string>): Promise<Page> {
  const response = await fetch(harness.sandbox.appUrl, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: response.status, text: await response.text() }
}

const act = (harness: Harness, name: string, more: Record<string, string> = {}) =>
  send(harness, { llave: KEY, seen: '0', act: name, ...more })

async function collectionState(harness: Harness) {
  const { json } = await harness.breb('GET', '/collections/P1')
  const payments = json.payments as { paymentId: string; amount: string }[]
  return {
    status: json.status as string,
    amounts: payments.map(({ amount }) => amount),
    paymentIds: payments.map(({ paymentId }) => paymentId),
  }
}

describe('the payer’s app', () => {
  it('starts with a key, which may come in the address, and viewing it changes nothing', async () => {
    await using harness = await startHarness()
    await collecting(harness)
    const response = await fetch(`${harness.sandbox.appUrl}?llave=${encodeURIComponent(`${KEY}"<b>`)}`)
    const text = await response.text()
    assert.equal(response.status, 200)
    assert.match(text, /App de Pruebas: no es una billetera real/)
    assert.ok(text.includes(`name="llave" value="${KEY}&quot;&lt;b&gt;"`))
    assert.ok(!text.includes('<b>"') && !text.includes('<script') && !text.includes('Café La Palma'))
    await harness.sandbox.advance(DELAY_MS)
    assert.equal((await collectionState(harness)).status, 'PAID')
  })

  for (const [what, typed] of [
    ['a key', KEY],
    ['a key in small letters among spaces', ' @rccafe1 '],
    ['the text of a QR code', `${emvPayload(CHARGE)}\n`],
  ] as const)
    it(`shows for ${what} who receives, how much, and the reference`, async () => {
      await using harness = await startHarness()
      await collecting(harness, null, { merchantName: 'Café <La Palma>' })
      const { status, text } = await send(harness, { llave: typed })
      assert.equal(status, 200)
      assert.match(text, /<dt>Recibe<\/dt><dd>Café &lt;La Palma&gt;<\/dd>/)
      assert.match(text, /<dt>Valor<\/dt><dd>\$\s50\.000<\/dd>/)
      assert.match(text, /<dt>Referencia<\/dt><dd>P1<\/dd>/)
      assert.ok(text.includes(`name="llave" value="${KEY}"`))
    })

  it('once a key is entered stops the timer', async () => {
    await using harness = await startHarness()
    await collecting(harness)
    await send(harness, { llave: KEY })
    await harness.sandbox.advance(DELAY_MS)
    assert.equal((await collectionState(harness)).status, 'READY')
    assert.deepEqual(harness.listener.received, [])
  })

  const wrong: Record<string, [string, RegExp]> = {
    nothing: [' ', /Escribe una llave o pega/],
    'no key': ['@no', /no es una llave/],
    'a key of nobody': ['@RCOTRA1', /Ningún cobro usa esta llave/],
    'a QR code that was cut': [emvPayload(CHARGE).slice(0, -1), /incompleto/],
    'a QR code that was changed': [emvPayload(CHARGE).replace('50000.00', '60000.00'), /suma de control/],
  }
  for (const [what, [typed, problem]] of Object.entries(wrong))
    it(`says at once what is wrong with ${what}, and keeps it in the field`, async () => {
      await using harness = await startHarness()
      await collecting(harness)
      const { status, text } = await send(harness, { llave: typed })
      assert.equal(status, 422)
      assert.match(text, problem)
      assert.match(text, /aria-invalid="true"/)
      assert.ok(text.includes(`name="llave" value="${typed}"`))
    })
})

describe('a payment in the app', () => {
  it('pays the requested amount, once, however often the form is sent', async () => {
    await using harness = await startHarness()
    await collecting(harness)
    const { text } = await act(harness, 'pay')
    assert.match(text, /<h1>Pago hecho<\/h1>/)
    const { status, amounts, paymentIds } = await collectionState(harness)
    assert.deepEqual([status, amounts], ['PAID', ['50000.00']])
    assert.ok(text.includes(paymentIds[0] as string))
    assert.match((await act(harness, 'pay')).text, /Esta llave ya está pagada/)
    await harness.sandbox.advance(0)
    assert.deepEqual(harness.types('P1'), ['collection.paid'])
    assert.equal(harness.sandbox.log().length, 1)
  })

  for (const [typed, amount] of [
    ['20000', '20000.00'],
    ['$ 1.250.000,5', '1250000.50'],
    ['12.110.000', '12110000.00'],
    ['0,01', '0.01'],
  ] as const)
    it(`pays another amount: ${typed}`, async () => {
      await using harness = await startHarness()
      await collecting(harness)
      await act(harness, 'pay-other', { amount: typed })
      assert.deepEqual((await collectionState(harness)).amounts, [amount])
      await harness.sandbox.advance(0)
      assert.equal(harness.listener.received[0]?.notice.amount, amount)
    })

  for (const typed of ['', '0', '-5', '50.00', '1,234', '1.2345', '12.110.000,01', 'mil'])
    it(`refuses to pay "${typed}", says why, and keeps it in the field`, async () => {
      await using harness = await startHarness()
      await collecting(harness)
      const { status, text } = await act(harness, 'pay-other', { amount: typed })
      assert.equal(status, 422)
      assert.match(text, /id="amount-problem">(Escribe un valor|Bre-B permite hasta \$\s12\.110\.000 )/)
      assert.ok(text.includes(`name="amount" value="${typed}"`))
      assert.equal((await collectionState(harness)).status, 'READY')
      assert.deepEqual(harness.sandbox.log(), [])
    })

  it('made twice is two payments of one collection, each credited and notified under its own id', async () => {
    await using harness = await startHarness()
    await collecting(harness)
    await act(harness, 'pay-twice')
    const { status, amounts, paymentIds } = await collectionState(harness)
    assert.deepEqual([status, amounts], ['PAID', ['50000.00', '50000.00']])
    assert.equal(new Set(paymentIds).size, 2)
    await harness.sandbox.advance(0)
    assert.deepEqual(harness.types('P1'), ['collection.paid', 'collection.paid'])
    const notices = harness.listener.received.map(({ notice }) => notice)
    assert.deepEqual(notices.map(({ paymentId }) => paymentId).toSorted(), paymentIds.toSorted())
    assert.equal(new Set(notices.map(({ id }) => id)).size, 2)
    assert.deepEqual(
      harness.sandbox.log().map(({ movement, traceId }) => [movement, traceId]),
      paymentIds.map((paymentId) => ['credit', paymentId]),
    )
  })

  it('can be followed by a second one, and resending the page does not make a third', async () => {
    await using harness = await startHarness()
    await collecting(harness)
    await harness.sandbox.advance(DELAY_MS)
    assert.match((await send(harness, { llave: KEY })).text, /Pagar otra vez/)
    await act(harness, 'pay-anyway', { seen: '1' })
    await act(harness, 'pay-anyway', { seen: '1' })
    assert.equal((await collectionState(harness)).amounts.length, 2)
    await act(harness, 'pay-anyway', { seen: '2' })
    assert.equal(new Set((await collectionState(harness)).paymentIds).size, 3)
  })

  it('with an unknown action does nothing', async () => {
    await using harness = await startHarness()
    await collecting(harness)
    for (const name of ['pay-anyway', 'toString', '']) await act(harness, name)
    assert.equal((await collectionState(harness)).status, 'READY')
  })
})

describe('a key that has ended', () => {
  const ends: Record<string, (harness: Harness) => Promise<unknown>> = {
    expired: (harness) => harness.sandbox.advance(LIFE_MS),
    closed: (harness) => harness.breb('DELETE', '/collections/P1'),
    rejected: (harness) => harness.simulate('P1', { outcome: 'declined' }),
  }
  for (const [how, end] of Object.entries(ends))
    it(`because it was ${how} is shown as ended, and can still be paid`, async () => {
      await using harness = await startHarness()
      await collecting(harness, '1000000007')
      await end(harness)
      const { text } = await send(harness, { llave: KEY })
      assert.match(text, /<h1>Esta llave ya no existe<\/h1>/)
      assert.match(text, /Pagar de todos modos \(dinero tardío\)/)
      for (const name of ['pay', 'pay-twice', 'pay-other']) await act(harness, name, { amount: '1' })
      assert.deepEqual(harness.sandbox.log(), [])
      await act(harness, 'pay-anyway')
      assert.deepEqual((await collectionState(harness)).amounts, ['50000.00'])
      await harness.sandbox.advance(0)
      assert.equal(harness.types('P1').at(-1), 'collection.paid')
    })
})

describe('of two payments', () => {
  it('either can be returned, and no more than its amount', async () => {
    await using harness = await startHarness()
    await collecting(harness)
    await act(harness, 'pay-twice')
    const { paymentIds } = await collectionState(harness)
    const returnPayment = async (reference: string, paymentId = '', amount = '50000.00') =>
      (await harness.breb('PUT', `/returns/${reference}`, { paymentId, amount, currency: 'COP' })).status
    assert.equal(await returnPayment('R2', paymentIds[1]), 201)
    assert.equal(await returnPayment('R3', paymentIds[1], '0.01'), 422)
    assert.equal(await returnPayment('R1', paymentIds[0]), 201)
  })

  it('the first is the one charged back; the second can still be returned', async () => {
    await using harness = await startHarness()
    await collecting(harness)
    await act(harness, 'pay-twice')
    const { paymentIds } = await collectionState(harness)
    await harness.simulate('P1', { outcome: 'chargeback' })
    await harness.sandbox.advance(0)
    assert.equal(harness.listener.received.at(-1)?.notice.paymentId, paymentIds[0])
    const order = (paymentId = '') => ({ paymentId, amount: '50000.00', currency: 'COP' })
    assert.equal((await harness.breb('PUT', '/returns/R1', order(paymentIds[0]))).json.code, 'CHARGED_BACK')
    assert.equal((await harness.breb('PUT', '/returns/R2', order(paymentIds[1]))).status, 201)
  })
})
