// Payins over HTTP, as the contract and our decisions say.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { listPseBanksOperation } from '../../../src/api/directory/pse-banks.ts'
import { readEmvPayload } from '../../../src/core/emv-qr.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, psePayin, type World } from '../../world.ts'

describe('payins', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('a Bre-B payin starts PROCESSING with a single-use key and a page', async () => {
    const body = brebPayin({ amountInCents: 1_234_567, callbackUrl: 'https://shop.example/return?a=b' })
    const { status, json } = await world.client('POST', '/payins', body)
    assert.equal(status, 201)
    assert.match(json.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.match(json.sourceData.keyString, /^@[A-Z0-9]{5,20}$/)
    assert.ok(json.sourceData.checkoutUrl.startsWith(`${world.config.checkoutUrl}/pay/`))
    const { id: _, sourceData: __, createdAt, updatedAt, expiresAt, ...rest } = json
    assert.equal(updatedAt, createdAt)
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 15 * 60_000)
    assert.deepEqual(rest, {
      amount: 12_345.67,
      amountInCents: 1_234_567,
      confirmedAmount: null,
      confirmedAmountInCents: null,
      currency: 'COP',
      status: 'PROCESSING',
      settlementStatus: null,
      rail: 'BRE_B',
      reference: body.reference,
      description: null,
      metadata: null,
      paymentLinkId: null,
      inlineCustomer: CUSTOMER,
      errorCode: null,
      resultAt: null,
      chargebackAt: null,
      chargebackAmountInCents: null,
      refundedAmountInCents: 0,
      organizationId: world.organization.organizationId,
      callbackUrl: 'https://shop.example/return?a=b',
    })
  })

  it('a QR_CODE payin carries a PNG that reads back into its key and amount', async () => {
    const { json } = await world.client(
      'POST',
      '/payins',
      brebPayin({ amountInCents: 990_050, breb: { keyType: 'QR_CODE' } }),
    )
    const { qrString, qrPayload, keyString, keyType } = json.sourceData
    assert.equal(keyType, 'QR_CODE')
    const image = PNG.sync.read(Buffer.from(qrString.replace('data:image/png;base64,', ''), 'base64'))
    const text = jsqr.default(new Uint8ClampedArray(image.data), image.width, image.height)?.data ?? ''
    assert.match(text, /54079900\.50/)
    assert.equal(qrPayload, text)
    const reading = readEmvPayload(text)
    assert.ok(reading.ok)
    assert.equal(reading.fields.key, keyString)
    assert.equal(reading.fields.amountInCents, 990_050n)
    const again = await world.client('GET', `/payins/${json.id}`)
    assert.equal(again.json.sourceData.qrString, qrString)
  })

  it('a QR image is in every answer and event, byte for byte the same, and nowhere on disk', async () => {
    await using own = await createWorld()
    const body = brebPayin({ breb: { keyType: 'QR_CODE' } })
    const key = { 'idempotency-key': randomUUID() }
    const created = await own.client('POST', '/payins', body, key)
    const replayed = await own.client('POST', '/payins', body, key)
    assert.equal(replayed.text, created.text)
    await own.client('POST', `/payins/${created.json.id}/cancel`)
    await own.work()
    const { json: events } = await own.client('GET', '/events')
    const { json: listed } = await own.client('GET', '/payins')
    const { qrString } = created.json.sourceData
    assert.match(qrString, /^data:image\/png;base64,/)
    assert.equal(events.data.at(-1).data.sourceData.qrString, qrString)
    assert.equal(listed.data[0].sourceData.qrString, qrString)
    const { rows } = await own.db.query<{ text: string }>({
      text: 'select data as text from events union all select body from idempotency_records',
    })
    assert.equal(rows.length, 2)
    for (const { text } of rows) assert.doesNotMatch(text, /data:image/)
  })

  it('a PSE payin starts PENDING with its bank and the page that leads there', async () => {
    const body = psePayin({ pse: { bank: 'CO_BOGOTA', personType: 'BUSINESS' } })
    const { status, json } = await world.client('POST', '/payins', body)
    assert.equal(status, 201)
    assert.equal(json.status, 'PENDING')
    assert.equal(json.sourceData.bank, 'CO_BOGOTA')
    assert.ok(json.sourceData.pseUrl.startsWith(`${world.config.checkoutUrl}/pay/`))
  })

  it('the other rail’s object is ignored, whatever it holds', async () => {
    assert.equal((await world.client('POST', '/payins', brebPayin({ pse: 'nonsense' }))).status, 201)
    assert.equal((await world.client('POST', '/payins', psePayin({ breb: { keyType: 7 } }))).status, 201)
  })

  it('fields we do not know are ignored', async () => {
    const { status, json } = await world.client(
      'POST',
      '/payins',
      brebPayin({ color: 'red', inlineCustomer: { ...CUSTOMER, age: 7 } }),
    )
    assert.equal(status, 201)
    assert.deepEqual(json.inlineCustomer, CUSTOMER)
  })

  it('every wrong field is reported at once, with its path', async () => {
    const { status, json } = await world.client('POST', '/payins', {
      amountInCents: 0,
      currency: 'USD',
      rail: 'PSE',
      inlineCustomer: { name: '', idType: 'X', idNumber: '900123456-1', phone: '300', email: 'nobody' },
      pse: { bank: 'CO_NOWHERE' },
      callbackUrl: 'ftp://x',
    })
    assert.equal(status, 400)
    assert.equal(json.code, 'INVALID_INPUT')
    assert.deepEqual(json.errors.map((error: { path: string }) => error.path).sort(), [
      '/amountInCents',
      '/callbackUrl',
      '/currency',
      '/inlineCustomer/email',
      '/inlineCustomer/idType',
      '/inlineCustomer/name',
      '/inlineCustomer/phone',
      '/pse/bank',
      '/pse/personType',
      '/reference',
    ])
  })

  it('a rail without its object is refused', async () => {
    const breb = await world.client('POST', '/payins', brebPayin({ breb: undefined }))
    assert.deepEqual(breb.json.errors, [{ path: '/breb', code: 'REQUIRED', message: 'is required' }])
    const pse = await world.client('POST', '/payins', psePayin({ pse: undefined }))
    assert.deepEqual(pse.json.errors, [{ path: '/pse', code: 'REQUIRED', message: 'is required' }])
  })

  it('an amount above the rail’s cap is refused with its own code, and the cap itself is accepted', async () => {
    const cap = 12_110_000 * 100
    assert.equal((await world.client('POST', '/payins', brebPayin({ amountInCents: cap }))).status, 201)
    const above = await world.client('POST', '/payins', brebPayin({ amountInCents: cap + 1 }))
    assert.equal(above.status, 400)
    assert.equal(above.json.code, 'AMOUNT_ABOVE_MAXIMUM')
    assert.equal((await world.client('POST', '/payins', psePayin({ amountInCents: cap + 1 }))).status, 201)
  })

  it('a rail that is not enabled is refused with its own code', async () => {
    const other = await world.newMerchant()
    await other.client('PATCH', '/organization', { rails: ['PSE'] })
    const { json } = await eventually(
      () => other.client('POST', '/payins', brebPayin()),
      (answer) => answer.status === 400,
    )
    assert.equal(json.code, 'RAIL_NOT_ENABLED')
  })

  it('a reference can be used once in an organization, and the refusal names the payin that has it', async () => {
    const body = brebPayin()
    const first = await world.client('POST', '/payins', body)
    const second = await world.client('POST', '/payins', { ...body, amountInCents: 7 })
    assert.equal(second.status, 409)
    assert.equal(second.json.code, 'DUPLICATE_REFERENCE')
    assert.equal(second.json.errors[0].payinId, first.json.id)
    const other = await world.newMerchant()
    assert.equal((await other.client('POST', '/payins', body)).status, 201)
  })

  it('a NIT is checked only if its check digit is given after a dash', async () => {
    const withNit = (idNumber: string) =>
      brebPayin({ inlineCustomer: { ...CUSTOMER, idType: 'CO_NIT', idNumber } })
    assert.equal((await world.client('POST', '/payins', withNit('890903938-8'))).status, 201)
    assert.equal((await world.client('POST', '/payins', withNit('8909039381'))).status, 201)
    const wrong = await world.client('POST', '/payins', withNit('890903938-7'))
    assert.equal(wrong.json.errors[0].path, '/inlineCustomer/idNumber')
  })

  it('a canceled payin says by whom, and a final one refuses', async () => {
    const { json: payin } = await world.client('POST', '/payins', psePayin())
    world.advance(1_000)
    const canceled = await world.client('POST', `/payins/${payin.id}/cancel`)
    assert.equal(canceled.status, 200)
    assert.equal(canceled.json.status, 'CANCELED')
    assert.equal(canceled.json.errorCode, 'CANCELED_BY_MERCHANT')
    assert.equal(canceled.json.resultAt, canceled.json.updatedAt)
    assert.ok(canceled.json.updatedAt > canceled.json.createdAt)
    const again = await world.client('POST', `/payins/${payin.id}/cancel`)
    assert.equal(again.status, 409)
    assert.equal(again.json.code, 'PAYIN_ALREADY_FINAL')
    assert.deepEqual((await world.client('GET', `/payins/${payin.id}`)).json, canceled.json)
  })

  it('two cancels at once: one wins, the other is refused because the payin is final', async () => {
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => world.client('POST', `/payins/${payin.id}/cancel`)),
    )
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 409, 409, 409])
  })

  it('a payin nobody paid ends at expiresAt, not before', async () => {
    const body = brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } })
    const { json: payin } = await world.client('POST', '/payins', body)
    await world.passTime(15 * 60_000 - 30_000)
    assert.equal((await world.client('GET', `/payins/${payin.id}`)).json.status, 'PROCESSING')
    await world.passTime(31_000)
    const { json } = await world.client('GET', `/payins/${payin.id}`)
    assert.equal(json.status, 'CANCELED')
    assert.equal(json.errorCode, 'EXPIRED')
  })

  it('ids that are no UUID, or unknown, are not found', async () => {
    for (const id of ['abc', '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90', '%00', "';drop table payins"]) {
      const get = await world.client('GET', `/payins/${encodeURIComponent(id)}`)
      assert.equal(get.status, 404)
      assert.equal(get.json.code, 'NOT_FOUND')
      assert.equal((await world.client('POST', `/payins/${encodeURIComponent(id)}/cancel`)).status, 404)
    }
  })

  it('the list of banks serves codes that are accepted and given back unchanged, and so are their aliases', async () => {
    const { json } = await world.client('GET', '/pse/banks')
    assert.ok(json.data.length > 40)
    const ofBogota = json.data.find(({ code }: { code: string }) => code === 'CO_BANCO_DE_BOGOTA')
    assert.deepEqual(ofBogota.aliases, ['CO_BOGOTA', 'CO_BANCO_BOGOTA'])
    assert.deepEqual(listPseBanksOperation.success.examples, {
      banks: { summary: 'The list, shortened', value: { data: [ofBogota] } },
    })
    for (const bank of json.data) {
      for (const code of [bank.code, bank.aliases[0]].filter(Boolean)) {
        const created = await world.client(
          'POST',
          '/payins',
          psePayin({ pse: { bank: code, personType: 'INDIVIDUAL' } }),
        )
        assert.equal(created.json.sourceData?.bank, code, code)
      }
    }
  })

  it('codes of other services are accepted, given back as sent, and reach the network', async () => {
    const payins: { id: string; bank: string }[] = []
    for (const bank of OTHER_SERVICES_BANKS) {
      const body = psePayin({ pse: { bank, personType: 'INDIVIDUAL' } })
      const created = await world.client('POST', '/payins', body)
      assert.equal(created.json.sourceData?.bank, bank, created.text)
      payins.push({ id: created.json.id, bank })
      const { reference, amountInCents } = body
      const callbackUrl = 'https://shop.example/return'
      const link = { reference, amountInCents, amountType: 'FIXED', callbackUrl, rail: 'PSE', pse: { bank } }
      const made = await world.client('POST', '/payment-links', link)
      assert.equal(made.json.pse?.bank, bank, made.text)
    }
    await world.work()
    for (const { id, bank } of payins)
      assert.equal((await world.client('GET', `/payins/${id}`)).json.status, 'PROCESSING', bank)
  })
})

const OTHER_SERVICES_BANKS = [
  'CO_ACCION_FIDUCIARIA',
  'CO_ADDI_CF',
  'CO_COOMEVA',
  'CO_COOPCENTRAL_DIGITAL',
  'CO_BANKA',
  'CO_BOLD_CF',
  'CO_COINK',
  'CO_DING',
  'CO_FINANCIERA_JURISCOOP',
  'CO_GLOBAL66',
  'CO_PAYCASH',
  'CO_POWWI',
  'CO_SANTANDER_CONSUMER',
  'CO_SUPERDIGITAL',
]
