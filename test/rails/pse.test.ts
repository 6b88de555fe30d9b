// The PSE adapter against a scripted network: the shared contract, and what is particular to PSE.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Gateway } from '../../src/rails/gateway.ts'
import { LIMITS } from '../../src/rails/limits.ts'
import { psePayins } from '../../src/rails/pse/payins.ts'
import type { PayinOrder } from '../../src/rails/rail.ts'
import { openRails } from '../../src/rails/rails.ts'
import type { Expected } from './conformance/answers.ts'
import { networkConformance } from './conformance.ts'
import { type Answer, openFakeNetwork } from './fake-network.ts'
import { payinLife } from './network-lives.ts'
import { handleOf, openedPayin, returnPayment } from './port.ts'
import { statementOperation } from './statement.ts'

const PAYIN = `P${'d'.repeat(43)}`
const RETURN = `R${'e'.repeat(43)}`
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
const order: PayinOrder = {
  reference: PAYIN,
  amountInCents: 8_000_000n,
  merchantName: 'La "14" | Cali',
  expiresAt: Date.UTC(2026, 10, 15, 13, 15),
  customer,
  device: null,
  acceptedTerms: [],
  returnUrl: 'https://pay.example.com/return?canary=1',
  source: { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
}
const session = {
  reference: PAYIN,
  cus: '316158023',
  status: 'CREATED',
  amount: '80000.00',
  bankUrl: 'https://bank.example.com/start?token=canary',
  causeCode: null as string | null,
}

const ok = (json: object): Answer => ({ status: 200, json })
const refusal = (status: number, code: string): Answer => ({
  status,
  json: { status: 'ERROR', code, message: 'Canaria del Campo said no' },
})
const paid = {
  state: 'paid',
  payments: [{ amountInCents: 8_000_000n, paymentId: '316158023' }],
  networkCode: 'OK',
}
const ended = (how: string, reason: string, networkCode: string): Expected => ({
  accepted: { state: 'ended', how, reason, networkCode },
})
const notAuthorized = (causeCode: string | null): Answer =>
  ok({ ...session, status: 'NOT_AUTHORIZED', causeCode })

const statuses: Record<string, readonly [Answer, Expected]> = {
  'a session nobody opened': [ok(session), { accepted: { state: 'open' } }],
  'a payer at the bank': [ok({ ...session, status: 'PENDING' }), { accepted: { state: 'open' } }],
  'too little money': [notAuthorized('00011'), ended('declined', 'INSUFFICIENT_FUNDS', '00011')],
  'a payer who gave up': [notAuthorized('00001'), ended('canceled', 'CANCELED_BY_PAYER', '00001')],
  'a session that was pending for too long': [notAuthorized('00014'), ended('expired', 'EXPIRED', '00014')],
  'a cause nobody knows': [notAuthorized('00099'), ended('declined', 'BANK_DECLINED', '00099')],
  'no cause': [notAuthorized(null), ended('declined', 'BANK_DECLINED', 'NOT_AUTHORIZED')],
  'a failure, after which money may have moved': [
    ok({ ...session, status: 'FAILED', causeCode: '00010' }),
    'undecided',
  ],
  'a status nobody knows': [ok({ ...session, status: 'HELD' }), 'unreadable'],
  'another reference': [ok({ ...session, reference: RETURN }), 'unreadable'],
  'a refused query': [refusal(422, 'FAIL_ACCESSDENIED'), 'undecided'],
  'a failed query': [refusal(500, 'FAIL_TIMEOUT'), 'unavailable'],
}

const STATEMENT_ENTRY = {
  type: 'CREDIT',
  reference: `P${'d'.repeat(43)}`,
  amount: '80000.00',
  currency: 'COP',
  occurredAt: '2026-11-14T15:00:00.000Z',
}

networkConformance({
  amounts: ['80000.00'],
  rail: 'PSE',
  open: (url, world) => openRails({ breb: settings('http://127.0.0.1:1'), pse: settings(url) }, world),
  personal: [
    ...Object.values(customer).filter((value) => value !== 'CO_CC'),
    '3009998877',
    'La \\"14',
    'La  14',
    'canary',
  ],
  operations: [
    statementOperation('PSE', { ...STATEMENT_ENTRY, cus: '316158023' }, '316158023'),
    {
      ability: 'payin submit',
      use: 'PSE_IN',
      call: (rails) => rails.payins.PSE.submit(order),
      good: { status: 201, json: session },
      accepted: openedPayin({ pageUrl: session.bankUrl, traceId: session.cus }),
      mayAskAgain: true,
      answers: {
        'a refusal': [
          refusal(422, 'FAIL_BANKUNREACHEABLE'),
          { rejected: 'BANK_UNAVAILABLE', networkCode: 'FAIL_BANKUNREACHEABLE' },
        ],
        'a refusal inside 200': [
          refusal(200, 'FAIL_RISK'),
          { rejected: 'RISK_REJECTED', networkCode: 'FAIL_RISK' },
        ],
        'an unknown refusal': [
          refusal(200, 'FAIL_NOHOST'),
          { rejected: 'RAIL_ERROR', networkCode: 'FAIL_NOHOST' },
        ],
        'a network that ran out of time': [refusal(200, 'FAIL_TIMEOUT'), 'undecided'],
        'a conflict': [refusal(409, 'FAIL_SOMETHING'), 'undecided'],
        'a session that is over': [
          notAuthorized('00002'),
          { rejected: 'ACCOUNT_BLOCKED', networkCode: '00002' },
        ],
        'a failure': [ok({ ...session, status: 'FAILED' }), 'undecided'],
        'another reference': [ok({ ...session, reference: RETURN }), 'unreadable'],
        'another amount': [ok({ ...session, amount: '80000.01' }), 'unreadable'],
        'a page that is a script': [ok({ ...session, bankUrl: 'javascript:alert(1)' }), 'unreadable'],
        'a page with a password': [ok({ ...session, bankUrl: 'https://a:b@bank.example.com' }), 'unreadable'],
        'a page with a password alone': [
          ok({ ...session, bankUrl: 'https://:b@bank.example.com' }),
          'unreadable',
        ],
        'a page that borrows a name': [
          ok({ ...session, bankUrl: 'https://bank.example.com@elsewhere.example.com' }),
          'unreadable',
        ],
        'a page without a host': [ok({ ...session, bankUrl: '/start' }), 'unreadable'],
      },
    },
    {
      ability: 'payin search',
      use: 'PSE_IN',
      call: (rails) => rails.payins.PSE.query(handleOf(order)),
      good: ok({ ...session, status: 'OK' }),
      accepted: paid,
      mayAskAgain: true,
      answers: {
        ...statuses,
        'an expired session': [ok({ ...session, status: 'EXPIRED' }), ended('expired', 'EXPIRED', 'EXPIRED')],
        'nothing found, for it may be on its way': [refusal(404, 'NOT_FOUND'), 'undecided'],
      },
    },
    {
      ability: 'payin cancel',
      use: 'PSE_IN',
      call: (rails) => rails.payins.PSE.cancel(handleOf(order)),
      good: ok({ ...session, status: 'EXPIRED' }),
      accepted: { state: 'ended', how: 'expired', reason: 'EXPIRED', networkCode: 'EXPIRED' },
      mayAskAgain: true,
      answers: {
        ...statuses,
        'a session that was paid': [ok({ ...session, status: 'OK' }), { accepted: paid }],
        'nothing found': [refusal(404, 'NOT_FOUND'), ended('not-found', 'EXPIRED', 'NOT_FOUND')],
        'nothing found by a server in trouble': [refusal(500, 'NOT_FOUND'), 'unavailable'],
      },
    },
    {
      ability: 'payin return',
      use: 'PSE_IN',
      call: (rails) => returnPayment(rails.payins.PSE, RETURN, '316158023', 8_000_000n),
      good: { status: 201, json: { reference: RETURN, status: 'COMPLETED' } },
      accepted: { traceId: null },
      mayAskAgain: false,
      answers: {
        'a refusal': [refusal(422, 'FAIL_RISK'), { rejected: 'RAIL_ERROR', networkCode: 'FAIL_RISK' }],
        'an unknown refusal inside 200': [refusal(200, 'FAIL_NOHOST'), 'undecided'],
        'nothing found': [refusal(404, 'NOT_FOUND'), 'undecided'],
        'another reference': [ok({ reference: PAYIN, status: 'COMPLETED' }), 'unreadable'],
      },
    },
  ],
  notices: {
    key: 'canary-notification-key',
    notices: [
      {
        body: notification('session.ok', {}),
        notice: notice(
          { kind: 'payin.paid', amountInCents: 8_000_000n, paymentId: '316158023' },
          'session.ok',
        ),
      },
      {
        body: notification('session.chargeback', {}),
        notice: notice(
          { kind: 'payin.chargeback', amountInCents: 8_000_000n, paymentId: '316158023' },
          'session.chargeback',
        ),
      },
      {
        body: notification('session.chargeback', { chargebackId: 'CB1' }),
        notice: notice(
          {
            kind: 'payin.chargeback',
            amountInCents: 8_000_000n,
            paymentId: '316158023',
            chargebackId: 'CB1',
          },
          'session.chargeback',
        ),
      },
      {
        body: notification('session.chargeback', { chargebackId: null }),
        notice: notice(
          { kind: 'payin.chargeback', amountInCents: 8_000_000n, paymentId: '316158023' },
          'session.chargeback',
        ),
      },
      {
        body: notification('session.not_authorized', { causeCode: '00008' }),
        notice: notice({ kind: 'payin.declined', reason: 'LIMIT_EXCEEDED' }, '00008'),
      },
      {
        body: notification('session.not_authorized', { causeCode: '00015' }),
        notice: notice({ kind: 'payin.canceled', reason: 'CANCELED_BY_PAYER' }, '00015'),
      },
      {
        body: notification('session.not_authorized', { causeCode: '00014' }),
        notice: notice({ kind: 'payin.canceled', reason: 'EXPIRED' }, '00014'),
      },
      {
        body: notification('session.expired', {}),
        notice: notice({ kind: 'payin.canceled', reason: 'EXPIRED' }, 'session.expired'),
      },
    ],
    faulty: {
      'no amount': notification('session.ok', { amount: null }),
      'an amount with a comma': notification('session.ok', { amount: '80000,00' }),
      'a kind nobody knows': notification('session.paused', {}),
    },
  },
  lives: [payinLife(order)],
})

function notification(type: string, fields: object): object {
  const { cus, amount } = session
  const occurredAt = '2026-11-15T13:01:00Z'
  return { type, reference: PAYIN, occurredAt, cus, amount, causeCode: null, ...fields }
}

function notice<Update>(update: Update, networkCode: string) {
  return { reference: PAYIN, occurredAt: Date.UTC(2026, 10, 15, 13, 1), update, networkCode }
}

test('over https, a payer is not sent to a plain http page', async () => {
  const inTheClear = { ...session, bankUrl: 'http://bank.example.com/start' }
  const gateway: Gateway = {
    ask: async () => ({ outcome: 'answered', body: inTheClear, httpStatus: 200 }),
    isAway: () => false,
  }
  const over = (baseUrl: string) => psePayins(gateway, LIMITS, baseUrl).submit(order)
  assert.equal((await over('https://pse.example.com')).outcome, 'unknown')
  assert.equal((await over('http://127.0.0.1:4000/pse')).outcome, 'accepted')
})

test('requests follow the PSE wire format', async () => {
  await using farSide = await openFakeNetwork()
  const rails = openRails(
    { breb: settings(farSide.url), pse: settings(farSide.url) },
    { now: Date.now, record: () => {} },
  )
  farSide.willAnswer({ status: 200, json: {} })
  await rails.payins.PSE.submit(order)
  await rails.payins.PSE.submit({
    ...order,
    customer: { ...customer, phone: '+5215512345678' },
    source: { rail: 'PSE', bank: 'CO_NUBANK', personType: 'BUSINESS' },
  })
  await returnPayment(rails.payins.PSE, RETURN, '316158023', 8_000_000n)
  const unlisted = await rails.payins.PSE.submit({
    ...order,
    source: { rail: 'PSE', bank: 'CO_GONE', personType: 'BUSINESS' },
  })
  await rails.close()
  const { name, idType, idNumber, email } = customer
  const written = {
    bank: 'CO_BANCOLOMBIA',
    achCode: '1007',
    personType: 'person',
    amount: '80000.00',
    currency: 'COP',
    description: 'Pago a La  14    Cali',
    returnUrl: 'https://pay.example.com/return?canary=1',
    expiresAt: '2026-11-15T13:15:00.000Z',
    payer: { idType, idNumber, name, email, phone: '3009998877' },
  }
  assert.deepEqual(
    farSide.asked.map(({ method, path, body }) => [`${method} ${path}`, body]),
    [
      [`PUT /sessions/${PAYIN}`, written],
      [
        `PUT /sessions/${PAYIN}`,
        {
          ...written,
          bank: 'CO_NU',
          achCode: '1809',
          personType: 'company',
          payer: { ...written.payer, phone: '+5215512345678' },
        },
      ],
      [`PUT /returns/${RETURN}`, { cus: '316158023', amount: '80000.00', currency: 'COP' }],
    ],
  )
  assert.deepEqual(unlisted, {
    outcome: 'rejected',
    reason: 'BANK_UNAVAILABLE',
    networkCode: 'BANK_NOT_LISTED',
  })
})
