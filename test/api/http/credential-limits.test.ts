// The limits of one key or client: the addresses that it may be used from, and its requests a second, on two nodes. And the alarms
// about what looks like abuse.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { ABUSE_THRESHOLDS } from '../../../src/core/organizations/abuse.ts'
import { type CredentialLimits, UNLIMITED_CREDENTIAL } from '../../../src/core/organizations/limits.ts'
import type { Scope } from '../../../src/core/organizations/scope.ts'
import {
  changeApiKeyLimits,
  changeOAuthClientLimits,
} from '../../../src/flows/organizations/change-limits.ts'
import { issueApiKey } from '../../../src/flows/organizations/issue-credential.ts'
import { listOpenAlarms, resolveAlarm } from '../../../src/store/ledger/alarms.ts'
import { type Client, clientOf, createWorld, eventually, type World } from '../../world.ts'
import { listen } from '../events/listen.ts'
import { addNode, type Node } from './node.ts'
import { assertProblem } from './problem.ts'

const OFFICE = { 'x-forwarded-for': '203.0.113.7' }
const ELSEWHERE = { 'x-forwarded-for': '198.51.100.9' }

let world: World
let node: Node
before(async () => {
  world = await createWorld({
    env: { SECRETS_KEY: randomBytes(32).toString('hex'), UNAUTHENTICATED_PER_SECOND: '0' },
  })
  node = await addNode(world)
})
after(async () => {
  await node[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
beforeEach(async () => {
  for (const { alarmId } of await listOpenAlarms(world.db)) await resolveAlarm(world.db, alarmId, 0)
})

async function newKey(limits: Partial<CredentialLimits>, scopes: Scope[] | null = null) {
  const { organizationId } = world.organization
  const request = { organizationId, name: 'limited', scopes, expiresAt: null }
  const issued = await issueApiKey(world.ctx, { ...request, limits: { ...UNLIMITED_CREDENTIAL, ...limits } })
  assert.ok(issued !== undefined)
  const of = (baseUrl: string) => clientOf(baseUrl, { 'x-api-key': issued.secret })
  return { ...issued.apiKey, secret: issued.secret, here: of(world.baseUrl), there: of(node.baseUrl) }
}

const alarms = async (kind: string) => (await listOpenAlarms(world.db)).filter((alarm) => alarm.kind === kind)

describe('the addresses of a key', () => {
  it('are those of its list, and the refusal does not tell them', async () => {
    const { here } = await newKey({ allowedAddresses: ['203.0.113.0/24', '2001:db8:1::/48'] })
    const from = (address: string) => here('GET', '/organization', undefined, { 'x-forwarded-for': address })
    assert.equal((await from('203.0.113.7')).status, 200)
    assert.equal((await from('::ffff:203.0.113.8')).status, 200)
    assert.equal((await from('2001:db8:1:2:3::4')).status, 200)
    for (const address of ['203.0.114.7', '2001:db8:2::1', '203.0.113.7, 198.51.100.9', 'nobody']) {
      const refused = await from(address)
      assertProblem(refused, 'ADDRESS_NOT_ALLOWED', address)
      assert.equal(refused.status, 403)
      assert.doesNotMatch(refused.text, /203\.0\.113|2001:db8/)
    }
    assertProblem(await here('GET', '/organization'), 'ADDRESS_NOT_ALLOWED', 'a proxy that names nobody')
  })

  it('are asked for before the scope, and before anything is done', async () => {
    const { here } = await newKey({ allowedAddresses: ['203.0.113.7/32'] })
    assertProblem(await here('POST', '/payins', {}, ELSEWHERE), 'ADDRESS_NOT_ALLOWED')
    assertProblem(await here('POST', '/payins', {}, OFFICE), 'INVALID_INPUT')
  })

  it('count on every node within a second of their change', async () => {
    const key = await newKey({})
    const ask = (client: Client) => client('GET', '/organization', undefined, ELSEWHERE)
    for (const client of [key.here, key.there]) assert.equal((await ask(client)).status, 200)
    const changedAtMs = performance.now()
    await changeApiKeyLimits(world.ctx, key, { allowedAddresses: ['203.0.113.7/32'] })
    assertProblem(await ask(key.here), 'ADDRESS_NOT_ALLOWED', 'at once where it was changed')
    await eventually(
      async () => (await ask(key.there)).status,
      (status) => status === 403,
      1_000,
    )
    assert.ok(performance.now() - changedAtMs < 1_000)
    await changeApiKeyLimits(world.ctx, key, { allowedAddresses: null })
    assert.equal((await ask(key.here)).status, 200)
  })

  it('are those of the list as it is now, whatever it was before', async () => {
    const key = await newKey({ allowedAddresses: ['203.0.113.7/32'] })
    const ask = (from: Record<string, string>) => key.here('GET', '/organization', undefined, from)
    assert.equal((await ask(OFFICE)).status, 200)
    await changeApiKeyLimits(world.ctx, key, { allowedAddresses: ['198.51.100.9/32'] })
    assertProblem(await ask(OFFICE), 'ADDRESS_NOT_ALLOWED', 'it was taken off')
    assert.equal((await ask(ELSEWHERE)).status, 200)
  })

  it('raise one alarm for the key, however often and from wherever it is refused', async () => {
    const key = await newKey({ allowedAddresses: ['203.0.113.7/32'] })
    const other = await newKey({ allowedAddresses: ['203.0.113.7/32'] })
    const alarmsOf = async ({ apiKeyId }: { apiKeyId: string }) =>
      (await alarms('address-refused')).filter(({ subjectId }) => subjectId === apiKeyId)
    const use = (client: Client, ...addresses: string[]) =>
      Promise.all(
        addresses.map((address) => client('GET', '/organization', undefined, { 'x-forwarded-for': address })),
      )
    await use(key.here, '198.51.100.4', '198.51.100.5', '198.51.100.4')
    const [alarm] = await eventually(
      () => alarmsOf(key),
      (rows) => rows.length > 0,
    )
    assert.ok(alarm !== undefined)
    assert.equal(alarm.organizationId, world.organization.organizationId)
    assert.match(alarm.detail, new RegExp(`${key.apiKeyId} was used from 198\\.51\\.100\\.[45]`))
    assert.equal(alarm.detail.includes(key.secret), false)
    // The other node sees other addresses first. By the time that it has told of another key it has told of this one.
    await use(key.there, '198.51.100.6', '198.51.100.7')
    await use(other.there, '198.51.100.8')
    await eventually(
      () => alarmsOf(other),
      (rows) => rows.length === 1,
    )
    assert.deepEqual(await alarmsOf(key), [alarm])
    // Once a person has resolved it, it is raised again while it goes on.
    await resolveAlarm(world.db, alarm.alarmId, world.ctx.clock.now())
    world.advance(601_000)
    await use(key.here, '198.51.100.9')
    await eventually(
      () => alarmsOf(key),
      (rows) => rows.length === 1 && rows[0]?.alarmId !== alarm.alarmId,
    )
  })

  it('hold for a client, its tokens and the request for one', async () => {
    const { clientId, secret } = await world.oauthClient()
    const { organizationId } = world.organization
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
    const { json } = await world.anonymous('POST', '/oauth/token', form, ELSEWHERE)
    const bearer = { authorization: `Bearer ${json.access_token}` }
    assert.equal((await world.anonymous('GET', '/organization', undefined, bearer)).status, 200)
    await changeOAuthClientLimits(
      world.ctx,
      { clientId, organizationId },
      { allowedAddresses: ['203.0.113.7/32'] },
    )
    const refused = await world.anonymous('POST', '/oauth/token', form, ELSEWHERE)
    assertProblem(refused, 'ADDRESS_NOT_ALLOWED')
    assert.equal(refused.json.error, 'unauthorized_client')
    assert.equal((await world.anonymous('POST', '/oauth/token', form, OFFICE)).status, 200)
    const wrong = { ...form, client_secret: `${secret}x` }
    assertProblem(await world.anonymous('POST', '/oauth/token', wrong, ELSEWHERE), 'UNAUTHORIZED')
    const used = (headers: Record<string, string>) =>
      world.anonymous('GET', '/organization', undefined, { ...bearer, ...headers })
    assertProblem(await used(ELSEWHERE), 'ADDRESS_NOT_ALLOWED')
    assert.equal((await used(OFFICE)).status, 200)
  })

  it('end an open event stream when they change', async () => {
    const key = await newKey({})
    const stream = await listen(`${world.baseUrl}/events/stream`, { 'x-api-key': key.secret, ...ELSEWHERE })
    assert.equal(stream.status, 200)
    await changeApiKeyLimits(world.ctx, key, { allowedAddresses: ['203.0.113.7/32'] })
    await eventually(async () => stream.hasEnded(), Boolean)
  })
})

describe('the requests a second of a key', () => {
  it('are limited for the key alone, and the headers say so', async () => {
    const key = await newKey({ maxPerSecond: 1 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => key.here('GET', '/organization')))
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 4, `${refused.length} of 8 were refused`)
    const [one] = refused
    assert.ok(one !== undefined)
    assertProblem(one, 'RATE_LIMITED')
    assert.match(one.json.detail, /More than 1 requests a second with this key or client/)
    assert.equal(one.headers['ratelimit-policy'], '"key";q=2;w=2')
    assert.match(one.headers.ratelimit ?? '', /^"key";r=0;t=[12]$/)
    assert.ok(Number(one.headers['retry-after']) >= 1)
    assert.equal((await world.client('GET', '/organization')).status, 200, 'another key of the organization')
  })

  it('come before the organization’s, whose budget they leave alone', async () => {
    await using limited = await addNode(world, { config: { rateLimitPerSecond: 1_000 } })
    const { secret } = await newKey({ maxPerSecond: 1 })
    const client = clientOf(limited.baseUrl, { 'x-api-key': secret })
    const answers = await Promise.all(Array.from({ length: 6 }, () => client('GET', '/organization')))
    const served = answers.find(({ status }) => status === 200)
    assert.match(served?.headers.ratelimit ?? '', /^"key";r=\d;t=1, "organization";r=19\d\d;t=1$/)
    assert.ok(answers.some(({ status, headers }) => status === 429 && !headers.ratelimit?.includes('org')))
  })

  it('are counted also where the scope is refused, for the key and for the organization', async () => {
    await using limited = await addNode(world, { config: { rateLimitPerSecond: 1 } })
    for (const [name, key] of [
      ['key', await newKey({ maxPerSecond: 1 }, ['events:read'])],
      ['organization', await newKey({}, ['events:read'])],
    ] as const) {
      const { baseUrl } = name === 'key' ? world : limited
      const client = clientOf(baseUrl, { 'x-api-key': key.secret })
      const answers = await Promise.all(Array.from({ length: 12 }, () => client('GET', '/payins')))
      const refused = answers.filter(({ status }) => status === 429)
      assert.ok(refused.length >= 8, `${name}: ${refused.length} of 12`)
      for (const answer of refused) assertProblem(answer, 'RATE_LIMITED')
      const others = answers.filter(({ status }) => status !== 429)
      assert.ok(others.length > 0)
      for (const answer of others) assertProblem(answer, 'INSUFFICIENT_SCOPE')
      for (const { headers } of answers) assert.match(headers.ratelimit ?? '', new RegExp(`^"${name}";r=`))
    }
  })

  it('count on every node within a second of their change', async () => {
    const key = await newKey({})
    const isLimited = async (client: Client) => (await client('GET', '/organization')).headers.ratelimit
    for (const client of [key.here, key.there]) assert.equal(await isLimited(client), undefined)
    await changeApiKeyLimits(world.ctx, key, { maxPerSecond: 1_000 })
    assert.match((await isLimited(key.here)) ?? '', /"key"/)
    await eventually(
      () => isLimited(key.there),
      (header) => header !== undefined,
      1_000,
    )
  })
})

describe('an alarm', () => {
  const many = async (times: number, ask: () => Promise<unknown>): Promise<void> => {
    for (let done = 0; done < times; done += 50)
      await Promise.all(Array.from({ length: Math.min(50, times - done) }, ask))
  }

  it('tells of many sign-ins that failed, by address, and not of fewer', async () => {
    const { count } = ABUSE_THRESHOLDS['failed-sign-ins']
    const guess = (address: string) => () =>
      world.anonymous('GET', '/organization', undefined, {
        'x-api-key': `rk_stg_${randomBytes(8).toString('hex')}`,
        'x-forwarded-for': address,
      })
    const form = { grant_type: 'client_credentials', client_id: 'rc_stg_guess', client_secret: 'guess' }
    const token = (address: string) => () =>
      world.anonymous('POST', '/oauth/token', form, { 'x-forwarded-for': address })
    await many(count, guess('198.51.100.20'))
    await many(count / 2, guess('198.51.100.21'))
    await many(count / 2 + 10, token('198.51.100.21'))
    // A request without any credential is no sign-in.
    await many(count * 2, () =>
      world.anonymous('GET', '/organization', undefined, { 'x-forwarded-for': '198.51.100.22' }),
    )
    const [alarm] = await eventually(
      () => alarms('failed-sign-ins'),
      (rows) => rows.length > 0,
    )
    assert.match(alarm?.detail ?? '', /sign-ins from 198\.51\.100\.21 failed/)
    await many(10, guess('198.51.100.21'))
    assert.equal((await alarms('failed-sign-ins')).length, 1)
  })

  it('tells of many refusals of one key', async () => {
    const { count } = ABUSE_THRESHOLDS['many-refusals']
    const key = await newKey({})
    const refuse = (times: number) => many(times, () => key.here('GET', '/payins/none'))
    await refuse(count)
    // On a slow machine some were forgotten meanwhile.
    const [alarm, ...others] = await eventually(
      async () => {
        await refuse(20)
        return alarms('many-refusals')
      },
      (rows) => rows.length > 0,
    )
    assert.equal(alarm?.subjectId, key.apiKeyId)
    assert.deepEqual(others, [])
  })

  it('is not raised by failures of ours: they say nothing about whoever asked', async () => {
    const { count } = ABUSE_THRESHOLDS['many-refusals']
    const [failing, refused] = [await newKey({}), await newKey({})]
    await world.db.query({ text: 'alter table payins rename to payins_gone' })
    try {
      await many(2 * count, async () => assert.equal((await failing.here('GET', '/payins')).status, 500))
    } finally {
      await world.db.query({ text: 'alter table payins_gone rename to payins' })
    }
    // Alarms are raised one after the other: once this one is there, the other would be.
    const [alarm, ...others] = await eventually(
      async () => {
        await many(count, () => refused.here('GET', '/payins/none'))
        return alarms('many-refusals')
      },
      (rows) => rows.length > 0,
    )
    assert.equal(alarm?.subjectId, refused.apiKeyId)
    assert.deepEqual(others, [])
  })

  it('tells of many look-ups that found nobody', async () => {
    const { count } = ABUSE_THRESHOLDS['many-missed-lookups']
    const merchant = await world.newMerchant()
    const lookUp = (key: string) => merchant.client('GET', `/breb/keys/${encodeURIComponent(key)}`)
    await many(30, () => lookUp('@ANAGOMEZ'))
    await many(count + 3, () => lookUp(`@NOEXISTE${randomBytes(3).toString('hex').toUpperCase()}`))
    const [alarm] = await eventually(
      () => alarms('many-missed-lookups'),
      (rows) => rows.length > 0,
    )
    assert.equal(alarm?.organizationId, merchant.organization.organizationId)
  })
})
