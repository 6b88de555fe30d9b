// What providers tell a connection: whom we believe, what we answer, and what we do about it. With new credentials, those before
// them are believed for a day.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { getConnection } from '../../../src/store/connections/connections.ts'
import { brebPayin, type Client, createWorld, eventually, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'
import { type FakeProvider, MONO, signed, startFakeProvider } from './fake-provider.ts'

const SECRET = MONO.credentials.webhookSecret
const IGNORED = JSON.stringify({ ignored: 'of no interest' })

describe('a notification for a connection', () => {
  let world: World
  let provider: FakeProvider
  before(async () => {
    provider = await startFakeProvider()
    world = await createWorld({ env: { METRICS_TOKEN: 'a-token-for-metrics' } })
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const connect = async (client: Client, changes: object = {}) => {
    const { status, json, text } = await client('POST', '/connections', { ...MONO, ...changes })
    assert.equal(status, 201, text)
    return { id: json.id as string, path: new URL(json.notificationUrl).pathname }
  }
  const tell = (path: string, body: string, secret = SECRET) =>
    world.anonymous('POST', path, body, signed(secret, body))
  const told = async (path: string, body: string, secret = SECRET) => {
    const answer = await tell(path, body, secret)
    assert.deepEqual([answer.status, answer.text], [200, '{"received":true}'])
  }
  const counted = async (rail: string, result: string): Promise<number> => {
    const { text } = await world.anonymous('GET', '/metrics', undefined, {
      authorization: 'Bearer a-token-for-metrics',
    })
    const line = new RegExp(`^recaudo_rail_notices_total\\{rail="${rail}",result="${result}"\\} (\\d+)$`, 'm')
    return Number(line.exec(text)?.[1] ?? 0)
  }

  it('makes us ask about the payment that it names', async () => {
    const { client, organization } = await world.newMerchant()
    const { path } = await connect(client)
    const { json: payin } = await client('POST', '/payins', brebPayin())
    await world.work()
    const reference = railReference('payin', organization.organizationId, payin.id)
    const stored = await counted('mono', 'stored')
    await told(path, JSON.stringify({ ask: [{ kind: 'payin', reference }], kind: 'collection.paid' }))
    await told(path, JSON.stringify({ ask: [{ kind: 'payin', providerId: `id-${reference}` }], kind: 'x' }))
    assert.equal(await counted('mono', 'stored'), stored + 2)
    const { rows } = await world.db.query<{ update: { kind: string } }>({
      text: 'select network_update as update from rail_notices where organization_id = $1 and subject_id = $2',
      values: [organization.organizationId, payin.id],
    })
    assert.deepEqual(
      rows.map(({ update }) => update.kind),
      ['payin.hint', 'payin.hint'],
    )
  })

  it('is believed only if a secret of this connection signed it', async () => {
    const { client } = await world.newMerchant()
    const { path } = await connect(client)
    const before = await counted('mono', 'bad_signature')
    assertProblem(await tell(path, IGNORED, 'whsec_of-somebody-else'), 'UNAUTHORIZED')
    assertProblem(await world.anonymous('POST', path, IGNORED), 'UNAUTHORIZED')
    const answer = await world.anonymous('POST', path, `${IGNORED} `, signed(SECRET, IGNORED))
    assertProblem(answer, 'UNAUTHORIZED', 'the bytes as they came are what was signed')
    assert.equal(await counted('mono', 'bad_signature'), before + 3)
  })

  it('that is not about us is acknowledged, and one that cannot be read is refused', async () => {
    const { client } = await world.newMerchant()
    const { path } = await connect(client)
    const [ignored, malformed] = [await counted('mono', 'ignored'), await counted('mono', 'malformed')]
    await told(path, IGNORED)
    await told(path, JSON.stringify({ ask: [{ kind: 'payin', providerId: 'another' }], kind: 'x' }))
    assert.equal(await counted('mono', 'ignored'), ignored + 2)
    const refused = await tell(path, JSON.stringify({ fault: 'The amount is no number.' }))
    assertProblem(refused, 'INVALID_INPUT')
    assert.equal(refused.json.detail, 'The amount is no number.')
    assert.equal(await counted('mono', 'malformed'), malformed + 1)
    assertProblem(await tell(path, 'x'.repeat(65 * 1_024)), 'BODY_TOO_LARGE')
  })

  it('for nobody is not found, in the same words whoever is missing', async () => {
    const owner = await world.newMerchant()
    const other = await world.newMerchant()
    const { id, path } = await connect(owner.client)
    // The adapter is open: what is in memory must not answer for another organization.
    await told(path, IGNORED)
    const unknown = await counted('unknown', 'no_connection')
    const nowhere = [
      `/notifications/${owner.organization.organizationId}/${randomUUID()}`,
      `/notifications/${other.organization.organizationId}/${id}`,
      `/notifications/${randomUUID()}/${id}`,
      `/notifications/${randomUUID()}/${randomUUID()}`,
      `/notifications/x/${id}`,
      `/notifications/${owner.organization.organizationId}/x`,
    ]
    const words = new Set<string>()
    for (const one of nowhere) {
      const answer = await tell(one, IGNORED)
      assertProblem(answer, 'NOT_FOUND', one)
      words.add(JSON.stringify({ ...answer.json, requestId: '' }))
    }
    assert.equal(words.size, 1)
    assert.equal(await counted('unknown', 'no_connection'), unknown + nowhere.length)
    await told(path.toUpperCase().replace('/NOTIFICATIONS', '/notifications'), IGNORED)

    await owner.client('DELETE', `/connections/${id}`)
    assertProblem(await tell(path, IGNORED), 'NOT_FOUND', 'deleted')
  })

  it('is taken while the connection is disabled', async () => {
    const { client } = await world.newMerchant()
    const { id, path } = await connect(client)
    await client('PATCH', `/connections/${id}`, { enabled: false })
    await told(path, IGNORED)
  })

  it('is asked for again later if the credentials cannot be opened', async () => {
    const { client } = await world.newMerchant()
    const { id, path } = await connect(client)
    await world.db.query({
      text: `update connections set version = 2, sealed_credentials = decode(repeat('00', 64), 'hex') where connection_id = $1`,
      values: [id],
    })
    const answer = await tell(path, IGNORED)
    assertProblem(answer, 'PROVIDER_UNAVAILABLE')
    assert.ok(Number(answer.headers['retry-after']) > 0)
  })

  it('signed with the secret before the last is believed for a day, and one before that no more', async () => {
    const { client, organization } = await world.newMerchant()
    const { id, path } = await connect(client)
    const at = `/connections/${id}`
    const rotate = (webhookSecret: string) => client('PATCH', at, { credentials: { webhookSecret } })
    await told(path, IGNORED)
    const rotated = await rotate('whsec_second')
    assert.equal(rotated.status, 200, rotated.text)
    const overlapMs = Date.parse(rotated.json.previousCredentialsUntil) - world.ctx.clock.now()
    assert.ok(overlapMs > 24 * HOUR_MS - 10_000 && overlapMs <= 24 * HOUR_MS)
    await told(path, IGNORED, 'whsec_second')
    await told(path, IGNORED, SECRET)
    const settings = provider.opened.at(-1)
    assert.equal(settings?.previousCredentials?.clientSecret, MONO.credentials.clientSecret, 'the whole set')
    assert.equal(
      settings?.credentials.clientSecret,
      MONO.credentials.clientSecret,
      'what was not given stays',
    )

    // The answer to the change was lost, and it is sent again: the credentials before must not be lost with it.
    world.advance(HOUR_MS)
    const again = await rotate('whsec_second')
    assert.equal(again.json.previousCredentialsUntil, rotated.json.previousCredentialsUntil)
    const renamed = await client('PATCH', at, { name: 'Mono again' })
    assert.equal(renamed.json.previousCredentialsUntil, rotated.json.previousCredentialsUntil)
    await told(path, IGNORED, SECRET)

    world.advance(22 * HOUR_MS + 59 * MINUTE_MS)
    await told(path, IGNORED, SECRET)
    world.advance(MINUTE_MS)
    await client('PATCH', at, { name: 'Mono' })
    assertProblem(await tell(path, IGNORED, SECRET), 'UNAUTHORIZED', 'a day later')
    assert.equal((await client('GET', at)).json.previousCredentialsUntil, null)
    const kept = await getConnection(world.db, {
      organizationId: organization.organizationId,
      connectionId: id,
    })
    assert.deepEqual([kept?.previousCredentials, kept?.previousUntil], [null, null], 'nobody needs them')
    await told(path, IGNORED, 'whsec_second')

    await rotate('whsec_third')
    await rotate('whsec_fourth')
    await told(path, IGNORED, 'whsec_fourth')
    await told(path, IGNORED, 'whsec_third')
    assertProblem(await tell(path, IGNORED, 'whsec_second'), 'UNAUTHORIZED', 'two at most')
  })

  it('signed with the secret before is refused after its day, although nothing else has changed since', async () => {
    const { client } = await world.newMerchant()
    const { id, path } = await connect(client)
    const rotated = await client('PATCH', `/connections/${id}`, {
      credentials: { webhookSecret: 'whsec_second' },
    })
    assert.equal(rotated.status, 200, rotated.text)
    await told(path, IGNORED, SECRET)
    world.advance(24 * HOUR_MS)
    const refused = await eventually(
      () => tell(path, IGNORED, SECRET),
      ({ status }) => status !== 200,
    )
    assertProblem(refused, 'UNAUTHORIZED')
    await told(path, IGNORED, 'whsec_second')
  })

  it('too often for nobody is not looked at any more', async () => {
    await using strict = await createWorld({ env: { UNAUTHENTICATED_PER_SECOND: '1' } })
    // The proxy of the test names its client.
    const guess = () =>
      strict.anonymous('POST', `/notifications/${randomUUID()}/${randomUUID()}`, IGNORED, {
        'x-forwarded-for': '203.0.113.9',
      })
    const answers = [...(await Promise.all(Array.from({ length: 8 }, guess))), await guess()]
    assert.ok(answers.some(({ status }) => status === 404))
    assertProblem(answers.at(-1) as (typeof answers)[number], 'RATE_LIMITED')
  })
})
