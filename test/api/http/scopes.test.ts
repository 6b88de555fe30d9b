// Who may call what, by the table of scopes, which is written by hand. A route of the server that is neither there nor in the
// table of those without a credential fails the test.

import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { importJWK, type JWK, SignJWT } from 'jose'
import { createAuth } from '../../../src/api/http/auth.ts'
import { SCOPES, type Scope } from '../../../src/core/organizations/scope.ts'
import { openSecret } from '../../../src/core/seal.ts'
import { issueApiKey } from '../../../src/flows/organizations/issue-credential.ts'
import {
  endApiKey,
  listSigningKeys,
  revokeOAuthClient,
} from '../../../src/store/organizations/credentials.ts'
import { isDeep } from '../../depth.ts'
import { createWorld, type World } from '../../world.ts'
import { SCOPE_BY_ROUTE } from './scopes.ts'

// As the server prints its routes.
const SCOPE_OF: Readonly<Record<string, Scope>> = Object.fromEntries(
  Object.entries(SCOPE_BY_ROUTE).map(([route, scope]) => [route.replaceAll(/\{(\w+)\}/g, ':$1'), scope]),
)

// Without a merchant's credential, and what stands in its place.
const WITHOUT: Readonly<Record<string, string>> = {
  'POST /oauth/token': 'gives the credential, for a client’s secret',
  'GET /.well-known/jwks.json': 'public keys',
  'GET /.well-known/receipt-keys.json': 'public keys',
  'POST /notifications/breb': 'the network’s signature',
  'POST /notifications/pse': 'the network’s signature',
  'POST /notifications/:organizationId/:connectionId': 'the provider’s signature',
  'GET /healthz': 'says that the process is alive',
  'GET /readyz': 'says that it can serve',
  'GET /metrics': 'the operator’s token',
}
const PAGES =
  /^(GET|POST) \/(pay|page|refund|docs|receipts|evidence|verify|console)\b|^GET \/((favicon|openapi|robots|llms|llms-full)\.\w+)?$/

describe('a route', () => {
  let world: World
  // A credential for each scope alone, and one without any.
  const keys = new Map<Scope, string>()
  const tokens = new Map<Scope, string>()
  let signer: CryptoKey | Uint8Array
  let keyId: string
  let clientId: string

  before(async () => {
    world = await createWorld()
    const [signingKey] = await listSigningKeys(world.db)
    assert.ok(signingKey)
    keyId = signingKey.keyId
    const label = `signing-key ${keyId}`
    const secret = openSecret(world.ctx.settings.keys.rest, signingKey.sealedPrivate, label)
    signer = await importJWK(JSON.parse(String(secret)) as JWK, 'EdDSA')
    clientId = (await world.oauthClient()).clientId
    for (const scope of SCOPES) {
      keys.set(scope, (await world.key([scope])).apiKey)
      tokens.set(scope, await tokenWith({ claims: { scope } }))
    }
  })
  after(() => world[Symbol.asyncDispose]())

  type Changes = {
    claims?: Record<string, unknown>
    issuer?: string
    audience?: string
    expiresIn?: number
    subject?: string
    key?: KeyObject
  }

  // A token as the service would issue it, but for the changes.
  const tokenWith = ({ claims = {}, issuer, audience, expiresIn = 3_600, subject, key }: Changes) => {
    const { publicUrl } = world.config
    const nowSeconds = Math.floor(world.ctx.clock.now() / 1_000)
    return new SignJWT({ organizationId: world.organization.organizationId, ...claims })
      .setProtectedHeader({ alg: 'EdDSA', kid: keyId, typ: 'at+jwt' })
      .setIssuer(issuer ?? publicUrl)
      .setAudience(audience ?? publicUrl)
      .setSubject(subject ?? clientId)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + expiresIn)
      .sign(key ?? signer)
  }

  // The status alone: a right scope is told from a wrong one without any object. A stream is refused before it opens.
  const statusOf = async (route: string, headers: Record<string, string>): Promise<number> => {
    const [method = '', path = ''] = route.split(' ')
    const ids = path.replaceAll(/:\w+/g, '01900000-0000-7000-8000-000000000000')
    // What the log tells needs more scopes: test/api/webhooks/read-scopes.test.ts.
    const query = ['/events', '/events/stream'].includes(path) ? '?after=x' : ''
    return (await world.anonymous(method, ids + query, undefined, headers)).status
  }
  const nextOf = (scope: Scope): Scope => SCOPES[(SCOPES.indexOf(scope) + 1) % SCOPES.length] as Scope
  const byKey = (apiKey: string) => ({ 'x-api-key': apiKey })
  const byToken = (token: string) => ({ authorization: `Bearer ${token}` })

  it('is in one of the two tables, and every row of the tables is a route', () => {
    const routes = routesOf(world.api.app.printRoutes({ commonPrefix: false }))
    const known = [...Object.keys(SCOPE_OF), ...Object.keys(WITHOUT)].sort()
    const served = routes.filter((route) => !route.startsWith('HEAD ') && !PAGES.test(route))
    assert.deepEqual(served.sort(), known)
  })

  for (const [route, scope] of Object.entries(SCOPE_OF)) {
    it(`${route} takes a credential with ${scope}, and refuses one with any other scope`, async () => {
      for (const one of SCOPES) {
        const isRight = one === scope
        const key = byKey(keys.get(one) ?? '')
        const token = byToken(tokens.get(one) ?? '')
        // A token's scopes are asked like a key's: of the wrong ones, the next is enough.
        const isAsked = isRight || one === nextOf(scope)
        for (const headers of isAsked || isDeep ? [key, token] : [key]) {
          const status = await statusOf(route, headers)
          if (isRight) assert.ok(![401, 403].includes(status), `${one} answers ${status}`)
          else assert.equal(status, 403, one)
        }
      }
    })
  }

  it('that answers HEAD asks for the same scope', async () => {
    const routes = routesOf(world.api.app.printRoutes({ commonPrefix: false }))
    for (const route of routes.filter((one) => one.startsWith('HEAD '))) {
      const scope = SCOPE_OF[route.replace('HEAD', 'GET')]
      if (scope === undefined) continue
      const other = SCOPES.find((one) => one !== scope) as Scope
      assert.equal(await statusOf(route, byKey(keys.get(other) ?? '')), 403, route)
      assert.equal(await statusOf(route, {}), 401, route)
    }
  })

  it('refuses whoever has no credential, or one that is not good here and now', async () => {
    const { organizationId } = world.organization
    const now = world.ctx.clock.now()
    const request = { organizationId, name: 'test', scopes: null }
    const expired = await issueApiKey(world.ctx, { ...request, expiresAt: now - 1 })
    const revoked = await world.key(null)
    await endApiKey(world.db, revoked.apiKeyId, { revokedAt: now })
    const gone = await world.oauthClient()
    await revokeOAuthClient(world.db, gone.clientId, now)
    const elsewhere = 'https://pay.example'
    const bad: Record<string, Record<string, string>> = {
      'no credential': {},
      'an unknown key': byKey('rk_stg_unknown'),
      'an expired key': byKey(expired?.secret ?? ''),
      'a revoked key': byKey(revoked.apiKey),
      'an expired token': byToken(await tokenWith({ expiresIn: -1 })),
      'a revoked client’s token': byToken(await tokenWith({ subject: gone.clientId })),
      'an unknown client’s token': byToken(await tokenWith({ subject: 'rc_stg_nobody' })),
      'a token for another audience': byToken(await tokenWith({ audience: elsewhere })),
      'a token of another issuer': byToken(await tokenWith({ issuer: elsewhere })),
      'a token signed by another key': byToken(
        await tokenWith({ key: generateKeyPairSync('ed25519').privateKey }),
      ),
    }
    assert.notEqual(await statusOf('GET /organization', byToken(await tokenWith({}))), 401)
    for (const route of Object.keys(SCOPE_OF)) {
      for (const [what, headers] of Object.entries(bad))
        assert.equal(await statusOf(route, headers), 401, `${route} with ${what}`)
    }
  })

  it('refuses a key from the very millisecond at which it expires', async () => {
    const expiresAt = world.ctx.clock.now() + 60_000
    const { organizationId } = world.organization
    const issued = await issueApiKey(world.ctx, { organizationId, name: 'test', scopes: null, expiresAt })
    const at = async (now: number): Promise<boolean> => {
      const clock = { ...world.ctx.clock, now: () => now }
      const auth = createAuth({ ...world.ctx, clock }, world.api.tokens)
      return 'organization' in (await auth.authenticate(byKey(issued?.secret ?? '')))
    }
    assert.deepEqual(
      [await at(expiresAt - 1), await at(expiresAt), await at(expiresAt + 1)],
      [true, false, false],
    )
  })
})

// The routes that Fastify prints as a tree: `METHOD /path`, one for each method.
function routesOf(printed: string): string[] {
  const parents: string[] = []
  return printed.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^((?:│ {3}| {4})*)(?:├── |└── )(\S*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    const path = (parents[depth - 1] ?? '') + part
    parents[depth] = path
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${path}`)
  })
}
