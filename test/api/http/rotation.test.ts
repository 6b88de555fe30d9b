// Keys and secrets are replaced while requests come in on two nodes, and none of them fails.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { rollClientSecret } from '../../../src/flows/organizations/issue-credential.ts'
import { createKey, revokeClient, rollClient, rollKey } from '../../../src/operator/credentials.ts'
import { rotateSigningKeys, showSigningKeys } from '../../../src/operator/signing-keys.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../../../src/rails/signature.ts'
import { createContext, createMetrics } from '../../../src/service.ts'
import { findOAuthClients, listSigningKeys } from '../../../src/store/organizations/credentials.ts'
import { type Client, clientOf, createWorld, eventually, type World } from '../../world.ts'
import { addNode, type Node } from './node.ts'

type TokenAnswer = { status: number; token: string }

describe('a rotation', () => {
  let world: World
  let second: Node
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: randomBytes(32).toString('hex') } })
    second = await addNode(world)
  })
  after(async () => {
    await second[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const nodes = (): { baseUrl: string; anonymous: Client }[] => [world, second]
  const tokenOf = async (
    { anonymous }: { anonymous: Client },
    client: { clientId: string; secret: string },
  ): Promise<TokenAnswer> => {
    const form = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.secret,
    }
    const { status, json } = await anonymous('POST', '/oauth/token', form)
    return { status, token: json.access_token }
  }
  const statusWith = async (headers: Record<string, string>): Promise<number[]> =>
    Promise.all(
      nodes().map(async ({ baseUrl }) => (await clientOf(baseUrl, headers)('GET', '/balance')).status),
    )
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  // Asks again and again until it is told to stop. Every answer must be 200.
  const load = (ask: () => Promise<number[]>) => {
    let isOver = false
    let asked = 0
    const failed: number[] = []
    const run = async (): Promise<void> => {
      while (!isOver) {
        for (const status of await ask()) if (status !== 200) failed.push(status)
        asked += 1
      }
    }
    const running = Promise.all([run(), run(), run()])
    return {
      more: async (count = 10) => {
        const until = asked + count
        await eventually(
          async () => asked,
          (now) => now >= until,
        )
      },
      end: async () => {
        isOver = true
        await running
        assert.deepEqual(failed, [])
      },
    }
  }

  it('of an API key leaves both working for the overlap, on every node', async () => {
    const { organizationId } = world.organization
    const old = await createKey(world.ctx, { org: organizationId, name: 'shop' })
    const [oldKey, id] = [String(old.apiKey), String(old.apiKeyId)]
    let key = oldKey
    const requests = load(() => statusWith({ 'x-api-key': key }))
    await requests.more()
    const rolled = await rollKey(world.ctx, { 'overlap-hours': '2' }, id)
    await requests.more()
    key = String(rolled.apiKey)
    await requests.more()
    assert.deepEqual(await statusWith({ 'x-api-key': oldKey }), [200, 200])
    world.advance(2 * HOUR_MS)
    await requests.more()
    await requests.end()
    // What a node remembers of a key is renewed within a second.
    await eventually(
      () => statusWith({ 'x-api-key': oldKey }),
      (statuses) => statuses.every((status) => status === 401),
    )
  })

  it('of a client’s secret leaves both working for the overlap, on every node', async () => {
    const client = await world.oauthClient()
    let present = client
    const requests = load(async () =>
      Promise.all(nodes().map(async (node) => (await tokenOf(node, present)).status)),
    )
    await requests.more()
    const rolled = await rollClient(world.ctx, { 'overlap-hours': '1' }, client.clientId)
    await requests.more()
    present = { ...client, secret: String(rolled.clientSecret) }
    assert.notEqual(present.secret, client.secret)
    await requests.more()
    for (const node of nodes())
      assert.equal((await tokenOf(node, client)).status, 200, 'the old one works on')
    world.advance(HOUR_MS)
    await requests.more()
    await requests.end()
    for (const node of nodes())
      assert.equal((await tokenOf(node, client)).status, 401, 'the old one has ended')
  })

  it('of a client’s secret ends the one that an earlier rotation left', async () => {
    const client = await world.oauthClient()
    await rollClient(world.ctx, {}, client.clientId)
    const { clientSecret } = await rollClient(world.ctx, {}, client.clientId)
    assert.equal((await tokenOf(world, client)).status, 401)
    assert.equal((await tokenOf(world, { ...client, secret: String(clientSecret) })).status, 200)
  })

  it('of a client’s secret is refused for one that is unknown, revoked or was rolled meanwhile', async () => {
    const { clientId } = await world.oauthClient()
    const [asRead] = await findOAuthClients(world.db, [clientId])
    assert.ok(asRead)
    assert.notEqual(await rollClientSecret(world.ctx, asRead, 0), undefined)
    assert.equal(
      await rollClientSecret(world.ctx, asRead, 0),
      undefined,
      'what was read is not there any more',
    )
    const [present] = await findOAuthClients(world.db, [clientId])
    assert.ok(present)
    await revokeClient(world.ctx, {}, clientId)
    assert.equal(await rollClientSecret(world.ctx, present, 0), undefined, 'it was revoked meanwhile')
    await assert.rejects(rollClient(world.ctx, {}, clientId), /was revoked/)
    await assert.rejects(rollClient(world.ctx, {}, randomUUID()), /No client has the id/)
  })

  it('of the signing key publishes the new one first, and every token works for its hour', async () => {
    const client = await world.oauthClient()
    const keyOf = (token: string) => decodeProtectedHeader(token).kid
    const published = async () =>
      Promise.all(
        nodes().map(async ({ anonymous }) =>
          (await anonymous('GET', '/.well-known/jwks.json')).json.keys.map(({ kid }: { kid: string }) => kid),
        ),
      )
    const { token: first } = await tokenOf(world, client)
    let tokens = [first]
    const requests = load(async () =>
      (await Promise.all(tokens.map((one) => statusWith(bearer(one))))).flat(),
    )
    const { keyId } = await rotateSigningKeys(world.ctx, {})
    await eventually(published, (lists) => lists.every((list) => list.length === 2 && list[0] === keyId))
    const { token: stillFirst } = await tokenOf(second, client)
    assert.equal(keyOf(stillFirst), keyOf(first), 'the new key does not sign yet')
    assert.deepEqual(
      (await showSigningKeys(world.ctx)).map(({ state }) => state),
      ['signs next', 'signs'],
    )
    await requests.more()
    world.advance(10 * MINUTE_MS)
    const fresh = await Promise.all(nodes().map((node) => tokenOf(node, client)))
    for (const { token } of fresh) assert.equal(keyOf(token), keyId, 'the new key signs on every node')
    tokens = [...tokens, ...fresh.map(({ token }) => token)]
    await requests.more()
    world.advance(45 * MINUTE_MS)
    await requests.more()
    // The first token ends by its age; the others go on.
    tokens = fresh.map(({ token }) => token)
    await requests.more()
    world.advance(10 * MINUTE_MS)
    await requests.end()
    assert.deepEqual(await statusWith(bearer(first)), [401, 401])
    world.advance(HOUR_MS)
    assert.deepEqual(await published(), [[keyId], [keyId]])
  })

  it('of a signing key that has leaked ends its tokens on every node within about a second', async () => {
    const client = await world.oauthClient()
    const { token } = await tokenOf(second, client)
    assert.deepEqual(await statusWith(bearer(token)), [200, 200])
    const { keyId, retired } = await rotateSigningKeys(world.ctx, { now: true })
    assert.equal(retired, 2, 'all before it, published or not')
    await eventually(
      () => statusWith(bearer(token)),
      (statuses) => statuses.every((status) => status === 401),
    )
    const again = await eventually(
      () => tokenOf(second, client),
      (answer) => decodeProtectedHeader(answer.token).kid === keyId,
    )
    assert.deepEqual(await statusWith(bearer(again.token)), [200, 200])
  })

  it('of the signing key is refused to whoever has another SECRETS_KEY, and changes nothing', async () => {
    const wrong = createContext(world.config, world.db, [randomBytes(32)], createMetrics())
    const before = await listSigningKeys(world.db)
    for (const flags of [{}, { now: true }])
      await assert.rejects(rotateSigningKeys(wrong, flags), /SECRETS_KEY is not the one this database/)
    assert.deepEqual(await listSigningKeys(world.db), before)
    await wrong.networks.close()
  })

  it('of a notification key takes what either signed, node by node, and nothing else', async () => {
    const [old, fresh, other] = [1, 2, 3].map(() => randomBytes(32).toString('hex')) as [
      string,
      string,
      string,
    ]
    const nodeWith = (notificationKey: string, previousNotificationKey: string | null) =>
      addNode(world, {
        config: { breb: { ...world.config.breb, notificationKey, previousNotificationKey } },
      })
    const notify = async ({ baseUrl }: Node, key: string): Promise<number> => {
      const id = `ntf_${randomUUID()}`
      const body = JSON.stringify({ id, type: 'nothing.known', occurredAt: new Date().toISOString() })
      const seconds = Math.floor(world.ctx.clock.now() / 1_000)
      const answer = await fetch(`${baseUrl}/notifications/breb`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [ID_HEADER]: id,
          [TIMESTAMP_HEADER]: String(seconds),
          [SIGNATURE_HEADER]: signNotice(key, id, seconds, body),
        },
        body,
      })
      await answer.text()
      return answer.status
    }
    await using before = await nodeWith(old, null)
    const accepted = await notify(before, old)
    assert.equal(await notify(before, fresh), 401)
    // The network changes over while one node knows both keys and the other only the old one.
    await using during = await nodeWith(fresh, old)
    for (const key of [old, fresh]) assert.equal(await notify(during, key), accepted)
    assert.equal(await notify(during, other), 401)
    await using afterwards = await nodeWith(fresh, null)
    assert.equal(await notify(afterwards, fresh), accepted)
    assert.equal(await notify(afterwards, old), 401)
  })
})
