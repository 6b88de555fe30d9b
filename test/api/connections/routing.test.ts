// Where new payments go follows the connections at once. Payments keep the connection they were made with, and hold it.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Route } from '../../../src/core/connections/connection.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { brebPayin, type Client, createWorld, eventually, psePayin, type World } from '../../world.ts'
import { newPayout } from '../http/calls.ts'
import { assertProblem } from '../http/problem.ts'
import { type FakeProvider, MONO, PLACETOPAY, startFakeProvider, WOMPI } from './fake-provider.ts'

describe('new payments', () => {
  let world: World
  let provider: FakeProvider
  before(async () => {
    provider = await startFakeProvider()
    world = await createWorld()
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const create = async (client: Client, body: Record<string, unknown>): Promise<string> => {
    const answer = await client('POST', '/connections', body)
    assert.equal(answer.status, 201, answer.text)
    return answer.json.id
  }
  const connectionOf = async (table: 'payins' | 'payouts', id: string): Promise<string | null> => {
    const column = table === 'payins' ? 'payin_id' : 'payout_id'
    const { rows } = await world.db.query<{ connection_id: string | null }>({
      text: `select connection_id from ${table} where ${column} = $1`,
      values: [id],
    })
    return rows[0]?.connection_id ?? null
  }
  // The connection that a new payin takes. Null: the installation's own network.
  const goesTo = async (client: Client, body = psePayin()): Promise<string | null> => {
    const { status, json, text } = await client('POST', '/payins', body)
    assert.equal(status, 201, text)
    return connectionOf('payins', json.id)
  }
  const routesOf = async (organizationId: string): Promise<readonly Route[]> =>
    (await getOrganization(world.db, organizationId))?.routes ?? []

  it('go to the connection that is preferred, and elsewhere as soon as that changes', async () => {
    const { client } = await world.newMerchant()
    assert.equal(await goesTo(client), null)
    const first = await create(client, PLACETOPAY)
    assert.equal(await goesTo(client), first)
    assert.equal(await goesTo(client, brebPayin()), null, 'it is not used for Bre-B')
    const second = await create(client, { ...WOMPI, priority: 50 })
    assert.equal(await goesTo(client), second)
    await client('PATCH', `/connections/${second}`, { priority: 200 })
    assert.equal(await goesTo(client), first)
    await client('PATCH', `/connections/${first}`, { enabled: false })
    assert.equal(await goesTo(client), second)
    await client('PATCH', `/connections/${second}`, { enabled: false })
    assert.equal(await goesTo(client), null)
    await client('PATCH', `/connections/${first}`, { enabled: true })
    assert.equal(await goesTo(client), first)
    const organization = await client('GET', '/organization')
    assert.equal(organization.status, 200, organization.text)
    assert.ok(!('routes' in organization.json), 'routes are ours')
  })

  it('go by their amount', async () => {
    const { client } = await world.newMerchant()
    const small = await create(client, { ...PLACETOPAY, maximumInCents: 1_000_000 })
    const large = await create(client, { ...WOMPI, minimumInCents: 2_000_000, maximumInCents: 9_000_000 })
    const amount = (amountInCents: number) => goesTo(client, psePayin({ amountInCents }))
    assert.equal(await amount(1_000_000), small)
    assert.equal(await amount(2_000_000), large)
    for (const amountInCents of [1_500_000, 9_000_001]) {
      const answer = await client('POST', '/payins', psePayin({ amountInCents }))
      assertProblem(answer, 'AMOUNT_NOT_CONNECTED')
    }
    await client('PATCH', `/connections/${small}`, { maximumInCents: 1_500_000 })
    assert.equal(await amount(1_500_000), small)
  })

  it('of other organizations go where they went', async () => {
    const [one, other] = [await world.newMerchant(), await world.newMerchant()]
    await create(one.client, PLACETOPAY)
    assert.equal(await goesTo(other.client), null)
    assert.deepEqual(await routesOf(other.organization.organizationId), [])
  })

  it('go out through a connection for payouts', async () => {
    const { client } = await world.newMerchant()
    const mono = await create(client, MONO)
    const { status, json, text } = await client('POST', '/payouts', newPayout())
    assert.equal(status, 201, text)
    assert.equal(await connectionOf('payouts', json.id), mono)
    assert.equal((await client('PATCH', `/connections/${mono}`, { uses: ['BRE_B_IN'] })).status, 200)
    const later = await client('POST', '/payouts', newPayout({ reference: 'later' }))
    assert.equal(await connectionOf('payouts', later.json.id), null)
    assertProblem(await client('DELETE', `/connections/${mono}`), 'CONNECTION_IN_USE')
  })

  it('learn from the credentials who names the keys', async () => {
    const { client, organization } = await world.newMerchant()
    const namesKeys = async () =>
      (await routesOf(organization.organizationId)).map((route) => route.namesKeys)
    const mono = await create(client, MONO)
    assert.deepEqual(await namesKeys(), [false])
    const change = (changes: object) => client('PATCH', `/connections/${mono}`, changes)
    assert.equal((await change({ credentials: { keys: 'theirs' } })).status, 200)
    assert.deepEqual(await namesKeys(), [true])
    assert.equal((await change({ name: 'Mono again' })).status, 200)
    assert.deepEqual(await namesKeys(), [true])
    // Credentials that do not open any more tell nothing, so what was known stays.
    await world.db.query({
      text: `update connections set sealed_credentials = decode(repeat('00', 64), 'hex') where connection_id = $1`,
      values: [mono],
    })
    await create(client, PLACETOPAY)
    assert.deepEqual(await namesKeys(), [true, false])
  })

  it('do not move those that exist, which hold their connection until they have ended', async () => {
    const { client, organization } = await world.newMerchant()
    const mono = await create(client, MONO)
    const at = `/connections/${mono}`
    const { json: payin } = await client('POST', '/payins', brebPayin())
    assert.equal(await connectionOf('payins', payin.id), mono)
    assertProblem(await client('DELETE', at), 'CONNECTION_IN_USE')
    await client('PATCH', at, { enabled: false })
    assert.equal(await connectionOf('payins', payin.id), mono)
    assertProblem(await client('DELETE', at), 'CONNECTION_IN_USE', 'disabled, it is still needed')
    assert.equal((await client('GET', at)).status, 200)

    // A use that was taken away still serves what was made with it.
    assert.equal((await client('PATCH', at, { uses: ['BRE_B_OUT'] })).status, 200)
    await world.work()
    assert.equal(provider.ordered.length, 1)
    await client('POST', `/payins/${payin.id}/cancel`)
    await world.work()
    const deleted = await eventually(
      async () => {
        await world.work()
        return client('DELETE', at)
      },
      ({ status }) => status === 200,
    )
    assert.deepEqual(deleted.json, { id: mono, deleted: true })
    assert.deepEqual(await routesOf(organization.organizationId), [])
  })

  it('are not held up by payments of another organization’s connection, or of another one', async () => {
    const { client } = await world.newMerchant()
    const other = await world.newMerchant()
    const kept = await create(client, MONO)
    const free = await create(client, { ...MONO, priority: 500 })
    await create(other.client, MONO)
    await client('POST', '/payins', brebPayin())
    await other.client('POST', '/payins', brebPayin())
    assert.equal((await client('DELETE', `/connections/${free}`)).status, 200)
    assertProblem(await client('DELETE', `/connections/${kept}`), 'CONNECTION_IN_USE')
  })

  it('find routes that fit the connections, whoever changes them at the same time', async () => {
    const { client, organization } = await world.newMerchant()
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, priority) => create(client, { ...PLACETOPAY, priority })),
    )
    await Promise.all(
      ids.flatMap((id, index) => [
        client('PATCH', `/connections/${id}`, { priority: 100 - index }),
        client('PATCH', `/connections/${id}`, { minimumInCents: 1_000 + index }),
      ]),
    )
    const routes = await routesOf(organization.organizationId)
    assert.deepEqual(
      routes.map(({ connectionId, minimumInCents }) => [connectionId, minimumInCents]),
      ids.map((id, index) => [id, BigInt(1_000 + index)]).toReversed(),
    )
    const { rows } = await world.db.query<{ version: number }>({
      text: 'select version from connections where organization_id = $1',
      values: [organization.organizationId],
    })
    assert.deepEqual(
      rows.map(({ version }) => version),
      ids.map(() => 3),
    )
  })
})
