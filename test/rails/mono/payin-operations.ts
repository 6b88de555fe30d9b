// What Mono's adapter asks about payins, for the shared contract: good answers, and answers that contradict themselves or are about somebody
// else.

import type { ProviderRails } from '../../../src/rails/rail.ts'
import type { Expected } from '../conformance/answers.ts'
import type { Operation } from '../conformance/operations.ts'
import type { Asked } from '../fake-network.ts'
import { offered } from '../port.ts'
import {
  ATTEMPT_ID,
  attempt,
  COLLECTION_ID,
  collection,
  money,
  page,
  paidCollection,
  refusal,
  TRANSFER_ID,
} from './answers.ts'
import { AMOUNT, handle, OUR_KEY, PAYIN, payinOrder } from './opened.ts'
import {
  each,
  isPost,
  ok,
  ordered,
  REFUSED_ORDERS,
  REFUSED_QUESTIONS,
  strange,
  withMoney,
} from './strange-answers.ts'

const STRANGE_COLLECTIONS: Readonly<Record<string, object>> = {
  'another reference': { external_id: 'invoice-12345' },
  'another minimum': { total_minimum_amount: money(1) },
  'another maximum': { total_maximum_amount: money(9_990_000) },
  'no maximum': { total_maximum_amount: null },
  'an unknown state': { state: 'frozen' },
  'an id of something else': { id: TRANSFER_ID },
  'a key that is no key': { keys: [{ state: 'active', value: 'hello world!' }], custom_key_value: null },
  'another key': { keys: [{ state: 'active', value: '@RCOTHER00001' }] },
  'payments that are not counted': { successful_attempts: '1' },
  ...withMoney('paid_amount'),
}
const opened = {
  providerId: COLLECTION_ID,
  traceId: null,
  instructions: { keyString: OUR_KEY, qrPayload: null, pageUrl: null, isReady: true },
}
const isOpen = { state: 'open', opened }
const payment = { paymentId: `mono:${ATTEMPT_ID}`, amountInCents: AMOUNT }
const paid = { state: 'paid', payments: [payment], networkCode: 'paid' }
const batch = (changes: object) => ({
  created: [{ ...collection, ...changes }],
  duplicated: [],
  rejected: [],
})
const TAKEN = [
  ...['nothing with 200', 'nothing with 204', 'an empty object', 'an empty list', 'a bare word', 'null'],
  'a list in a list in a list …',
]
const isAttempts = ({ path }: Asked) => path.includes('/attempts')

const DAY_BEGINS = Date.parse('2026-11-16T05:00:00Z')

export const payinOperations: readonly Operation<ProviderRails>[] = [
  {
    ability: 'payin submit',
    use: 'BRE_B_IN',
    call: (rails) => offered(rails.payins.BRE_B).submit(payinOrder()),
    good: ordered({ status: 201, json: batch({}) }, 'collections'),
    isBroken: isPost,
    accepted: opened,
    // A second order under the same reference shows the first.
    mayAskAgain: true,
    answers: {
      ...each(STRANGE_COLLECTIONS, batch),
      ...strange({
        'two collections': { ...batch({}), duplicated: [collection] },
        'a rejection of another one': { rejected: [{ external_id: 'other', error_code: 'no' }] },
        'a rejection without a code': { rejected: [{ external_id: PAYIN }] },
        'lists that are none': { created: collection },
      }),
      ...REFUSED_ORDERS,
      'the same order again': [
        ok({ created: [], duplicated: [collection], rejected: [] }),
        { accepted: opened },
      ],
      'a rejection inside 200': [
        ok({ rejected: [{ external_id: PAYIN, error_code: 'invalid_expiration' }] }),
        { rejected: 'RAIL_ERROR', networkCode: 'invalid_expiration' },
      ],
    },
  },
  {
    ability: 'payin query',
    use: 'BRE_B_IN',
    call: (rails) => offered(rails.payins.BRE_B).query(handle(PAYIN, COLLECTION_ID)),
    good: ok(collection),
    accepted: isOpen,
    mayAskAgain: true,
    answers: {
      ...each(STRANGE_COLLECTIONS, (changes) => ({ ...collection, ...changes })),
      ...strange({
        'another collection': { ...collection, id: 'bbcol_anotherCollectionAnoth' },
        'a list': [collection],
      }),
      ...REFUSED_QUESTIONS,
    },
  },
  {
    ability: 'payin query',
    name: 'payin query, who paid',
    isSecondCall: true,
    use: 'BRE_B_IN',
    call: (rails) => offered(rails.payins.BRE_B).query(handle(PAYIN, COLLECTION_ID)),
    good: (asked) => ok(isAttempts(asked) ? page('attempts', [attempt]) : paidCollection),
    isBroken: isAttempts,
    accepted: paid,
    mayAskAgain: true,
    answers: {
      ...each(withMoney('amount'), (changes) => page('attempts', [{ ...attempt, ...changes }])),
      ...strange({
        'nothing paid': page('attempts', [{ ...attempt, amount: money(0) }]),
        'no payment': page('attempts', []),
        'a payment that failed': page('attempts', [{ ...attempt, state: 'failed' }]),
        'less than was paid': page('attempts', [{ ...attempt, amount: money(2_489_999) }]),
        'an unknown state': page('attempts', [attempt, { ...attempt, state: 'bounced' }]),
        'a payment of another collection': page('attempts', [
          { ...attempt, collection_id: 'bbcol_anotherCollectionAnoth' },
        ]),
        'a time that is none': page('attempts', [{ ...attempt, inserted_at: '2026-13-41T15:01:00Z' }]),
        'fewer than it counts': page('attempts', [attempt], { total_items: 2 }),
      }),
      ...REFUSED_QUESTIONS,
    },
  },
  {
    ability: 'payin search',
    use: 'BRE_B_IN',
    call: (rails) => offered(rails.payins.BRE_B).query(handle(PAYIN)),
    good: ok(page('collections', [collection])),
    accepted: isOpen,
    mayAskAgain: true,
    answers: {
      ...each(STRANGE_COLLECTIONS, (changes) => page('collections', [{ ...collection, ...changes }])),
      ...strange({
        'another page': page('collections', [], { page_number: 2 }),
        'fewer than it counts': page('collections', [], { total_items: 1 }),
        'no page': { collections: [] },
        'no list': { pagination: { page_number: 1, total_pages: 1 } },
        'another one beside it': page('collections', [collection, { ...collection, external_id: 'other' }]),
      }),
      ...REFUSED_QUESTIONS,
      nothing: [
        ok(page('collections', [])),
        {
          accepted: {
            state: 'ended',
            how: 'not-found',
            reason: 'EXPIRED',
            networkCode: 'collection_not_found',
          },
        },
      ],
    },
  },
  {
    ability: 'payin cancel',
    use: 'BRE_B_IN',
    call: (rails) => offered(rails.payins.BRE_B).cancel(handle(PAYIN, COLLECTION_ID)),
    good: ({ method }) => (method === 'DELETE' ? { status: 200, bytes: '' } : ok(collection)),
    isBroken: ({ method }) => method === 'DELETE',
    accepted: isOpen,
    mayAskAgain: true,
    // Mono answers nothing. Whatever else it says with 2xx, it took the order.
    exceptions: Object.fromEntries(TAKEN.map((what): [string, Expected] => [what, { accepted: isOpen }])),
    answers: {
      'a payment that cannot be canceled any more': [
        { status: 409, json: refusal('has_payments') },
        { accepted: isOpen },
      ],
      'a refusal that leaves doubt': [{ status: 404, json: refusal('collection_not_found') }, 'undecided'],
    },
  },
  {
    ability: 'statement',
    use: 'BRE_B_IN',
    call: (rails) => offered(rails.statement.BRE_B)(DAY_BEGINS, DAY_BEGINS + 86_400_000, null),
    good: ok(page('attempts', [attempt])),
    accepted: {
      lines: [
        {
          movement: 'credit',
          reference: '',
          providerId: COLLECTION_ID,
          networkId: `mono:${ATTEMPT_ID}`,
          amountInCents: AMOUNT,
          occurredAt: Date.parse(attempt.inserted_at),
        },
      ],
      unreadable: [],
      nextCursor: null,
      complete: true,
    },
    mayAskAgain: true,
    answers: REFUSED_QUESTIONS,
  },
]
