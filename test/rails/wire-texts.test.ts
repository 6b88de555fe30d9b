// Which texts and numbers of an answer are taken, field by field, at the bounds of each. What is out of bounds is no answer: it goes into
// addresses, logs and columns that hold no more.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from '../../src/core/json-schema.ts'
import * as mono from '../../src/rails/mono/wire.ts'
import {
  AmountText,
  centsOf,
  instantOf,
  MomentText,
  NetworkText,
  ReferenceText,
  reader,
} from '../../src/rails/wire-format.ts'
import * as wompi from '../../src/rails/wompi/wire.ts'
import { attempt, collection, resolution, transfer } from './mono/answers.ts'

type Bounds = { readonly taken: readonly unknown[]; readonly refused: readonly unknown[] }
const x = (count: number) => 'x'.repeat(count)
const NO_TEXT = [7, {}, undefined]

const NETWORK_TEXT: Bounds = {
  taken: ['A-z_0.9:', x(64)],
  refused: [null, '', x(65), 'a b', 'ñ', ...NO_TEXT],
}
const REFERENCE: Bounds = { taken: ['A-z_09', x(64)], refused: [null, '', x(65), 'a.b', 'a:b', ...NO_TEXT] }
const AMOUNT: Bounds = {
  taken: ['0.01', '80000.50', `${'9'.repeat(13)}.99`],
  refused: ['0.00', '80000', '80000.5', '080.00', '-1.00', `${'9'.repeat(14)}.00`, '1,00', '1.00 ', 1],
}
const MOMENT: Bounds = {
  taken: ['2026-11-05T20:35:00Z', '2026-11-05T20:35:00.123456789Z', '2026-11-05T15:35:00-05:00'],
  refused: ['2026-11-05', '2026-11-05T20:35Z', '2026-11-05T20:35:00', '2026-11-05 20:35:00Z', 1_762_374_900],
}
const ABOVE_ZERO: Bounds = { taken: [1, Number.MAX_SAFE_INTEGER], refused: [0, -1, 1.5, 2 ** 53, '1', null] }
const FROM_ZERO: Bounds = { taken: [0, Number.MAX_SAFE_INTEGER], refused: [-1, 1.5, 2 ** 53, '1', null] }
const COUNT: Bounds = { taken: [0, 1], refused: [-1, 1.5, '1', null] }
const PESOS: Bounds = { taken: ['COP'], refused: ['USD', '', null] }
const ANY_REFERENCE: Bounds = { taken: ['', 'of somebody else', x(255)], refused: [x(256), ...NO_TEXT] }
const SHOWN: Bounds = {
  taken: ['JUA*** PER***', x(200)],
  refused: ['', x(201), 'a\nb', 'a\u202eb', 'a\u2028b', null, ...NO_TEXT],
}
const orNothing = ({ taken, refused }: Bounds): Bounds => ({
  taken: [...taken, null],
  refused: refused.filter((one) => one !== null),
})
const maybe = ({ taken, refused }: Bounds): Bounds => ({
  taken: [...taken, undefined],
  refused: refused.filter((one) => one !== undefined),
})
const oneOf = (...taken: string[]): Bounds => ({ taken, refused: ['tomorrow', '', null] })
const idOf = (prefix: string): Bounds => ({
  taken: [`${prefix}_5tgliBmzjZ6mpQPRbQjfKj`],
  refused: [
    `${prefix}_5tgli`,
    `${prefix}5tgliBmzjZ6mpQPRbQjfKj`,
    `x${prefix}_5tgliBmzjZ6mpQPRbQjfKj`,
    null,
    7,
  ],
})
const KEY: Bounds = { taken: ['@RC7K2M9QX4TB5N', x(92)], refused: ['', x(93), null, 7] }

type Fields = Readonly<Record<string, Bounds>>
type Read = (body: unknown) => unknown
const MONO_MONEY = { amount: 5, currency: 'COP' }
const TRANSACTION = {
  id: '1-2',
  status: 'PENDING',
  reference: 'R',
  amount_in_cents: 5,
  currency: 'COP',
  payment_method_type: 'PSE',
  payment_method: { type: 'PSE', extra: { async_payment_url: 'https://bank.example/' } },
}
const BATCH = { id: 'b', reference: 'R', status: 'PENDING', amountInCents: 5, currency: 'COP' }
const PAYOUT = { ...BATCH, payoutId: 'p' }
const FOUND = { holderName: 'JUA***', financialEntity: { name: 'BANCO', code: '9' }, keyType: 'PHONE' }
const ACCEPTANCE = { acceptance_token: 'token', permalink: 'https://wompi.example/terms.pdf' }
const MERCHANT = {
  accepted_payment_methods: ['PSE'],
  presigned_acceptance: ACCEPTANCE,
  presigned_personal_data_auth: ACCEPTANCE,
}
const TOKEN: Bounds = { taken: ['a.b-c', x(8_192)], refused: ['', 'a b', x(8_193), null] }
const COLLECTION_STATES = ['created', 'ready', 'minimum_paid', 'paid', 'discarded', 'failed']
const TRANSFER_STATES = [
  ...['created', 'processing', 'target_resolved', 'held', 'sent_to_breb_provider'],
  ...['successful', 'failed', 'canceled', 'reversed', 'reapplied'],
]

// A field is named by its path.
const ANSWERS: Readonly<Record<string, [read: Read, good: object, Fields]>> = {
  'a collection of Mono': [
    mono.readCollection,
    { ...collection, keys: [{ value: '@RC7', state: 'active' }], paid_amount: MONO_MONEY },
    {
      id: idOf('bbcol'),
      external_id: ANY_REFERENCE,
      state: oneOf(...COLLECTION_STATES),
      state_reason: orNothing(NETWORK_TEXT),
      'keys.0.value': KEY,
      'paid_amount.amount': FROM_ZERO,
      'paid_amount.currency': PESOS,
      paid_amount: { taken: [null], refused: [undefined, 5] },
      successful_attempts: COUNT,
      custom_key_value: maybe({ taken: ['', x(92), null], refused: [x(93), 7] }),
      'total_minimum_amount.amount': FROM_ZERO,
      total_minimum_amount: { taken: [null, undefined], refused: [5] },
      'total_maximum_amount.currency': PESOS,
      total_maximum_amount: { taken: [null, undefined], refused: [5] },
    },
  ],
  'an attempt at Mono': [
    mono.readAttempt,
    attempt,
    {
      id: idOf('bbcolat'),
      collection_id: idOf('bbcol'),
      'amount.amount': ABOVE_ZERO,
      'amount.currency': PESOS,
      state: oneOf('created', 'successful', 'rejected', 'failed'),
      inserted_at: MOMENT,
    },
  ],
  'a transfer of Mono': [
    mono.readTransfer,
    transfer,
    {
      id: idOf('bbot'),
      external_id: ANY_REFERENCE,
      'amount.amount': ABOVE_ZERO,
      'amount.currency': PESOS,
      state: oneOf(...TRANSFER_STATES),
      state_reason: orNothing(NETWORK_TEXT),
    },
  ],
  'collections of Mono that were not taken': [
    mono.readCollectionBatch,
    { created: [], duplicated: [], rejected: [{ external_id: 'R', error_code: 'no' }] },
    {
      created: { taken: [undefined, [7]], refused: [7, null] },
      duplicated: { taken: [undefined, [7]], refused: [7, null] },
      rejected: { taken: [undefined, []], refused: [[7], null] },
      'rejected.0.external_id': ANY_REFERENCE,
      'rejected.0.error_code': NETWORK_TEXT,
    },
  ],
  'transfers of Mono that were not taken': [
    mono.readTransferBatch,
    { accepted_transfers: [], transfers: [], rejected_transfers: [{ external_id: 'R', reason: 'no' }] },
    {
      accepted_transfers: { taken: [undefined, [7]], refused: [7, null] },
      transfers: { taken: [undefined, [7]], refused: [7, null] },
      rejected_transfers: { taken: [undefined, []], refused: [[7], null] },
      'rejected_transfers.0.external_id': ANY_REFERENCE,
      'rejected_transfers.0.reason': NETWORK_TEXT,
    },
  ],
  'a look-up at Mono': [
    mono.readResolution,
    resolution,
    {
      state: oneOf('created', 'retrying', 'resolved', 'failed'),
      state_reason: orNothing(NETWORK_TEXT),
    },
  ],
  'a transaction of Wompi': [
    (data) => wompi.readTransaction({ data }),
    TRANSACTION,
    {
      id: NETWORK_TEXT,
      status: NETWORK_TEXT,
      reference: ANY_REFERENCE,
      amount_in_cents: ABOVE_ZERO,
      currency: PESOS,
      payment_method_type: { taken: ['PSE', undefined], refused: ['CARD', null] },
      payment_method: { taken: [null, undefined, {}], refused: [7] },
      'payment_method.type': { taken: ['PSE', undefined], refused: ['CARD', null] },
      'payment_method.extra': { taken: [null, undefined, {}], refused: [7] },
      'payment_method.extra.async_payment_url': { taken: ['', null, undefined], refused: [7] },
    },
  ],
  'a search at Wompi': [
    wompi.readTransactions,
    { data: [TRANSACTION], meta: { total_results: 1 } },
    {
      'data.0.id': NETWORK_TEXT,
      meta: { taken: [undefined, {}], refused: [7, null] },
      'meta.total_results': maybe(FROM_ZERO),
    },
  ],
  'a merchant at Wompi': [
    (data) => wompi.readMerchant({ data }),
    MERCHANT,
    {
      accepted_payment_methods: { taken: [[], undefined], refused: [[7], 'PSE', null] },
      'presigned_acceptance.acceptance_token': TOKEN,
      'presigned_personal_data_auth.acceptance_token': TOKEN,
      'presigned_acceptance.permalink': { taken: [''], refused: [null, 7] },
    },
  ],
  'the banks of Wompi': [
    wompi.readInstitutions,
    { data: [{ financial_institution_code: '1007', financial_institution_name: 'BANCOLOMBIA' }] },
    {
      data: { taken: [], refused: [[], 7] },
      'data.0.financial_institution_code': NETWORK_TEXT,
      'data.0.financial_institution_name': SHOWN,
    },
  ],
  'payouts that Wompi has made': [
    wompi.readCreated,
    { payoutId: 'p', transactions: 1, success: 1, failed: 0 },
    { payoutId: NETWORK_TEXT, transactions: FROM_ZERO, success: FROM_ZERO, failed: FROM_ZERO },
  ],
  'batches of Wompi': [
    wompi.readBatches,
    { total: 1, records: [BATCH] },
    {
      total: FROM_ZERO,
      'records.0.id': NETWORK_TEXT,
      'records.0.reference': ANY_REFERENCE,
      'records.0.status': NETWORK_TEXT,
      'records.0.amountInCents': ABOVE_ZERO,
      'records.0.currency': maybe(PESOS),
    },
  ],
  'payouts of a batch of Wompi': [
    wompi.readBatchTransactions,
    { total: 1, records: [PAYOUT] },
    {
      total: FROM_ZERO,
      'records.0.id': NETWORK_TEXT,
      'records.0.payoutId': maybe(NETWORK_TEXT),
      'records.0.reference': maybe(orNothing(ANY_REFERENCE)),
      'records.0.status': NETWORK_TEXT,
      'records.0.amountInCents': ABOVE_ZERO,
      'records.0.currency': maybe(PESOS),
    },
  ],
  'a key at Wompi': [
    wompi.readKey,
    FOUND,
    {
      holderName: SHOWN,
      'financialEntity.name': SHOWN,
      'financialEntity.code': maybe(orNothing(NETWORK_TEXT)),
      keyType: NETWORK_TEXT,
    },
  ],
  'what all networks write': [
    reader(Type.Object({ id: NetworkText, reference: ReferenceText, amount: AmountText, at: MomentText })),
    { id: 'n', reference: 'R', amount: '1.00', at: '2026-11-05T20:35:00Z' },
    { id: NETWORK_TEXT, reference: REFERENCE, amount: AMOUNT, at: MOMENT },
  ],
}

// The object with another value under the path; undefined takes the field away.
function withField(good: object, path: string, value: unknown): object {
  const changed = structuredClone(good)
  const names = path.split('.')
  const last = names.pop() as string
  let inner = changed as Record<string, unknown>
  for (const name of names) inner = inner[name] as Record<string, unknown>
  if (value === undefined) delete inner[last]
  else inner[last] = value
  return changed
}

describe('an answer', () => {
  for (const [what, [read, good, fields]] of Object.entries(ANSWERS))
    it(`about ${what} has fields within their bounds`, () => {
      assert.notEqual(read(good), undefined)
      for (const [path, { taken, refused }] of Object.entries(fields)) {
        const isTaken = (value: unknown) => read(withField(good, path, value)) !== undefined
        const shown = (value: unknown) => `${path}: ${JSON.stringify(value)?.slice(0, 80)}`
        for (const value of taken) assert.equal(isTaken(value), true, shown(value))
        for (const value of refused) assert.equal(isTaken(value), false, shown(value))
      }
    })

  it('of Wompi’s may come in an envelope, which is none when it says that it is a refusal', () => {
    assert.deepEqual(wompi.readKey({ code: 'OK', data: FOUND }), FOUND)
    assert.deepEqual(wompi.readKey({ meta: {}, data: FOUND }), FOUND)
    assert.equal(wompi.readKey({ code: 'EXC_034', data: FOUND }), undefined)
    assert.equal(wompi.readKey({ data: FOUND }), undefined, 'nothing says that it is one')
  })

  it('has an amount in cents and a time, unless there is no such day', () => {
    assert.equal(centsOf('80000.50'), 8_000_050n)
    assert.equal(instantOf('2026-11-05T15:35:00-05:00'), Date.UTC(2026, 10, 5, 20, 35))
    assert.equal(instantOf('2026-11-32T00:00:00Z'), undefined)
  })

  it('of a payout that failed has its code as a text or in an object', () => {
    const codes: [unknown, string | null][] = [
      ['EXC_008', 'EXC_008'],
      ['MOL-5021', 'MOL-5021'],
      ['C01', 'C01'],
      [{ code: 'a.b:c' }, 'a.b:c'],
      ['The account is closed', null],
      [{ code: x(41) }, null],
      [null, null],
      [undefined, null],
    ]
    for (const [given, code] of codes) assert.equal(wompi.failureCodeOf(given), code, String(given))
  })
})
