// The Mono adapter against a scripted Mono: answers that are broken, contradict themselves or are about somebody else.

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { RailAnswer, UnknownKind } from '../../../src/rails/rail.ts'
import { type Answer, type FakeNetwork, openFakeNetwork } from '../fake-network.ts'
import {
  attempt,
  COLLECTION_ID,
  collection,
  money,
  page,
  paidCollection,
  refusal,
  resolution,
  TRANSFER_ID,
  target,
  transfer,
} from './answers.ts'
import {
  acceptedValue,
  assertUnknown,
  handle,
  type OpenedMono,
  openAt,
  PAYIN,
  PAYOUT,
  PERSONAL,
  payinOrder,
  payoutOrder,
} from './opened.ts'

type Operation = {
  readonly call: (rails: OpenedMono) => Promise<RailAnswer<unknown, string>>
  readonly good: readonly Answer[]
  readonly mayAskAgain: boolean
  // Altered copies of the good answer, none of which is about what was asked.
  readonly strange: Readonly<Record<string, unknown>>
}

const ok = (json: unknown): Answer => ({ status: 200, json })
const batch = (changes: object) => ({
  created: [{ ...collection, ...changes }],
  duplicated: [],
  rejected: [],
})
const taken = (changes: object) => ({
  accepted_transfers: [{ ...transfer, ...changes }],
  rejected_transfers: [],
})
const strangeMoney = {
  'a number as text': { amount: '2490000', currency: 'COP' },
  'another currency': { amount: 2_490_000, currency: 'USD' },
  'no currency': { amount: 2_490_000 },
  'parts of a cent': { amount: 2_490_000.5, currency: 'COP' },
  'a negative amount': { amount: -1, currency: 'COP' },
  'an amount beyond what is exact': { amount: 2 ** 53, currency: 'COP' },
  'a bare number': 2_490_000,
}
const each = <Value>(cases: Readonly<Record<string, Value>>, make: (value: Value) => unknown) =>
  Object.fromEntries(Object.entries(cases).map(([what, value]) => [what, make(value)]))

const strangeCollections: Record<string, object> = {
  'another reference': { external_id: 'invoice-12345' },
  'another minimum': { total_minimum_amount: money(1) },
  'another maximum': { total_maximum_amount: money(9_990_000) },
  'no maximum': { total_maximum_amount: null },
  'an unknown state': { state: 'frozen' },
  'a state that is no text': { state: 1 },
  'an id of something else': { id: TRANSFER_ID },
  'no keys': { keys: undefined },
  'a key that is no key': { keys: [{ state: 'active', value: 'hello world!' }], custom_key_value: null },
  'another key': { keys: [{ state: 'active', value: '@RCOTHER00001' }] },
  'payments that are not counted': { successful_attempts: '1' },
  ...each(strangeMoney, (paid_amount) => ({ paid_amount })),
} as Record<string, object>
const strangeTransfers: Record<string, object> = {
  'another reference': { external_id: 'transfer_001' },
  'another amount': { amount: money(1) },
  'an unknown state': { state: 'settled' },
  'an id of something else': { id: COLLECTION_ID },
  'a reason that is no text': { state_reason: {} },
  ...(each(strangeMoney, (amount) => ({ amount })) as Record<string, object>),
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'submitting a payin': {
    call: ({ payin }) => payin.submit(payinOrder()),
    good: [ok(batch({}))],
    mayAskAgain: true,
    strange: {
      ...each(strangeCollections, batch),
      'two collections': { ...batch({}), duplicated: [collection] },
      'a rejection of another one': { rejected: [{ external_id: 'other', error_code: 'no' }] },
      'a rejection without a code': { rejected: [{ external_id: PAYIN }] },
      'lists that are none': { created: collection },
    },
  },
  'searching for a payin': {
    call: ({ payin }) => payin.query(handle(PAYIN)),
    good: [ok(page('collections', [collection]))],
    mayAskAgain: true,
    strange: {
      ...each(strangeCollections, (changes) => page('collections', [{ ...collection, ...changes }])),
      'another page': page('collections', [], { page_number: 2 }),
      'fewer than it counts': page('collections', [], { total_items: 1 }),
      'no page': { collections: [] },
      'no list': { pagination: { page_number: 1, total_pages: 1 } },
      'another one beside it': page('collections', [collection, { ...collection, external_id: 'other' }]),
    },
  },
  'reading a payin': {
    call: ({ payin }) => payin.query(handle(PAYIN, COLLECTION_ID)),
    good: [ok(collection)],
    mayAskAgain: true,
    strange: {
      ...each(strangeCollections, (changes) => ({ ...collection, ...changes })),
      'another collection': { ...collection, id: 'bbcol_anotherCollectionAnoth' },
      'a list': [collection],
    },
  },
  'reading who paid': {
    call: ({ payin }) => payin.query(handle(PAYIN, COLLECTION_ID)),
    good: [ok(paidCollection), ok(page('attempts', [attempt]))],
    mayAskAgain: true,
    strange: {
      ...each(strangeMoney, (amount) => page('attempts', [{ ...attempt, amount }])),
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
    },
  },
  'submitting a payout': {
    call: ({ payout }) => payout.submit(payoutOrder()),
    good: [{ status: 202, json: taken({}) }],
    mayAskAgain: false,
    strange: {
      ...each(strangeTransfers, taken),
      'two transfers': { accepted_transfers: [transfer, transfer] },
      'one under each name': { accepted_transfers: [transfer], transfers: [transfer] },
      'a rejection of another one': { rejected_transfers: [{ external_id: 'other', reason: 'no' }] },
      'taken and rejected': { ...taken({}), rejected_transfers: [{ external_id: PAYOUT, reason: 'no' }] },
    },
  },
  'searching for a payout': {
    call: ({ payout }) => payout.query(handle(PAYOUT)),
    good: [ok(page('transfers', [transfer]))],
    mayAskAgain: true,
    strange: {
      ...each(strangeTransfers, (changes) => page('transfers', [{ ...transfer, ...changes }])),
      'another page': page('transfers', [], { page_number: 2 }),
      'fewer than it counts': page('transfers', [], { total_items: 1 }),
      'no page': { transfers: [] },
      'a list of another name': page('collections', []),
      'only another one': page('transfers', [{ ...transfer, external_id: 'other' }]),
    },
  },
  'reading a payout': {
    call: ({ payout }) => payout.query(handle(PAYOUT, TRANSFER_ID)),
    good: [ok(transfer)],
    mayAskAgain: true,
    strange: {
      ...each(strangeTransfers, (changes) => ({ ...transfer, ...changes })),
      'another transfer': { ...transfer, id: 'bbot_anotherTransferAnother' },
    },
  },
  'looking a key up': {
    call: async ({ directory }) => directory?.lookUp('3001234567', 'PHONE') ?? assert.fail(),
    good: [ok(resolution)],
    mayAskAgain: false,
    strange: {
      'no target': { ...resolution, target: null },
      'another key': { ...resolution, target: { ...target, key_value: '3007654321' } },
      'another type of key': { ...resolution, target: { ...target, key_type: 'email' } },
      'an unknown state': { ...resolution, state: 'guessed' },
      'no name': { ...resolution, target: { ...target, creditor: { ...target.creditor, full_name: '' } } },
      'a name that nobody can see': {
        ...resolution,
        target: { ...target, creditor: { ...target.creditor, full_name: 'a\u202eb' } },
      },
    },
  },
}

const html = '<html><title>502 Bad Gateway</title><p>Canaria del Campo</p></html>'
const asHtml = { 'content-type': 'text/html' }
const BROKEN: Readonly<Record<string, readonly [Answer, UnknownKind, 'again' | 'once']>> = {
  'HTML with 200': [{ status: 200, bytes: html, headers: asHtml }, 'unreadable', 'once'],
  'HTML with 404': [{ status: 404, bytes: html, headers: asHtml }, 'unreadable', 'once'],
  'HTML with 500': [{ status: 500, bytes: html, headers: asHtml }, 'unavailable', 'again'],
  'nothing with 200': [{ status: 200, bytes: '' }, 'unreadable', 'once'],
  'nothing with 503': [{ status: 503, bytes: '' }, 'unavailable', 'again'],
  'half of a JSON': [{ status: 200, bytes: '{"collections":[' }, 'unreadable', 'once'],
  'an empty object': [ok({}), 'unreadable', 'once'],
  'an empty list': [ok([]), 'unreadable', 'once'],
  'a bare word': [ok('OK'), 'unreadable', 'once'],
  null: [ok(null), 'unreadable', 'once'],
  'an error with 200': [ok(refusal('validation_error')), 'unreadable', 'once'],
  'an error of Mono’s own': [{ status: 500, json: refusal('internal_error') }, 'unavailable', 'again'],
  'too many requests': [{ status: 429, json: refusal('rate_limited') }, 'unavailable', 'once'],
  'a scope that is off': [{ status: 403, json: refusal('not_authorized') }, 'unavailable', 'once'],
  'a time-out of a proxy': [{ status: 504, bytes: '' }, 'timeout', 'once'],
  'a redirect': [{ status: 302, bytes: '', headers: { location: '/elsewhere' } }, 'unreadable', 'once'],
  'an answer without end': ['endless', 'unreadable', 'once'],
  'another protocol': ['no HTTP', 'unreadable', 'once'],
  'a connection that breaks': ['reset', 'unavailable', 'again'],
  'an answer that breaks off': ['broken off', 'unavailable', 'again'],
}

describe('a scripted Mono whose answers are broken', () => {
  let mono: FakeNetwork
  let rails: OpenedMono
  before(async () => {
    mono = await openFakeNetwork()
  })
  beforeEach(() => {
    rails = openAt(mono.url, { limits: { breakAfterFailures: 1_000 } })
  })
  afterEach(() => rails.close())
  after(() => mono[Symbol.asyncDispose]())

  for (const [name, { call, good, mayAskAgain, strange }] of Object.entries(OPERATIONS)) {
    const earlier = good.slice(0, -1)
    describe(name, () => {
      it('reads a good answer', async () => {
        mono.willAnswer(...good)
        acceptedValue(await call(rails))
        assert.equal(mono.asked.length, good.length)
      })

      it('calls a strange answer unreadable', async () => {
        for (const [what, json] of Object.entries(strange)) {
          mono.willAnswer(...earlier, ok(json))
          assertUnknown(await call(rails), 'unreadable', what)
          assert.equal(mono.asked.length, good.length, what)
        }
      })

      it('calls a broken answer what it is, and repeats only what may be repeated', async () => {
        for (const [what, [answer, kind, repeated]] of Object.entries(BROKEN)) {
          mono.willAnswer(...earlier, answer)
          assertUnknown(await call(rails), kind, what)
          const calls = repeated === 'again' && mayAskAgain ? 3 : 1
          assert.equal(mono.asked.length, earlier.length + calls, what)
        }
      })

      it('ends in time if no answer comes', async () => {
        const quick = { submitMs: 150, queryMs: 150, lookUpMs: 150 }
        for (const answer of ['silent', 'trickle'] as const) {
          await using hasty = openAt(mono.url, { limits: quick })
          mono.willAnswer(...earlier, answer)
          assertUnknown(await call(hasty), 'timeout', answer)
        }
      })

      it('gets a fresh access token when one is refused, once', async () => {
        mono.willAnswer(...earlier, { status: 401, json: refusal('invalid_token') }, ...good.slice(-1))
        acceptedValue(await call(rails))
        mono.willAnswer(...earlier, { status: 401, json: refusal('invalid_token') })
        assertUnknown(await call(rails), 'unavailable')
        assert.equal(mono.asked.length, good.length + 1)
      })

      it('records nothing of anybody', async () => {
        for (const answer of [...good, ...Object.values(BROKEN).map(([broken]) => broken)]) {
          mono.willAnswer(...earlier, answer)
          await call(rails)
        }
        for (const exchange of rails.exchanges)
          for (const secret of PERSONAL) assert.ok(!JSON.stringify(exchange).includes(secret))
      })
    })
  }
})
