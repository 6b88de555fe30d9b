// Wompi's calls. Its objects are written by the simulated Wompi, in full.

import { pseBanks } from '../../src/core/directory/pse-bank.ts'
import type { PayinRail, PayoutRail } from '../../src/rails/rail.ts'
import { batchReference } from '../../src/rails/wompi/batches.ts'
import { openWompi } from '../../src/rails/wompi/wompi.ts'
import { findKey, presentKey } from '../../src/sandbox/providers/wompi/keys.ts'
import {
  type Batch,
  type Payout,
  payoutEvent,
  presentBatch,
  presentPayout,
} from '../../src/sandbox/providers/wompi/payout-batch.ts'
import {
  presentTransaction,
  type Transaction,
  transactionEvent,
} from '../../src/sandbox/providers/wompi/transaction.ts'
import {
  CONDITIONS,
  CUSTOMER,
  handle,
  idAt,
  NOW,
  ORGANIZATION,
  PAYMENTS,
  PAYOUTS,
  PERSONAL_DATA,
  payinOrder,
  payoutOrder,
} from '../../test/rails/wompi/wompi.ts'
import { type Adapter, accepted, asking, DEPENDENCIES } from './adapter.ts'

const TRANSACTION_ID = '1292-1602113476-10985'
const BATCH_ID = '9b1d7c52-6a0e-4f43-a0d7-2f8f5b6c1e90'
const order = payinOrder({ source: { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } })
const payoutToKey = payoutOrder()
const amountInCents = Number(order.amountInCents)

const transaction: Transaction = {
  id: TRANSACTION_ID,
  createdAt: NOW,
  finalizedAt: null,
  status: 'PENDING',
  statusMessage: null,
  reference: order.reference,
  amountInCents,
  customerEmail: CUSTOMER.email,
  customerData: { full_name: CUSTOMER.name, phone_number: '573009998877' },
  redirectUrl: order.returnUrl,
  paymentMethod: {
    type: 'PSE',
    user_type: 0,
    user_legal_id_type: 'CC',
    user_legal_id: CUSTOMER.idNumber,
    financial_institution_code: '1007',
    payment_description: 'Pago a Cafe La Palma Bogota D.',
  },
  pageUrl: 'https://registro.pse.example/PSEUserRegister/StartTransaction.aspx?enc=tnPcJHMKlSnmRpHM8fAbu4',
}

const batch: Batch = {
  id: BATCH_ID,
  reference: batchReference(payoutToKey.reference),
  accountId: PAYOUTS.payoutsAccountId as string,
  paymentType: 'OTHER',
  status: 'TOTAL_PAYMENT',
  amountInCents,
  createdAt: NOW,
  updatedAt: NOW,
}
const payout: Payout = {
  id: idAt(NOW, 2),
  payoutId: BATCH_ID,
  batchReference: batch.reference,
  reference: batch.reference,
  description: null,
  amountInCents,
  status: 'APPROVED',
  failure: null,
  payee: {
    key: payoutToKey.keyString,
    keyType: 'PHONE',
    name: CUSTOMER.name,
    email: CUSTOMER.email,
    legalIdType: 'CC',
    legalId: CUSTOMER.idNumber,
    keyResolutionId: null,
  },
  endsWith: null,
  createdAt: NOW,
  updatedAt: NOW,
}

const enveloped = (status: number, data: unknown) => ({
  status,
  json: {
    status,
    code: status === 201 ? 'CREATED' : 'OK',
    message: 'Operación exitosa',
    meta: { trace_id: idAt(NOW, 3) },
    data,
  },
})
const acceptance = (type: string, permalink: string) => ({
  acceptance_token: `eyJhbGciOiJIUzI1NiJ9.${'eyJjb250cmFjdF9pZCI6MSwicGVybWFsaW5rIjoi'.repeat(6)}.${'x'.repeat(43)}`,
  permalink,
  type,
})
const merchant = {
  data: {
    id: 1292,
    name: 'Café La Palma',
    legal_name: 'Café La Palma S.A.S.',
    legal_id_type: 'NIT',
    active: true,
    email: 'pagos@example.com',
    accepted_payment_methods: ['CARD', 'NEQUI', 'PSE', 'BANCOLOMBIA_TRANSFER', 'BANCOLOMBIA_COLLECT'],
    accepted_currencies: ['COP'],
    presigned_acceptance: acceptance('END_USER_POLICY', CONDITIONS),
    presigned_personal_data_auth: acceptance('PERSONAL_DATA_AUTH', PERSONAL_DATA),
  },
  meta: {},
}
const banks = pseBanks(false).map(({ achCode, name }) => ({
  financial_institution_code: achCode ?? '0',
  financial_institution_name: name,
}))
const KEY = '3001234567'

export const wompi: Adapter = {
  provider: 'wompi',
  answers: {
    [`GET /merchants/${PAYMENTS.publicKey}`]: { status: 200, json: merchant },
    'GET /pse/financial_institutions': { status: 200, json: { data: banks, meta: {} } },
    'POST /transactions': {
      status: 201,
      json: { data: presentTransaction({ ...transaction, pageUrl: null }), meta: {} },
    },
    [`GET /transactions/${TRANSACTION_ID}`]: {
      status: 200,
      json: { data: presentTransaction(transaction), meta: {} },
    },
    'GET /transactions': {
      status: 200,
      json: {
        data: [presentTransaction({ ...transaction, status: 'APPROVED', finalizedAt: NOW })],
        meta: { total_results: 1 },
      },
    },
    'POST /v2/payouts': enveloped(201, { payoutId: BATCH_ID, transactions: 1, success: 1, failed: 0 }),
    [`GET /v2/payouts/${BATCH_ID}`]: enveloped(200, presentBatch(batch)),
    [`GET /v2/payouts/${BATCH_ID}/transactions`]: enveloped(200, {
      total: 1,
      records: [presentPayout(payout)],
    }),
    'GET /v1/payouts': enveloped(200, { total: 1, records: [presentBatch(batch)] }),
    [`GET /v2/breb/keys/resolve/${KEY}`]: enveloped(
      200,
      presentKey(KEY, findKey(KEY) as Parameters<typeof presentKey>[1]),
    ),
  },
  open: (url) => {
    const rails = openWompi(
      {
        organizationId: ORGANIZATION,
        environment: 'test',
        uses: ['PSE_IN', 'BRE_B_OUT'],
        credentials: { ...PAYMENTS, ...PAYOUTS, paymentsUrl: url, payoutsUrl: url },
        previousCredentials: null,
        notificationUrl: 'https://recaudo.example/notifications/1',
      },
      DEPENDENCIES,
    )
    const { terms, directory, readHint } = rails as Required<typeof rails>
    const pse = rails.payins.PSE as PayinRail
    const payouts = rails.payouts as PayoutRail
    const events = [transactionEvent({ ...transaction, status: 'APPROVED' }, NOW), payoutEvent(payout, NOW)]
    const [ofPayment, ofPayout] = events.map((text) => Buffer.from(text)) as [Buffer, Buffer]
    return {
      calls: [
        { name: 'the terms', run: accepted(() => terms?.() as never) },
        { name: 'open a PSE payin', run: accepted(() => pse.submit(order)) },
        { name: 'ask for a payin', run: accepted(() => pse.query(handle(order, TRANSACTION_ID))) },
        { name: 'search for a payin', run: accepted(() => pse.query(handle(order))) },
        { name: 'cancel a payin', run: accepted(() => pse.cancel(handle(order, TRANSACTION_ID))) },
        { name: 'look up a key', run: accepted(() => directory?.lookUp(KEY, 'PHONE') as never) },
        { name: 'send a payout', run: accepted(() => payouts.submit(payoutToKey)) },
        { name: 'ask for a payout', run: accepted(() => payouts.query(handle(payoutToKey, BATCH_ID))) },
        { name: 'search for a payout', run: accepted(() => payouts.query(handle(payoutToKey))) },
        { name: 'read an event of a payin', run: asking(() => readHint({}, ofPayment, NOW)) },
        { name: 'read an event of a payout', run: asking(() => readHint({}, ofPayout, NOW)) },
      ],
      close: rails.close,
    }
  },
}
