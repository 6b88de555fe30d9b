// Every call of the Wompi adapter as it goes over the wire: method, path, headers and body.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Exchange, openRecordingServer } from './recording-server.ts'
import {
  accepted,
  CONDITIONS,
  CUSTOMER,
  handle,
  NOW,
  open,
  PERSONAL_DATA,
  payinOrder,
  payoutOrder,
} from './wompi.ts'

const PUBLIC = { accept: 'application/json', authorization: 'Bearer pub_test_recaudo1234567890' }
const PRIVATE = { accept: 'application/json', authorization: 'Bearer prv_test_recaudo1234567890' }
const PAYOUTS = {
  accept: 'application/json',
  'x-api-key': 'payouts_test_recaudo1234567890',
  'user-principal-id': '5b0f3c1e-7a52-4d0b-9c57-2f6d1a9e8b34',
}
const JSON_BODY = { 'content-type': 'application/json' }

const ID = '1292-1602113476-10985'
const REFERENCE = 'PAYkKXayWd0u8zrMCCZqAVwGh5N9FgHAAgAAAAAAAAAE'
const BATCH_REFERENCE = '01a1e4df-4580-7000-8000-000000000001'
const merchant = {
  json: {
    data: {
      presigned_acceptance: { acceptance_token: 'token.of.conditions', permalink: CONDITIONS },
      presigned_personal_data_auth: { acceptance_token: 'token.of.data', permalink: PERSONAL_DATA },
    },
  },
}
const transaction = {
  id: ID,
  status: 'PENDING',
  reference: REFERENCE,
  amount_in_cents: 2_490_000,
  currency: 'COP',
}
const banks = {
  json: { data: [{ financial_institution_code: '1007', financial_institution_name: 'BANCOLOMBIA' }] },
}
const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')

test('a PSE payment: the terms, the banks, and the transaction', async () => {
  await using server = await openRecordingServer({
    'GET /merchants/pub_test_recaudo1234567890': merchant,
    'GET /pse/financial_institutions': banks,
    'POST /transactions': { status: 201, json: { data: transaction } },
  })
  await using rails = open({ payments: server.url })
  const order = payinOrder({
    source: { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
  })
  accepted(await rails.pse.submit(order))
  const [create] = server.exchanges.splice(2)
  assert.deepEqual(
    server.exchanges.sort((a, b) => (a.call < b.call ? -1 : 1)),
    [
      { call: 'GET /merchants/pub_test_recaudo1234567890', headers: PUBLIC, body: undefined },
      { call: 'GET /pse/financial_institutions', headers: PUBLIC, body: undefined },
    ],
  )
  const signed = `${REFERENCE}2490000COP2026-11-16T15:15:00.000Ztest_integrity_recaudo1234567890`
  assert.deepEqual(create, {
    call: 'POST /transactions',
    headers: { ...PUBLIC, ...JSON_BODY },
    body: {
      acceptance_token: 'token.of.conditions',
      accept_personal_auth: 'token.of.data',
      amount_in_cents: 2_490_000,
      currency: 'COP',
      signature: sha256(signed),
      customer_email: 'canaria@example.com',
      reference: REFERENCE,
      redirect_url: 'https://pay.example.com/return?x=1',
      expiration_time: '2026-11-16T15:15:00.000Z',
      ip: '190.24.1.7',
      customer_data: { full_name: 'Canaria del Campo', phone_number: '573009998877' },
      payment_method: {
        type: 'PSE',
        user_type: 0,
        user_legal_id_type: 'CC',
        user_legal_id: '1012345678',
        financial_institution_code: '1007',
        payment_description: 'Pago a Cafe La Palma Bogota D.',
      },
    },
  })
})

test('a company pays with its NIT, another document is OTHER, and without a browser there is no address of one', async () => {
  await using server = await openRecordingServer({
    'GET /merchants/pub_test_recaudo1234567890': merchant,
    'POST /transactions': { status: 201, json: { data: transaction } },
  })
  await using rails = open({ payments: server.url })
  const sent = async (idType: string, idNumber: string, personType: 'INDIVIDUAL' | 'BUSINESS') => {
    const order = payinOrder({
      customer: { ...CUSTOMER, idType, idNumber, phone: '+5215512345678' },
      device: null,
      merchantName: '***',
      source: { rail: 'PSE', bank: 'CO_BANCO_DE_PRUEBAS', personType },
    })
    accepted(await rails.pse.submit(order))
    const last = server.exchanges.at(-1) as Exchange
    const { payment_method: method, ...body } = last.body as Record<string, unknown>
    assert.ok(!('ip' in body))
    assert.deepEqual(body.customer_data, { full_name: 'Canaria del Campo', phone_number: '5215512345678' })
    return method
  }
  const rest = { type: 'PSE', financial_institution_code: '1', payment_description: 'Pago a' }
  assert.deepEqual(await sent('CO_NIT', '900.123.456-8', 'BUSINESS'), {
    ...rest,
    user_type: 1,
    user_legal_id_type: 'NIT',
    user_legal_id: '900123456-8',
  })
  for (const [ours, theirs] of [
    ['CO_CE', 'CE'],
    ['PASSPORT', 'PP'],
    ['MXN_RFC', 'OTHER'],
  ] as const)
    assert.deepEqual(await sent(ours, 'AB1234', 'INDIVIDUAL'), {
      ...rest,
      user_type: 0,
      user_legal_id_type: theirs,
      user_legal_id: 'AB1234',
    })
})

test('a payment is read by its id, or searched by our reference, with the private key', async () => {
  const order = payinOrder()
  const search = `GET /transactions?reference=${REFERENCE}`
  await using server = await openRecordingServer({
    [`GET /transactions/${ID}`]: { json: { data: transaction } },
    [search]: { json: { data: [transaction] } },
  })
  await using rails = open({ payments: server.url })
  accepted(await rails.pse.query(handle(order, ID)))
  accepted(await rails.pse.query(handle(order)))
  accepted(await rails.pse.cancel(handle(order, ID)))
  assert.deepEqual(server.exchanges, [
    { call: `GET /transactions/${ID}`, headers: PRIVATE, body: undefined },
    { call: search, headers: PRIVATE, body: undefined },
    { call: `GET /transactions/${ID}`, headers: PRIVATE, body: undefined },
  ])
})

test('a payout is a batch of one, under the payout’s own id', async () => {
  await using server = await openRecordingServer({
    'POST /v2/payouts': {
      status: 201,
      json: { payoutId: 'batch-1', transactions: 1, success: 1, failed: 0 },
    },
  })
  await using rails = open({ payouts: server.url })
  accepted(await rails.out.submit(payoutOrder()))
  accepted(await rails.out.submit(payoutOrder({ customer: { ...CUSTOMER, idType: 'MXN_RFC' } })))
  accepted(
    await rails.out.submit(
      payoutOrder({ customer: { ...CUSTOMER, idType: 'CO_NIT', idNumber: '900.123.456-8' } }),
    ),
  )
  const [first, second, third] = server.exchanges
  const payout = {
    key: '3001234567',
    name: 'Canaria del Campo',
    email: 'canaria@example.com',
    amount: 2_490_000,
    reference: BATCH_REFERENCE,
  }
  const bodyWith = (document: object) => ({
    reference: BATCH_REFERENCE,
    accountId: 'c2a4d9f0-18b3-4e6a-8d75-90b1f7e3a652',
    paymentType: 'OTHER',
    transactions: [{ ...payout, ...document }],
  })
  assert.deepEqual(first, {
    call: 'POST /v2/payouts',
    headers: { ...PAYOUTS, ...JSON_BODY, 'idempotency-key': BATCH_REFERENCE },
    body: bodyWith({ legalIdType: 'CC', legalId: '1012345678' }),
  })
  assert.deepEqual(second?.body, bodyWith({}))
  assert.deepEqual(third?.body, bodyWith({ legalIdType: 'NIT', legalId: '900123456-8' }))
})

test('a payout is read by the batch’s id, or searched by its reference', async () => {
  const order = payoutOrder()
  const batch = { id: 'batch-1', reference: BATCH_REFERENCE, status: 'PENDING', amountInCents: 2_490_000 }
  const payouts = { total: 1, records: [{ id: 'payout-1', status: 'PENDING', amountInCents: 2_490_000 }] }
  await using server = await openRecordingServer({
    'GET /v2/payouts/batch-1': { json: batch },
    'GET /v2/payouts/batch-1/transactions': { json: payouts },
    [`GET /v1/payouts?reference=${BATCH_REFERENCE}`]: { json: { total: 1, records: [batch] } },
  })
  await using rails = open({ payouts: server.url })
  accepted(await rails.out.query(handle(order, 'batch-1')))
  accepted(await rails.out.query(handle(order)))
  assert.deepEqual(
    server.exchanges,
    [
      'GET /v2/payouts/batch-1',
      'GET /v2/payouts/batch-1/transactions',
      `GET /v1/payouts?reference=${BATCH_REFERENCE}`,
      'GET /v2/payouts/batch-1/transactions',
    ].map((call) => ({ call, headers: PAYOUTS, body: undefined })),
  )
})

test('a key is looked up by its type, and stays out of the record', async () => {
  const found = { holderName: 'ELE*** COL***', financialEntity: { name: 'BANCO' } }
  const calls = {
    DOCUMENT: ['1020304050', '1020304050?keyType=IDENTIFICATION'],
    PHONE: ['3001234567', '3001234567?keyType=PHONE'],
    EMAIL: ['ecolon@wompi.com', 'ecolon%40wompi.com?keyType=MAIL'],
    ALPHANUMERIC: ['@ELIAS123', '%40ELIAS123?keyType=ALPHANUMERIC'],
    MERCHANT_CODE: ['0012345678', '0012345678?keyType=ESTABLISHMENT_CODE'],
  } as const
  for (const [keyType, [key, path]] of Object.entries(calls)) {
    const call = `GET /v2/breb/keys/resolve/${path}`
    await using server = await openRecordingServer({
      [call]: { json: { ...found, keyType: path.split('=')[1], keyValue: '***' } },
    })
    await using rails = open({ payouts: server.url })
    accepted((await rails.directory?.lookUp(key, keyType as keyof typeof calls)) as never)
    assert.deepEqual(server.exchanges, [{ call, headers: PAYOUTS, body: undefined }])
    assert.deepEqual(
      rails.exchanges.map(({ operation, reference }) => [operation, reference]),
      [['GET /v2/breb/keys/resolve', '']],
    )
  }
})

test('a check asks with each of the credentials', async () => {
  await using server = await openRecordingServer()
  await using rails = open({ payments: server.url, payouts: server.url })
  await rails.check()
  assert.deepEqual(
    server.exchanges.sort((a, b) => (a.call < b.call ? -1 : 1)),
    [
      { call: 'GET /merchants/pub_test_recaudo1234567890', headers: PUBLIC, body: undefined },
      { call: 'GET /transactions?reference=recaudo-connection-check', headers: PRIVATE, body: undefined },
      { call: 'GET /v1/accounts', headers: PAYOUTS, body: undefined },
    ],
  )
})

test('our references are what these tests take them for', () => {
  assert.equal(payinOrder().reference, REFERENCE)
  assert.equal(new Date(NOW).toISOString(), '2026-11-16T15:00:00.000Z')
})
