// GET /audit: who did what, filtered, page by page, with the lines of the chain.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeOrganizationOperation } from '../../../src/api/organizations/operations.ts'
import { canonicalText } from '../../../src/core/audit/entry.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { type Client, createWorld, type World } from '../../world.ts'
import { asPerson, entriesOf, PERSON } from './entries.ts'

describe('GET /audit', () => {
  let world: World
  let organization: World['organization']
  let client: Client
  let endpointId: string
  before(async () => {
    world = await createWorld()
    const merchant = await world.newMerchant()
    organization = merchant.organization
    client = merchant.client
    endpointId = (await client('POST', '/webhook-endpoints', { url: 'https://a.example/' })).json.id
    await client('PATCH', `/webhook-endpoints/${endpointId}`, { description: 'orders' })
    await client('DELETE', `/webhook-endpoints/${endpointId}`)
    await client('DELETE', `/webhook-endpoints/${endpointId}`)
    const changed = await asPerson(world, organization, changeOrganizationOperation, {
      body: { payinExpiryMinutes: 20 },
    })
    assert.ok(!isRefusal(changed))
  })
  after(() => world[Symbol.asyncDispose]())

  const actsOf = async (query: string): Promise<string[]> => {
    const { json, status, text } = await client('GET', `/audit${query}`)
    assert.equal(status, 200, text)
    return json.data.map(({ act, outcome }: Record<string, string>) =>
      outcome === 'done' ? act : `${act} refused`,
    )
  }

  const ALL = [
    'organization.change',
    'webhook.delete refused',
    'webhook.delete',
    'webhook.change',
    'webhook.create',
    'apikey.create',
    'organization.create',
  ]

  it('lists everything, newest first', async () => {
    assert.deepEqual(await actsOf(''), ALL)
  })

  it('filters by actor, act, thing, outcome and time, alone and together', async () => {
    const { id: key } = (await client('GET', '/audit?act=webhook.create')).json.data[0].actor
    const ofEndpoint = ALL.slice(1, 5)
    assert.deepEqual(await actsOf(`?objectId=${endpointId.toUpperCase()}`), ofEndpoint)
    assert.deepEqual(await actsOf(`?actorId=${key}`), ofEndpoint)
    assert.deepEqual(await actsOf(`?actorId=${PERSON.id}`), ['organization.change'])
    assert.deepEqual(await actsOf('?act=webhook.delete'), ['webhook.delete refused', 'webhook.delete'])
    assert.deepEqual(await actsOf('?outcome=refused'), ['webhook.delete refused'])
    assert.deepEqual(
      await actsOf('?outcome=done'),
      ALL.filter((act) => !act.includes('refused')),
    )
    assert.deepEqual(await actsOf(`?actorId=${key}&act=webhook.delete`), ALL.slice(1, 3))
    assert.deepEqual(await actsOf(`?actorId=${key}&act=webhook.delete&outcome=refused`), ALL.slice(1, 2))
    assert.deepEqual(await actsOf(`?actorId=${key}&act=webhook.delete&outcome=done`), ALL.slice(2, 3))
    assert.deepEqual(await actsOf(`?actorId=${PERSON.id}&outcome=refused`), [])
    assert.deepEqual(await actsOf('?act=webhook.change&outcome=refused'), [])
    assert.deepEqual(await actsOf(`?objectId=${endpointId}&outcome=refused`), ALL.slice(1, 2))
    assert.deepEqual(await actsOf(`?objectId=${endpointId}&actorId=${PERSON.id}`), [])
    assert.deepEqual(await actsOf('?createdTo=2001-01-01T00:00:00Z'), [])
    assert.deepEqual(await actsOf('?createdFrom=2001-01-01T00:00:00Z&act=webhook.create'), ['webhook.create'])
  })

  it('finds a client by its id as it is written', async () => {
    const merchant = await world.newMerchant()
    const { id } = (await merchant.client('POST', '/oauth-clients', { name: 'ERP' })).json
    const acts = async (query: string) =>
      (await merchant.client('GET', `/audit?${query}`)).json.data.map(({ act }: { act: string }) => act)
    assert.notEqual(id, id.toLowerCase())
    assert.deepEqual(await acts(`objectId=${id}`), ['client.create'])
  })

  it('goes page by page', async () => {
    const pages: string[][] = []
    for (let query = '?pageSize=3'; ; ) {
      const { json } = await client('GET', `/audit${query}`)
      pages.push(json.data.map(({ id }: { id: string }) => id))
      if (!json.pageInfo.hasNext) break
      query = `?pageSize=3&cursor=${json.pageInfo.nextCursor}`
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [3, 3, 1],
    )
    assert.equal(new Set(pages.flat()).size, ALL.length)
  })

  it('tells all of an entry, and its line as soon as it has one', async () => {
    const newest = async () => (await client('GET', '/audit?pageSize=1')).json.data[0]
    const { id, createdAt, ...rest } = await newest()
    const { requestId, ...actor } = PERSON
    assert.deepEqual(rest, {
      actor,
      requestId,
      act: 'organization.change',
      object: { kind: 'organization', id: organization.organizationId },
      changes: { payinExpiryMinutes: { before: 15, after: 20 } },
      outcome: 'done',
      refusal: null,
      sequence: null,
      digest: null,
    })
    await world.work()
    const { sequence, digest } = await newest()
    assert.equal(sequence, ALL.length)
    const entry = (await entriesOf(world, organization)).at(-1)
    assert.equal(digest, entry?.digest?.toString('hex'))
    // What the guide tells to make a digest again is in the answer.
    const text = JSON.parse(canonicalText(entry as NonNullable<typeof entry>)) as unknown[]
    assert.deepEqual(text.slice(0, 3), [organization.organizationId, id, createdAt])
    assert.equal(text[12], JSON.stringify(rest.changes))
  })

  it('is another organization’s to nobody', async () => {
    const { client: other } = await world.newMerchant()
    const acts = (await other('GET', '/audit')).json.data.map(({ act }: { act: string }) => act)
    assert.deepEqual(acts, ['apikey.create', 'organization.create'])
    assert.deepEqual((await other('GET', `/audit?objectId=${endpointId}`)).json.data, [])
  })
})
