// API keys and OAuth clients that merchants make themselves: what they show, that nobody grants more than they hold, and that an end
// is an end.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../../src/core/instant.ts'
import type { Scope } from '../../../src/core/organizations/scope.ts'
import { SCOPES } from '../../../src/core/organizations/scope.ts'
import { MAX_CREDENTIALS } from '../../../src/flows/credentials/create.ts'
import { changeApiKeyLimits } from '../../../src/flows/organizations/change-limits.ts'
import { issueApiKey } from '../../../src/flows/organizations/issue-credential.ts'
import { getRecords } from '../../../src/store/idempotency.ts'
import { type Client, clientOf, createWorld, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'

const NO_LIMITS = {
  maxPerSecond: null,
  allowedAddresses: null,
  payoutsPerDay: null,
  payoutSumPerDayInCents: null,
}

// To a second: a request takes some milliseconds.
function assertAbout(time: string, after: string, ms: number): void {
  const away = Date.parse(time) - Date.parse(after) - ms
  assert.ok(Math.abs(away) < 1_000, `${time} is ${away} ms away`)
}

describe('credentials of a merchant', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const by = (apiKey: string): Client => clientOf(world.baseUrl, { 'x-api-key': apiKey })
  const made = async (client: Client, path: string, body: Record<string, unknown>) => {
    const answer = await client('POST', path, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.json
  }
  const tokenOf = async (id: string, secret: string) =>
    world.anonymous('POST', '/oauth/token', {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    })

  it('a key is made, works, is listed without its secret, changed and revoked', async () => {
    const { client } = await world.newMerchant()
    const name = 'Web shop'
    const { secret, ...created } = await made(client, '/api-keys', {
      name,
      scopes: ['organization:read'],
      expiresInDays: 30,
    })
    assert.match(secret, /^rk_stg_[\w-]{43}$/)
    assert.deepEqual(created, {
      id: created.id,
      prefix: `${secret.slice(0, 13)}…`,
      status: 'ACTIVE',
      name,
      scopes: ['organization:read'],
      ...NO_LIMITS,
      createdAt: created.createdAt,
      revokedAt: null,
      lastUsedAt: null,
      expiresAt: created.expiresAt,
    })
    assertAbout(created.expiresAt, created.createdAt, 30 * DAY_MS)
    const shop = by(secret)
    assert.equal((await shop('GET', '/organization')).status, 200)
    assertProblem(await shop('GET', '/api-keys'), 'INSUFFICIENT_SCOPE')

    const listed = await client('GET', '/api-keys')
    assert.equal(listed.json.data.length, 2)
    assert.deepEqual(listed.json.data[0], created)
    assert.ok(!listed.text.includes(secret))

    const at = `/api-keys/${created.id}`
    const changes = { name: 'Shop', allowedAddresses: ['127.0.0.1', '::1'], payoutSumPerDayInCents: 500 }
    const changed = await client('PATCH', at, changes)
    const ranges = ['127.0.0.1/32', '::1/128']
    assert.deepEqual(changed.json, { ...created, ...changes, allowedAddresses: ranges })
    assert.deepEqual((await client('PATCH', at, { maxPerSecond: 5 })).json, {
      ...changed.json,
      maxPerSecond: 5,
    })
    const unlimited = { ...NO_LIMITS, name }
    assert.deepEqual((await client('PATCH', at, unlimited)).json, created)

    const revoked = await client('DELETE', at)
    assert.equal(revoked.json.status, 'REVOKED')
    assertProblem(await shop('GET', '/organization'), 'UNAUTHORIZED', 'at once where it was revoked')
    assert.deepEqual((await client('DELETE', at)).json, revoked.json, 'a second time changes nothing')
    assert.deepEqual((await client('GET', '/api-keys')).json.data[1], revoked.json, 'it is listed last')
    assertProblem(await client('PATCH', at, { name: 'Again' }), 'CREDENTIAL_ENDED')
    assertProblem(await client('POST', `${at}/roll`), 'CREDENTIAL_ENDED')
  })

  it('a limit counts from the next request on', async () => {
    const { client } = await world.newMerchant()
    const { id, secret } = await made(client, '/api-keys', { name: 'Shop', scopes: ['organization:read'] })
    assert.equal((await by(secret)('GET', '/organization')).status, 200)
    await client('PATCH', `/api-keys/${id}`, { allowedAddresses: ['203.0.113.7'] })
    assertProblem(await by(secret)('GET', '/organization'), 'ADDRESS_NOT_ALLOWED')
  })

  it('a key is rolled: both work for the overlap, and the new one is like the old', async () => {
    const { client } = await world.newMerchant()
    const limits = { maxPerSecond: 40, payoutsPerDay: 3 }
    const body = { name: 'Payroll', scopes: ['organization:read'], expiresInDays: 90, ...limits }
    const old = await made(client, '/api-keys', body)
    world.advance(1_000)
    const { status, json: rolled } = await client('POST', `/api-keys/${old.id}/roll`, { overlapHours: 2 })
    assert.equal(status, 201)
    const { secret, previousKeyId, previousKeyUntil, ...key } = rolled
    const { id, prefix, createdAt } = key
    assert.deepEqual({ ...key, secret: old.secret }, { ...old, id, prefix, createdAt })
    assert.equal(previousKeyId, old.id)
    assertAbout(previousKeyUntil, createdAt, 2 * HOUR_MS)
    for (const one of [old.secret, secret]) assert.equal((await by(one)('GET', '/organization')).status, 200)
    world.advance(2 * HOUR_MS)
    assertProblem(await by(old.secret)('GET', '/organization'), 'UNAUTHORIZED')
    assert.equal((await by(secret)('GET', '/organization')).status, 200)
    await world.api.auth.flushLastUse()
    const listed = (await client('GET', '/api-keys')).json.data as Record<string, string>[]
    const [expired, used] = [old.id, rolled.id].map((id) => listed.find((one) => one.id === id))
    assert.equal(expired?.status, 'EXPIRED')
    assert.ok(Date.parse(used?.lastUsedAt ?? '') >= Date.parse(createdAt) + 2 * HOUR_MS)

    const last = await client('POST', `/api-keys/${rolled.id}/roll`, { overlapHours: 0 })
    assertProblem(await by(secret)('GET', '/organization'), 'UNAUTHORIZED', 'without overlap it ends now')
    assert.equal((await by(last.json.secret)('GET', '/organization')).status, 200)
  })

  it('a key that ends before the overlap does is said to work until then, and no longer', async () => {
    const { client } = await world.newMerchant()
    const body = { name: 'Brief', scopes: ['organization:read'], expiresInDays: 1 }
    const old = await made(client, '/api-keys', body)
    const { json: rolled } = await client('POST', `/api-keys/${old.id}/roll`, { overlapHours: 720 })
    assert.equal(rolled.previousKeyUntil, old.expiresAt)
    world.advance(24 * HOUR_MS)
    assertProblem(await by(old.secret)('GET', '/organization'), 'UNAUTHORIZED')
  })

  it('the secret comes again with a repeated request, and is sealed where that is kept', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    for (const [path, body] of [
      ['/api-keys', { name: 'Shop' }],
      ['/oauth-clients', { name: 'Shop' }],
    ] as const) {
      const create = { 'idempotency-key': randomUUID() }
      const first = await client('POST', path, body, create)
      assert.equal((await client('POST', path, body, create)).text, first.text)
      const roll = { 'idempotency-key': randomUUID() }
      const rolled = await client('POST', `${path}/${first.json.id}/roll`, {}, roll)
      assert.equal((await client('POST', `${path}/${first.json.id}/roll`, {}, roll)).text, rolled.text)
      for (const [{ 'idempotency-key': key }, secret] of [
        [create, first.json.secret],
        [roll, rolled.json.secret],
      ]) {
        const [record] = await getRecords(world.db, [{ organizationId, key }], world.ctx.clock.now())
        assert.ok(record?.body.startsWith('sealed:') && !record.body.includes(secret))
      }
    }
    const working = (await client('GET', '/api-keys')).json.data.length
    assert.equal(working, 3, 'the first, the one made, and the one that it was rolled to')
  })

  it('nobody grants what they do not hold: not by making, rolling or changing', async () => {
    const { client } = await world.newMerchant()
    const held: Scope[] = ['credentials:read', 'credentials:write', 'payins:read']
    for (const path of ['/api-keys', '/oauth-clients']) {
      const { secret } = await made(client, '/api-keys', { name: 'Developer', scopes: held })
      const developer = by(secret)
      await made(developer, path, { name: 'Reader', scopes: ['payins:read'] })
      for (const scopes of [['payins:read', 'payouts:write'], [...SCOPES], null]) {
        const refused = await developer('POST', path, { name: 'More', scopes })
        assertProblem(refused, 'SCOPE_NOT_HELD', String(scopes))
        assert.equal(refused.json.errors[0].path, '/scopes')
      }
      assertProblem(await developer('POST', path, { name: 'More' }), 'SCOPE_NOT_HELD', 'none is all')
      const wrong = await developer('POST', path, { name: '', scopes: ['payouts:write'] })
      assertProblem(wrong, 'INVALID_INPUT', 'every problem is named at once')
      assert.equal(wrong.json.errors.length, 2)

      const more = await made(client, path, { name: 'Money', scopes: ['payouts:write'] })
      const all = await made(client, path, { name: 'All' })
      for (const { id } of [more, all]) {
        assertProblem(await developer('POST', `${path}/${id}/roll`), 'SCOPE_NOT_HELD')
        assertProblem(await developer('PATCH', `${path}/${id}`, { payoutsPerDay: null }), 'SCOPE_NOT_HELD')
        assert.equal((await developer('DELETE', `${path}/${id}`)).status, 200, 'but anybody may end it')
      }
    }
  })

  it('a key with a list of every scope grants no key without a list', async () => {
    const { client } = await world.newMerchant()
    const { secret } = await made(client, '/api-keys', { name: 'Listed', scopes: [...SCOPES] })
    assertProblem(await by(secret)('POST', '/api-keys', { name: 'All' }), 'SCOPE_NOT_HELD')
    await made(by(secret), '/api-keys', { name: 'Listed too', scopes: [...SCOPES] })
  })

  it('a key with limits makes, rolls and changes nothing, not even itself, but can end itself', async () => {
    const { organization } = await world.newMerchant()
    const { organizationId } = organization
    const request = { organizationId, name: 'Limited', scopes: null, expiresAt: null }
    for (const limit of [
      { maxPerSecond: 100 },
      { allowedAddresses: ['203.0.113.7/32'] },
      { payoutsPerDay: 5 },
      { payoutSumPerDay: 100n },
    ]) {
      const issued = await issueApiKey(world.ctx, request)
      assert.ok(issued)
      await changeApiKeyLimits(world.ctx, issued.apiKey, limit)
      const limited = clientOf(world.baseUrl, {
        'x-api-key': issued.secret,
        'x-forwarded-for': '203.0.113.7',
      })
      const at = `/api-keys/${issued.apiKey.apiKeyId}`
      for (const path of ['/api-keys', '/oauth-clients'])
        assertProblem(await limited('POST', path, { name: 'More' }), 'CREDENTIAL_LIMITED')
      assertProblem(await limited('POST', `${at}/roll`), 'CREDENTIAL_LIMITED')
      assertProblem(await limited('PATCH', at, NO_LIMITS), 'CREDENTIAL_LIMITED')
      assert.equal((await limited('DELETE', at)).json.status, 'REVOKED')
      assertProblem(await limited('GET', '/organization'), 'UNAUTHORIZED')
    }
  })

  it('a client is made, gets tokens, is rolled, changed and revoked', async () => {
    const { client } = await world.newMerchant()
    const { secret, ...created } = await made(client, '/oauth-clients', {
      name: 'Books',
      scopes: ['organization:read'],
      maxPerSecond: 10,
    })
    assert.match(created.id, /^rc_stg_[\w-]{16}$/)
    assert.match(secret, /^rs_stg_[\w-]{43}$/)
    assert.deepEqual(created, {
      id: created.id,
      status: 'ACTIVE',
      name: 'Books',
      scopes: ['organization:read'],
      ...NO_LIMITS,
      maxPerSecond: 10,
      createdAt: created.createdAt,
      revokedAt: null,
      lastUsedAt: null,
      previousSecretUntil: null,
    })
    assert.deepEqual((await client('GET', '/oauth-clients')).json, { data: [created] })
    const at = `/oauth-clients/${created.id}`
    const { json: token } = await tokenOf(created.id, secret)
    const books = clientOf(world.baseUrl, { authorization: `Bearer ${token.access_token}` })
    assert.equal((await books('GET', '/organization')).status, 200)

    const { status, json: rolled } = await client('POST', `${at}/roll`)
    assert.equal(status, 200)
    assert.ok(rolled.previousSecretUntil > created.createdAt)
    for (const one of [secret, rolled.secret]) assert.equal((await tokenOf(created.id, one)).status, 200)
    world.advance(24 * HOUR_MS)
    assert.equal((await tokenOf(created.id, secret)).status, 401)
    assert.equal((await client('GET', '/oauth-clients')).json.data[0].previousSecretUntil, null)

    const changes = { name: 'Bookkeeping', maxPerSecond: null, payoutsPerDay: 2 }
    assert.deepEqual((await client('PATCH', at, changes)).json, { ...created, ...changes })
    assert.equal((await client('DELETE', at)).json.status, 'REVOKED')
    assert.equal((await tokenOf(created.id, rolled.secret)).status, 401)
    assertProblem(await client('PATCH', at, { name: 'Again' }), 'CREDENTIAL_ENDED')
    assertProblem(await client('POST', `${at}/roll`), 'CREDENTIAL_ENDED')
  })

  it('says what is wrong with each field', async () => {
    const { client } = await world.newMerchant()
    const { id } = await made(client, '/api-keys', { name: 'Shop' })
    const shared: [Record<string, unknown>, string, string][] = [
      [{ name: '' }, '/name', 'WRONG_LENGTH'],
      [{ name: 'a\u0000b' }, '/name', 'WRONG_FORMAT'],
      [{ name: 'x'.repeat(121) }, '/name', 'WRONG_LENGTH'],
      [{ maxPerSecond: 0 }, '/maxPerSecond', 'OUT_OF_RANGE'],
      [{ payoutsPerDay: 1.5 }, '/payoutsPerDay', 'WRONG_TYPE'],
      [{ payoutSumPerDayInCents: 2 ** 53 }, '/payoutSumPerDayInCents', 'OUT_OF_RANGE'],
      [{ allowedAddresses: [] }, '/allowedAddresses', 'WRONG_LENGTH'],
      [{ allowedAddresses: ['everywhere'] }, '/allowedAddresses/0', 'WRONG_FORMAT'],
      [{ allowedAddresses: ['0.0.0.0/0'] }, '/allowedAddresses/0', 'WRONG_FORMAT'],
    ]
    const ofNew: typeof shared = [
      [{ name: undefined }, '/name', 'REQUIRED'],
      [{ scopes: [] }, '/scopes', 'WRONG_LENGTH'],
      [{ scopes: ['payins:steal'] }, '/scopes/0', 'NOT_ALLOWED'],
      [{ scopes: ['payins:read', 'payins:read'] }, '/scopes', 'NOT_ALLOWED'],
      [{ scopes: 'payins:read' }, '/scopes', 'WRONG_TYPE'],
    ]
    const assertField = async (method: string, path: string, body: unknown, where: string, code: string) => {
      const answer = await client(method, path, body)
      assertProblem(answer, 'INVALID_INPUT', `${method} ${path} ${JSON.stringify(body)}`)
      assert.deepEqual([answer.json.errors[0].path, answer.json.errors[0].code], [where, code])
    }
    for (const [changes, where, code] of [...shared, ...ofNew])
      for (const path of ['/api-keys', '/oauth-clients'])
        await assertField('POST', path, { name: 'Shop', ...changes }, where, code)
    for (const [changes, where, code] of shared)
      await assertField('PATCH', `/api-keys/${id}`, changes, where, code)
    await assertField(
      'POST',
      '/api-keys',
      { name: 'Shop', expiresInDays: 0 },
      '/expiresInDays',
      'OUT_OF_RANGE',
    )
    for (const overlapHours of [-1, 721])
      await assertField('POST', `/api-keys/${id}/roll`, { overlapHours }, '/overlapHours', 'OUT_OF_RANGE')
    for (const clientId of ['%00', 'x'.repeat(65), 'rc_stg_nobody'])
      assertProblem(await client('DELETE', `/oauth-clients/${clientId}`), 'NOT_FOUND')
  })

  it('an organization has so many at most, also if two ask for the last at once', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const request = { organizationId, name: 'One of many', scopes: null, expiresAt: null }
    for (let count = 1; count < MAX_CREDENTIALS - 1; count += 1) await issueApiKey(world.ctx, request)
    const answers = await Promise.all(
      [1, 2, 3].map(() => client('POST', '/api-keys', { name: 'The last', scopes: ['payins:read'] })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
    const [last] = (await client('GET', '/api-keys')).json.data
    assertProblem(await client('POST', `/api-keys/${last.id}/roll`), 'TOO_MANY_CREDENTIALS')
    await client('DELETE', `/api-keys/${last.id}`)
    assert.equal((await client('POST', '/api-keys', { name: 'The last' })).status, 201)
  })
})
