// One organization never learns about another's objects: they answer exactly like objects that do not exist.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createIdSource, isUuid } from '../../../src/core/ids.ts'
import { newPayin } from '../../../src/core/payins/payin.ts'
import { insertAlarm } from '../../../src/store/ledger/alarms.ts'
import { insertPayins } from '../../../src/store/payins/payins.ts'
import { insertReconciledDay } from '../../reconciled-day.ts'
import {
  type Answer,
  brebPayin,
  type Client,
  clientOf,
  createWorld,
  psePayin,
  type World,
} from '../../world.ts'
import { callWith, exampleBody, MERCHANT_OPERATIONS, makeSubjects, newPayout } from './calls.ts'
import { assertProblem } from './problem.ts'

// A Bre-B key belongs to no organization.
const ABOUT_ONE_THING = MERCHANT_OPERATIONS.filter(
  ({ params }) =>
    params !== undefined && !['keyString', 'day', 'month'].some((everybodys) => everybodys in params),
)

// Not lists of objects: the first has its own question below, the others name nothing.
const WITHOUT_OBJECTS = ['search', 'getBalance', 'listReportDays']

describe('isolation', () => {
  let world: World
  let owner: Client
  let stranger: Awaited<ReturnType<World['newMerchant']>>
  let strangersToken: Client
  before(async () => {
    world = await createWorld()
    owner = world.client
    stranger = await world.newMerchant()
    const { clientId, secret } = await world.oauthClient(stranger.organization)
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
    const { json } = await world.anonymous('POST', '/oauth/token', body)
    strangersToken = clientOf(world.baseUrl, { authorization: `Bearer ${json.access_token}` })
  })
  after(() => world[Symbol.asyncDispose]())

  // The answer without what must differ: the request id, the requested id and the time.
  const comparable = (answer: Answer, asked: readonly string[]): unknown => {
    const { date: _, 'x-request-id': __, ...headers } = answer.headers
    const { requestId: ___, ...body } = answer.json
    return JSON.parse(
      asked.reduce(
        (text, id) => text.replaceAll(id, '(id)'),
        JSON.stringify({ status: answer.status, headers, body }),
      ),
    )
  }

  it('there are operations on one object, and this test walks them all', () => {
    const names = ABOUT_ONE_THING.map((operation) => operation.operationId)
    for (const name of ['getPayin', 'cancelPayin']) assert.ok(names.includes(name))
    for (const { path, params } of MERCHANT_OPERATIONS) {
      assert.deepEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
        Object.keys(params ?? {}),
      )
    }
  })

  // As long as a real one, which the refusal repeats. A row has its number in the batch, and every batch has such a row.
  const nobodysId = (name: string, foreign: Readonly<Record<string, string>>): string =>
    name === 'row'
      ? (foreign.row as string)
      : name === 'clientId'
        ? `rc_stg_${randomBytes(12).toString('base64url')}`
        : randomUUID()

  for (const operation of ABOUT_ONE_THING) {
    it(`${operation.method} ${operation.path}: another’s object answers like a missing one`, async () => {
      const names = Object.keys(operation.params ?? {})
      const foreign = await makeSubjects(world, owner, operation)
      const nobodys = Object.fromEntries(names.map((name) => [name, nobodysId(name, foreign)]))
      const before = await owner('GET', '/payins')
      const bodies = [exampleBody(operation), ...(operation.method === 'GET' ? [] : [{}, 'not json'])]
      const key = { 'idempotency-key': randomUUID() }
      for (const client of [stranger.client, strangersToken]) {
        for (const body of bodies) {
          for (const headers of operation.method === 'POST' ? [{}, key] : [{}]) {
            const { method, path } = callWith(operation, foreign)
            const theirs = await client(method, path, body, headers)
            const none = await client(method, callWith(operation, nobodys).path, body, headers)
            if (body === bodies[0]) assertProblem(theirs, 'NOT_FOUND')
            assert.deepEqual(
              comparable(theirs, Object.values(foreign)),
              comparable(none, Object.values(nobodys)),
            )
          }
        }
        for (const spelled of [(id: string) => id.toUpperCase(), (id: string) => id.replaceAll('-', '')]) {
          const ids = Object.fromEntries(names.map((name) => [name, spelled(foreign[name] as string)]))
          const { method, path, body } = callWith(operation, ids)
          assertProblem(await client(method, path, body), 'NOT_FOUND')
        }
      }
      assert.equal((await owner('GET', '/payins')).text, before.text, 'nothing of the owner’s has changed')
    })
  }

  it('a list shows one’s own objects and nothing else, whatever the filter', async () => {
    const paymentLinkId = randomUUID()
    const nextId = createIdSource((count) => randomBytes(count))
    const made = newPayin(world.organization, nextId(world.ctx.clock.now()), {
      amountInCents: 100n,
      reference: `linked-${paymentLinkId}`,
      customer: null,
      callbackUrl: null,
      way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
    })
    await insertPayins(world.db, [{ payin: { ...made, paymentLinkId }, record: null }])
    const { json: pse } = await owner('POST', '/payins', psePayin())
    const { json: mine } = await stranger.client('POST', '/payins', brebPayin())
    const listed = async (client: Client, query: string): Promise<string[]> => {
      const { status, json, text } = await client('GET', `/payins?pageSize=100&${query}`)
      assert.equal(status, 200, text)
      for (const item of json.data) assert.notEqual(item.organizationId, world.organization.organizationId)
      return json.data.map((item: { id: string }) => item.id)
    }
    for (const client of [stranger.client, strangersToken]) {
      assert.deepEqual(await listed(client, ''), [mine.id])
      assert.deepEqual(await listed(client, 'status=PROCESSING'), [mine.id])
      assert.deepEqual(await listed(client, 'rail=PSE'), [])
      assert.deepEqual(await listed(client, `reference=${pse.reference}`), [])
      assert.deepEqual(await listed(client, `reference=${made.reference}`), [])
      assert.deepEqual(await listed(client, `paymentLinkId=${paymentLinkId}`), [])
      assert.deepEqual(
        await listed(client, 'createdFrom=2000-01-01T00:00:00Z&createdTo=2100-01-01T00:00:00Z'),
        [mine.id],
      )
    }
    const seen = await owner('GET', `/payins?paymentLinkId=${paymentLinkId}`)
    assert.deepEqual(
      seen.json.data.map((item: { id: string }) => item.id),
      [made.payinId],
      'the owner does find it',
    )
  })

  it('no list of any kind shows another’s objects', async () => {
    const lists = MERCHANT_OPERATIONS.filter(
      ({ query, params, operationId }) =>
        query !== undefined && params === undefined && !WITHOUT_OBJECTS.includes(operationId),
    )
    await insertReconciledDay(world)
    const alarm = { alarmId: randomUUID(), kind: 'orphan-notice', detail: 'Whose is it?' } as const
    await insertAlarm(world.db, world.organization.organizationId, randomUUID(), alarm, 0)
    const { json: payout } = await owner('POST', '/payouts', newPayout())
    for (const { path } of lists) {
      // An entry of what created something has the id of that, which a stranger may have typed, and finds in their own entries.
      const named = path === '/requests' ? 'requestId' : 'id'
      const theirs = (await owner('GET', path)).json.data.map((item: Record<string, string>) => item[named])
      assert.ok(theirs.length > 0, `${path}: the owner has some`)
      for (const client of [stranger.client, strangersToken]) {
        const { text } = await client('GET', `${path}?pageSize=100`)
        for (const id of [...theirs, world.organization.organizationId])
          assert.ok(!text.includes(id), `${path} ${id}`)
      }
    }
    for (const q of [payout.id, payout.reference]) {
      assert.ok((await owner('GET', `/search?q=${q}`)).json.found.length > 0, 'the owner finds it')
      assert.deepEqual((await stranger.client('GET', `/search?q=${q}`)).json.found, [])
    }
    const about = await stranger.client('GET', `/ledger/transfers?subjectId=${payout.id}`)
    assert.deepEqual(about.json.data, [])
    assert.deepEqual((await stranger.client('GET', `/payouts?reference=${payout.reference}`)).json.data, [])
  })

  it('another’s reference is free, and the payin that has it is not named', async () => {
    const body = brebPayin()
    const { json: theirs } = await owner('POST', '/payins', body)
    const { status, text } = await stranger.client('POST', '/payins', body)
    assert.equal(status, 201)
    assert.ok(!text.includes(theirs.id))
  })

  it('a credential sees and changes its own organization only', async () => {
    const before = (await owner('GET', '/organization')).text
    const changed = await strangersToken('PATCH', '/organization', {
      name: 'Otro comercio',
      organizationId: world.organization.organizationId,
    })
    assert.equal(changed.json.organizationId, stranger.organization.organizationId)
    assert.equal((await owner('GET', '/organization')).text, before)
  })

  it('an organization named in a body or header changes nothing', async () => {
    const { organizationId } = world.organization
    const body = brebPayin({ organizationId, organization_id: organizationId })
    const headers = { 'x-organization-id': organizationId, organizationid: organizationId }
    const { status, json } = await stranger.client('POST', '/payins', body, headers)
    assert.equal(status, 201)
    assert.equal(json.organizationId, stranger.organization.organizationId)
  })

  for (const operation of ABOUT_ONE_THING) {
    it(`${operation.method} ${operation.path}: an id in capitals is the same id`, async () => {
      const ids = Object.entries(await makeSubjects(world, owner, operation))
      const inCapitals = ids.map(([name, id]) => [name, isUuid(id) ? id.toUpperCase() : id])
      const { method, path, body } = callWith(operation, Object.fromEntries(inCapitals))
      const { json, text } = await owner(method, path, body)
      assert.ok(json?.code !== 'NOT_FOUND', text)
    })
  }
})
