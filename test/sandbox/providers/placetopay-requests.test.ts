// What the simulated PlacetoPay Gateway takes: who may ask, and which field of a request is wrong.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { tranKeyOf } from '../../../src/sandbox/providers/placetopay/auth.ts'
import { placetopay } from '../../../src/sandbox/providers/placetopay/gateway.ts'
import { altered, ask, auth, create, PAYMENT_AMOUNT, payment, read, type Tree } from './placetopay-calls.ts'
import { simulate } from './simulated.ts'

describe('whoever asks the simulated PlacetoPay', () => {
  it('is known by the hash of the documentation', () => {
    const nonce = Buffer.from('0123456789abcdef')
    assert.equal(nonce.toString('base64'), 'MDEyMzQ1Njc4OWFiY2RlZg==')
    assert.equal(
      tranKeyOf(nonce, '2026-01-01T12:00:00-05:00', 'SECRETKEY'),
      'SU0hZdxzVf1jN2YuHfUW24/Q2YtVj9PQzQS0YTxx8Lg=',
    )
  })

  it('cannot make it call another machine: a notice for one is not sent', async () => {
    let calls = 0
    // Another address of this machine stands for another machine.
    const elsewhere = createServer((_request, response) => {
      calls += 1
      response.end()
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.2', resolve))
    try {
      await using simulated = await simulate(placetopay)
      const notificationURL = `http://127.0.0.2:${(elsewhere.address() as AddressInfo).port}/shop`
      const made = await create(simulated, {}, { notificationURL })
      assert.equal(made.status, 200, made.text)
      await simulated.advance(60_000)
      assert.equal(simulated.notices().length, 1)
      assert.deepEqual([calls, simulated.received], [0, []])
    } finally {
      elsewhere.close()
    }
  })

  it('is told each way to fail by its code', async () => {
    await using simulated = await simulate(placetopay)
    const now = simulated.now()
    const right = () => auth(simulated)
    const used = right()
    assert.equal((await ask(simulated, 'information', { ...payment(), auth: used })).status, 200)
    const wrong = (): [code: number, auth: unknown][] => [
      [100, undefined],
      [100, null],
      [100, 'x'],
      [100, [right()]],
      ...['login', 'seed', 'nonce', 'tranKey'].flatMap((member): [number, unknown][] => [
        [100, altered(right(), member, undefined)],
        [100, altered(right(), member, '')],
        [107, altered(right(), member, 5)],
        [107, altered(right(), member, { toString: 1 })],
        [107, altered(right(), member, 'x'.repeat(300))],
      ]),
      [107, { ...right(), nonce: 'not base64!' }],
      [107, { ...right(), seed: '2026-11-16 15:00:00' }],
      [107, { ...right(), seed: '2026-11-16T15:00:00' }],
      [107, { ...right(), seed: '2026-13-16T15:00:00Z' }],
      [101, auth(simulated, { as: 'someone-else' })],
      [101, auth(simulated, { as: 'toString' })],
      [102, auth(simulated, { secret: 'another' })],
      [102, { ...right(), nonce: Buffer.from('another').toString('base64') }],
      [103, auth(simulated, { at: now - 5 * MINUTE_MS - 1 })],
      [103, auth(simulated, { at: now + 5 * MINUTE_MS + 1 })],
      [103, used],
      [104, auth(simulated, { as: 'recaudo-inactive-site' })],
      [105, auth(simulated, { as: 'recaudo-expired-site' })],
      [106, auth(simulated, { as: 'recaudo-expired-password' })],
    ]
    for (const path of ['information', 'process', 'query', 'search', 'transaction'])
      for (const [code, given] of wrong()) {
        const refused = await simulated.call('POST', `/gateway/${path}`, { ...payment(), auth: given })
        const status = { status: 'FAILED', reason: 401, message: `Authentication failed ${code}` }
        assert.deepEqual([refused.status, refused.json], [401, { status }], JSON.stringify(given))
      }
    for (const at of [now - 5 * MINUTE_MS, now + 5 * MINUTE_MS]) {
      const body = { ...payment(), auth: auth(simulated, { at }) }
      assert.equal((await simulated.call('POST', '/gateway/information', body)).status, 200)
    }
    // The clock is the simulator's.
    const old = auth(simulated)
    await simulated.advance(5 * MINUTE_MS + 1)
    assert.equal((await ask(simulated, 'query', { auth: old, internalReference: 1 })).status, 401)
    assert.deepEqual(
      (await ask(simulated, 'search', { reference: 'order-1', amount: PAYMENT_AMOUNT })).json.transactions,
      [],
    )
  })

  it('is not found in what is not JSON, nor any path elsewhere', async () => {
    await using simulated = await simulate(placetopay)
    const whole = JSON.stringify({ ...payment(), auth: auth(simulated) })
    for (const [body, type] of [
      ['{', 'application/json'],
      ['', 'application/json'],
      ['null', 'application/json'],
      ['[]', 'application/json'],
      [whole, 'text/plain'],
    ] as const) {
      const { status, json } = await simulated.call('POST', '/gateway/process', body, {
        'content-type': type,
      })
      assert.deepEqual([status, json.status.message], [401, 'Authentication failed 100'], body)
    }
    for (const [method, path] of [
      ['GET', '/gateway/query'],
      ['POST', '/gateway'],
      ['POST', '/gateway/toString'],
      ['POST', '/gateway/query/1'],
      ['POST', '/api/session'],
    ] as const)
      assert.equal(
        (await simulated.call(method, path, method === 'GET' ? undefined : whole)).status,
        404,
        path,
      )
  })
})

describe('a request to the simulated PlacetoPay', () => {
  const LONG = 'x'.repeat(251)
  const NEVER_RIGHT: unknown[] = [undefined, null, '', 0, [], {}, { toString: 1 }, true]
  const PAYMENT: [field: string, values: unknown[]][] = [
    ['locale', [...NEVER_RIGHT, 'es', 'ES_co']],
    ['payment.reference', [...NEVER_RIGHT, ' ', 'x'.repeat(33), 'a\nb', 'a\0b']],
    ['payment.description', [...NEVER_RIGHT, LONG]],
    ['payment.amount.currency', [...NEVER_RIGHT, 'USD']],
    ['payment.amount.total', [...NEVER_RIGHT, '24900', -1, 0.001, 24_900.505, 1e-7, 1e15]],
    ['payment.amount.taxes', [null, 5, {}, [5], [[]], [{}], [{ kind: {} }]]],
    ['instrument.redirection.paymentMethod', [...NEVER_RIGHT, 'PSE', '_ATHMOVIL_']],
    [
      'instrument.redirection.returnURL',
      [...NEVER_RIGHT, 'shop', 'javascript:alert(1)', `https://shop.example/${LONG}`],
    ],
  ]
  const PROCESS: typeof PAYMENT = [
    ...PAYMENT,
    ['payer.documentType', [...NEVER_RIGHT, 'DNI', 'toString']],
    ['payer.document', [...NEVER_RIGHT, '123', '0123456', '12345678901', 'A1234', '1.234.567']],
    ['payer.name', [...NEVER_RIGHT, 'x'.repeat(61)]],
    ['payer.surname', [...NEVER_RIGHT, 'x'.repeat(61)]],
    ['payer.email', [...NEVER_RIGHT, 'ana', `ana@${'x'.repeat(80)}.co`]],
    ['payer.mobile', [...NEVER_RIGHT, 'none', '3'.repeat(31)]],
    ['instrument.redirection.additional.bankCode', [...NEVER_RIGHT, '1', 1022]],
    ['instrument.redirection.additional.userType', [...NEVER_RIGHT, 'natural']],
    ['idempotenceKey', [null, '', 5, {}, 'x'.repeat(33)]],
    ['notificationURL', [null, '', 5, {}, 'shop', 'ftp://shop.example']],
    ['ipAddress', [...NEVER_RIGHT, '203.0.113.256', 'localhost']],
    ['userAgent', [...NEVER_RIGHT]],
  ]
  const OTHERS: [path: string, right: Tree, fields: typeof PAYMENT][] = [
    ['information', payment(), PAYMENT],
    ['process', payment(), PROCESS],
    ['query', { internalReference: 1 }, [['internalReference', [undefined, null, '1', 1.5, {}, 1e300]]]],
    [
      'search',
      { reference: 'order-1', amount: PAYMENT_AMOUNT },
      [
        ['reference', [...NEVER_RIGHT, 'x'.repeat(33)]],
        ['amount.currency', NEVER_RIGHT],
        ['amount.total', [...NEVER_RIGHT, '24900.5']],
      ],
    ],
    [
      'transaction',
      { internalReference: 1, authorization: '000000', action: 'refund' },
      [
        ['internalReference', [undefined, '1', {}]],
        ['authorization', [...NEVER_RIGHT]],
        ['action', [...NEVER_RIGHT, 'destroy']],
      ],
    ],
  ]

  for (const [path, right, fields] of OTHERS)
    it(`to ${path} is told which field is wrong`, async () => {
      await using simulated = await simulate(placetopay)
      for (const [field, values] of fields)
        for (const value of values) {
          const { status, json } = await ask(simulated, path, altered(right, field, value))
          const said = `${field} ${JSON.stringify(value)}`
          assert.deepEqual([status, json.status.status, json.status.reason], [400, 'FAILED', 400], said)
          assert.equal(json.status.message, `Datos inválidos: ${field}`, said)
        }
      assert.equal((await ask(simulated, path, right)).status, 200)
    })

  it('has documents of each kind, amounts with taxes, and limits that are reached', async () => {
    await using simulated = await simulate(placetopay)
    const right: [field: string, value: unknown][] = [
      ['payer', { ...(payment().payer as Tree), documentType: 'CE', document: 'ABC12345' }],
      ['payer', { ...(payment().payer as Tree), documentType: 'TI', document: '123456789012' }],
      ['payer', { ...(payment().payer as Tree), documentType: 'NIT', document: '900123456' }],
      ['payer', { ...(payment().payer as Tree), documentType: 'RUT', document: '900123456' }],
      ['payer', { ...(payment().payer as Tree), documentType: 'PPN', document: 'AB123456' }],
      ['payer.name', 'x'.repeat(60)],
      ['payment.reference', 'x'.repeat(32)],
      ['payment.description', 'x'.repeat(250)],
      ['payment.amount.total', 0.01],
      ['payment.amount.taxes', [{ kind: 'valueAddedTax', amount: 3_975.71, base: 20_924.79 }]],
      ['idempotenceKey', 'x'.repeat(32)],
      ['ipAddress', '2001:db8::7'],
      ['instrument.redirection.additional.userType', 'company'],
    ]
    for (const [field, value] of right) {
      const { status, json, text } = await ask(simulated, 'process', altered(payment(), field, value))
      assert.equal(status, 200, text)
      if (field.endsWith('taxes')) assert.deepEqual(json.amount, { ...PAYMENT_AMOUNT, taxes: value })
    }
    for (const [documentType, document] of [
      ['CE', 'ABCDEF1234'],
      ['CE', '123456789'],
      ['TI', '1234'],
      ['NIT', '123456'],
      ['RUT', '12345678901'],
      ['PPN', 'AB-1'],
    ] as const) {
      const payer = { ...(payment().payer as Tree), documentType, document }
      assert.equal((await ask(simulated, 'process', { ...payment(), payer })).status, 400, document)
    }
  })

  it('to take a PSE payment back is refused inside a 200, in every state', async () => {
    await using simulated = await simulate(placetopay)
    for (const bank of ['1022', '1507', '9999']) {
      const { internalReference } = (await create(simulated, { bank })).json
      for (const _time of ['pending', 'ended']) {
        const before = await read(simulated, internalReference)
        for (const action of ['reverse', 'refund', 'void']) {
          const sent = { internalReference, authorization: before.authorization ?? '000000', action }
          const { status, json } = await ask(simulated, 'transaction', sent)
          assert.deepEqual([status, json.status.status, json.status.reason], [200, 'FAILED', 'XN'])
        }
        assert.deepEqual(await read(simulated, internalReference), before)
        await simulated.advance(2_000)
      }
    }
  })
})
