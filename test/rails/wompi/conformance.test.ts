// Wompi's adapter against a scripted Wompi and the simulated one: the shared contract. How it reads each answer of Wompi's is in
// payin-answers.test.ts and payout-answers.test.ts.

import { createHash } from 'node:crypto'
import type { Credentials } from '../../../src/core/connections/connection.ts'
import type { ProviderRails } from '../../../src/rails/rail.ts'
import { openWompi } from '../../../src/rails/wompi/wompi.ts'
import type { Notification } from '../conformance/hints.ts'
import type { Operation } from '../conformance/operations.ts'
import { providerConformance } from '../conformance.ts'
import type { Answer, Asked } from '../fake-network.ts'
import { offered } from '../port.ts'
import {
  BATCH_ID,
  bare,
  batch,
  created,
  enveloped,
  invalid,
  list,
  merchant,
  ok,
  PAGE,
  page,
  payout,
  payoutRefusal,
  refusal,
  TRANSACTION_ID,
  transaction,
  used,
  withPage,
} from './answers.ts'
import { wompiLives } from './lives.ts'
import {
  CONDITIONS,
  handle,
  idAt,
  NOW,
  ORGANIZATION,
  PAYMENTS,
  PAYOUTS,
  PERSONAL,
  PERSONAL_DATA,
  payinOrder,
  payinReference,
  payoutOrder,
  payoutReference,
} from './wompi.ts'

type Answers = Operation<ProviderRails>['answers']

// What says nothing about a payment, whoever asks: payments first, then payouts.
const NOT_PAYMENTS: Answers = {
  'an error inside 200': [{ status: 200, json: { error: { type: 'SERVICE_ERROR' } } }, 'unreadable'],
  'nothing found': [refusal(404, { type: 'NOT_FOUND_ERROR', reason: 'Canaria no existe' }), 'undecided'],
  'a wrong key': [refusal(401, { type: 'INVALID_ACCESS_TOKEN' }), 'unavailable'],
  'too many requests, in words': [refusal(429, { type: 'THROTTLED' }), 'unavailable'],
  'a time-out of theirs': [refusal(504, { type: 'TIMEOUT' }), 'timeout'],
  'a refusal of a server in trouble': [refusal(500, { type: 'INPUT_VALIDATION_ERROR' }), 'unavailable'],
}
const NOT_PAYOUTS: Answers = {
  'an error inside 200': [payoutRefusal(200, 'EXC_008'), 'unreadable'],
  'an error inside 200, with data': [
    { status: 200, json: { code: 'EXC_008', message: 'no', data: created } },
    'unreadable',
  ],
  'a wrong key': [payoutRefusal(401, 'EXC_001'), 'unavailable'],
  'too many requests, in words': [payoutRefusal(429, 'EXC_001'), 'unavailable'],
  'a time-out of theirs': [payoutRefusal(504, 'EXC_001'), 'timeout'],
  'a refusal of a server in trouble': [payoutRefusal(500, 'EXC_034'), 'unavailable'],
}

const order = payinOrder()
const isOrder = ({ method }: Asked) => method === 'POST'
const isMerchant = ({ path }: Asked) => path.startsWith('/merchants')
const isPayout = ({ path }: Asked) => path.endsWith('/transactions')
// The terms, the order, and a search that finds nothing.
const paymentsApi = (asked: Asked): Answer =>
  isMerchant(asked) ? merchant() : isOrder(asked) ? ok({}, 201) : list()
// The order, a search that finds nothing, and a batch whose payout was approved.
const payoutsApi = (asked: Asked): Answer => {
  if (isOrder(asked)) return enveloped(created, 201)
  if (isPayout(asked)) return bare(page({ ...payout, status: 'APPROVED' }))
  const isSearch = asked.path.startsWith('/v1/payouts')
  return isSearch ? bare(page()) : bare({ ...batch, status: 'TOTAL_PAYMENT' })
}
const found = (asked: Asked): Answer =>
  asked.path.startsWith('/v1/payouts') ? bare(page({ ...batch, status: 'TOTAL_PAYMENT' })) : payoutsApi(asked)

const opened = {
  providerId: TRANSACTION_ID,
  traceId: `wompi:${TRANSACTION_ID}`,
  instructions: { keyString: null, qrPayload: null, pageUrl: null, isReady: false },
}
const paid = {
  state: 'paid',
  payments: [{ amountInCents: 2_490_000n, paymentId: `wompi:${TRANSACTION_ID}` }],
  networkCode: 'APPROVED',
}
const completed = {
  state: 'completed',
  providerId: BATCH_ID,
  traceId: 'wompi:payout-1',
  amountInCents: 2_490_000n,
}
const institutions = [
  { financial_institution_code: '0', financial_institution_name: 'A continuación seleccione su banco' },
  { financial_institution_code: '1007', financial_institution_name: 'BANCOLOMBIA' },
]

const operations: readonly Operation<ProviderRails>[] = [
  {
    ability: 'payin submit',
    use: 'PSE_IN',
    call: (rails) => offered(rails.payins.PSE).submit(order),
    good: paymentsApi,
    isBroken: isOrder,
    isSecondCall: true,
    accepted: opened,
    mayAskAgain: false,
    answers: {
      ...NOT_PAYMENTS,
      'a page that is there at once': [
        ok(withPage(PAGE), 201),
        { accepted: { ...opened, instructions: { ...opened.instructions, pageUrl: PAGE, isReady: true } } },
      ],
      'a refusal': [
        invalid({ amount_in_cents: ['El monto mínimo es 150000'] }),
        { rejected: 'RAIL_ERROR', networkCode: 'INPUT_VALIDATION_ERROR' },
      ],
      'a reference that was used, and that no search finds': [used, 'undecided'],
      'a conflict': [refusal(409, { type: 'ANY' }), 'undecided'],
    },
  },
  {
    ability: 'payin query',
    use: 'PSE_IN',
    call: (rails) => offered(rails.payins.PSE).query(handle(order, TRANSACTION_ID)),
    good: ok({ status: 'APPROVED' }),
    accepted: paid,
    mayAskAgain: true,
    answers: NOT_PAYMENTS,
  },
  {
    ability: 'payin search',
    use: 'PSE_IN',
    call: (rails) => offered(rails.payins.PSE).query(handle(order)),
    good: list({ ...transaction, status: 'APPROVED' }),
    accepted: paid,
    mayAskAgain: true,
    answers: NOT_PAYMENTS,
  },
  {
    ability: 'payin cancel',
    use: 'PSE_IN',
    call: (rails) => offered(rails.payins.PSE).cancel(handle(order, TRANSACTION_ID)),
    good: ok(),
    accepted: { state: 'open', opened },
    mayAskAgain: true,
    answers: NOT_PAYMENTS,
  },
  {
    ability: 'terms',
    use: 'PSE_IN',
    call: (rails) => offered(rails.terms)(),
    good: merchant(),
    accepted: [
      { kind: 'conditions', url: CONDITIONS },
      { kind: 'personal-data', url: PERSONAL_DATA },
    ],
    mayAskAgain: true,
    answers: NOT_PAYMENTS,
  },
  {
    ability: 'banks',
    use: 'PSE_IN',
    call: (rails) => offered(rails.banks)(),
    good: bare({ data: institutions }),
    accepted: [{ code: '1007', name: 'BANCOLOMBIA' }],
    mayAskAgain: true,
    answers: { ...NOT_PAYMENTS, 'no banks': [bare({ data: [] }), 'unreadable'] },
  },
  {
    ability: 'payout submit',
    use: 'BRE_B_OUT',
    call: (rails) => offered(rails.payouts).submit(payoutOrder()),
    good: payoutsApi,
    isBroken: isOrder,
    accepted: { state: 'processing', providerId: BATCH_ID },
    mayAskAgain: false,
    answers: {
      ...NOT_PAYOUTS,
      'a refusal': [
        payoutRefusal(400, 'EXC_008'),
        { rejected: 'INSUFFICIENT_FUNDS', networkCode: 'EXC_008' },
      ],
      'a refusal with 422': [
        payoutRefusal(422, 'EXC_999'),
        { rejected: 'RAIL_ERROR', networkCode: 'EXC_999' },
      ],
      'a key that was used, and that no search finds': [payoutRefusal(409, 'EXC_032'), 'undecided'],
      'nothing at this address': [payoutRefusal(404, 'EXC_000'), 'undecided'],
    },
  },
  {
    ability: 'payout query',
    use: 'BRE_B_OUT',
    call: (rails) => offered(rails.payouts).query(handle(payoutOrder(), BATCH_ID)),
    good: payoutsApi,
    isBroken: (asked) => !isPayout(asked),
    accepted: completed,
    mayAskAgain: true,
    answers: { ...NOT_PAYOUTS, 'nothing found': [payoutRefusal(404, 'EXC_000'), 'undecided'] },
  },
  {
    ability: 'payout query',
    name: 'payout query, of the only payout of the batch',
    use: 'BRE_B_OUT',
    call: (rails) => offered(rails.payouts).query(handle(payoutOrder(), BATCH_ID)),
    good: payoutsApi,
    isBroken: isPayout,
    isSecondCall: true,
    accepted: completed,
    mayAskAgain: true,
    answers: { ...NOT_PAYOUTS, 'nothing found': [payoutRefusal(404, 'EXC_000'), 'undecided'] },
  },
  {
    ability: 'payout search',
    use: 'BRE_B_OUT',
    call: (rails) => offered(rails.payouts).query(handle(payoutOrder())),
    good: found,
    isBroken: ({ path }) => path.startsWith('/v1/payouts'),
    accepted: completed,
    mayAskAgain: true,
    answers: {
      ...NOT_PAYOUTS,
      nothing: [bare(page()), { accepted: { state: 'absent' } }],
      'nothing at this address': [payoutRefusal(404, 'EXC_000'), 'undecided'],
    },
  },
  {
    ability: 'look-up',
    use: null,
    call: (rails) => offered(rails.directory).lookUp('3001234567', 'PHONE'),
    good: enveloped({
      holderName: 'JUA*** PER***',
      financialEntity: { name: 'BANCO DE PRUEBAS', code: '9999' },
      keyType: 'PHONE',
      keyValue: '300***',
    }),
    accepted: {
      keyString: '3001234567',
      keyType: 'PHONE',
      isMasked: true,
      holder: { name: 'JUA*** PER***', personType: null, idType: null, idNumber: null },
      participant: { name: 'BANCO DE PRUEBAS', code: '9999' },
      account: null,
    },
    mayAskAgain: true,
    answers: {
      ...NOT_PAYOUTS,
      'no such key': [payoutRefusal(404, 'EXC_034'), { rejected: 'KEY_NOT_FOUND', networkCode: 'EXC_034' }],
      'a directory that timed out': [payoutRefusal(503, 'EXC_037'), 'timeout'],
    },
  },
]

const credentials = (url: string): Credentials => ({
  ...PAYMENTS,
  ...PAYOUTS,
  paymentsUrl: url,
  payoutsUrl: url,
})
const event =
  (secretName: string, what: string, told: Readonly<Record<string, string>>, kind = `${what}.updated`) =>
  ({ [secretName]: secret = '' }: Credentials): Notification => {
    const timestamp = 1_794_841_202
    const text = `${told.id}${told.status}${timestamp}${secret}`
    const checksum = createHash('sha256').update(text).digest('hex')
    const signature = { properties: [`${what}.id`, `${what}.status`], checksum }
    const body = JSON.stringify({ event: kind, data: { [what]: told }, signature, timestamp })
    return { headers: { 'x-event-checksum': checksum }, body }
  }
const payment = { id: TRANSACTION_ID, status: 'APPROVED', reference: payinReference() }
const batchTold = { id: BATCH_ID, status: 'TOTAL_PAYMENT', reference: idAt(NOW) }

providerConformance({
  provider: 'wompi',
  open: openWompi,
  organizationId: ORGANIZATION,
  credentials,
  previousCredentials: {
    ...credentials('http://127.0.0.1:1'),
    eventsSecret: 'test_events_before',
    payoutsEventsSecret: 'payouts_events_before',
  },
  personal: PERSONAL,
  amounts: [2_490_000],
  operations,
  check: ({ path }) =>
    path.startsWith('/v1/accounts')
      ? bare([{ id: PAYOUTS.payoutsAccountId }])
      : path.startsWith('/merchants')
        ? merchant()
        : list(),
  hints: {
    signed: {
      'a payment': {
        sign: event('eventsSecret', 'transaction', payment),
        about: { kind: 'payin', reference: payinReference() },
      },
      'a payout, by the id of its batch': {
        sign: event('payoutsEventsSecret', 'transaction', {
          id: 'payout-1',
          payoutId: BATCH_ID,
          status: 'APPROVED',
        }),
        about: { kind: 'payout', providerId: BATCH_ID },
      },
      'a batch': {
        sign: event('payoutsEventsSecret', 'payout', batchTold),
        about: { kind: 'payout', reference: payoutReference() },
      },
    },
    ignored: {
      'a sale that is not ours': event('eventsSecret', 'transaction', { ...payment, reference: 'order-7' }),
      'a batch that is not ours': event('payoutsEventsSecret', 'payout', {
        ...batchTold,
        reference: 'nomina',
      }),
      'what is no payment': event('eventsSecret', 'transaction', payment, 'nequi_token.updated'),
    },
    nameIsUnsigned: true,
  },
  lives: wompiLives,
})
