// POST /oauth/token by itself, with a client of the test's own: who is looked up, what is granted, and how a refusal is told.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Fastify from 'fastify'
import type { AccessTokens } from '../../../src/api/http/access-token.ts'
import type { Auth } from '../../../src/api/http/auth.ts'
import { addBodyParsers } from '../../../src/api/http/body-parsers.ts'
import type { AddressCheck } from '../../../src/api/http/credential-limits.ts'
import { routeOAuth } from '../../../src/api/organizations/oauth.ts'
import { refuse } from '../../../src/core/refusal.ts'
import type { Context } from '../../../src/flows/context.ts'
import { secretDigest } from '../../../src/flows/organizations/issue-credential.ts'

const NOW = 1_000_000
const CLIENT = {
  clientId: 'rc_stg_one',
  organizationId: 'org',
  organization: { organizationId: 'org' },
  secretDigest: secretDigest('good'),
  previousDigest: null as Buffer | null,
  previousUntil: null as number | null,
  revokedAt: null as number | null,
  scopes: null as string[] | null,
}

type Asked = {
  body?: Record<string, unknown> | string
  authorization?: string
  client?: Partial<typeof CLIENT>
  isElsewhere?: boolean
}

async function ask({ body = {}, authorization, client = {}, isElsewhere = false }: Asked) {
  const lookedUp: string[] = []
  const issued: unknown[] = []
  const auth = {
    findClient: async (id: string) => {
      lookedUp.push(id)
      return id === CLIENT.clientId ? { ...CLIENT, ...client } : undefined
    },
  }
  const tokens = {
    issue: async (claims: unknown) => {
      issued.push(claims)
      return 'the-token'
    },
    publicKeys: async () => ({ keys: [{ kid: 'one' }] }),
  }
  const checkAddress = () => (isElsewhere ? refuse('ADDRESS_NOT_ALLOWED', 'Not from here.') : undefined)
  const ctx = { clock: { now: () => NOW }, settings: { publicUrl: 'https://api.recaudo.example' } }
  const app = Fastify()
  addBodyParsers(app)
  routeOAuth(
    app,
    ctx as unknown as Context,
    auth as unknown as Auth,
    tokens as unknown as AccessTokens,
    checkAddress as unknown as AddressCheck,
  )
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
  const answer = await app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': type, ...(authorization !== undefined && { authorization }) },
    payload: body,
  })
  return { status: answer.statusCode, json: answer.json(), headers: answer.headers, lookedUp, issued, app }
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const GRANT = { grant_type: 'client_credentials' }
const GOOD = { ...GRANT, client_id: 'rc_stg_one', client_secret: 'good' }
const TOKEN = { access_token: 'the-token', token_type: 'Bearer', expires_in: 3_600 }

const NO_GRANT = ['invalid_request', 'grant_type is required: send client_credentials.']
const NO_CLIENT = ['invalid_client', 'Send client id and secret by HTTP Basic or in the body.']
const WRONG_CLIENT = ['invalid_client', 'The client id or secret is wrong, or the client was revoked.']
const WRONG_GRANT = ['unsupported_grant_type', 'grant_type must be client_credentials.']
const WRONG_SCOPE = [
  'invalid_scope',
  'scope names a scope that does not exist or that this client does not have.',
]

describe('a request for a token', () => {
  const GRANTED: readonly [what: string, asked: Asked][] = [
    ['in JSON', { body: GOOD }],
    ['in a form', { body: new URLSearchParams(GOOD).toString() }],
    ['by HTTP Basic', { body: GRANT, authorization: basic('rc_stg_one:good') }],
    [
      'by HTTP Basic, form-encoded',
      { body: GRANT, authorization: basic('rc%5Fstg%5Fone:%67ood').replace('Basic ', 'basic   ') },
    ],
    [
      'by HTTP Basic, whatever the body says',
      { body: { ...GOOD, client_secret: 'bad' }, authorization: basic('rc_stg_one:good') },
    ],
    ['beside another scheme', { body: GOOD, authorization: 'Bearer x' }],
    ['with an empty scope', { body: { ...GOOD, scope: '' } }],
    [
      'with the secret before the present one, while it works',
      {
        body: { ...GOOD, client_secret: 'old' },
        client: { previousDigest: secretDigest('old'), previousUntil: NOW + 1 },
      },
    ],
  ]
  for (const [what, asked] of GRANTED)
    it(`is granted: ${what}`, async () => {
      const { status, json, headers, lookedUp, issued } = await ask(asked)
      assert.deepEqual([status, json], [200, TOKEN])
      assert.deepEqual(lookedUp, ['rc_stg_one'])
      assert.deepEqual(issued, [{ clientId: 'rc_stg_one', organizationId: 'org', scopes: null }])
      assert.deepEqual([headers['cache-control'], headers.pragma], ['no-store', 'no-cache'])
      assert.match(String(headers['content-type']), /^application\/json/)
    })

  it('is granted the scopes that it asks for, or all that the client has', async () => {
    const scopes = ['payins:read', 'payins:write']
    const granted = async (scope: string | undefined, own: string[] | null) => {
      const { json, issued } = await ask({ body: { ...GOOD, scope }, client: { scopes: own } })
      return [json.scope, (issued[0] as { scopes: unknown } | undefined)?.scopes]
    }
    assert.deepEqual(await granted(undefined, scopes), ['payins:read payins:write', scopes])
    assert.deepEqual(await granted(' payins:read  ', scopes), ['payins:read', ['payins:read']])
    assert.deepEqual(await granted('payouts:read', null), ['payouts:read', ['payouts:read']])
  })

  const REFUSED: readonly [what: string, asked: Asked, told: string[]][] = [
    ['without a grant', { body: { ...GOOD, grant_type: undefined } }, NO_GRANT],
    ['with an empty grant', { body: { ...GOOD, grant_type: '' } }, NO_GRANT],
    ['of nobody', { body: GRANT }, NO_CLIENT],
    ['with an empty id', { body: { ...GOOD, client_id: '' } }, NO_CLIENT],
    ['with an empty secret', { body: { ...GOOD, client_secret: '' } }, NO_CLIENT],
    ['with a secret that is no text', { body: { ...GOOD, client_secret: 7 } }, NO_CLIENT],
    ['by HTTP Basic without a secret', { body: GRANT, authorization: basic('rc_stg_one') }, NO_CLIENT],
    ['by HTTP Basic that is not base64', { body: GRANT, authorization: 'Basic !!!' }, NO_CLIENT],
    ['of an unknown client', { body: { ...GOOD, client_id: 'rc_stg_two' } }, WRONG_CLIENT],
    ['with a wrong secret', { body: { ...GOOD, client_secret: 'goo' } }, WRONG_CLIENT],
    ['of a revoked client', { body: GOOD, client: { revokedAt: 1 } }, WRONG_CLIENT],
    [
      'with the secret before the present one, once it has ended',
      {
        body: { ...GOOD, client_secret: 'old' },
        client: { previousDigest: secretDigest('old'), previousUntil: NOW },
      },
      WRONG_CLIENT,
    ],
    ['with what cannot be decoded', { body: GRANT, authorization: basic('rc_stg_one:%ff%') }, WRONG_CLIENT],
    ['of another grant', { body: { ...GOOD, grant_type: 'password' } }, WRONG_GRANT],
    ['of a scope that there is not', { body: { ...GOOD, scope: 'payins:nothing' } }, WRONG_SCOPE],
    [
      'of a scope that the client has not',
      { body: { ...GOOD, scope: 'payins:read payouts:read' }, client: { scopes: ['payins:read'] } },
      WRONG_SCOPE,
    ],
    ['of a scope that is no text', { body: { ...GOOD, scope: ['payins:read'] } }, WRONG_SCOPE],
  ]
  for (const [what, asked, told] of REFUSED)
    it(`is refused: ${what}`, async () => {
      const { status, json, headers, issued } = await ask(asked)
      assert.deepEqual([json.error, json.error_description], told)
      assert.equal(json.detail, json.error_description)
      const isClient = json.error === 'invalid_client'
      assert.deepEqual(
        [status, json.status, json.code],
        isClient ? [401, 401, 'UNAUTHORIZED'] : [400, 400, 'INVALID_INPUT'],
      )
      assert.equal(headers['www-authenticate'], isClient ? 'Basic realm="recaudo"' : undefined)
      assert.equal(headers['cache-control'], 'no-store')
      assert.deepEqual(issued, [])
    })

  it('is refused from an address that the client may not come from', async () => {
    const { status, json, issued } = await ask({ body: GOOD, isElsewhere: true })
    assert.deepEqual(
      [status, json.error, json.code, issued],
      [403, 'unauthorized_client', 'ADDRESS_NOT_ALLOWED', []],
    )
  })

  it('is looked up by an id of 200 characters that can be one, with a secret of 200, and by nothing longer or other', async () => {
    const lookedUp = async (client_id: string, client_secret = 'x') =>
      (await ask({ body: { ...GRANT, client_id, client_secret } })).lookedUp.length
    assert.equal(await lookedUp('c'.repeat(200), 's'.repeat(200)), 1)
    assert.equal(await lookedUp('c'.repeat(201)), 0)
    assert.equal(await lookedUp('c', 's'.repeat(201)), 0)
    for (const id of ['a b', 'a\u0000', 'ñ', ' a']) assert.equal(await lookedUp(id), 0, id)
    const scope = (length: number) => ask({ body: { ...GOOD, scope: 'payins:read'.padEnd(length) } })
    assert.deepEqual([(await scope(1_000)).status, (await scope(1_001)).status], [200, 400])
  })

  it('has public keys to verify what it gets, which may be kept for five minutes', async () => {
    const { app } = await ask({ body: GOOD })
    const { headers, body } = await app.inject('/.well-known/jwks.json')
    assert.deepEqual([headers['cache-control'], body], ['public, max-age=300', '{"keys":[{"kid":"one"}]}'])
    assert.match(String(headers['content-type']), /^application\/json/)
  })
})
