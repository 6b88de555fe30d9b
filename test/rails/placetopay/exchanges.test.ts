// What goes over the wire to PlacetoPay, byte by byte where it matters.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authFields, isSigned, tranKeyOf } from '../../../src/rails/placetopay/signature.ts'
import type { NetworkExchange, PayinOrder } from '../../../src/rails/rail.ts'
import { type Answer, type Asked, openFakeNetwork } from '../fake-network.ts'
import { bankList, customer, handle, open, order, REFERENCE, SHORT_REFERENCE, transaction } from './orders.ts'

// Computed once by hand from the documentation's recipe.
const AUTH = {
  login: 'site',
  seed: '2026-01-01T12:00:00-05:00',
  nonce: 'MDEyMzQ1Njc4OWFiY2RlZg==',
  tranKey: 'SU0hZdxzVf1jN2YuHfUW24/Q2YtVj9PQzQS0YTxx8Lg=',
}
const FIXED = {
  wallClock: () => Date.UTC(2026, 0, 1, 17),
  randomBytes: () => Buffer.from('0123456789abcdef'),
}

const answers = ({ path }: Asked): Answer =>
  path === '/gateway/information'
    ? { status: 200, json: bankList }
    : path === '/gateway/search'
      ? { status: 200, json: { status: bankList.status, transactions: [transaction] } }
      : { status: 200, json: transaction }

async function sentBy(
  act: (rails: ReturnType<typeof open>) => Promise<unknown>,
  dependencies: Parameters<typeof open>[1] = FIXED,
) {
  await using farSide = await openFakeNetwork()
  farSide.willAnswer(answers)
  const exchanges: NetworkExchange[] = []
  const credentials = { login: 'site', secretKey: 'SECRETKEY', url: farSide.url }
  await using rails = open(
    { credentials },
    { ...dependencies, record: (exchange) => void exchanges.push(exchange) },
  )
  await act(rails)
  return { asked: farSide.asked, exchanges }
}

const written = ({ method, path, body }: Asked) => [`${method} ${path}`, body]
const process = async (changed: Partial<PayinOrder>) => {
  const { asked } = await sentBy((rails) => rails.pse.submit({ ...order, ...changed }))
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
  return asked.find(({ path }) => path === '/gateway/process')?.body as any
}

describe('a request to PlacetoPay', () => {
  it('is authorized by nonce, seed and secret key', () => {
    assert.equal(
      tranKeyOf(Buffer.from('0123456789abcdef'), '2026-01-01T12:00:00-05:00', 'SECRETKEY'),
      'SU0hZdxzVf1jN2YuHfUW24/Q2YtVj9PQzQS0YTxx8Lg=',
    )
    assert.deepEqual(authFields('site', 'SECRETKEY', FIXED)(), { auth: AUTH })
  })

  it('creates a payment', async () => {
    const { asked } = await sentBy((rails) => rails.pse.submit(order))
    assert.deepEqual(asked.map(written), [
      [
        'POST /gateway/information',
        {
          auth: AUTH,
          locale: 'es_CO',
          payment: {
            reference: 'bancos',
            description: 'Bancos disponibles',
            amount: { currency: 'COP', total: 10_000 },
          },
          instrument: {
            redirection: { paymentMethod: '_PSE_', returnURL: 'https://pay.example.com/' },
          },
        },
      ],
      [
        'POST /gateway/process',
        {
          auth: AUTH,
          locale: 'es_CO',
          payer: {
            documentType: 'CC',
            document: '1012345678',
            name: 'Canaria María',
            surname: 'del Campo Ruiz',
            email: 'canaria@example.com',
            mobile: '3009998877',
          },
          payment: {
            reference: SHORT_REFERENCE,
            description: 'Pago a La  14    Cali',
            amount: { currency: 'COP', total: 80_000.5 },
          },
          instrument: {
            redirection: {
              paymentMethod: '_PSE_',
              returnURL: 'https://pay.example.com/return?canary=1',
              additional: { bankCode: '1007', userType: 'person' },
            },
          },
          idempotenceKey: SHORT_REFERENCE,
          notificationURL: 'https://pay.example.com/notifications/connections/1',
          ipAddress: '203.0.113.77',
          userAgent: 'CanaryBrowser/5.0',
        },
      ],
    ])
    for (const { headers } of asked) {
      const { host: _host, connection: _connection, 'content-length': _length, ...ours } = headers
      assert.deepEqual(ours, { accept: 'application/json', 'content-type': 'application/json' })
    }
    assert.match(SHORT_REFERENCE, /^[0-9a-f]{32}$/)
  })

  it('asks for a payment by its number, and otherwise by reference and amount', async () => {
    const byNumber = ['POST /gateway/query', { auth: AUTH, internalReference: 438072 }]
    const byReference = [
      'POST /gateway/search',
      { auth: AUTH, reference: SHORT_REFERENCE, amount: { currency: 'COP', total: 80_000.5 } },
    ]
    const { asked } = await sentBy(async (rails) => {
      await rails.pse.query(handle('438072'))
      await rails.pse.query(handle(null))
      await rails.pse.cancel(handle('438072'))
      await rails.pse.cancel(handle(null))
      await rails.pse.query(handle('a number of another provider'))
    })
    assert.deepEqual(asked.map(written), [byNumber, byReference, byNumber, byReference, byReference])
  })

  it('never uses a nonce twice, not even when it is repeated, and names the time of each', async () => {
    await using farSide = await openFakeNetwork()
    farSide.willAnswer('reset')
    const credentials = { login: 'site', secretKey: 'SECRETKEY', url: farSide.url }
    let seconds = 0
    const wallClock = () => {
      seconds += 1
      return Date.UTC(2026, 0, 1, 4, 59, 58) + seconds * 1_000
    }
    await using rails = open({ credentials }, { wallClock })
    await rails.pse.query(handle('438072'))
    const sent = farSide.asked.map(({ body }) => (body as { auth: typeof AUTH }).auth)
    assert.equal(sent.length, 3)
    assert.equal(new Set(sent.map(({ nonce }) => nonce)).size, 3)
    assert.deepEqual(
      sent.map(({ seed }) => seed),
      ['2025-12-31T23:59:59-05:00', '2026-01-01T00:00:00-05:00', '2026-01-01T00:00:01-05:00'],
    )
    for (const { nonce, seed, tranKey } of sent)
      assert.equal(tranKey, tranKeyOf(Buffer.from(nonce, 'base64'), seed, 'SECRETKEY'))
  })

  it('is recorded under our full reference, and without auth', async () => {
    const { exchanges } = await sentBy(async (rails) => {
      await rails.pse.submit(order)
      await rails.pse.query(handle('438072'))
      await rails.pse.query(handle(null))
    })
    assert.deepEqual(
      exchanges.map(({ operation, reference }) => [operation, reference]),
      [
        ['POST /gateway/information', ''],
        ['POST /gateway/process', REFERENCE],
        ['POST /gateway/query', REFERENCE],
        ['POST /gateway/search', REFERENCE],
      ],
    )
    for (const { request } of exchanges) assert.doesNotMatch(request, /auth|nonce|tranKey|seed|login/)
    assert.match(exchanges[1]?.response ?? '', /"internalReference":438072/)
    assert.match(exchanges[1]?.response ?? '', /"trazabilyCode":"316158023"/)
  })

  it('says who pays, as far as the gateway has words for it', async () => {
    const business = await process({
      customer: { ...customer, name: 'Café La Palma S.A.S.', idType: 'CO_NIT', idNumber: '900.123.456-8' },
      source: { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'BUSINESS' },
    })
    assert.equal(business.instrument.redirection.additional.userType, 'company')
    assert.deepEqual([business.payer.documentType, business.payer.document], ['NIT', '900123456'])
    const foreigner = await process({
      customer: { ...customer, idType: 'PASSPORT', idNumber: 'AB-123456', phone: '+5215512345678' },
    })
    assert.deepEqual(
      [foreigner.payer.documentType, foreigner.payer.document, foreigner.payer.mobile],
      ['PPN', 'AB123456', '+5215512345678'],
    )
    const quiet = await process({ device: { ipAddress: '2001:db8::1', userAgent: '' } })
    assert.deepEqual([quiet.ipAddress, quiet.userAgent], ['2001:db8::1', 'unknown'])
    const talkative = await process({ device: { ipAddress: '203.0.113.77', userAgent: 'x'.repeat(5_000) } })
    assert.equal(talkative.userAgent.length, 1_000)
    const wordy = await process({ merchantName: 'x'.repeat(300) })
    assert.equal(wordy.payment.description.length, 250)
  })

  it('is not sent for an order that the gateway cannot take', async () => {
    const refusals: [string, string, Partial<PayinOrder>][] = [
      ['RAIL_ERROR', 'PAYER_MISSING', { customer: null }],
      ['RAIL_ERROR', 'PAYER_MISSING', { device: null }],
      ['RAIL_ERROR', 'RETURN_URL_TOO_LONG', { returnUrl: `https://pay.example.com/${'x'.repeat(227)}` }],
      ['RAIL_ERROR', 'DOCUMENT_NOT_ACCEPTED', { customer: { ...customer, idType: 'MXN_RFC' } }],
      ['RAIL_ERROR', 'DOCUMENT_NOT_ACCEPTED', { customer: { ...customer, idType: 'toString' } }],
      ['RAIL_ERROR', 'DOCUMENT_NOT_ACCEPTED', { customer: { ...customer, idNumber: '123' } }],
      ['RAIL_ERROR', 'DOCUMENT_NOT_ACCEPTED', { customer: { ...customer, idNumber: '0123456' } }],
      ['RAIL_ERROR', 'EMAIL_TOO_LONG', { customer: { ...customer, email: `${'x'.repeat(69)}@example.com` } }],
      ['RAIL_ERROR', 'AMOUNT_NOT_ACCEPTED', { amountInCents: 2n ** 53n - 1n }],
      ['BANK_UNAVAILABLE', 'BANK_NOT_LISTED', { source: { ...order.source, bank: 'CO_GONE' } as never }],
      // A bank whose number we do not know.
      ['BANK_UNAVAILABLE', 'BANK_NOT_LISTED', { source: { ...order.source, bank: 'CO_PAYCASH' } as never }],
    ]
    for (const [reason, networkCode, changed] of refusals) {
      const { asked } = await sentBy(async (rails) => {
        const answer = await rails.pse.submit({ ...order, ...changed })
        assert.deepEqual(answer, { outcome: 'rejected', reason, networkCode })
      })
      assert.equal(asked.length, 0, networkCode)
    }
    const longest = await process({ returnUrl: `https://pay.example.com/${'x'.repeat(226)}` })
    assert.equal(longest.instrument.redirection.returnURL.length, 250)
    const email = `${'x'.repeat(68)}@example.com`
    assert.equal((await process({ customer: { ...customer, email } })).payer.email, email)
  })
})

describe('a notification of PlacetoPay', () => {
  it('is signed by number, state and secret key', () => {
    const content = '1234APPROVED'
    for (const signature of SIGNATURES) {
      assert.equal(isSigned(['SECRETKEY'], content, [signature]), true)
      assert.equal(isSigned(['OTHER', 'SECRETKEY'], content, [undefined, signature]), true)
      assert.equal(isSigned(['OTHER'], content, [signature]), false)
      assert.equal(isSigned([], content, [signature]), false)
      assert.equal(isSigned(['SECRETKEY'], '1234REJECTED', [signature]), false)
      assert.equal(isSigned(['SECRETKEY'], content, [signature.slice(1)]), false)
      assert.equal(isSigned(['SECRETKEY'], content, [`${signature}0`]), false)
      assert.equal(isSigned(['SECRETKEY'], content, [[signature], { signature }, 7, null, '']), false)
    }
  })
})

// SHA-256 and SHA-1 of 1234APPROVEDSECRETKEY.
const SIGNATURES = [
  'b8531cb8eaccbe0eff368238935d0e2a6c25154a7b7a37ab27b32fdbb3d799a4',
  'sha256:b8531cb8eaccbe0eff368238935d0e2a6c25154a7b7a37ab27b32fdbb3d799a4',
  'B8531CB8EACCBE0EFF368238935D0E2A6C25154A7B7A37AB27B32FDBB3D799A4',
  'e6957b8e77ef68456b15fb3e25b25633898cef1f',
]
