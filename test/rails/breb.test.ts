// The Bre-B adapter against a scripted network: the shared contract, and what is particular to Bre-B.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PayinOrder, PayoutOrder } from '../../src/rails/rail.ts'
import { openRails } from '../../src/rails/rails.ts'
import type { Expected } from './conformance/answers.ts'
import { networkConformance } from './conformance.ts'
import { type Answer, openFakeNetwork } from './fake-network.ts'
import { payinLife, payoutLife } from './network-lives.ts'
import { handleOf, openedPayin, returnPayment } from './port.ts'
import { statementOperation } from './statement.ts'

const PAYIN = `P${'a'.repeat(43)}`
const PAYOUT = `O${'b'.repeat(43)}`
const RETURN = `R${'c'.repeat(43)}`
const settings = (baseUrl: string) => ({
  baseUrl,
  clientId: 'recaudo',
  clientSecret: 'canary-client-secret',
  notificationKey: 'canary-notification-key',
})

const customer = {
  name: 'Canaria del Campo',
  idType: 'CO_CC',
  idNumber: '1012345678',
  phone: '+573009998877',
  email: 'canaria@example.com',
}
const payinOrder: PayinOrder = {
  reference: PAYIN,
  amountInCents: 1_234_567n,
  merchantName: 'Panadería La 14',
  expiresAt: Date.UTC(2026, 10, 15, 13, 15),
  customer,
  device: null,
  acceptedTerms: [],
  returnUrl: 'https://pay.example.com/return',
  source: { rail: 'BRE_B', keyString: '@RC0123456789AB' },
}
const payoutOrder: PayoutOrder = {
  reference: PAYOUT,
  amountInCents: 5_000n,
  keyString: '3201112233',
  keyType: 'PHONE',
  customer,
}

const collection = {
  reference: PAYIN,
  key: '@RC0123456789AB',
  status: 'READY',
  amount: '12345.67',
  payments: [] as object[],
  reasonCode: null as string | null,
}
const payment = { paymentId: 'PAY1', amount: '12345.67', paidAt: '2026-11-15T13:01:00.000-05:00' }
const transfer = {
  reference: PAYOUT,
  status: 'PROCESSING',
  amount: '50.00',
  endToEndId: null as string | null,
  reasonCode: null as string | null,
}
const keyRecord = {
  key: '3201112233',
  keyType: 'M',
  status: 'ACTIVE',
  person: { type: 'N', idType: 'CO_CC', idNumber: '52111222', name: 'Paula Cañón Pérez' },
  participant: { nit: '890903938', name: 'Bancolombia' },
  account: { type: 'DBMO', number: '44556677889' },
}
const holder = {
  keyString: '3201112233',
  keyType: 'PHONE',
  holder: { name: 'Paula Cañón Pérez', personType: 'INDIVIDUAL', idType: 'CO_CC', idNumber: '52111222' },
  participant: { name: 'Bancolombia', code: '890903938' },
  account: { type: 'LOW_AMOUNT_DEPOSIT', lastFour: '7889' },
}

const ok = (json: object): Answer => ({ status: 200, json })
const refusal = (status: number, code: string): Answer => ({
  status,
  json: { status: 'ERROR', code, message: 'Canaria del Campo said no' },
})
const paid = {
  state: 'paid',
  payments: [{ amountInCents: 1_234_567n, paymentId: 'PAY1' }],
  networkCode: 'PAID',
}
const ended = (how: string, reason: string, networkCode: string): Expected => ({
  accepted: { state: 'ended', how, reason, networkCode },
})
const wrongAmounts = ['12345.6', '12345.670', '012345.67', '-12345.67', '1.234567e4', '0.00', 12345.67, '']

const statuses: Record<string, readonly [Answer, Expected]> = {
  'an open collection': [ok(collection), { accepted: { state: 'open' } }],
  'another amount that was paid': [
    ok({ ...collection, status: 'PAID', payments: [{ ...payment, amount: '12345.68' }] }),
    { accepted: { ...paid, payments: [{ amountInCents: 1_234_568n, paymentId: 'PAY1' }] } },
  ],
  'every payment, where several people paid': [
    ok({
      ...collection,
      status: 'PAID',
      payments: [payment, { ...payment, paymentId: 'PAY2', amount: '0.01' }],
    }),
    { accepted: { ...paid, payments: [...paid.payments, { amountInCents: 1n, paymentId: 'PAY2' }] } },
  ],
  'money on a collection that has expired': [
    ok({ ...collection, status: 'EXPIRED', payments: [payment] }),
    { accepted: { ...paid, networkCode: 'EXPIRED' } },
  ],
  'paid without a payment': [ok({ ...collection, status: 'PAID' }), 'unreadable'],
  'a rejection with its code': [
    ok({ ...collection, status: 'REJECTED', reasonCode: 'INSUFFICIENT_FUNDS' }),
    ended('declined', 'INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS'),
  ],
  'a rejection with a code nobody knows': [
    ok({ ...collection, status: 'REJECTED', reasonCode: 'Z999' }),
    ended('declined', 'BANK_DECLINED', 'Z999'),
  ],
  'a code that is a member of every object': [
    ok({ ...collection, status: 'REJECTED', reasonCode: 'constructor' }),
    ended('declined', 'BANK_DECLINED', 'constructor'),
  ],
  'a payer who said no': [
    ok({ ...collection, status: 'CANCELED', reasonCode: 'CANCELED_BY_PAYER' }),
    ended('canceled', 'CANCELED_BY_PAYER', 'CANCELED_BY_PAYER'),
  ],
  'an expired collection': [ok({ ...collection, status: 'EXPIRED' }), ended('expired', 'EXPIRED', 'EXPIRED')],
  'a status nobody knows': [ok({ ...collection, status: 'HELD' }), 'unreadable'],
  'another reference': [ok({ ...collection, reference: `${PAYIN}x` }), 'unreadable'],
  'a refused query': [refusal(422, 'B106'), 'undecided'],
  'a failed query': [refusal(500, 'B106'), 'unavailable'],
}

const STATEMENT_ENTRY = {
  type: 'CREDIT',
  reference: `P${'d'.repeat(43)}`,
  amount: '80000.00',
  currency: 'COP',
  occurredAt: '2026-11-14T15:00:00.000Z',
}

networkConformance({
  amounts: ['12345.67', '50.00'],
  rail: 'BRE_B',
  open: (url, world) => openRails({ breb: settings(url), pse: settings('http://127.0.0.1:1') }, world),
  personal: [
    ...Object.values(customer).filter((value) => value !== 'CO_CC'),
    '3201112233',
    '52111222',
    'Cañón',
    '44556677889',
    'La 14',
    'canary',
  ],
  operations: [
    statementOperation('BRE_B', { ...STATEMENT_ENTRY, paymentId: 'PAY1', endToEndId: null }, 'PAY1'),
    {
      ability: 'payin submit',
      use: 'BRE_B_IN',
      call: (rails) => rails.payins.BRE_B.submit(payinOrder),
      good: { status: 201, json: collection },
      accepted: openedPayin(),
      mayAskAgain: true,
      answers: {
        'a collection that was paid meanwhile': [
          ok({ ...collection, status: 'PAID', payments: [payment] }),
          { accepted: openedPayin() },
        ],
        'a rejection': [
          ok({ ...collection, status: 'REJECTED', reasonCode: 'B106' }),
          { rejected: 'RISK_REJECTED', networkCode: 'B106' },
        ],
        'a refusal': [refusal(422, 'U112'), { rejected: 'LIMIT_EXCEEDED', networkCode: 'U112' }],
        'a refusal inside 200': [refusal(200, 'U112'), { rejected: 'LIMIT_EXCEEDED', networkCode: 'U112' }],
        'an unknown refusal': [refusal(400, 'Z1'), { rejected: 'RAIL_ERROR', networkCode: 'Z1' }],
        'an unknown refusal inside 200': [refusal(200, 'Z1'), { rejected: 'RAIL_ERROR', networkCode: 'Z1' }],
        'a conflict': [refusal(409, 'Z1'), 'undecided'],
        'too many calls': [refusal(429, 'Z1'), 'unavailable'],
        'a node that timed out': [refusal(422, 'B001'), 'undecided'],
        'another reference': [ok({ ...collection, reference: PAYOUT }), 'unreadable'],
        'another amount': [ok({ ...collection, amount: '12345.68' }), 'unreadable'],
        'another key': [ok({ ...collection, key: '@RCZZZZZZZZZZZZ' }), 'unreadable'],
        ...Object.fromEntries(
          wrongAmounts.map((amount): [string, readonly [Answer, Expected]] => [
            `${JSON.stringify(amount)} for an amount`,
            [ok({ ...collection, amount }), 'unreadable'],
          ]),
        ),
      },
    },
    {
      ability: 'payin search',
      use: 'BRE_B_IN',
      call: (rails) => rails.payins.BRE_B.query(handleOf(payinOrder)),
      good: ok({ ...collection, status: 'PAID', payments: [payment] }),
      accepted: paid,
      mayAskAgain: true,
      answers: {
        ...statuses,
        'a cancelation that names nobody': [
          ok({ ...collection, status: 'CANCELED' }),
          ended('canceled', 'CANCELED_BY_PAYER', 'CANCELED'),
        ],
        'nothing found, for it may be on its way': [refusal(404, 'NOT_FOUND'), 'undecided'],
      },
    },
    {
      ability: 'payin cancel',
      use: 'BRE_B_IN',
      call: (rails) => rails.payins.BRE_B.cancel(handleOf(payinOrder)),
      good: ok({ ...collection, status: 'CANCELED' }),
      accepted: {
        state: 'ended',
        how: 'canceled',
        reason: 'CANCELED_BY_MERCHANT',
        networkCode: 'CANCELED',
      },
      mayAskAgain: true,
      answers: {
        ...statuses,
        'nothing found': [refusal(404, 'NOT_FOUND'), ended('not-found', 'EXPIRED', 'NOT_FOUND')],
        'nothing found by a server in trouble': [refusal(500, 'NOT_FOUND'), 'unavailable'],
      },
    },
    {
      ability: 'payin return',
      use: 'BRE_B_IN',
      call: (rails) => returnPayment(rails.payins.BRE_B, RETURN, 'PAY1', 1_234_567n),
      good: ok({ reference: RETURN, status: 'COMPLETED', endToEndId: 'E2E9' }),
      accepted: { traceId: 'E2E9' },
      mayAskAgain: false,
      answers: {
        'a refusal': [refusal(422, 'B105'), { rejected: 'RAIL_ERROR', networkCode: 'B105' }],
        'an unknown refusal': [refusal(422, 'Z1'), { rejected: 'RAIL_ERROR', networkCode: 'Z1' }],
        'an unknown refusal inside 200': [refusal(200, 'Z1'), 'undecided'],
        'a node that timed out': [refusal(422, 'B002'), 'undecided'],
        'nothing found': [refusal(404, 'NOT_FOUND'), 'undecided'],
        'another reference': [
          ok({ reference: PAYIN, status: 'COMPLETED', endToEndId: 'E2E9' }),
          'unreadable',
        ],
      },
    },
    {
      ability: 'payout submit',
      use: 'BRE_B_OUT',
      call: (rails) => rails.payouts.submit(payoutOrder),
      good: { status: 202, json: transfer },
      accepted: { state: 'processing' },
      mayAskAgain: false,
      answers: {
        'a transfer that is done': [
          ok({ ...transfer, status: 'COMPLETED', endToEndId: 'E2E1' }),
          { accepted: { state: 'completed', traceId: 'E2E1', amountInCents: 5_000n } },
        ],
        'a rejection': [
          ok({ ...transfer, status: 'REJECTED', reasonCode: 'B103' }),
          { rejected: 'RECEIVER_ID_MISMATCH', networkCode: 'B103' },
        ],
        'a rejection by a node that timed out': [
          ok({ ...transfer, status: 'REJECTED', reasonCode: 'B002' }),
          'undecided',
        ],
        'a refusal': [refusal(422, 'B105'), { rejected: 'RECEIVER_ACCOUNT_INVALID', networkCode: 'B105' }],
        'a refusal inside 200': [refusal(200, 'B106'), { rejected: 'RISK_REJECTED', networkCode: 'B106' }],
        'a refusal of the key': [
          refusal(422, 'DIFE-0004'),
          { rejected: 'KEY_NOT_FOUND', networkCode: 'DIFE-0004' },
        ],
        'an unknown refusal': [refusal(422, 'Z1'), { rejected: 'RAIL_ERROR', networkCode: 'Z1' }],
        'an unknown refusal inside 200': [refusal(200, 'Z1'), 'undecided'],
        'an unknown refusal with 500': [refusal(500, 'Z1'), 'unavailable'],
        'a known refusal with 500': [refusal(500, 'B106'), 'unavailable'],
        'a conflict': [refusal(409, 'Z1'), 'undecided'],
        'nothing found': [refusal(404, 'NOT_FOUND'), 'undecided'],
        'a node that timed out': [refusal(422, 'B001'), 'undecided'],
        'a refusal without a code': [{ status: 422, json: { status: 'ERROR' } }, 'unreadable'],
        'another reference': [ok({ ...transfer, reference: PAYIN }), 'unreadable'],
        'another amount': [ok({ ...transfer, amount: '50.01' }), 'unreadable'],
      },
    },
    {
      ability: 'payout search',
      use: 'BRE_B_OUT',
      call: (rails) => rails.payouts.query(handleOf(payoutOrder)),
      good: ok({ ...transfer, status: 'COMPLETED', endToEndId: 'E2E1' }),
      accepted: { state: 'completed', traceId: 'E2E1', amountInCents: 5_000n },
      mayAskAgain: true,
      answers: {
        'a transfer under way': [ok(transfer), { accepted: { state: 'processing' } }],
        'a rejection': [
          ok({ ...transfer, status: 'REJECTED', reasonCode: 'B107' }),
          { accepted: { state: 'rejected', reason: 'RECEIVER_LIMIT_EXCEEDED', networkCode: 'B107' } },
        ],
        'a rejection without a code': [
          ok({ ...transfer, status: 'REJECTED' }),
          { accepted: { state: 'rejected', reason: 'RAIL_ERROR', networkCode: 'REJECTED' } },
        ],
        'a rejection by a node that timed out': [
          ok({ ...transfer, status: 'REJECTED', reasonCode: 'B002' }),
          'undecided',
        ],
        'nothing found': [refusal(404, 'NOT_FOUND'), { accepted: { state: 'absent' } }],
        'nothing found, inside 200': [refusal(200, 'NOT_FOUND'), { accepted: { state: 'absent' } }],
        'nothing found by a server in trouble': [refusal(500, 'NOT_FOUND'), 'unavailable'],
        'a refused query': [refusal(422, 'B106'), 'undecided'],
        'another reference': [ok({ ...transfer, reference: PAYIN }), 'unreadable'],
      },
    },
    {
      ability: 'look-up',
      use: null,
      call: (rails) => rails.directory.lookUp('3201112233', 'PHONE'),
      good: ok(keyRecord),
      accepted: holder,
      mayAskAgain: true,
      answers: {
        'a business': [
          ok({ ...keyRecord, person: { ...keyRecord.person, type: 'L' } }),
          { accepted: { ...holder, holder: { ...holder.holder, personType: 'BUSINESS' } } },
        ],
        'an account number of four digits': [
          ok({ ...keyRecord, account: { type: 'CAHO', number: '1234' } }),
          { accepted: { ...holder, account: { type: 'SAVINGS', lastFour: '****' } } },
        ],
        ...Object.fromEntries(
          Object.entries({
            CCTE: 'CHECKING',
            DBMI: 'INCLUSIVE_LOW_AMOUNT_DEPOSIT',
            DORD: 'ORDINARY_DEPOSIT',
          }).map(([sent, type]): [string, readonly [Answer, Expected]] => [
            `an account of kind ${sent}`,
            [
              ok({ ...keyRecord, account: { ...keyRecord.account, type: sent } }),
              { accepted: { ...holder, account: { ...holder.account, type } } },
            ],
          ]),
        ),
        'no such key': [refusal(404, 'DIFE-0004'), { rejected: 'KEY_NOT_FOUND', networkCode: 'DIFE-0004' }],
        'no such key, inside 200': [
          refusal(200, 'DIFE-0004'),
          { rejected: 'KEY_NOT_FOUND', networkCode: 'DIFE-0004' },
        ],
        'a suspended key': [
          refusal(422, 'DIFE-0006'),
          { rejected: 'KEY_SUSPENDED', networkCode: 'DIFE-0006' },
        ],
        'an invalid key': [refusal(400, 'DIFE-5005'), { rejected: 'KEY_INVALID', networkCode: 'DIFE-5005' }],
        'a directory that timed out': [refusal(504, 'DIFE-5000'), 'timeout'],
        'a directory that failed': [refusal(500, 'DIFE-9999'), 'unavailable'],
        'a code nobody knows': [refusal(422, 'DIFE-7777'), 'unavailable'],
        'another key': [ok({ ...keyRecord, key: '3201112234' }), 'unreadable'],
        'a key of another type': [ok({ ...keyRecord, keyType: 'NRIC' }), 'unreadable'],
        'a name in another encoding': [
          { status: 200, bytes: Buffer.from(JSON.stringify(keyRecord), 'latin1') },
          'unreadable',
        ],
        'a name that reverses what follows': [
          ok({ ...keyRecord, person: { ...keyRecord.person, name: 'Paula Cañón\u202e' } }),
          'unreadable',
        ],
      },
    },
  ],
  notices: {
    key: 'canary-notification-key',
    notices: [
      {
        body: notification('collection.paid', { paymentId: 'PAY1', amount: '12345.67' }),
        notice: notice(
          { kind: 'payin.paid', amountInCents: 1_234_567n, paymentId: 'PAY1' },
          'collection.paid',
        ),
      },
      {
        body: notification('collection.chargeback', { paymentId: 'PAY1', amount: '0.01' }),
        notice: notice(
          { kind: 'payin.chargeback', amountInCents: 1n, paymentId: 'PAY1' },
          'collection.chargeback',
        ),
      },
      {
        body: notification('collection.chargeback', {
          paymentId: 'PAY1',
          amount: '0.01',
          chargebackId: 'CB1',
        }),
        notice: notice(
          { kind: 'payin.chargeback', amountInCents: 1n, paymentId: 'PAY1', chargebackId: 'CB1' },
          'collection.chargeback',
        ),
      },
      {
        body: notification('collection.rejected', { reasonCode: 'B106' }),
        notice: notice({ kind: 'payin.declined', reason: 'RISK_REJECTED' }, 'B106'),
      },
      {
        body: notification('collection.rejected', { reasonCode: 'CANCELED_BY_PAYER' }),
        notice: notice({ kind: 'payin.canceled', reason: 'CANCELED_BY_PAYER' }, 'CANCELED_BY_PAYER'),
      },
      {
        body: notification('collection.canceled', {}),
        notice: notice({ kind: 'payin.canceled', reason: 'CANCELED_BY_PAYER' }, 'collection.canceled'),
      },
      {
        body: notification('transfer.completed', { endToEndId: 'E2E1' }),
        notice: notice({ kind: 'payout.completed', traceId: 'E2E1' }, 'transfer.completed'),
      },
      {
        body: notification('transfer.completed', { endToEndId: 'E2E1', amount: '10000.00' }),
        notice: notice(
          { kind: 'payout.completed', traceId: 'E2E1', amountInCents: 1_000_000n },
          'transfer.completed',
        ),
      },
      {
        body: notification('transfer.rejected', { reasonCode: 'U122' }),
        notice: notice({ kind: 'payout.rejected', reason: 'PARTICIPANT_UNAVAILABLE' }, 'U122'),
      },
      {
        body: notification('transfer.rejected', {}),
        notice: notice({ kind: 'payout.rejected', reason: 'RAIL_ERROR' }, 'transfer.rejected'),
      },
      ...['2026-13-45T00:00:00Z', '0000-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(
        (occurredAt) => ({
          body: notification('collection.paid', { paymentId: 'PAY1', amount: '12345.67', occurredAt }),
          notice: {
            ...notice(
              { kind: 'payin.paid' as const, amountInCents: 1_234_567n, paymentId: 'PAY1' },
              'collection.paid',
            ),
            occurredAt: Date.UTC(2026, 10, 15, 13),
            timeIsImpossible: true as const,
          },
        }),
      ),
    ],
    faulty: {
      'money without an amount': notification('collection.paid', { paymentId: 'PAY1' }),
      'money without a payment': notification('collection.paid', { amount: '12345.67' }),
      'an amount without places': notification('collection.paid', { paymentId: 'PAY1', amount: '12345' }),
      'no money at all': notification('collection.paid', { paymentId: 'PAY1', amount: '0.00' }),
      'a kind nobody knows': notification('collection.paused', {}),
      'a time without a zone': notification('collection.canceled', { occurredAt: '2026-11-15T13:01:00' }),
      'a rejection by a node that timed out': notification('transfer.rejected', { reasonCode: 'B001' }),
    },
  },
  lives: [payinLife(payinOrder), payoutLife(payoutOrder)],
})

function notification(type: string, fields: object): object {
  return {
    type,
    reference: PAYIN,
    occurredAt: '2026-11-15T08:01:00.000-05:00',
    paymentId: null,
    amount: null,
    endToEndId: null,
    reasonCode: null,
    ...fields,
  }
}

function notice<Update>(update: Update, networkCode: string) {
  return { reference: PAYIN, occurredAt: Date.UTC(2026, 10, 15, 13, 1), update, networkCode }
}

test('requests follow the Bre-B wire format', async () => {
  await using farSide = await openFakeNetwork()
  const rails = openRails(
    { breb: settings(farSide.url), pse: settings(farSide.url) },
    { now: Date.now, record: () => {} },
  )
  farSide.willAnswer({ status: 503, bytes: '' })
  await returnPayment(rails.payins.BRE_B, RETURN, 'PAY1', 100n)
  await rails.payouts.submit(payoutOrder)
  farSide.willAnswer({ status: 200, json: {} })
  await rails.payins.BRE_B.submit(payinOrder)
  await rails.payins.BRE_B.submit({ ...payinOrder, customer: null, amountInCents: 5n })
  await rails.payins.BRE_B.query(handleOf(payinOrder))
  await rails.payins.BRE_B.cancel(handleOf(payinOrder))
  await returnPayment(rails.payins.BRE_B, RETURN, 'PAY1', 100n)
  await rails.payouts.submit(payoutOrder)
  await rails.payouts.query(handleOf(payoutOrder))
  await rails.directory.lookUp('ana+pagos/x?y@example.com', 'EMAIL')
  await rails.close()
  const written = {
    key: '@RC0123456789AB',
    amount: '12345.67',
    currency: 'COP',
    merchantName: 'Panadería La 14',
    expiresAt: '2026-11-15T13:15:00.000Z',
    payer: { idType: 'CO_CC', idNumber: '1012345678', name: 'Canaria del Campo' },
  }
  assert.deepEqual(
    farSide.asked.map(({ method, path, body }) => [`${method} ${path}`, body]),
    [
      [`PUT /collections/${PAYIN}`, written],
      [`PUT /collections/${PAYIN}`, { ...written, payer: null, amount: '0.05' }],
      [`GET /collections/${PAYIN}`, undefined],
      [`DELETE /collections/${PAYIN}`, undefined],
      [`PUT /returns/${RETURN}`, { paymentId: 'PAY1', amount: '1.00', currency: 'COP' }],
      [
        `PUT /transfers/${PAYOUT}`,
        {
          key: '3201112233',
          keyType: 'M',
          amount: '50.00',
          currency: 'COP',
          beneficiary: { idType: 'CO_CC', idNumber: '1012345678', name: 'Canaria del Campo' },
        },
      ],
      [`GET /transfers/${PAYOUT}`, undefined],
      ['GET /keys/E/ana%2Bpagos%2Fx%3Fy%40example.com', undefined],
    ],
  )
})

test('payments continue while the directory does not answer', async () => {
  await using farSide = await openFakeNetwork()
  const rails = openRails(
    { breb: settings(farSide.url), pse: settings(farSide.url) },
    { now: Date.now, record: () => {}, limits: { breakAfterFailures: 1, tries: 1 } },
  )
  farSide.willAnswer('reset', { status: 200, json: transfer })
  const lookup = await rails.directory.lookUp('3201112233', 'PHONE')
  assert.equal(lookup.outcome, 'unknown')
  assert.equal((await rails.directory.lookUp('3201112233', 'PHONE')).outcome, 'unknown')
  assert.equal((await rails.payouts.submit(payoutOrder)).outcome, 'accepted')
  assert.equal(farSide.asked.length, 2)
  await rails.close()
})

test('a refused access token is never a refused payment', async () => {
  await using farSide = await openFakeNetwork()
  const rails = openRails(
    { breb: settings(farSide.url), pse: settings(farSide.url) },
    { now: Date.now, record: () => {} },
  )
  farSide.willAnswer(refusal(401, 'B106'))
  const answer = await rails.payouts.submit(payoutOrder)
  assert.equal(answer.outcome, 'unknown')
  await rails.close()
})

test('an order of another rail is a bug of ours, and throws', async () => {
  const rails = openRails(
    { breb: settings('http://127.0.0.1:1'), pse: settings('http://127.0.0.1:1') },
    { now: Date.now, record: () => {} },
  )
  await assert.rejects(rails.payins.PSE.submit(payinOrder))
  await rails.close()
})
