// What makes a credential count: issued by us, for us, at this moment. Tokens are signed with the service's own key here, so
// that only the claim under test is wrong.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { importJWK, type JWK, SignJWT } from 'jose'
import type { Scope } from '../../../src/core/organizations/scope.ts'
import { openSecret } from '../../../src/core/seal.ts'
import { issueApiKey } from '../../../src/flows/organizations/issue-credential.ts'
import { getApiKey, listSigningKeys, type SigningKey } from '../../../src/store/organizations/credentials.ts'
import { type Client, clientOf, createWorld, eventually, type World } from '../../world.ts'
import { listen } from '../events/listen.ts'
import { addNode } from './node.ts'
import { assertProblem } from './problem.ts'

type Claims = Record<string, string | string[] | number | undefined>

describe('a credential', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: randomBytes(32).toString('hex') } })
  })
  after(() => world[Symbol.asyncDispose]())

  // A token as the service issues it, except for `changes`; undefined leaves a claim out.
  const signed = async (changes: Claims): Promise<Client> => {
    const [key] = (await listSigningKeys(world.db)) as [SigningKey]
    const secret = openSecret(world.ctx.settings.keys.rest, key.sealedPrivate, `signing-key ${key.keyId}`)
    const signer = await importJWK(JSON.parse(String(secret)) as JWK, 'EdDSA')
    const { clientId } = await world.oauthClient()
    const nowSeconds = Math.floor(world.ctx.clock.now() / 1_000)
    const { publicUrl } = world.config
    const claims = { iss: publicUrl, aud: publicUrl, sub: clientId, iat: nowSeconds, exp: nowSeconds + 600 }
    const token = await new SignJWT(JSON.parse(JSON.stringify({ ...claims, ...changes })))
      .setProtectedHeader({ alg: 'EdDSA', kid: key.keyId, typ: 'at+jwt' })
      .sign(signer)
    return clientOf(world.baseUrl, { authorization: `Bearer ${token}` })
  }

  it('counts only if we issued it, for ourselves, to a client that exists, until it expires', async () => {
    const good = await signed({})
    assert.equal((await good('GET', '/organization')).status, 200, 'the token is good but for what follows')
    const nowSeconds = Math.floor(world.ctx.clock.now() / 1_000)
    const wrong: Claims[] = [
      { aud: 'https://other.example' },
      { aud: [] },
      { aud: undefined },
      { iss: 'https://other.example' },
      { iss: undefined },
      { sub: 'rc_stg_nobody' },
      { sub: undefined },
      { exp: nowSeconds },
      { nbf: nowSeconds + 300 },
    ]
    for (const changes of wrong) {
      const client = await signed(changes)
      assertProblem(await client('GET', '/organization'), 'UNAUTHORIZED', inspect(changes))
    }
  })

  it('counts up to the millisecond before it expires, and no longer', async () => {
    const expiresAt = world.ctx.clock.now() + 3_600_000
    let now = expiresAt - 1
    await using node = await addNode(world, { now: () => now })
    const issued = await issueApiKey(world.ctx, {
      organizationId: world.organization.organizationId,
      name: 'until a moment',
      scopes: null,
      expiresAt,
    })
    const client = clientOf(node.baseUrl, { 'x-api-key': issued?.secret ?? '' })
    assert.equal((await client('GET', '/organization')).status, 200)
    for (now of [expiresAt, expiresAt + 1])
      assertProblem(await client('GET', '/organization'), 'UNAUTHORIZED')
  })

  it('ends its event stream when it loses the scope, as when it is revoked', async () => {
    const needed: Scope[] = ['events:read', 'payins:read', 'payouts:read', 'links:read']
    for (const lost of needed) {
      const { apiKey, apiKeyId } = await world.key(needed)
      const stream = await listen(`${world.baseUrl}/events/stream`, { 'x-api-key': apiKey })
      assert.equal(stream.status, 200)
      await world.db.query({
        text: 'update api_keys set scopes = $2 where api_key_id = $1',
        values: [apiKeyId, needed.filter((scope) => scope !== lost)],
      })
      await eventually(async () => stream.hasEnded(), Boolean)
    }
  })

  it('needs the scope of the event stream to open one', async () => {
    const { apiKey } = await world.key(['payins:read'])
    const stream = await listen(`${world.baseUrl}/events/stream`, { 'x-api-key': apiKey })
    assert.equal(stream.status, 403)
    stream.close()
  })

  it('is told to be a token that does not hold only by whoever sent one', async () => {
    const told = async (headers: Record<string, string>) =>
      (await world.anonymous('GET', '/payins', undefined, headers)).headers['www-authenticate']
    for (const headers of [{}, { 'x-api-key': 'rk_stg_nobody' }] as Record<string, string>[])
      assert.equal(await told(headers), 'Bearer realm="recaudo"')
    const wrongToken = { authorization: 'Bearer nobody' }
    assert.equal(await told(wrongToken), 'Bearer realm="recaudo", error="invalid_token"')
  })

  it('has its last use written every half minute, while the service runs', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    await using node = await addNode(world)
    const { apiKey, apiKeyId } = await world.key(null)
    const client = clientOf(node.baseUrl, { 'x-api-key': apiKey })
    assert.equal((await client('GET', '/organization')).status, 200)
    t.mock.timers.tick(29_999)
    assert.equal((await getApiKey(world.db, apiKeyId))?.lastUsedAt, null)
    t.mock.timers.tick(1)
    await eventually(
      async () => (await getApiKey(world.db, apiKeyId))?.lastUsedAt,
      (at) => typeof at === 'number',
    )
  })
})
