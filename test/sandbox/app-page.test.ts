// The simulated payer's app: a page without script, on which whoever asks for a key may pay it, rightly or wrongly.

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
  stage: Harness,
  idNumber: string | null = null,
  changes: object = {},
): Promise<void> {
  const put = await stage.breb('PUT', '/collections/P1', collection(idNumber, { key: KEY, ...changes }))
  assert.equal(put.status, 201)
}

async function send(stage: Harness, fields: Record<string, string>): Promise<Page> {
  const response = await fetch(stage.sandbox.appUrl, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: response.status, text: await response.text() }
}

const act = (stage: Harness, name: string, more: Record<string, string> = {}) =>
  send(stage, { llave: KEY, seen: '0', act: name, ...more })

async function standing(stage: Harness) {
  const { json } = await stage.breb('GET', '/collections/P1')
  const payments = json.payments as { paymentId: string; amount: string }[]
  return {
    status: json.status as string,
    amounts: payments.map(({ amount }) => amount),
    paymentIds: payments.map(({ paymentId }) => paymentId),
  }
}

describe('the payer’s app', () => {
  it('begins with a key, which may come in the address, and looking changes nothing', async () => {
    await using stage = await startHarness()
    await collecting(stage)
    const response = await fetch(`${stage.sandbox.appUrl}?llave=${encodeURIComponent(`${KEY}"<b>`)}`)
    const text = await response.text()
    assert.equal(response.status, 200)
    assert.match(text, /App de Pruebas: no es una billetera real/)
    assert.ok(text.includes(`name="llave" value="${KEY}&quot;&lt;b&gt;"`))
    assert.ok(!text.includes('<b>"') && !text.includes('<script') && !text.includes('Café La Palma'))
    await stage.sandbox.advance(DELAY_MS)
    assert.equal((await standing(stage)).status, 'PAID')
  })

  for (const [what, typed] of [
    ['a key', KEY],
    ['a key in small letters among spaces', ' @rccafe1 '],
    ['the text of a QR code', `${emvPayload(CHARGE)}\n`],
  ] as const)
    it(`shows for ${what} who receives, how much, and the reference`, async () => {
      await using stage = await startHarness()
      await collecting(stage, null, { merchantName: 'Café <La Palma>' })
      const { status, text } = await send(stage, { llave: typed })
      assert.equal(status, 200)
      assert.match(text, /<dt>Recibe<\/dt><dd>Café &lt;La Palma&gt;<\/dd>/)
      assert.match(text, /<dt>Valor<\/dt><dd>\$\s50\.000<\/dd>/)
      assert.match(text, /<dt>Referencia<\/dt><dd>P1<\/dd>/)
      assert.ok(text.includes(`name="llave" value="${KEY}"`))
    })

  it('once asked for a key keeps the timer away', async () => {
    await using stage = await startHarness()
    await collecting(stage)
    await send(stage, { llave: KEY })
    await stage.sandbox.advance(DELAY_MS)
    assert.equal((await standing(stage)).status, 'READY')
    assert.deepEqual(stage.listener.heard, [])
  })

  const wrong: Record<string, [string, RegExp]> = {
    nothing: [' ', /Escribe una llave o pega/],
    'no key': ['@no', /no es una llave/],
    'a key of nobody': ['@RCOTRA1', /Ningún cobro usa esta llave/],
    'a QR code that was cut': [emvPayload(CHARGE).slice(0, -1), /incompleto/],
    'a QR code that was changed': [emvPayload(CHARGE).replace('50000.00', '60000.00'), /suma de control/],
  }
  for (const [what, [typed, problem]] of Object.entries(wrong))
    it(`says at once what is wrong with ${what}, and keeps it`, async () => {
      await using stage = await startHarness()
      await collecting(stage)
      const { status, text } = await send(stage, { llave: typed })
      assert.equal(status, 422)
      assert.match(text, problem)
      assert.match(text, /aria-invalid="true"/)
      assert.ok(text.includes(`name="llave" value="${typed}"`))
    })
})

describe('a payment in the app', () => {
  it('pays what is asked, once, however often it is sent', async () => {
    await using stage = await startHarness()
    await collecting(stage)
    const { text } = await act(stage, 'pay')
    assert.match(text, /<h1>Pago hecho<\/h1>/)
    const { status, amounts, paymentIds } = await standing(stage)
    assert.deepEqual([status, amounts], ['PAID', ['50000.00']])
    assert.ok(text.includes(paymentIds[0] as string))
    assert.match((await act(stage, 'pay')).text, /Esta llave ya está pagada/)
    await stage.sandbox.advance(0)
    assert.deepEqual(stage.types('P1'), ['collection.paid'])
    assert.equal(stage.sandbox.log().length, 1)
  })

  for (const [typed, amount] of [
    ['20000', '20000.00'],
    ['$ 1.250.000,5', '1250000.50'],
    ['12.110.000', '12110000.00'],
    ['0,01', '0.01'],
  ] as const)
    it(`pays another amount: ${typed}`, async () => {
      await using stage = await startHarness()
      await collecting(stage)
      await act(stage, 'pay-other', { amount: typed })
      assert.deepEqual((await standing(stage)).amounts, [amount])
      await stage.sandbox.advance(0)
      assert.equal(stage.listener.heard[0]?.notice.amount, amount)
    })

  for (const typed of ['', '0', '-5', '50.00', '1,234', '1.2345', '12.110.000,01', 'mil'])
    it(`refuses to pay "${typed}", says why, and keeps it`, async () => {
      await using stage = await startHarness()
      await collecting(stage)
      const { status, text } = await act(stage, 'pay-other', { amount: typed })
      assert.equal(status, 422)
      assert.match(text, /id="amount-problem">(Escribe un valor|Bre-B lleva hasta \$\s12\.110\.000 )/)
      assert.ok(text.includes(`name="amount" value="${typed}"`))
      assert.equal((await standing(stage)).status, 'READY')
      assert.deepEqual(stage.sandbox.log(), [])
    })

  it('made twice is two payments of one collection, each credited and told under its own id', async () => {
    await using stage = await startHarness()
    await collecting(stage)
    await act(stage, 'pay-twice')
    const { status, amounts, paymentIds } = await standing(stage)
    assert.deepEqual([status, amounts], ['PAID', ['50000.00', '50000.00']])
    assert.equal(new Set(paymentIds).size, 2)
    await stage.sandbox.advance(0)
    assert.deepEqual(stage.types('P1'), ['collection.paid', 'collection.paid'])
    const told = stage.listener.heard.map(({ notice }) => notice)
    assert.deepEqual(told.map(({ paymentId }) => paymentId).toSorted(), paymentIds.toSorted())
    assert.equal(new Set(told.map(({ id }) => id)).size, 2)
    assert.deepEqual(
      stage.sandbox.log().map(({ movement, traceId }) => [movement, traceId]),
      paymentIds.map((paymentId) => ['credit', paymentId]),
    )
  })

  it('can follow one that was made, and a page sent again does not make a third', async () => {
    await using stage = await startHarness()
    await collecting(stage)
    await stage.sandbox.advance(DELAY_MS)
    assert.match((await send(stage, { llave: KEY })).text, /Pagar otra vez/)
    await act(stage, 'pay-anyway', { seen: '1' })
    await act(stage, 'pay-anyway', { seen: '1' })
    assert.equal((await standing(stage)).amounts.length, 2)
    await act(stage, 'pay-anyway', { seen: '2' })
    assert.equal(new Set((await standing(stage)).paymentIds).size, 3)
  })

  it('under an unknown name does nothing', async () => {
    await using stage = await startHarness()
    await collecting(stage)
    for (const name of ['pay-anyway', 'toString', '']) await act(stage, name)
    assert.equal((await standing(stage)).status, 'READY')
  })
})

describe('a key that has ended', () => {
  const ends: Record<string, (stage: Harness) => Promise<unknown>> = {
    expired: (stage) => stage.sandbox.advance(LIFE_MS),
    closed: (stage) => stage.breb('DELETE', '/collections/P1'),
    rejected: (stage) => stage.simulate('P1', { outcome: 'declined' }),
  }
  for (const [how, end] of Object.entries(ends))
    it(`because it was ${how} is said to be gone, and can be paid all the same`, async () => {
      await using stage = await startHarness()
      await collecting(stage, '1000000007')
      await end(stage)
      const { text } = await send(stage, { llave: KEY })
      assert.match(text, /<h1>Esta llave ya no existe<\/h1>/)
      assert.match(text, /Pagar de todos modos \(dinero tardío\)/)
      for (const name of ['pay', 'pay-twice', 'pay-other']) await act(stage, name, { amount: '1' })
      assert.deepEqual(stage.sandbox.log(), [])
      await act(stage, 'pay-anyway')
      assert.deepEqual((await standing(stage)).amounts, ['50000.00'])
      await stage.sandbox.advance(0)
      assert.equal(stage.types('P1').at(-1), 'collection.paid')
    })
})

describe('of two payments', () => {
  it('either can be given back, and no more than it', async () => {
    await using stage = await startHarness()
    await collecting(stage)
    await act(stage, 'pay-twice')
    const { paymentIds } = await standing(stage)
    const giveBack = async (reference: string, paymentId = '', amount = '50000.00') =>
      (await stage.breb('PUT', `/returns/${reference}`, { paymentId, amount, currency: 'COP' })).status
    assert.equal(await giveBack('R2', paymentIds[1]), 201)
    assert.equal(await giveBack('R3', paymentIds[1], '0.01'), 422)
    assert.equal(await giveBack('R1', paymentIds[0]), 201)
  })

  it('the first is what is charged back; the second can still be given back', async () => {
    await using stage = await startHarness()
    await collecting(stage)
    await act(stage, 'pay-twice')
    const { paymentIds } = await standing(stage)
    await stage.simulate('P1', { outcome: 'chargeback' })
    await stage.sandbox.advance(0)
    assert.equal(stage.listener.heard.at(-1)?.notice.paymentId, paymentIds[0])
    const order = (paymentId = '') => ({ paymentId, amount: '50000.00', currency: 'COP' })
    assert.equal((await stage.breb('PUT', '/returns/R1', order(paymentIds[0]))).json.code, 'CHARGED_BACK')
    assert.equal((await stage.breb('PUT', '/returns/R2', order(paymentIds[1]))).status, 201)
  })
})
