// PlacetoPay's adapter against a scripted gateway: the shared contract, and how it reads each answer of PlacetoPay's.

import { createHash } from 'node:crypto'
import type { Credentials } from '../../../src/core/connections/connection.ts'
import { openPlacetopay } from '../../../src/rails/placetopay/placetopay.ts'
import type { ProviderRails } from '../../../src/rails/rail.ts'
import type { Expected } from '../conformance/answers.ts'
import type { Notification } from '../conformance/hints.ts'
import type { Operation } from '../conformance/operations.ts'
import { providerConformance } from '../conformance.ts'
import type { Answer, Asked } from '../fake-network.ts'
import { offered } from '../port.ts'
import { placetopayLife } from './life.ts'
import {
  bankList,
  credentials,
  customer,
  handle,
  inState,
  ORGANIZATION,
  order,
  PAGE,
  REFERENCE,
  SHORT_REFERENCE,
  transaction,
} from './orders.ts'

type Answers = Operation<ProviderRails>['answers']

const ok = (json: object): Answer => ({ status: 200, json })
const found = (...transactions: object[]): Answer => ok({ status: bankList.status, transactions })
const bare = (status: string, reason: unknown): object => ({
  status: { status, reason, message: 'Canaria del Campo', date: '2026-11-15T08:00:00-05:00' },
})

const opened = {
  providerId: '438072',
  traceId: 'placetopay:438072',
  instructions: { keyString: null, qrPayload: null, pageUrl: PAGE, isReady: true },
}
const withoutPage = { ...opened, instructions: { ...opened.instructions, pageUrl: null, isReady: false } }
const payment = { amountInCents: 8_000_050n, paymentId: 'placetopay:438072' }
const paid = { state: 'paid', payments: [payment], networkCode: '316158023' }
const declined = (networkCode: string): Expected => ({
  accepted: { state: 'ended', how: 'declined', reason: 'BANK_DECLINED', networkCode },
})
const page = (processURL: unknown) => ({ ...transaction, redirection: { processURL } })

const isProcess = ({ path }: Asked) => path === '/gateway/process'
const gateway =
  (answer: Answer) =>
  ({ path }: Asked): Answer =>
    path === '/gateway/information' ? ok(bankList) : answer

// Answers that are not about the payment that was asked for, whoever asks.
const OTHERS: Readonly<Record<string, object>> = {
  'another reference': { ...transaction, reference: SHORT_REFERENCE.replace(/1$/, '2') },
  'a reference that is not ours': { ...transaction, reference: 'order-1' },
  'no reference': { ...transaction, reference: undefined },
  'a reference of another type': { ...transaction, reference: 7 },
  'another amount': { ...transaction, amount: { currency: 'COP', total: 80_000.51 } },
  'an amount with three decimals': { ...transaction, amount: { currency: 'COP', total: 80_000.501 } },
  'an amount with a comma': { ...transaction, amount: { currency: 'COP', total: '80000,50' } },
  'an amount of nothing': { ...transaction, amount: { currency: 'COP', total: 0 } },
  'no amount': { ...transaction, amount: null },
  'another currency': { ...transaction, amount: { currency: 'USD', total: 80_000.5 } },
  'another currency of a paid one': { ...inState('APPROVED'), amount: { currency: 'USD', total: 80_000.5 } },
  'a number that is a fraction': { ...transaction, internalReference: 438072.5 },
  'a number that is too large': { ...transaction, internalReference: '9999999999999999' },
  'a number that is negative': { ...transaction, internalReference: -438072 },
  'a state nobody knows': inState('HELD'),
  'a state that is none of a payment': inState('OK'),
  'no state': { ...transaction, status: {} },
  'a page that is a script': page('javascript:alert(1)'),
  'a page with a password': page('https://a:b@bank.example.com'),
  'a page that borrows a name': page('https://bank.example.com@elsewhere.example.com'),
  'a page without a host': page('/start'),
  'a page that is a number': page(7),
}
const others = (wrap: (body: object) => Answer) =>
  Object.fromEntries(
    Object.entries(OTHERS).map(([what, body]) => [what, [wrap(body), 'unreadable'] as [Answer, Expected]]),
  )

const UNDECIDED = ['FAILED', 'ERROR', 'UNKNOWN', 'MANUAL', 'APPROVED_PARTIAL', 'PARTIAL_EXPIRED']
const undecided = (wrap: (body: object) => Answer) =>
  Object.fromEntries(
    UNDECIDED.map((state) => [state, [wrap(inState(state, 'XN')), 'undecided'] as [Answer, Expected]]),
  )

// What a query and a search read in the same way.
const statuses = (wrap: (body: object) => Answer): Answers => ({
  ...others(wrap),
  ...undecided(wrap),
  'a payer at the bank': [wrap(transaction), { accepted: { state: 'open', opened } }],
  'a payment that is validated': [
    wrap({ ...transaction, status: { status: 'PENDING_VALIDATION', reason: '?C' } }),
    { accepted: { state: 'open', opened } },
  ],
  'a payment that is processed': [
    wrap({ ...transaction, status: { status: 'PENDING_PROCESS' } }),
    { accepted: { state: 'open', opened } },
  ],
  'a payment that is confirmed': [
    wrap({ ...transaction, status: { status: 'PENDING_CONFIRMATION' } }),
    { accepted: { state: 'open', opened } },
  ],
  'a page that is still to come': [
    wrap({ ...transaction, redirection: [] }),
    { accepted: { state: 'open', opened: withoutPage } },
  ],
  'a rejection': [wrap(inState('REJECTED', '05')), declined('05')],
  'a rejection for want of funds, which is not promised for PSE': [
    wrap(inState('REJECTED', '61')),
    declined('61'),
  ],
  'a rejection with a number for a reason': [wrap(inState('REJECTED', 5)), declined('5')],
  'a rejection without a reason that can be shown': [
    wrap(inState('REJECTED', 'Canaria del Campo')),
    declined('REJECTED'),
  ],
  'a rejection with a reason that is too long': [
    wrap(inState('REJECTED', 'x'.repeat(65))),
    declined('REJECTED'),
  ],
  'a rejection of another amount': [
    wrap({ ...inState('REJECTED', '05'), amount: { currency: 'COP', total: 1 } }),
    'unreadable',
  ],
  'a payment whose amount is text': [
    wrap({ ...inState('APPROVED'), amount: { currency: 'COP', total: '80000.5' } }),
    { accepted: paid },
  ],
  'a payment of another amount, which our books compare': [
    wrap({ ...inState('APPROVED'), amount: { currency: 'COP', total: '1.00' } }),
    { accepted: { ...paid, payments: [{ ...payment, amountInCents: 100n }] } },
  ],
  'a payment whose number is text': [
    wrap({ ...inState('APPROVED'), internalReference: '438072' }),
    { accepted: paid },
  ],
  'a payment that says nothing of its type': [
    wrap({ ...inState('APPROVED'), type: undefined }),
    { accepted: paid },
  ],
  'a payment without a trace code': [
    wrap({ ...inState('APPROVED'), additional: [] }),
    { accepted: { ...paid, networkCode: '00' } },
  ],
  'a payment with a trace code that cannot be shown': [
    wrap({ ...inState('APPROVED', '?-'), additional: { trazabilyCode: 'Canaria del Campo' } }),
    { accepted: { ...paid, networkCode: '?-' } },
  ],
  'a payment that is disputed': [wrap(inState('DISPUTE')), { accepted: paid }],
  'a payment that was refunded': [
    wrap(inState('REFUNDED')),
    { accepted: { ...paid, chargebacks: [{ ...payment, chargebackId: '438072:REFUNDED' }] } },
  ],
  'a payment that was reversed': [
    wrap(inState('REVERSED')),
    { accepted: { ...paid, chargebacks: [{ ...payment, chargebackId: '438072:REVERSED' }] } },
  ],
  'a refund, which is no payment': [wrap({ ...inState('APPROVED'), type: 'REFUND' }), 'undecided'],
  'a chargeback, which is no payment': [wrap({ ...inState('APPROVED'), type: 'CHARGEBACK' }), 'undecided'],
})

// A refusal of a question says nothing about the payment.
const refusals: Answers = {
  'a failure inside 200': [ok(bare('FAILED', 'XN')), 'undecided'],
  'wrong fields': [{ status: 400, json: bare('FAILED', 400) }, 'undecided'],
  'nothing found': [{ status: 404, json: bare('FAILED', 404) }, 'undecided'],
  'a failed authentication': [{ status: 401, json: bare('FAILED', 401) }, 'unavailable'],
  'a failed authentication inside 200': [ok(bare('FAILED', 401)), 'unavailable'],
  'a failed authentication inside 400': [{ status: 400, json: bare('FAILED', '401') }, 'unavailable'],
  'a failure of the server in its own format': [{ status: 500, json: bare('FAILED', 500) }, 'unavailable'],
  'a limit of the rate in its own format': [{ status: 429, json: bare('FAILED', 429) }, 'unavailable'],
  'a time-out in its own format': [{ status: 408, json: bare('FAILED', 408) }, 'timeout'],
}

const sha = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')

function notification(
  { secretKey = '' }: Credentials,
  alter: Readonly<Record<string, unknown>> = {},
  recipe: (content: string) => string | undefined = (content) => sha('sha256', content),
): Notification {
  const { internalReference, reference, status } = inState('APPROVED')
  const body = { status, internalReference, reference, ...alter }
  const signature = recipe(`${body.internalReference}${body.status.status}${secretKey}`)
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...body, signature }) }
}

function byHeader(given: Credentials, algorithm: string): Notification {
  let signature = ''
  const { body } = notification(given, {}, (content) => {
    signature = sha(algorithm, content)
    return undefined
  })
  return { headers: { 'x-signature': signature }, body }
}

const about = { kind: 'payin', providerId: '438072' } as const

providerConformance({
  provider: 'placetopay',
  open: openPlacetopay,
  organizationId: ORGANIZATION,
  credentials,
  previousCredentials: { ...credentials('http://127.0.0.1:1'), secretKey: 'canary-secret-before' },
  personal: [
    ...[customer.name, customer.idNumber, customer.phone, customer.email, 'Canaria', '3009998877'],
    ...[order.device?.ipAddress ?? '', 'CanaryBrowser', 'canary', 'La  14'],
  ],
  amounts: [80_000.5],
  check: gateway({ status: 500, bytes: '' }),
  lives: [placetopayLife],
  operations: [
    {
      ability: 'payin submit',
      call: (rails) => offered(rails.payins.PSE).submit(order),
      good: gateway(ok(transaction)),
      accepted: opened,
      mayAskAgain: false,
      isBroken: isProcess,
      use: 'PSE_IN',
      answers: {
        ...others(ok),
        ...undecided(ok),
        'the same order again': [{ status: 208, json: transaction }, { accepted: opened }],
        'the same key for another order': [
          { status: 208, json: { ...transaction, reference: SHORT_REFERENCE.replace(/1$/, '2') } },
          'unreadable',
        ],
        'a page that is still to come': [
          ok({ ...transaction, redirection: null }),
          { accepted: withoutPage },
        ],
        'a payment that has no number yet': [
          ok({ ...transaction, internalReference: null }),
          { accepted: { ...opened, providerId: null, traceId: null } },
        ],
        'a payment that is already made': [
          ok({ ...transaction, status: { status: 'APPROVED', reason: '00' } }),
          { accepted: withoutPage },
        ],
        'a rejection': [ok(inState('REJECTED', '05')), { rejected: 'BANK_DECLINED', networkCode: '05' }],
        'a rejection for want of funds': [
          ok(inState('REJECTED', '61')),
          { rejected: 'BANK_DECLINED', networkCode: '61' },
        ],
        'a rejection of another amount': [
          ok({ ...inState('REJECTED', '05'), amount: { currency: 'COP', total: 1 } }),
          'unreadable',
        ],
        'a refund under our reference': [ok({ ...transaction, type: 'REFUND' }), 'unreadable'],
        'a failure inside 200, after which a payment may exist': [ok(bare('FAILED', 'XN')), 'undecided'],
        'wrong fields': [
          { status: 400, json: bare('FAILED', 400) },
          { rejected: 'RAIL_ERROR', networkCode: '400' },
        ],
        'wrong fields by another status': [
          { status: 422, json: bare('ERROR', 'BR') },
          { rejected: 'RAIL_ERROR', networkCode: 'BR' },
        ],
        'wrong fields of a payment that exists': [
          { status: 400, json: { ...bare('FAILED', 400), internalReference: 438072 } },
          'undecided',
        ],
        'a payment that is pending, with a wrong status': [{ status: 400, json: transaction }, 'unreadable'],
        'a conflict': [{ status: 409, json: bare('FAILED', 409) }, 'undecided'],
        'nothing at this address': [{ status: 404, json: bare('FAILED', 404) }, 'undecided'],
        ...Object.fromEntries(
          Object.entries(refusals).filter(([what]) => /authentication|server|rate|time/.test(what)),
        ),
      },
    },
    {
      ability: 'payin query',
      call: (rails) => offered(rails.payins.PSE).query(handle('438072')),
      good: () => ok(inState('APPROVED')),
      accepted: paid,
      mayAskAgain: true,
      use: 'PSE_IN',
      answers: {
        ...statuses(ok),
        ...refusals,
        'another number': [ok({ ...inState('APPROVED'), internalReference: 438073 }), 'unreadable'],
        'no number': [ok({ ...inState('APPROVED'), internalReference: null }), 'unreadable'],
        'a list': [found(inState('APPROVED')), 'unreadable'],
      },
    },
    {
      ability: 'payin search',
      call: (rails) => offered(rails.payins.PSE).query(handle(null)),
      good: () => found(inState('APPROVED')),
      accepted: paid,
      mayAskAgain: true,
      use: 'PSE_IN',
      answers: {
        ...statuses(found),
        ...refusals,
        nothing: [
          found(),
          { accepted: { state: 'ended', how: 'not-found', reason: 'EXPIRED', networkCode: 'NOT_FOUND' } },
        ],
        'nothing, by a search that failed': [ok({ ...bare('FAILED', 'XN'), transactions: [] }), 'undecided'],
        'no list': [ok({ status: bankList.status }), 'unreadable'],
        'a list that is null': [ok({ status: bankList.status, transactions: null }), 'unreadable'],
        'a payment instead of a list': [ok(inState('APPROVED')), 'unreadable'],
        'a list with a line that is no payment': [found(inState('APPROVED'), {}), 'unreadable'],
        'a list with a payment of another order': [
          found(inState('APPROVED'), { ...transaction, internalReference: 438073, reference: 'order-1' }),
          'unreadable',
        ],
        'a payment that comes twice': [found(inState('APPROVED'), inState('APPROVED')), 'unreadable'],
        'a payment without a number': [
          found({ ...inState('APPROVED'), internalReference: null }),
          'unreadable',
        ],
        'two payments, of which one has no number': [
          found(inState('APPROVED'), { ...inState('APPROVED'), internalReference: null }),
          'unreadable',
        ],
        'a rejection, and then a payment': [
          found({ ...inState('REJECTED', '05'), internalReference: 438071 }, inState('APPROVED')),
          { accepted: paid },
        ],
        'a rejection, and a payer at the bank': [
          found(transaction, { ...inState('REJECTED', '05'), internalReference: 438073 }),
          { accepted: { state: 'open', opened } },
        ],
        'two rejections': [
          found(inState('REJECTED', '05'), { ...inState('REJECTED', '61'), internalReference: 438073 }),
          declined('61'),
        ],
        'two payments': [
          found(inState('APPROVED'), { ...inState('APPROVED'), internalReference: 438073 }),
          {
            accepted: {
              ...paid,
              payments: [payment, { amountInCents: 8_000_050n, paymentId: 'placetopay:438073' }],
            },
          },
        ],
        'two payments, of which one went back': [
          found(inState('APPROVED'), { ...inState('REVERSED'), internalReference: 438073 }),
          {
            accepted: {
              ...paid,
              payments: [payment, { amountInCents: 8_000_050n, paymentId: 'placetopay:438073' }],
              chargebacks: [
                {
                  amountInCents: 8_000_050n,
                  paymentId: 'placetopay:438073',
                  chargebackId: '438073:REVERSED',
                },
              ],
            },
          },
        ],
        'a payment and its refund, which is a transaction of its own': [
          found(inState('REFUNDED'), { ...inState('APPROVED'), internalReference: 438073, type: 'REFUND' }),
          { accepted: { ...paid, chargebacks: [{ ...payment, chargebackId: '438072:REFUNDED' }] } },
        ],
        'a failure, which may have been debited, and a payer at the bank': [
          found({ ...inState('FAILED'), internalReference: 438071 }, transaction),
          'undecided',
        ],
        'two open payments': [found(transaction, { ...transaction, internalReference: 438073 }), 'undecided'],
      },
    },
    {
      ability: 'payin cancel',
      call: (rails) => offered(rails.payins.PSE).cancel(handle('438072')),
      good: () => ok(transaction),
      accepted: { state: 'open', opened },
      mayAskAgain: true,
      use: 'PSE_IN',
      answers: refusals,
    },
    {
      ability: 'banks',
      call: (rails) => offered(rails.banks)(),
      good: () => ok(bankList),
      accepted: [
        { code: '1007', name: 'BANCOLOMBIA' },
        { code: '1022', name: 'BANCO UNION COLOMBIANO' },
      ],
      mayAskAgain: true,
      use: null,
      answers: {
        ...refusals,
        'no banks at all': [ok({ ...bankList, bankList: [] }), 'unreadable'],
        'only the line that asks to choose': [
          ok({ ...bankList, bankList: bankList.bankList.slice(0, 1) }),
          'unreadable',
        ],
        'no list': [ok({ ...bankList, bankList: null }), 'unreadable'],
        'a list that is not OK': [ok({ ...bankList, ...bare('FAILED', 'XN') }), 'undecided'],
        'a bank without a code': [ok({ ...bankList, bankList: [{ description: 'X' }] }), 'unreadable'],
        'a name that turns the text around': [
          ok({ ...bankList, bankList: [{ code: '1007', description: 'A\u202eB' }] }),
          'unreadable',
        ],
      },
    },
  ],
  hints: {
    signed: {
      'as the text says': { sign: (given) => notification(given), about },
      'with the number as text': {
        sign: (given) => notification(given, { internalReference: '438072' }),
        about,
      },
      'in capitals, with a prefix': {
        sign: (given) =>
          notification(given, {}, (content) => `sha256:${sha('sha256', content).toUpperCase()}`),
        about,
      },
      'as long as the sample': {
        sign: (given) => notification(given, {}, (content) => sha('sha1', content)),
        about,
      },
      'in a header': { sign: (given) => byHeader(given, 'sha256'), about },
      'in a header, as long as the sample': { sign: (given) => byHeader(given, 'sha1'), about },
      'in a state nobody knows': {
        sign: (given) => notification(given, { status: { status: 'HELD' } }),
        about,
      },
    },
    ignored: {
      'a sale that is not ours': (given) => notification(given, { reference: 'order-1' }),
      'a sale with our full reference, which we never send': (given) =>
        notification(given, { reference: REFERENCE }),
    },
  },
})
