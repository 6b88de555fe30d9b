// Who receives at an endpoint is proven before the first event is sent to it.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { changeWebhookEndpoint } from '../../../src/flows/webhooks/change-endpoint.ts'
import { verifyWebhookEndpoint } from '../../../src/flows/webhooks/verify-endpoint.ts'
import type { Db } from '../../../src/store/db.ts'
import { brebPayin, type Client, createWorld, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'
import { startVerifyingReceiver, type VerifyingReceiver } from './verifying-receiver.ts'

describe('an endpoint of production', () => {
  let world: World
  let receiver: VerifyingReceiver
  let url: string
  let events: string[]
  before(async () => {
    world = await createWorld({ env: { WEBHOOK_VERIFICATION: 'true' } })
    receiver = await startVerifyingReceiver()
    url = receiver.url
    events = receiver.events
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    receiver.answerAll(null)
    events.length = 0
  })

  const newEndpoint = async (client: Client, body: Record<string, unknown> = {}) => {
    const created = await client('POST', '/webhook-endpoints', { url, ...body })
    assert.equal(created.status, 201, created.text)
    receiver.secrets.push(created.json.secret)
    return { at: `/webhook-endpoints/${created.json.id}`, created: created.json }
  }
  const cause = async (client: Client) => {
    const { json } = await client('POST', '/payins', brebPayin())
    await client('POST', `/payins/${json.id}/cancel`)
    await world.work()
  }

  it('waits for its proof, and gets no event before', async () => {
    const { client } = await world.newMerchant()
    const { created, at } = await newEndpoint(client)
    assert.equal(created.status, 'DISABLED')
    assert.equal(created.disabledReason, 'UNVERIFIED')
    assert.equal(created.verifiedAt, null)
    await cause(client)
    assert.deepEqual(events, [])
    const problem = 'ENDPOINT_NOT_VERIFIED' as const
    assertProblem(await client('PATCH', at, { status: 'ENABLED' }), problem)
    assertProblem(await client('POST', `${at}/test`), problem)
    assertProblem(await client('POST', `${at}/recover`, { since: '2026-01-01T00:00:00.000Z' }), problem)
    await world.work()
    assert.deepEqual(events, [])
  })

  it('is enabled once its receiver tells right from wrong signatures', async () => {
    const { client } = await world.newMerchant()
    const { at } = await newEndpoint(client)
    const verified = await client('POST', `${at}/verify`)
    assert.equal(verified.status, 200, verified.text)
    assert.equal(verified.json.status, 'ENABLED')
    assert.equal(verified.json.disabledReason, null)
    assert.notEqual(verified.json.verifiedAt, null)
    assert.deepEqual(events, Array<string>(6).fill('webhook.verification'))
    await cause(client)
    assert.equal(events.at(-1), 'payin.canceled')
  })

  for (const [wrong, status] of [
    ['accepts all', 200],
    ['refuses all', 400],
  ] as const)
    it(`stays off if its receiver ${wrong}`, async () => {
      const { client } = await world.newMerchant()
      const { at, created } = await newEndpoint(client)
      receiver.answerAll(status)
      const answer = await client('POST', `${at}/verify`)
      assertProblem(answer, 'ENDPOINT_NOT_VERIFIED')
      assert.match(answer.json.detail, wrong === 'accepts all' ? /wrong signature/ : /right signature/)
      const { secret: _, ...asCreated } = created
      assert.deepEqual((await client('GET', at)).json, asCreated)
    })

  it('stays off if nobody answers', async () => {
    const { client } = await world.newMerchant()
    const { at } = await newEndpoint(client, { url: 'http://127.0.0.1:1/events' })
    const answer = await client('POST', `${at}/verify`)
    assertProblem(answer, 'ENDPOINT_NOT_VERIFIED')
    assert.match(answer.json.detail, /did not answer/)
  })

  it('keeps its old address if the new one is not proven', async () => {
    const { client } = await world.newMerchant()
    const { at } = await newEndpoint(client)
    assert.equal((await client('POST', `${at}/verify`)).status, 200)
    world.advance(MINUTE_MS)
    const moved = await client('PATCH', at, { url: 'http://127.0.0.1:1/other', description: 'Moved' })
    assertProblem(moved, 'ENDPOINT_NOT_VERIFIED')
    const { json } = await client('GET', at)
    assert.deepEqual([json.url, json.description, json.status], [url, null, 'ENABLED'])

    world.advance(MINUTE_MS)
    assert.equal((await client('PATCH', at, { url: `${url}?2`, description: 'Moved' })).json.url, `${url}?2`)
    const sent = events.length
    // What is not the address needs no proof.
    assert.equal((await client('PATCH', at, { url: `${url}?2`, description: 'Same' })).status, 200)
    assert.equal(events.length, sent)
  })

  it('that is not verified takes another address, and is verified there', async () => {
    const { client } = await world.newMerchant()
    const { at } = await newEndpoint(client, { url: 'http://127.0.0.1:1/events' })
    const { json } = await client('PATCH', at, { url })
    assert.deepEqual([json.url, json.disabledReason, events.length], [url, 'UNVERIFIED', 0])
    assert.equal((await client('POST', `${at}/verify`)).json.status, 'ENABLED')
  })

  it('that its merchant switched off stays off when it is verified again', async () => {
    const { client } = await world.newMerchant()
    const { at } = await newEndpoint(client)
    await client('POST', `${at}/verify`)
    await client('PATCH', at, { status: 'DISABLED' })
    world.advance(MINUTE_MS)
    const again = await client('POST', `${at}/verify`)
    assert.deepEqual([again.json.status, again.json.disabledReason], ['DISABLED', 'BY_MERCHANT'])
  })

  it('is one of six at most that an organization has asked in a minute, whichever they are, deleted ones too', async () => {
    const { client } = await world.newMerchant()
    const other = await world.newMerchant()
    const { at: kept } = await newEndpoint(client)
    const { at: deleted } = await newEndpoint(client)
    assert.equal((await client('POST', `${deleted}/verify`)).status, 200)
    await client('DELETE', deleted)
    const sent = events.length
    const again = await client('POST', `${kept}/verify`)
    assertProblem(again, 'RATE_LIMITED')
    assert.equal(again.headers['retry-after'], '10')
    assert.equal(events.length, sent)
    const { at: others } = await newEndpoint(other.client)
    assert.equal((await other.client('POST', `${others}/verify`)).status, 200, 'another is not held back')
    // Well within the pause, however slow the machine is.
    world.advance(5_000)
    assertProblem(await client('POST', `${kept}/verify`), 'RATE_LIMITED')
    world.advance(5_000)
    const both = await Promise.all([1, 2].map(() => client('POST', `${kept}/verify`)))
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 429])
  })

  it('keeps no address that was put in place while another was being proven', async () => {
    const { client, organization } = await world.newMerchant()
    const { at, created } = await newEndpoint(client)
    // The change is decided while the endpoint is unverified, and written after it was verified elsewhere.
    const db: Db = {
      ...world.db,
      inTransaction: async (work, ...rest) => {
        assert.equal((await client('POST', `${at}/verify`)).status, 200)
        return world.db.inTransaction(work, ...rest)
      },
    }
    const changed = await changeWebhookEndpoint(
      { ...world.ctx, db },
      organization.organizationId,
      created.id,
      { url: 'http://127.0.0.1:1/victim' },
      { held: null, grantable: null },
    )
    assert.ok(isRefusal(changed) && changed.refused === 'ENDPOINT_NOT_VERIFIED')
    const { json } = await client('GET', at)
    assert.deepEqual([json.url, json.status], [url, 'ENABLED'])
  })

  it('is not verified at an address that was put in place while the one before was being proven', async () => {
    const { client, organization } = await world.newMerchant()
    const { at, created } = await newEndpoint(client)
    const victim = 'http://127.0.0.1:1/victim'
    const { networks } = world.ctx
    const probeEndpoint: typeof networks.probeEndpoint = async (probes) => {
      const results = await networks.probeEndpoint(probes)
      assert.equal((await client('PATCH', at, { url: victim })).status, 200)
      return results
    }
    const ctx = { ...world.ctx, networks: { ...networks, probeEndpoint } }
    const verified = await verifyWebhookEndpoint(ctx, organization.organizationId, created.id, null)
    assert.ok(isRefusal(verified) && verified.refused === 'ENDPOINT_NOT_VERIFIED')
    const { json } = await client('GET', at)
    assert.deepEqual(
      [json.url, json.status, json.disabledReason, json.verifiedAt],
      [victim, 'DISABLED', 'UNVERIFIED', null],
    )
  })
})

describe('an endpoint of staging', () => {
  it('needs no proof, and may be verified all the same', async () => {
    await using world = await createWorld()
    const created = await world.client('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:1/' })
    assert.deepEqual([created.json.status, created.json.verifiedAt], ['ENABLED', null])
    const answer = await world.client('POST', `/webhook-endpoints/${created.json.id}/verify`)
    assertProblem(answer, 'ENDPOINT_NOT_VERIFIED')
    const { json } = await world.client('GET', `/webhook-endpoints/${created.json.id}`)
    assert.equal(json.status, 'ENABLED')
  })
})
