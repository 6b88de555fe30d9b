// Authentication: API keys and access tokens, on every merchant operation and on every node.

import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import type { Operation } from '../../../src/api/http/operation.ts'
import { documentedOperations } from '../../../src/api/operations.ts'
import type { Scope } from '../../../src/core/organizations/scope.ts'
import { issueApiKey, rollApiKey } from '../../../src/flows/organizations/issue-credential.ts'
import {
  type ApiKey,
  endApiKey,
  getApiKey,
  listOAuthClients,
  revokeOAuthClient,
} from '../../../src/store/organizations/credentials.ts'
import { byDepth } from '../../depth.ts'
import { type Answer, type Client, clientOf, createWorld, eventually, type World } from '../../world.ts'
import { callWith, exampleCall, MERCHANT_OPERATIONS } from './calls.ts'
import { addNode, type Node } from './node.ts'
import { assertProblem } from './problem.ts'
import { ALSO_NEEDED, SCOPE_BY_ROUTE } from './scopes.ts'

const HOUR_MS = 3_600_000
const NOBODYS_ID = '01900000-0000-7000-8000-000000000000'
const routeOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

describe('authentication', () => {
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

  const tokenOf = async (client: { clientId: string; secret: string }, scope?: string): Promise<string> => {
    const { clientId, secret } = client
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret, scope }
    const { status, json } = await world.anonymous('POST', '/oauth/token', body)
    assert.equal(status, 200)
    return json.access_token
  }
  const newToken = async (): Promise<string> => tokenOf(await world.oauthClient())
  const bearer = (token: string, baseUrl = world.baseUrl): Client =>
    clientOf(baseUrl, { authorization: `Bearer ${token}` })
  const call = async (client: Client, operation: Operation, headers = {}): Promise<Answer> => {
    const { method, path, body } = await exampleCall(world, world.client, operation)
    return client(method, path, body, headers)
  }
  // What only a person may do is refused to keys for that, and for nothing before it.
  const assertAllowed = (answer: Answer, operation: Operation): void => {
    const message = `${routeOf(operation)}: ${answer.text}`
    if (operation.refusals.includes('PERSON_REQUIRED')) assertProblem(answer, 'PERSON_REQUIRED', message)
    else assert.equal(answer.status, operation.success.status, message)
  }
  const assertUnauthorized = (answer: Answer, message = ''): void => {
    assertProblem(answer, 'UNAUTHORIZED', message)
    assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer realm="recaudo"/, message)
  }

  it('a request without a credential, or with a wrong one, is told how to authenticate on every merchant operation', async () => {
    const wrong = [{}, { 'x-api-key': 'rk_stg_wrong' }, { authorization: 'Bearer wrong' }]
    for (const [index, operation] of MERCHANT_OPERATIONS.entries()) {
      const ids = Object.fromEntries(Object.keys(operation.params ?? {}).map((name) => [name, NOBODYS_ID]))
      const { method, path, body } = callWith(operation, ids)
      // Which credentials are wrong is asked of every route in scopes.test.ts.
      for (const headers of byDepth(wrong.slice(index % 3, (index % 3) + 1), wrong))
        assertUnauthorized(await world.anonymous(method, path, body, headers), operation.operationId)
    }
  })

  it('nothing but the exact key or token is accepted', async () => {
    const token = await newToken()
    const wrong: Record<string, string>[] = [
      { 'x-api-key': '' },
      { 'x-api-key': world.apiKey.slice(0, -1) },
      { 'x-api-key': `${world.apiKey}A` },
      { 'x-api-key': world.apiKey.toUpperCase() },
      { 'x-api-key': `${world.apiKey}, ${world.apiKey}` },
      { 'x-api-key': 'x'.repeat(5_000) },
      { 'x-api-key': token },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${world.apiKey}` },
      { authorization: `Bearer ${token} ${token}` },
      { authorization: `Bearer ${'x'.repeat(5_000)}` },
      { authorization: token },
      { authorization: `Basic ${Buffer.from(`a:${world.apiKey}`).toString('base64')}` },
      // If two are sent, both must be valid.
      { 'x-api-key': world.apiKey, authorization: 'Bearer wrong' },
      { 'x-api-key': 'rk_stg_wrong', authorization: `Bearer ${token}` },
    ]
    for (const headers of wrong) {
      const message = JSON.stringify(headers).slice(0, 100)
      assertUnauthorized(await world.anonymous('GET', '/organization', undefined, headers), message)
    }
    const twice = await world.anonymous('GET', '/organization', undefined, {
      authorization: `bearer  ${token}`,
    })
    assert.equal(twice.status, 200, 'the scheme is spelled in any case')
  })

  it('a key and a token of two organizations are refused together, and each alone is accepted', async () => {
    const other = await world.newMerchant()
    const token = await tokenOf(await world.oauthClient(other.organization))
    assertUnauthorized(
      await world.client('GET', '/organization', undefined, { authorization: `Bearer ${token}` }),
    )
    assert.equal(
      (await bearer(token)('GET', '/organization')).json.organizationId,
      other.organization.organizationId,
    )
  })

  it('another scheme in the Authorization header, as sent by a proxy, leaves the API key in force', async () => {
    const headers = { authorization: 'Basic cHJveHk6c2VjcmV0' }
    assert.equal((await world.client('GET', '/organization', undefined, headers)).status, 200)
  })

  it('the table of scopes names every route, and nothing else', () => {
    const routes = documentedOperations('staging').filter(({ access }) => access !== 'public')
    assert.deepEqual(Object.keys(SCOPE_BY_ROUTE).sort(), routes.map(routeOf).sort())
  })

  it('each operation succeeds with its scope and those named beside it, by key, by token and by both', async () => {
    const oauthClient = await world.oauthClient()
    const clients = new Map<string, Promise<Client[]>>()
    const clientsWith = async (scopes: readonly Scope[]): Promise<Client[]> => {
      const { apiKey, client } = await world.key([...scopes])
      const token = await tokenOf(oauthClient, scopes.join(' '))
      const both = { 'x-api-key': apiKey, authorization: `Bearer ${token}` }
      return [client, bearer(token), clientOf(world.baseUrl, both)]
    }
    for (const [index, operation] of MERCHANT_OPERATIONS.entries()) {
      const route = routeOf(operation)
      const scopes = [SCOPE_BY_ROUTE[route] as Scope, ...(ALSO_NEEDED[route] ?? [])]
      const made = clients.getOrInsertComputed(scopes.join(' '), () => clientsWith(scopes))
      const all = await made
      for (const client of byDepth([all[index % 3] as Client], all))
        assertAllowed(await call(client, operation), operation)
    }
    const none = await world.key([])
    assertProblem(await none.client('GET', '/organization'), 'INSUFFICIENT_SCOPE')
  })

  it('a key works until the moment it expires', async () => {
    const issued = await issueApiKey(world.ctx, {
      organizationId: world.organization.organizationId,
      name: 'short',
      scopes: null,
      expiresAt: world.ctx.clock.now() + HOUR_MS,
    })
    const headers = { 'x-api-key': issued?.secret ?? '' }
    world.advance(HOUR_MS - 60_000)
    assert.equal((await world.anonymous('GET', '/organization', undefined, headers)).status, 200)
    world.advance(60_000)
    for (const node of [world, second]) {
      assertUnauthorized(await node.anonymous('GET', '/organization', undefined, headers))
    }
  })

  it('a rolled key works alongside its successor until the overlap ends', async () => {
    const old = await world.key(['organization:read'])
    const rolled = await rollApiKey(world.ctx, (await getApiKey(world.db, old.apiKeyId)) as ApiKey, HOUR_MS)
    const successor = clientOf(world.baseUrl, { 'x-api-key': rolled.secret })
    assert.deepEqual(rolled.apiKey.scopes, ['organization:read'])
    for (const client of [old.client, successor]) {
      assert.equal((await client('GET', '/organization')).status, 200)
    }
    world.advance(HOUR_MS)
    assertUnauthorized(await old.client('GET', '/organization'))
    assert.equal((await successor('GET', '/organization')).status, 200)
    assertProblem(await successor('POST', '/payins', {}), 'INSUFFICIENT_SCOPE')
  })

  // Sends requests continuously, so that the credential stays in every cache. Returns how long after `revoke` the last
  // accepted request was started.
  async function lastAcceptedAfterMs(clients: Client[], revoke: () => Promise<unknown>): Promise<number> {
    const ask = (client: Client) => client('GET', '/organization')
    for (const client of clients) assert.equal((await ask(client)).status, 200)
    await revoke()
    const revokedAtMs = performance.now()
    const until = async (client: Client): Promise<number> => {
      for (let lastMs = 0; ; ) {
        const askedMs = performance.now() - revokedAtMs
        const answer = await ask(client)
        if (answer.status === 401) {
          assertUnauthorized(answer)
          return lastMs
        }
        lastMs = askedMs
        assert.ok(askedMs < 5_000, 'it is still accepted after five seconds')
      }
    }
    const last = Math.max(...(await Promise.all(clients.map(until))))
    for (const client of clients)
      for (let again = 0; again < 20; again += 1) assertUnauthorized(await ask(client))
    return last
  }

  it('a revoked key is refused on every node within a second, and stays refused', async () => {
    const { apiKey, apiKeyId } = await world.key(null)
    const clients = [world, second].map(({ baseUrl }) => clientOf(baseUrl, { 'x-api-key': apiKey }))
    const revoke = () => endApiKey(world.db, apiKeyId, { revokedAt: world.ctx.clock.now() })
    assert.ok((await lastAcceptedAfterMs(clients, revoke)) < 1_000)
  })

  it('a revoked client’s tokens are refused on every node within a second, and it gets no new one', async () => {
    const client = await world.oauthClient()
    const token = await tokenOf(client)
    const clients = [world, second].map(({ baseUrl }) => bearer(token, baseUrl))
    const revoke = () => revokeOAuthClient(world.db, client.clientId, world.ctx.clock.now())
    assert.ok((await lastAcceptedAfterMs(clients, revoke)) < 1_000)
    const body = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.secret,
    }
    assertProblem(await world.anonymous('POST', '/oauth/token', body), 'UNAUTHORIZED')
  })

  it('a credential that was used just before it is revoked, and not since, is refused a second later', async () => {
    const key = await world.key(null)
    const client = await world.oauthClient()
    const token = await tokenOf(client)
    const clients = [world, second].flatMap(({ baseUrl }) => [
      clientOf(baseUrl, { 'x-api-key': key.apiKey }),
      bearer(token, baseUrl),
    ])
    for (const one of clients) assert.equal((await one('GET', '/organization')).status, 200)
    await endApiKey(world.db, key.apiKeyId, { revokedAt: world.ctx.clock.now() })
    await revokeOAuthClient(world.db, client.clientId, world.ctx.clock.now())
    const revokedAtMs = performance.now()
    await eventually(
      async () => performance.now() - revokedAtMs,
      (elapsedMs) => elapsedMs >= 1_000,
    )
    for (const one of clients) assertUnauthorized(await one('GET', '/organization'))
  })

  it('a node whose clock runs behind refuses a revoked key and client just as soon', async () => {
    const behind = await addNode(world, { now: () => world.ctx.clock.now() - HOUR_MS })
    try {
      const key = await world.key(null)
      const client = await world.oauthClient()
      const token = await tokenOf(client)
      const clients = [clientOf(behind.baseUrl, { 'x-api-key': key.apiKey }), bearer(token, behind.baseUrl)]
      const last = await lastAcceptedAfterMs(clients, async () => {
        await endApiKey(world.db, key.apiKeyId, { revokedAt: world.ctx.clock.now() })
        await revokeOAuthClient(world.db, client.clientId, world.ctx.clock.now())
      })
      assert.ok(last < 1_000)
    } finally {
      await behind[Symbol.asyncDispose]()
    }
  })

  it('the time of last use is written for accepted credentials, and only for them', async () => {
    const used = await world.key(null)
    const refused = await world.key(null)
    const client = await world.oauthClient()
    await endApiKey(world.db, refused.apiKeyId, { revokedAt: world.ctx.clock.now() })
    await used.client('GET', '/organization')
    assertUnauthorized(await refused.client('GET', '/organization'))
    await bearer(await tokenOf(client))('GET', '/organization')
    await world.api.auth.flushLastUse()
    const usedAt = (await getApiKey(world.db, used.apiKeyId))?.lastUsedAt ?? 0
    assert.ok(Math.abs(usedAt - world.ctx.clock.now()) < 10_000)
    assert.equal((await getApiKey(world.db, refused.apiKeyId))?.lastUsedAt, null)
    const clients = await listOAuthClients(world.db, world.organization.organizationId)
    const clientUsedAt = clients.find((one) => one.clientId === client.clientId)?.lastUsedAt ?? 0
    assert.ok(Math.abs(clientUsedAt - world.ctx.clock.now()) < 10_000)
  })

  it('neither a key nor a client secret is stored', async () => {
    const { secret } = await world.oauthClient()
    assert.match(world.apiKey, /^rk_stg_[A-Za-z0-9_-]{43}$/)
    const { rows } = await world.db.query<{ text: string }>({
      text: `select k::text as text from api_keys k union all select c::text from oauth_clients c`,
    })
    assert.ok(rows.length > 5)
    for (const { text } of rows) {
      assert.ok(!text.includes(world.apiKey.slice(15)) && !text.includes(secret.slice(7)))
    }
  })

  describe('POST /oauth/token', () => {
    const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
    const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    })
    const grant = { grant_type: 'client_credentials' }

    it('takes id and secret by HTTP Basic, in a form and as JSON', async () => {
      const { clientId: client_id, secret: client_secret } = await world.oauthClient()
      const ask = (body: unknown, headers = {}) => world.anonymous('POST', '/oauth/token', body, headers)
      const answers = [
        await ask(form(grant), { ...FORM, ...basic(client_id, client_secret) }),
        await ask(form({ ...grant, client_id, client_secret }), FORM),
        await ask({ ...grant, client_id, client_secret }),
        await ask(grant, basic(client_id, client_secret)),
      ]
      for (const { status, headers, json } of answers) {
        assert.equal(status, 200)
        assert.match(headers['cache-control'] ?? '', /no-store/)
        const { access_token: token, ...rest } = json
        assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3_600 })
        assert.equal((await bearer(token, second.baseUrl)('GET', '/organization')).status, 200)
      }
    })

    it('a scope that is asked for is granted and named', async () => {
      const { clientId, secret } = await world.oauthClient()
      const body = form({ ...grant, scope: 'payins:read organization:read' })
      const { json } = await world.anonymous('POST', '/oauth/token', body, {
        ...FORM,
        ...basic(clientId, secret),
      })
      assert.equal(json.scope, 'payins:read organization:read')
    })

    it('refuses a wrong secret, an unknown client, another grant and a scope the client does not have', async () => {
      const { clientId: client_id, secret: client_secret } = await world.oauthClient()
      const good = { ...grant, client_id, client_secret }
      const { clientId: otherId } = await world.oauthClient()
      const refused: [unknown, string, Record<string, string>?][] = [
        [{ ...good, client_secret: `${client_secret}x` }, 'invalid_client'],
        [{ ...good, client_secret: '' }, 'invalid_client'],
        [{ ...good, client_secret: 7 }, 'invalid_client'],
        [{ ...good, client_id: 'rc_stg_nobody' }, 'invalid_client'],
        [{ ...good, client_id: otherId }, 'invalid_client'],
        [{ ...good, client_id: `${client_id}\u0000` }, 'invalid_client'],
        [{ ...good, client_id: world.organization.organizationId }, 'invalid_client'],
        [grant, 'invalid_client'],
        [[good], 'invalid_request'],
        ['null', 'invalid_request'],
        [form(grant), 'invalid_client', { ...FORM, ...basic(client_id, 'wrong') }],
        [form(grant), 'invalid_client', { ...FORM, authorization: 'Basic !!!' }],
        [form({ ...grant, client_id: '\u0000', client_secret }), 'invalid_client', FORM],
        [{ ...good, grant_type: 'password' }, 'unsupported_grant_type'],
        [{ ...good, grant_type: undefined }, 'invalid_request'],
        [form({ client_id, client_secret }), 'invalid_request', FORM],
        [{ ...good, grant_type: '' }, 'invalid_request'],
        // Whoever sends it.
        ['', 'invalid_request', FORM],
        [{}, 'invalid_request'],
        [form({ client_id, client_secret: 'wrong' }), 'invalid_request', FORM],
        [form({ scope: 'payins:read' }), 'invalid_request', { ...FORM, ...basic(client_id, 'wrong') }],
        [{ ...good, grant_type: ['client_credentials'] }, 'unsupported_grant_type'],
        [{ ...good, scope: 'payins:read root' }, 'invalid_scope'],
        [{ ...good, scope: 7 }, 'invalid_scope'],
      ]
      for (const [body, error, headers] of refused) {
        const answer = await world.anonymous('POST', '/oauth/token', body, headers)
        const code = error === 'invalid_client' ? 'UNAUTHORIZED' : 'INVALID_INPUT'
        assertProblem(answer, code, JSON.stringify(body))
        assert.equal(answer.json.error, error, JSON.stringify(body))
        assert.ok(answer.json.error_description.length > 0)
        if (answer.status === 401) assert.match(answer.headers['www-authenticate'] ?? '', /^Basic /)
      }
      const xml = await world.anonymous('POST', '/oauth/token', '<a/>', { 'content-type': 'text/xml' })
      assertProblem(xml, 'UNSUPPORTED_MEDIA_TYPE')
    })

    it('a token is a JWT that anyone can verify with the published keys, which hold nothing private', async () => {
      const client = await world.oauthClient()
      const token = await tokenOf(client, 'payins:read')
      const { status, json: keySet } = await second.anonymous('GET', '/.well-known/jwks.json')
      assert.equal(status, 200)
      for (const key of keySet.keys)
        assert.deepEqual([key.kty, key.crv, key.d], ['OKP', 'Ed25519', undefined])
      const { publicUrl } = world.config
      const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keySet), {
        issuer: publicUrl,
        audience: publicUrl,
        currentDate: new Date(world.ctx.clock.now()),
      })
      assert.deepEqual([protectedHeader.alg, protectedHeader.typ], ['EdDSA', 'at+jwt'])
      assert.equal(payload.sub, client.clientId)
      assert.equal(payload.organizationId, world.organization.organizationId)
      assert.equal(payload.scope, 'payins:read')
      assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 3_600)
      assert.notEqual(decodeJwt(await tokenOf(client)).jti, payload.jti, 'each has a name of its own')
    })

    it('a token is good for an hour and no longer', async () => {
      const client = bearer(await newToken())
      world.advance(HOUR_MS - 60_000)
      assert.equal((await client('GET', '/organization')).status, 200)
      world.advance(60_001)
      assertUnauthorized(await client('GET', '/organization'))
    })

    it('a token that was altered, unsigned or signed by anyone else is refused', async () => {
      const token = await newToken()
      const [header, payload, signature] = token.split('.') as [string, string, string]
      const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const { kid } = decodeProtectedHeader(token)
      const forger = generateKeyPairSync('ed25519')
      const forged = (head: object, body: string = payload) => {
        const text = `${encode(head)}.${body}`
        return `${text}.${sign(null, Buffer.from(text), forger.privateKey).toString('base64url')}`
      }
      const publicKey = (await world.anonymous('GET', '/.well-known/jwks.json')).json.keys[0]
      const hmacText = `${encode({ alg: 'HS256', kid })}.${payload}`
      const hmac = createHmac('sha256', Buffer.from(publicKey.x, 'base64url')).update(hmacText)
      const flipped = (text: string, at: number) =>
        text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
      const bad = [
        `${encode({ alg: 'none' })}.${payload}.`,
        `${encode({ alg: 'none', kid })}.${payload}.`,
        `${encode({ alg: 'NONE', kid })}.${payload}.${signature}`,
        `${header}.${payload}.`,
        `${header}.${payload}`,
        forged({ alg: 'EdDSA', kid }),
        forged({ alg: 'EdDSA' }),
        forged({ alg: 'EdDSA', kid: 'another' }),
        forged({ alg: 'EdDSA', kid, jwk: forger.publicKey.export({ format: 'jwk' }) }),
        `${hmacText}.${hmac.digest('base64url')}`,
        `${header}.${encode({ ...claims, exp: claims.exp + 3_600 })}.${signature}`,
        `${header}.${encode({ ...claims, sub: 'rc_stg_other' })}.${signature}`,
        ...[0, 5, signature.length - 10].map((at) => `${header}.${payload}.${flipped(signature, at)}`),
        `${header}.${flipped(payload, 12)}.${signature}`,
        `${flipped(header, 12)}.${payload}.${signature}`,
      ]
      for (const one of bad) assertUnauthorized(await bearer(one)('GET', '/organization'), one)
      assert.equal((await bearer(token)('GET', '/organization')).status, 200, 'the token itself is good')
    })
  })
})
