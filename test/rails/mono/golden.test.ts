// What the adapter sends to Mono, in full.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tenantAccountId } from '../../sandbox/providers/mono-caller.ts'
import {
  attempt,
  COLLECTION_ID,
  collection,
  page,
  paidCollection,
  resolution,
  TRANSFER_ID,
  transfer,
} from './answers.ts'
import {
  customer,
  handle,
  type OpenChanges,
  type OpenedMono,
  OUR_KEY,
  openAt,
  PAYIN,
  PAYOUT,
  payinOrder,
  payoutOrder,
} from './opened.ts'
import { openRecording, type Sent } from './recording.ts'

const asked = { accept: 'application/json', authorization: 'Bearer a-token' }
const withBody = { ...asked, 'content-type': 'application/json' }
const get = (path: string): Sent => ({ method: 'GET', path, headers: asked, body: '' })
const ok = (json?: unknown) => ({ status: 200, ...(json !== undefined && { json }) })

async function sentBy(
  call: (rails: OpenedMono) => Promise<unknown>,
  answers: { status: number; json?: unknown }[],
  changes: OpenChanges = {},
): Promise<Sent[]> {
  await using mono = await openRecording()
  await using rails = openAt(mono.url, changes)
  mono.willAnswer(...answers)
  const answer = (await call(rails)) as { outcome: string }
  assert.equal(
    answer.outcome,
    'accepted',
    JSON.stringify(answer, (_, value) => String(value)),
  )
  return mono.sent.filter(({ path }) => path !== '/api/v1/oauth/token')
}

test('a token is asked for with JSON, for what the connection is used for', async () => {
  const scopes: [OpenChanges['uses'], string][] = [
    [['BRE_B_IN', 'BRE_B_OUT'], 'collections outgoing_transfers target_resolutions'],
    [['BRE_B_OUT'], 'outgoing_transfers target_resolutions'],
  ]
  for (const [uses = [], scope] of scopes) {
    await using mono = await openRecording()
    const credentials = { clientId: 'the-client', clientSecret: 'the "secret"' }
    await using rails = openAt(mono.url, { uses, credentials })
    mono.willAnswer(ok(page('transfers', [])))
    await rails.payout.query(handle(PAYOUT))
    assert.deepEqual(mono.sent[0], {
      method: 'POST',
      path: '/api/v1/oauth/token',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: `{"client_id":"the-client","client_secret":"the \\"secret\\"","grant_type":"client_credentials","scope":"${scope}"}`,
    })
    const [exchange] = rails.exchanges
    assert.equal(exchange?.request, '{"grant_type":"client_credentials"}')
  }
})

test('an order of a payin is one collection of exactly the amount, under our key or Mono’s', async () => {
  const collectionOf = (key: string) =>
    `{"tenant_account_id":"${tenantAccountId}","collections":[{"external_id":"${PAYIN}","usage_mode":"single_use"${key},` +
    '"expires_at":"2026-11-16T15:15:00.000Z",' +
    '"total_minimum_amount":{"amount":2490000,"currency":"COP"},"total_maximum_amount":{"amount":2490000,"currency":"COP"}}]}'
  for (const [keyString, key] of [
    [OUR_KEY, `,"custom_key_value":"${OUR_KEY}"`],
    [null, ''],
  ] as const) {
    const order = payinOrder({ source: { rail: 'BRE_B', keyString } })
    const made = { status: 201, json: { created: [collection], duplicated: [], rejected: [] } }
    assert.deepEqual(await sentBy(({ payin }) => payin.submit(order), [made]), [
      { method: 'POST', path: '/api/v1/collections', headers: withBody, body: collectionOf(key) },
    ])
  }
})

test('a payin is read by its id, and searched for by our reference', async () => {
  assert.deepEqual(await sentBy(({ payin }) => payin.query(handle(PAYIN, COLLECTION_ID)), [ok(collection)]), [
    get(`/api/v1/collections/${COLLECTION_ID}`),
  ])
  const found = ok(page('collections', [collection]))
  assert.deepEqual(await sentBy(({ payin }) => payin.query(handle(PAYIN)), [found]), [
    get(`/api/v1/collections?external_id=${PAYIN}&page_number=1&page_size=10`),
  ])
})

test('who paid is read in pages', async () => {
  const second = { ...attempt, id: 'bbcolat_secondAttemptSecondAtt' }
  const answers = [
    ok(paidCollection),
    ok(page('attempts', [second], { total_pages: 2, total_items: 2 })),
    ok(page('attempts', [attempt], { page_number: 2, total_pages: 2, total_items: 2 })),
  ]
  const path = `/api/v1/collections/${COLLECTION_ID}/attempts?state=successful`
  assert.deepEqual(await sentBy(({ payin }) => payin.query(handle(PAYIN, COLLECTION_ID)), answers), [
    get(`/api/v1/collections/${COLLECTION_ID}`),
    get(`${path}&page_number=1&page_size=500`),
    get(`${path}&page_number=2&page_size=500`),
  ])
})

test('a payin is canceled by a deletion and then read', async () => {
  const deletion = {
    method: 'DELETE',
    path: `/api/v1/collections/${COLLECTION_ID}`,
    headers: asked,
    body: '',
  }
  const read = get(`/api/v1/collections/${COLLECTION_ID}`)
  const byId = await sentBy(({ payin }) => payin.cancel(handle(PAYIN, COLLECTION_ID)), [ok(), ok(collection)])
  assert.deepEqual(byId, [deletion, read])
  const answers = [ok(page('collections', [collection])), ok(), ok(collection)]
  assert.deepEqual(await sentBy(({ payin }) => payin.cancel(handle(PAYIN)), answers), [
    get(`/api/v1/collections?external_id=${PAYIN}&page_number=1&page_size=10`),
    deletion,
    read,
  ])
})

test('an order of a payout is one transfer to the key, of whoever has the document', async () => {
  const accepted = { status: 202, json: { accepted_transfers: [transfer], rejected_transfers: [] } }
  const creditors: [{ idType: string; idNumber: string }, string][] = [
    [
      { idType: 'CO_CC', idNumber: '1.012.345.678' },
      ',"expected_creditor":{"document_type":"CC","document_number":"1012345678"}',
    ],
    [
      { idType: 'CO_CE', idNumber: '442113' },
      ',"expected_creditor":{"document_type":"CE","document_number":"442113"}',
    ],
    // Nobody says how Mono writes these.
    [{ idType: 'CO_NIT', idNumber: '900123456-8' }, ''],
    [{ idType: 'PASSPORT', idNumber: 'AB123456' }, ''],
    [{ idType: 'CO_CC', idNumber: 'ñandú' }, ''],
  ]
  for (const [document, creditor] of creditors) {
    const order = payoutOrder({ customer: { ...customer, ...document } })
    assert.deepEqual(await sentBy(({ payout }) => payout.submit(order), [accepted]), [
      {
        method: 'POST',
        path: '/api/v1/outgoing_transfers',
        // The same for the same reference, and a UUID of version 4.
        headers: { ...withBody, 'x-idempotency-key': IDEMPOTENCY_KEY },
        body:
          `{"tenant_account_id":"${tenantAccountId}","transfers":[{"external_id":"${PAYOUT}",` +
          '"amount":{"amount":2490000,"currency":"COP"},"description":"Pago",' +
          `"query":{"format":"plain_key","value":"3001234567"}${creditor}}]}`,
      },
    ])
  }
})

const IDEMPOTENCY_KEY = '3c384e63-19f9-47ab-93f5-d247eca09b21'

test('a payout is read by its id, and searched for by our reference', async () => {
  assert.deepEqual(await sentBy(({ payout }) => payout.query(handle(PAYOUT, TRANSFER_ID)), [ok(transfer)]), [
    get(`/api/v1/outgoing_transfers/${TRANSFER_ID}`),
  ])
  const found = ok(page('transfers', [transfer]))
  assert.deepEqual(await sentBy(({ payout }) => payout.query(handle(PAYOUT)), [found]), [
    get(`/api/v1/outgoing_transfers?external_id=${PAYOUT}&page_number=1&page_size=10`),
  ])
})

test('a key is looked up in the name of the account', async () => {
  const lookUp = async ({ directory }: OpenedMono) => directory?.lookUp('3001234567', 'PHONE')
  assert.deepEqual(await sentBy(lookUp, [ok(resolution)]), [
    {
      method: 'POST',
      path: '/api/v1/targets/resolve',
      headers: withBody,
      body: `{"tenant_account_id":"${tenantAccountId}","format":"plain_key","value":"3001234567"}`,
    },
  ])
})

test('a check asks for nothing that changes anything', async () => {
  await using mono = await openRecording()
  await using rails = openAt(mono.url)
  mono.willAnswer(ok(page('collections', [])), ok(page('transfers', [])), ok([]))
  await rails.check()
  const search = 'external_id=recaudo-check&page_number=1&page_size=10'
  const requests = mono.sent.map(({ method, path, body }) => {
    const scope = body === '' ? '' : ` ${(JSON.parse(body) as { scope: string }).scope}`
    return `${method} ${path}${scope}`
  })
  assert.deepEqual(
    requests.sort(),
    [
      'GET /api/v1/tenant/accounts',
      `GET /api/v1/collections?${search}`,
      `GET /api/v1/outgoing_transfers?${search}`,
      'POST /api/v1/oauth/token collections outgoing_transfers target_resolutions',
      'POST /api/v1/oauth/token tenant_accounts:readonly',
    ].sort(),
  )
})
