// Links to the webhook portal as they are made: what they hold, who may make them, and what is written down.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Scope } from '../../../src/core/organizations/scope.ts'
import { openPortalLink } from '../../../src/core/webhooks/portal-link.ts'
import { createWorld, type World } from '../../world.ts'
import { entriesOf } from '../audit/entries.ts'

const url = 'https://shop.example/events'
const HOUR = 3_600_000

describe('a link to the webhook portal', () => {
  let world: World
  let endpointId: string
  before(async () => {
    world = await createWorld()
    endpointId = (await world.client('POST', '/webhook-endpoints', { url })).json.id
  })
  after(() => world[Symbol.asyncDispose]())

  const create = (body: object, client = world.client) => client('POST', '/webhook-portal-links', body)
  const inside = (address: string) =>
    openPortalLink(world.ctx.settings.keys.portal, address.split('/').at(-1) ?? '')

  it('is to look at only, for an hour, and in no frame, unless it says otherwise', async () => {
    const earliest = Date.now() + HOUR
    const { status, json } = await create({ endpointIds: [endpointId] })
    const { id, url: address, expiresAt, ...rest } = json
    assert.equal(status, 201)
    assert.deepEqual(rest, {
      endpointIds: [endpointId],
      readOnly: true,
      frameAncestors: [],
      language: null,
    })
    assert.ok(Date.parse(expiresAt) >= earliest && Date.parse(expiresAt) <= Date.now() + HOUR)
    assert.ok(address.startsWith(`${world.config.publicUrl}/console/portal/`))
    const link = inside(address)
    assert.deepEqual([link?.linkId, link?.maker.kind], [id, 'key'])
    assert.equal(link?.organizationId, world.organization.organizationId)
  })

  it('holds what was asked for, with ids and origins spelled one way', async () => {
    const { json } = await create({
      endpointIds: [endpointId.toUpperCase()],
      readOnly: false,
      expiresInMinutes: 1_440,
      frameAncestors: ['https://App.shop.example/', 'http://localhost:3000'],
      language: 'en',
    })
    const { url: address, expiresAt } = json
    assert.deepEqual(json.frameAncestors, ['https://app.shop.example', 'http://localhost:3000'])
    assert.deepEqual(inside(address), {
      ...inside(address),
      endpointIds: [endpointId],
      readOnly: false,
      expiresAt: Date.parse(expiresAt),
      frameAncestors: ['https://app.shop.example', 'http://localhost:3000'],
      language: 'en',
    })
    assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 24 * HOUR) < 60_000)
  })

  it('is real time, however far staging’s clock was moved', async () => {
    await using moved = await createWorld()
    const { json } = await moved.client('POST', '/webhook-endpoints', { url })
    moved.advance(30 * 24 * HOUR)
    const link = await moved.client('POST', '/webhook-portal-links', { endpointIds: [json.id] })
    assert.ok(Math.abs(Date.parse(link.json.expiresAt) - Date.now() - HOUR) < 60_000)
  })

  it('is refused for anything that makes no sense, each problem at its field', async () => {
    const wrong: [object, string][] = [
      [{}, '/endpointIds'],
      [{ endpointIds: [] }, '/endpointIds'],
      [{ endpointIds: 'all' }, '/endpointIds'],
      [{ endpointIds: ['x'] }, '/endpointIds/0'],
      [{ endpointIds: [endpointId, endpointId] }, '/endpointIds'],
      [{ endpointIds: Array.from({ length: 21 }, () => randomUUID()) }, '/endpointIds'],
      [{ endpointIds: [endpointId], expiresInMinutes: 0 }, '/expiresInMinutes'],
      [{ endpointIds: [endpointId], expiresInMinutes: 1_441 }, '/expiresInMinutes'],
      [{ endpointIds: [endpointId], expiresInMinutes: 1.5 }, '/expiresInMinutes'],
      [{ endpointIds: [endpointId], readOnly: 'no' }, '/readOnly'],
      [{ endpointIds: [endpointId], language: 'fr' }, '/language'],
      [{ endpointIds: [endpointId], frameAncestors: 'https://a.example' }, '/frameAncestors'],
      [{ endpointIds: [endpointId], frameAncestors: ['https://a.example', '*'] }, '/frameAncestors/1'],
      [{ endpointIds: [endpointId], frameAncestors: ['https://a;b.example'] }, '/frameAncestors/0'],
      [{ endpointIds: [endpointId], frameAncestors: [7] }, '/frameAncestors/0'],
      [
        { endpointIds: [endpointId], frameAncestors: [1, 2, 3, 4, 5, 6].map((n) => `https://${n}.example`) },
        '/frameAncestors',
      ],
    ]
    for (const [body, path] of wrong) {
      const { status, json, text } = await create(body)
      assert.deepEqual([status, json.code], [400, 'INVALID_INPUT'], text)
      assert.ok(
        json.errors.some((problem: { path: string }) => problem.path === path),
        `${path}: ${text}`,
      )
    }
  })

  it('shows no endpoint of another organization, nor tells whether there is one', async () => {
    const other = await world.newMerchant()
    const theirs = (await other.client('POST', '/webhook-endpoints', { url })).json.id
    const nobodys = randomUUID()
    const foreign = await create({ endpointIds: [endpointId, theirs] })
    const missing = await create({ endpointIds: [endpointId, nobodys] })
    assert.deepEqual([foreign.status, foreign.json.code], [404, 'NOT_FOUND'])
    assert.equal(foreign.json.detail.replace(theirs, ''), missing.json.detail.replace(nobodys, ''))
  })

  it('is made by nobody who may not see what it shows', async () => {
    const all: Scope[] = [
      'webhooks:write',
      'webhooks:read',
      'events:read',
      'payins:read',
      'payouts:read',
      'links:read',
    ]
    assert.equal((await create({ endpointIds: [endpointId] }, (await world.key(all)).client)).status, 201)
    for (const missing of all) {
      const { client } = await world.key(all.filter((scope) => scope !== missing))
      const { status, json } = await create({ endpointIds: [endpointId] }, client)
      assert.deepEqual([status, json.code], [403, 'INSUFFICIENT_SCOPE'], missing)
      assert.ok(json.detail.includes(missing), json.detail)
    }
    // An endpoint with fewer events needs fewer of them.
    const { json } = await world.client('POST', '/webhook-endpoints', { url, events: ['payin.confirmed'] })
    const { client } = await world.key(['webhooks:write', 'webhooks:read', 'events:read', 'payins:read'])
    assert.equal((await create({ endpointIds: [json.id] }, client)).status, 201)
  })

  it('is written down with what it shows and to whom, and never with its address', async () => {
    const { organization, client } = await world.newMerchant()
    const { json: endpoint } = await client('POST', '/webhook-endpoints', { url })
    const body = { endpointIds: [endpoint.id], frameAncestors: ['https://app.shop.example'] }
    const key = { 'idempotency-key': 'portal' }
    const made = await client('POST', '/webhook-portal-links', body, key)
    const again = await client('POST', '/webhook-portal-links', body, key)
    assert.equal(again.text, made.text)
    const entries = (await entriesOf(world, organization)).filter(({ act }) => act === 'portallink.create')
    assert.deepEqual(
      entries.map(({ objectId, outcome }) => [objectId, outcome]),
      [[made.json.id, 'done']],
    )
    assert.deepEqual(JSON.parse(entries[0]?.changes ?? ''), {
      endpointIds: { before: null, after: [endpoint.id] },
      readOnly: { before: null, after: true },
      frameAncestors: { before: null, after: ['https://app.shop.example'] },
      expiresAt: { before: null, after: made.json.expiresAt },
    })
    const token = made.json.url.split('/').at(-1)
    for (const table of ['audit_entries', 'idempotency_records', 'request_log'])
      assert.ok(!(await textOf(table)).includes(token), table)
    assert.ok(!JSON.stringify(world.logLines()).includes(token))
  })

  async function textOf(table: string): Promise<string> {
    await world.api.requestLog.flush()
    const { rows } = await world.db.query<{ text: string }>({
      text: `select t::text as text from ${table} t`,
    })
    assert.ok(rows.length > 0, table)
    return rows.map(({ text }) => text).join('\n')
  }
})
