// GET /search: within what the credential may read, with how each was found, and no person in the answer.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ApiAnswer, ApiRequest } from '../../../src/api/http/operation.ts'
import { searchOperation } from '../../../src/api/search/operations.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { newPayout } from '../http/calls.ts'

describe('GET /search', () => {
  let world: World
  let payinId: string
  let payoutId: string
  before(async () => {
    world = await createWorld()
    const body = brebPayin({ reference: 'order-1042', amountInCents: 125_000_050 })
    payinId = (await world.client('POST', '/payins', body)).json.id
    payoutId = (await world.client('POST', '/payouts', newPayout({ reference: 'order-1042' }))).json.id
    await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/order-1042' })
    await world.work()
  })
  after(() => world[Symbol.asyncDispose]())

  type Found = { resource: string; id: string; foundBy: string[] }
  const search = async (q: string, more = '', headers?: Record<string, string>) =>
    world.client('GET', `/search?q=${encodeURIComponent(q)}${more}`, undefined, headers)
  const found = async (q: string, more = ''): Promise<Found[]> => {
    const { status, json, text } = await search(q, more)
    assert.equal(status, 200, text)
    return json.found
  }

  it('answers with what was found and how, and names no person', async () => {
    const [first] = await found('$ 1.250.000,50')
    assert.deepEqual(
      { ...first, createdAt: null },
      {
        resource: 'payin',
        id: payinId,
        foundBy: ['amount'],
        name: 'order-1042',
        status: 'PROCESSING',
        amountInCents: 125_000_050,
        createdAt: null,
      },
    )
    for (const q of [CUSTOMER.idNumber, CUSTOMER.email, CUSTOMER.name]) {
      const { text, json } = await search(q)
      assert.ok(
        json.found.some(({ id }: Found) => id === payinId),
        q,
      )
      for (const personal of [CUSTOMER.idNumber, CUSTOMER.email, CUSTOMER.name, CUSTOMER.phone])
        assert.equal(text.includes(personal), false)
    }
  })

  it('finds each kind, or the one that is asked for', async () => {
    const kinds = (all: Found[]) => all.map(({ resource }) => resource)
    assert.deepEqual(kinds(await found('order-1042')), ['payin', 'payout', 'webhookendpoint'])
    assert.deepEqual(kinds(await found('order-1042', '&resource=payout')), ['payout'])
    assert.deepEqual(await found(payoutId), [...(await found(payoutId, '&resource=payout'))])
    assert.deepEqual((await found(payinId))[0]?.foundBy, ['id'])
  })

  it('says of each kind what it is called, how it stands and its amount', async () => {
    const page = { name: 'Tea', amountType: 'FIXED', amountInCents: 4_500, reference: 'tea' }
    const link = { ...page, reference: 'cup', callbackUrl: 'https://shop.example/' }
    const { paymentPageId } = (await world.client('POST', '/payment-pages', page)).json
    const { paymentLinkId } = (await world.client('POST', '/payment-links', link)).json
    const first = async (path: string) => (await world.client('GET', path)).json.data[0]
    const event = await first('/events')
    const endpoint = await first('/webhook-endpoints')
    const transfer = await first('/ledger/transfers')
    for (const [kind, id, ...brief] of [
      ['paymentpage', paymentPageId, 'tea', 'OPEN', 4_500],
      ['paymentlink', paymentLinkId, 'cup', 'PENDING', 4_500],
      ['event', event.id, event.event, null, null],
      ['webhookendpoint', endpoint.id, endpoint.url, 'ENABLED', null],
      ['transfer', transfer.id, transfer.booking, null, transfer.amountInCents],
    ]) {
      const [one] = (await search(id, `&resource=${kind}`)).json.found
      assert.deepEqual([one?.name, one?.status, one?.amountInCents], brief, kind)
    }
  })

  it('leaves out what the credential may not read', async () => {
    const { apiKey } = await world.key(['payins:read'])
    const { json } = await world.anonymous('GET', '/search?q=order-1042', undefined, { 'x-api-key': apiKey })
    assert.deepEqual(
      json.found.map(({ resource }: Found) => resource),
      ['payin'],
    )
    const { apiKey: other } = await world.key(['payouts:read', 'links:read'])
    const refused = await world.anonymous('GET', '/search?q=order-1042', undefined, { 'x-api-key': other })
    assert.equal(refused.json.code, 'INSUFFICIENT_SCOPE')
  })

  it('finds nobody by who they are for a person, whose role decides that and whose page asks for itself', async () => {
    const asked = (kind: 'person' | 'key', q: string) =>
      searchOperation.handle({
        ctx: world.ctx,
        caller: { kind, organization: world.organization, scopes: null },
        query: { q },
      } as unknown as ApiRequest) as Promise<ApiAnswer>
    const count = async (kind: 'person' | 'key', q: string) =>
      JSON.parse((await asked(kind, q)).body).found.length
    for (const q of [CUSTOMER.idNumber, CUSTOMER.email, CUSTOMER.name]) {
      assert.equal(await count('person', q), 0, q)
      assert.ok((await count('key', q)) > 0, q)
    }
    assert.ok((await count('person', 'order-1042')) > 0)
  })

  it('finds nothing of another organization', async () => {
    const { client } = await world.newMerchant()
    for (const q of [payinId, payoutId, 'order-1042', CUSTOMER.email, '1250000,50'])
      assert.deepEqual((await client('GET', `/search?q=${encodeURIComponent(q)}`)).json, {
        found: [],
        more: [],
        isPartial: false,
      })
  })

  it('refuses what is no question, and takes what only looks odd', async () => {
    for (const query of [
      '',
      '?q=',
      `?q=${'x'.repeat(201)}`,
      '?q=a&limit=0',
      '?q=a&limit=51',
      '?q=a&resource=user',
    ])
      assert.equal((await world.client('GET', `/search${query}`)).json.code, 'INVALID_INPUT', query)
    for (const q of ['%', '_', '\u0000', "' or 1=1 --", '😀😀😀', '\\', '$', '@@', '--', '𐏿'])
      assert.deepEqual(await found(q), [], JSON.stringify(q))
  })
})
