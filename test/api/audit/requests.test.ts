// The request log: every write and every refusal of somebody we know, within about a second, without bodies, queries or people's keys.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRequestLog, type RequestLog } from '../../../src/api/audit/request-log.ts'
import {
  collectRequests,
  insertRequests,
  type LoggedRequest,
  requestList,
  requestsOfObject,
} from '../../../src/store/audit/requests.ts'
import { StoreUnavailable } from '../../../src/store/db.ts'
import { brebPayin, clientOf, createWorld, eventually, type World } from '../../world.ts'
import { newPayout } from '../http/calls.ts'

describe('the request log', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // Oldest first, once so many are stored. A request is logged after it was answered.
  const logged = (organizationId: string, least = 1): Promise<LoggedRequest[]> =>
    eventually(
      async () => {
        await world.api.requestLog.flush()
        const list = requestList(world.db, organizationId, {})
        return (await list.seek({ direction: 'older', from: null }, 1_000)).reverse()
      },
      (found) => found.length >= least,
    )

  it('has what was created, with its id, and nothing of the body', async () => {
    const { organization, client } = await world.newMerchant()
    const headers = { 'x-request-id': 'order-1' }
    const askedAtMs = performance.now()
    const { json: payin } = await client('POST', '/payins', brebPayin(), headers)
    const { json: payout } = await client('POST', '/payouts', newPayout())
    const link = { amountType: 'FIXED', amountInCents: 1, reference: 'a', callbackUrl: 'https://a.example/' }
    const { json: created } = await client('POST', '/payment-links', link)
    const page = { name: 'Tea', amountType: 'FIXED', amountInCents: 100, reference: 'tea' }
    const { json: made } = await client('POST', '/payment-pages', page)
    const { json: endpoint } = await client('POST', '/webhook-endpoints', { url: 'https://a.example/' })
    const found = await logged(organization.organizationId, 5)
    assert.deepEqual(
      found.map(({ method, path, status, objectId }) => [method, path, status, objectId]),
      [
        ['POST', '/payins', 201, payin.id],
        ['POST', '/payouts', 201, payout.id],
        ['POST', '/payment-links', 201, created.paymentLinkId],
        ['POST', '/payment-pages', 201, made.paymentPageId],
        ['POST', '/webhook-endpoints', 201, endpoint.id],
      ],
    )
    const [first] = found
    assert.deepEqual([first?.requestId, first?.credentialKind, first?.refusal], ['order-1', 'key', null])
    const { durationMs = -1 } = first ?? {}
    assert.ok(durationMs >= 0 && durationMs <= performance.now() - askedAtMs + 1, 'no longer than we waited')
    assert.doesNotMatch(JSON.stringify(found), /Ana|1000000001|a\.example|whsec/)
  })

  it('has acts on a thing, what was refused, and reads only if they were refused', async () => {
    const { organization, client } = await world.newMerchant()
    const { json: payin } = await client('POST', '/payins', brebPayin())
    await client('POST', `/payins/${payin.id}/cancel`)
    await client('POST', `/payins/${payin.id.toUpperCase()}/cancel`)
    await client('GET', `/payins/${payin.id}`)
    await client('HEAD', '/payins')
    await client('GET', '/payins?pageSize=1000&secret=x')
    await client('GET', '/breb/keys/%40NOEXISTE1')
    await client('POST', '/payins', '{"not json')
    const found = await logged(organization.organizationId, 6)
    assert.deepEqual(
      found.map(({ method, path, status, objectId, refusal }) => [method, path, status, objectId, refusal]),
      [
        ['POST', '/payins', 201, payin.id, null],
        ['POST', `/payins/${payin.id}/cancel`, 200, payin.id, null],
        ['POST', `/payins/${payin.id}/cancel`, 409, payin.id, 'PAYIN_ALREADY_FINAL'],
        ['GET', '/payins', 400, null, 'INVALID_INPUT'],
        ['GET', '/breb/keys/{keyString}', 404, null, 'KEY_NOT_FOUND'],
        ['POST', '/payins', 400, null, 'INVALID_JSON'],
      ],
    )
    const story = await requestsOfObject(world.db, organization.organizationId, payin.id, 2)
    assert.deepEqual(
      story.map(({ status }) => status),
      [200, 409],
      'the last ones, in their order',
    )
  })

  it('has every request that was answered from an earlier one', async () => {
    const { organization, client } = await world.newMerchant()
    const headers = { 'idempotency-key': 'order-1' }
    const body = brebPayin()
    const { json: payin } = await client('POST', '/payins', body, headers)
    await client('POST', '/payins', body, headers)
    await client('POST', '/payins', body, headers)
    const found = await logged(organization.organizationId, 3)
    assert.deepEqual(
      found.map(({ objectId }) => objectId),
      [payin.id, payin.id, payin.id],
    )
    const { json: other } = await client('POST', '/payins', brebPayin())
    await client('POST', `/payins/${other.id}/cancel`)
    await world.api.requestLog.flush()
    const story = await requestsOfObject(world.db, organization.organizationId, payin.id, 9)
    assert.deepEqual(story, found, 'and nothing of another payin')
  })

  it('has each entry as it was, whatever the others of its batch share with it', async () => {
    const { organization, client } = await world.newMerchant()
    await client('POST', '/payins', brebPayin())
    const [made] = await logged(organization.organizationId)
    const { ids } = world.ctx
    const alike = Array.from({ length: 25 }, (_, at) => ({
      ...(made as LoggedRequest),
      logId: ids.next(),
      durationMs: at,
      requestId: `{"a, b}\\ ${at}'`,
      objectId: at % 2 === 0 ? null : ids.next(),
    }))
    const differing = [
      { status: 404 },
      { path: '/x"y' },
      { method: 'PUT' },
      { credentialKind: 'client' },
      { credentialId: ids.next() },
      { refusal: 'A "refusal", {quoted}' },
      { refusal: 'A "refusal", {quoted}' },
    ]
    // Each after one from which it differs in nothing else.
    const others = differing
      .flatMap((fields) => [{}, fields])
      .map((fields) => ({ ...(made as LoggedRequest), logId: ids.next(), ...fields }))
    const added = [...alike.slice(0, 20), ...others, ...alike.slice(20)]
    await insertRequests(world.db, collectRequests(added))
    const sorted = [made, ...added].sort((a, b) => ((a?.logId ?? '') < (b?.logId ?? '') ? -1 : 1))
    assert.deepEqual(await logged(organization.organizationId), sorted)
    await assert.rejects(() => insertRequests(world.db, collectRequests(added)), /duplicate key/)
    await insertRequests(world.db, collectRequests(added), true)
    assert.deepEqual(await logged(organization.organizationId), sorted)
  })

  it('has requests by what clients call them, whatever that is', async () => {
    const { organization, client } = await world.newMerchant()
    await client('POST', '/payins', brebPayin())
    const [made] = (await logged(organization.organizationId)) as [LoggedRequest]
    const names = [['null'], ['NULL', 'a'], ['a.b:c-d_e'], [',', 'a'], ['"a"'], ['{}'], ['a b'], ['ñ']]
    for (const requestIds of names)
      await insertRequests(
        world.db,
        collectRequests(requestIds.map((requestId) => ({ ...made, requestId, logId: world.ctx.ids.next() }))),
      )
    const found = (await logged(organization.organizationId)).map(({ requestId }) => requestId)
    assert.deepEqual(found, [made.requestId, ...names.flat()])
  })

  it('has the others of a batch in which an id is taken', async () => {
    const { organization, client } = await world.newMerchant()
    await client('POST', '/payins', brebPayin())
    const [made] = (await logged(organization.organizationId)) as [LoggedRequest]
    const other = { ...made, logId: world.ctx.ids.next() }
    for (const request of [made, other]) world.api.requestLog.add(request)
    assert.deepEqual(await logged(organization.organizationId), [made, other])
  })

  it('has a batch once that comes again because its answer got lost', async () => {
    const { organization, client } = await world.newMerchant()
    await client('POST', '/payins', brebPayin())
    const found = await logged(organization.organizationId)
    const failing = { query: async () => Promise.reject(new StoreUnavailable('its answer got lost')) }
    const db = { query: (statement: Parameters<typeof world.db.query>[0]) => query(statement) }
    let query: (statement: Parameters<typeof world.db.query>[0]) => Promise<unknown> = failing.query
    const log = createRequestLog({
      ctx: { db: db as never },
      countDropped: (count) => assert.fail(`${count} were dropped`),
      flushEveryMs: 1_000_000_000,
    })
    for (const request of found) log.add(request)
    await log.flush()
    query = (statement) => world.db.query(statement)
    await log.close()
    assert.deepEqual(await logged(organization.organizationId), found)
  })

  it('has nothing of a stranger', async () => {
    const { rows } = await world.db.query({ text: 'select count(*) from request_log' })
    await world.anonymous('POST', '/payins', brebPayin())
    await clientOf(world.baseUrl, { 'x-api-key': 'rk_stg_unknown' })('POST', '/payins', brebPayin())
    await world.api.requestLog.flush()
    assert.deepEqual((await world.db.query({ text: 'select count(*) from request_log' })).rows, rows)
  })

  it('is stored within about a second by itself', async () => {
    const { organization, client } = await world.newMerchant()
    await client('POST', '/payins', brebPayin())
    const stored = await eventually(
      () =>
        requestList(world.db, organization.organizationId, {}).seek({ direction: 'older', from: null }, 9),
      (found) => found.length === 1,
    )
    assert.equal(stored[0]?.path, '/payins')
  })

  it('is read by GET /requests, with its filters', async () => {
    const { organization, client } = await world.newMerchant()
    const { json: payin } = await client('POST', '/payins', brebPayin())
    await client('POST', `/payins/${payin.id}/cancel`)
    await client('POST', `/payins/${payin.id}/cancel`)
    await client('PATCH', '/organization', { payinExpiryMinutes: 20 })
    const [own] = await logged(organization.organizationId)
    const statusesOf = async (query: string) => {
      const { json, status } = await client('GET', `/requests${query}`)
      assert.equal(status, 200)
      return json.data.map((one: { status: number }) => one.status)
    }
    assert.deepEqual(await statusesOf(''), [200, 409, 200, 201])
    assert.deepEqual(await statusesOf('?status=409'), [409])
    assert.deepEqual(await statusesOf('?status=201'), [201])
    assert.deepEqual(await statusesOf('?method=PATCH'), [200])
    assert.deepEqual(await statusesOf('?method=POST&status=200'), [200])
    assert.deepEqual(await statusesOf(`?objectId=${payin.id.toUpperCase()}`), [409, 200, 201])
    assert.deepEqual(await statusesOf(`?objectId=${payin.id}&status=409`), [409])
    assert.deepEqual(await statusesOf(`?credentialId=${own?.credentialId}`), [200, 409, 200, 201])
    assert.deepEqual(await statusesOf(`?credentialId=${own?.credentialId}&method=POST`), [409, 200, 201])
    assert.deepEqual(await statusesOf('?credentialId=rc_stg_other'), [])
    assert.deepEqual(await statusesOf('?createdFrom=2000-01-01T00:00:00Z&createdTo=2001-01-01T00:00:00Z'), [])
    const { json } = await client('GET', '/requests?pageSize=2')
    assert.equal(json.pageInfo.hasNext, true)
    assert.deepEqual(await statusesOf(`?pageSize=2&cursor=${json.pageInfo.nextCursor}`), [200, 201])
    const [first] = (await client('GET', '/requests?status=201')).json.data
    assert.deepEqual(first.credential, { kind: 'key', id: own?.credentialId })
    assert.equal(first.objectId, payin.id)
  })

  it('has of whoever sends too fast as much as tells it', async () => {
    await using limited = await createWorld({ env: { RATE_LIMIT_PER_SECOND: '1' } })
    const { organizationId } = limited.organization
    const calls = Array.from({ length: 100 }, () => limited.client('GET', '/balance'))
    const refused = (await Promise.all(calls)).filter(({ status }) => status === 429)
    assert.ok(refused.length > 80)
    await limited.api.requestLog.flush()
    const list = requestList(limited.db, organizationId, { status: 429 })
    const { length } = await list.seek({ direction: 'older', from: null }, 1_000)
    assert.ok(length >= 60 && length < 70, String(length))
  })
})

describe('the buffer of the request log', () => {
  const REQUEST: LoggedRequest = {
    organizationId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
    logId: '019a5c41-0000-7000-8000-000000000004',
    method: 'POST',
    path: '/payins',
    status: 201,
    durationMs: 1,
    credentialKind: 'key',
    credentialId: 'k',
    requestId: 'r',
    objectId: null,
    refusal: null,
  }
  const NEVER_MS = 1_000_000_000

  // A database that is as the test wants it.
  const buffer = (maxWaiting: number, failing: () => Error | undefined) => {
    const stored: LoggedRequest[] = []
    let dropped = 0
    const query = async ({ values = [] }: { values?: unknown[] }) => {
      const error = failing()
      if (error !== undefined) throw error
      const requestIds = values.find((value) => Array.isArray(value))
      stored.push(...(requestIds as string[]).map((requestId) => ({ ...REQUEST, requestId })))
    }
    const log: RequestLog = createRequestLog({
      ctx: { db: { query } as never },
      countDropped: (count) => {
        dropped += count
      },
      flushEveryMs: NEVER_MS,
      maxWaiting,
    })
    const add = (count: number) => {
      for (let at = 0; at < count; at += 1) log.add({ ...REQUEST, requestId: `number ${at}` })
    }
    return { log, add, stored, dropped: () => dropped }
  }

  it('keeps what it has while the database is away, drops what does not fit, and counts it', async () => {
    let error: Error | undefined = new StoreUnavailable('away')
    const { log, add, stored, dropped } = buffer(100, () => error)
    add(120)
    await log.flush()
    assert.deepEqual([stored.length, dropped()], [0, 20])
    error = undefined
    await log.flush()
    assert.deepEqual([stored.length, dropped()], [100, 20])
    assert.deepEqual(
      stored.map(({ requestId }) => Number(requestId.slice('number '.length))),
      Array.from({ length: 100 }, (_, at) => at),
    )
    add(3)
    await log.close()
    assert.deepEqual([stored.length, dropped()], [103, 20], 'the rest is stored at the end')
  })

  it('drops what the database refuses, and goes on', async () => {
    let error: Error | undefined = new Error('refused')
    const { log, add, stored, dropped } = buffer(100, () => error)
    add(5)
    await log.flush()
    error = undefined
    add(2)
    await log.flush()
    assert.deepEqual([stored.length, dropped()], [2, 5])
    await log.close()
  })

  it('stores many in several statements, each once, also while more come', async () => {
    const { log, add, stored, dropped } = buffer(20_000, () => undefined)
    add(4_500)
    const flushing = log.flush()
    add(700)
    await flushing
    await log.flush()
    assert.deepEqual([stored.length, dropped()], [5_200, 0])
    await log.close()
  })

  it('counts what it cannot store at the end', async () => {
    const { log, add, dropped } = buffer(100, () => new StoreUnavailable('away'))
    add(7)
    await log.close()
    assert.equal(dropped(), 7)
  })
})
