// The event log: every event once and in order under concurrent writes; its deliveries; and redelivery.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { EVENT_TYPES } from '../../../src/core/events/event.ts'
import { sequenceAllEvents } from '../../sequence-events.ts'
import { brebPayin, type Client, createWorld, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { insertEvents } from './insert-events.ts'

type Event = { id: string; event: string; sequence: number; data: { id: string } }
type Delivery = { endpointId: string; state: string; attempts: Record<string, unknown>[] }

describe('events', () => {
  let world: World
  let receiver: Receiver
  before(async () => {
    world = await createWorld()
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const merchantWith = async (types: string[]) => {
    const merchant = await world.newMerchant()
    const { organizationId } = merchant.organization
    // One by one, so that they are sequenced in this order.
    for (const type of types) {
      await insertEvents(world, organizationId, [type])
      await sequenceAllEvents(world.ctx, organizationId)
    }
    return { ...merchant, organizationId }
  }
  const list = async (client: Client, query = '') => {
    const { status, json, text } = await client('GET', `/events${query}`)
    assert.equal(status, 200, text)
    return json as { data: Event[]; hasMore: boolean; nextAfter: number }
  }
  const sequences = (page: { data: Event[] }): number[] => page.data.map((event) => event.sequence)
  const endpoint = async (client: Client, path: string): Promise<string> =>
    (await client('POST', '/webhook-endpoints', { url: receiver.url + path })).json.id
  const deliveriesOf = async (client: Client, eventId: string): Promise<Delivery[]> =>
    (await client('GET', `/events/${eventId}/deliveries`)).json.data

  it('are read in order, page after page, and on from where a reader stopped', async () => {
    const { client, organizationId } = await merchantWith(Array<string>(23).fill('payin.confirmed'))
    const first = await list(client)
    assert.deepEqual([sequences(first), first.hasMore, first.nextAfter], [range(1, 10), true, 10])
    assert.deepEqual(sequences(await list(client, '?after=10&pageSize=2')), [11, 12])
    const last = await list(client, '?after=20')
    assert.deepEqual([sequences(last), last.hasMore, last.nextAfter], [[21, 22, 23], false, 23])
    assert.deepEqual(await list(client, '?after=23'), { data: [], hasMore: false, nextAfter: 23 })
    assert.deepEqual(await list(client, '?pageSize=23').then((page) => page.hasMore), false)
    await insertEvents(world, organizationId, ['payin.confirmed'])
    assert.deepEqual((await list(client, '?after=23')).data, [], 'what has no number yet is not shown')
    await sequenceAllEvents(world.ctx, organizationId)
    assert.deepEqual(sequences(await list(client, '?after=23')), [24])
    assert.deepEqual(await list((await world.newMerchant()).client), {
      data: [],
      hasMore: false,
      nextAfter: 0,
    })
  })

  it('are filtered by name and by what they are about', async () => {
    const { client } = await merchantWith(['payin.confirmed', 'payout.declined', 'payin.confirmed'])
    const { data } = await list(client)
    const objectId = data[2]?.data.id ?? ''
    const cases: [string, number[]][] = [
      ['?type=payin.confirmed', [1, 3]],
      ['?type=payout.declined', [2]],
      ['?type=payout.confirmed', []],
      ['?type=payin.confirmed&after=1', [3]],
      [`?objectId=${objectId}`, [3]],
      [`?objectId=${objectId.toUpperCase()}`, [3]],
      [`?objectId=${objectId}&type=payout.declined`, []],
      [`?objectId=${randomUUID()}`, []],
      ['?unknown=is+ignored', [1, 2, 3]],
    ]
    for (const [query, expected] of cases)
      assert.deepEqual(sequences(await list(client, query)), expected, query)
  })

  it('an `after` that is no sequence, and every other wrong parameter, is refused', async () => {
    const cases: [string, string][] = [
      ...['-1', '1.5', 'abc', '', 'null', 'NaN', 'Infinity', '9007199254740992', '1e99', '1,2', '٣'].map(
        (after): [string, string] => [`after=${encodeURIComponent(after)}`, '/after'],
      ),
      ['after=1&after=2', '/after'],
      ...['0', '101', 'x', ''].map((size): [string, string] => [`pageSize=${size}`, '/pageSize']),
      ['type=payin.lost', '/type'],
      ['type=', '/type'],
      ['objectId=x', '/objectId'],
      ['objectId=%00', '/objectId'],
    ]
    for (const [query, path] of cases) {
      const answer = await world.client('GET', `/events?${query}`)
      assertProblem(answer, 'INVALID_INPUT', query)
      assert.equal(answer.json.errors[0].path, path, query)
    }
  })

  it('an event read is the event sent, byte for byte', async () => {
    const { client } = await world.newMerchant()
    const path = `/sent-${randomUUID()}`
    await endpoint(client, path)
    const { json: payin } = await client('POST', '/payins', brebPayin({ reference: `“ñ” ${randomUUID()}` }))
    const { json: canceled } = await client('POST', `/payins/${payin.id}/cancel`)
    await world.work()
    const sent = receiver.got.find((one) => one.path === path)
    const [event] = (await list(client, `?objectId=${payin.id}`)).data
    const read = await client('GET', `/events/${event?.id}`)
    assert.equal(read.text, sent?.body)
    assert.deepEqual(read.json, {
      id: sent?.headers['webhook-id'],
      event: 'payin.canceled',
      resource: 'payin',
      sequence: 1,
      version: read.json.version,
      createdAt: canceled.updatedAt,
      data: canceled,
    })
    assert.deepEqual(read.json, event)
  })

  it('another organization sees none of them, and a malformed id is not found', async () => {
    const owner = await merchantWith(['payin.confirmed'])
    const { client } = await world.newMerchant()
    const [event] = (await list(owner.client)).data
    await endpoint(owner.client, '/owner')
    assert.deepEqual((await list(client)).data, [])
    assert.deepEqual((await list(client, `?objectId=${event?.data.id}`)).data, [])
    for (const id of [event?.id, randomUUID(), 'x', '%00', `${event?.id}0`]) {
      for (const [method, path] of [
        ['GET', `/events/${id}`],
        ['GET', `/events/${id}/deliveries`],
        ['POST', `/events/${id}/redeliver`],
      ] as const) {
        assertProblem(await client(method, path), 'NOT_FOUND', path)
      }
    }
    assert.equal((await owner.client('GET', `/events/${event?.id.toUpperCase()}`)).status, 200)
  })

  it('concurrent writers and sequencers leave no gap: 1 to n, each once, and a reader sees every one', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const tested = await endpoint(client, '/concurrent')
    const perWriter = 30
    let writing = true
    const write = async (writer: number): Promise<void> => {
      for (let made = 0; made < perWriter; made += 1) {
        if (writer === 0) {
          // Written with its sequence; the others get theirs from a sequencer.
          assert.equal((await client('POST', `/webhook-endpoints/${tested}/test`)).status, 202)
          continue
        }
        const { json } = await client('POST', '/payins', brebPayin())
        assert.equal((await client('POST', `/payins/${json.id}/cancel`)).status, 200)
      }
    }
    const sequence = async (): Promise<void> => {
      while (writing) await sequenceAllEvents(world.ctx, organizationId)
    }
    const met: Event[] = []
    const read = async (): Promise<void> => {
      for (let after = 0; met.length < 4 * perWriter; ) {
        const page = await list(client, `?after=${after}&pageSize=7`)
        met.push(...page.data)
        after = page.nextAfter
      }
    }
    const reader = read()
    const sequencers = [sequence(), sequence(), sequence()]
    await Promise.all([0, 1, 2, 3].map(write))
    writing = false
    await Promise.all(sequencers)
    // Each skips what another has locked.
    await sequenceAllEvents(world.ctx, organizationId)
    await reader
    assert.deepEqual(sequences({ data: met }), range(1, 4 * perWriter))
    assert.equal(new Set(met.map((event) => event.id)).size, 4 * perWriter)
    assert.equal(met.filter((event) => event.event === 'webhook.test').length, perWriter)
    assert.deepEqual((await list(client, `?after=${4 * perWriter}`)).data, [])
  })

  it('deliveries show every attempt: when, the response, how long it took, and what comes next', async () => {
    const { client } = await merchantWith([])
    const path = `/tries-${randomUUID()}`
    const id = await endpoint(client, path)
    const { json: event } = await client('POST', `/webhook-endpoints/${id}/test`)
    assert.deepEqual([event.event, event.resource, event.version], ['webhook.test', 'webhook', 1])
    const [planned] = await deliveriesOf(client, event.id)
    assert.deepEqual([planned?.endpointId, planned?.state, planned?.attempts], [id, 'PENDING', []])

    receiver.answerWith(500, `overloaded ${'x'.repeat(5_000)}`)
    await world.work()
    const [failed] = await deliveriesOf(client, event.id)
    const [first] = failed?.attempts ?? []
    assert.equal(failed?.state, 'PENDING')
    assert.deepEqual([first?.number, first?.status, first?.failure], [1, 500, 'STATUS'])
    assert.match(String(first?.response), /^overloaded x+$/)
    assert.equal(String(first?.response).length, 1_024)
    const waitMs = Date.parse(String(first?.nextAttemptAt)) - Date.parse(String(first?.at))
    assert.ok(waitMs >= 4_500 && waitMs <= 5_500, `5 s, a tenth more or less: ${waitMs}`)

    receiver.answerWith(200, 'ok')
    await world.passTime(6_000)
    const [delivered] = await deliveriesOf(client, event.id)
    const [, second] = delivered?.attempts ?? []
    assert.deepEqual(
      { ...delivered, attempts: delivered?.attempts.length },
      {
        endpointId: id,
        url: receiver.url + path,
        state: 'DELIVERED',
        nextAttemptAt: null,
        deliveredAt: second?.at,
        attempts: 2,
      },
    )
    assert.deepEqual(
      { ...second, latencyMs: 0 },
      {
        number: 2,
        at: second?.at,
        status: 200,
        latencyMs: 0,
        failure: null,
        response: 'ok',
        nextAttemptAt: null,
      },
    )
    assert.ok(Number.isInteger(second?.latencyMs))
  })

  it('deliveries are bounded: the newest twenty attempts of each, and fifty endpoints, existing ones first', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const id = await endpoint(client, `/bounded-${randomUUID()}`)
    const { json: event } = await client('POST', `/webhook-endpoints/${id}/test`)
    await world.db.query({
      text: `insert into delivery_attempts (organization_id, attempt_id, endpoint_id, event_id, number, at, latency_ms, response)
             select $1, attempt_id, $2, $3, number, now(), 1, repeat('x', 1024)
               from unnest($4::uuid[]) with ordinality as a (attempt_id, number)`,
      values: [organizationId, id, event.id, Array.from({ length: 500 }, () => world.ctx.ids.next())],
    })
    const gone = Array.from({ length: 200 }, () => world.ctx.ids.next())
    await world.db.query({
      text: `with deleted as (
               insert into webhook_endpoints (organization_id, endpoint_id, url, state, sealed_secret, created_at, updated_at, deleted_at)
               select $1, endpoint_id, 'https://gone.example/', 'DISABLED', '', now(), now(), now() + place * interval '1 second'
                 from unnest($2::uuid[]) with ordinality as e (endpoint_id, place)
            returning endpoint_id
             )
             insert into deliveries (organization_id, endpoint_id, event_id, sequence, state, attempts, schedule_from, created_at)
             select $1, endpoint_id, $3, $4, 'DELIVERED', 1, 0, now()
               from deleted`,
      values: [organizationId, gone, event.id, event.sequence],
    })
    const deliveries = await deliveriesOf(client, event.id)
    assert.deepEqual(
      deliveries.map(({ endpointId }) => endpointId),
      [id, ...gone.toReversed().slice(0, 49)],
    )
    assert.deepEqual(
      deliveries[0]?.attempts.map(({ number }) => number),
      range(481, 500),
    )
    assert.deepEqual((await client('POST', `/events/${event.id}/redeliver`)).json, { scheduled: 1 })
  })

  it('an event is sent again under its id, to one endpoint or to all that subscribe to it', async () => {
    const { client } = await world.newMerchant()
    const paths = ['a', 'b', 'c'].map((name) => `/again-${name}-${randomUUID()}`)
    const [a = '', b = '', c = ''] = await Promise.all(paths.map((path) => endpoint(client, path)))
    await client('PATCH', `/webhook-endpoints/${b}`, { events: ['payout.confirmed'] })
    await client('PATCH', `/webhook-endpoints/${c}`, { status: 'DISABLED' })
    const { json: payin } = await client('POST', '/payins', brebPayin())
    await client('POST', `/payins/${payin.id}/cancel`)
    await world.work()
    const counts = () => paths.map((path) => receiver.got.filter((one) => one.path === path).length)
    assert.deepEqual(counts(), [1, 0, 0])
    const [event] = (await list(client)).data
    const at = `/events/${event?.id}/redeliver`

    assert.deepEqual((await client('POST', at)).json, { scheduled: 1 })
    await world.work()
    assert.deepEqual(counts(), [2, 0, 0], 'to all that take it, delivered before or not')
    const named = await client('POST', at, { endpointId: b.toUpperCase() })
    assert.deepEqual([named.status, named.json], [202, { scheduled: 1 }])
    await world.work()
    assert.deepEqual(counts(), [2, 1, 0], 'to one by name, even where its list lacks the event')
    assert.deepEqual((await client('POST', at, {})).json, { scheduled: 2 }, 'and to who got it before')
    await world.work()
    assert.deepEqual(counts(), [3, 2, 0])
    const ids = receiver.got.filter((one) => paths.includes(one.path)).map((one) => one.headers['webhook-id'])
    assert.deepEqual(new Set(ids), new Set([event?.id]))
    const [delivery] = (await deliveriesOf(client, event?.id ?? '')).filter((one) => one.endpointId === a)
    assert.deepEqual(
      delivery?.attempts.map((attempt) => attempt.number),
      [1, 2, 3],
    )

    assertProblem(await client('POST', at, { endpointId: c }), 'ENDPOINT_DISABLED')
    assertProblem(await client('POST', at, { endpointId: randomUUID() }), 'NOT_FOUND')
    const foreign = await endpoint((await world.newMerchant()).client, '/foreign')
    assertProblem(await client('POST', at, { endpointId: foreign }), 'NOT_FOUND')
    for (const endpointId of ['x', null, 5, '']) {
      const answer = await client('POST', at, { endpointId })
      assertProblem(answer, 'INVALID_INPUT')
      assert.equal(answer.json.errors[0].path, '/endpointId')
    }
    assertProblem(await client('POST', at, '[]'), 'INVALID_INPUT')

    const key = { 'idempotency-key': randomUUID() }
    const once = await client('POST', at, { endpointId: a }, key)
    await world.work()
    const again = await client('POST', at, { endpointId: a }, key)
    await world.work()
    assert.equal(again.text, once.text)
    assert.equal(counts()[0], 4, 'a retried request sends once')
  })

  it('every kind of event can be read and listed', async () => {
    const { client } = await merchantWith([...EVENT_TYPES])
    const { data } = await list(client, '?pageSize=100')
    assert.deepEqual(
      data.map((event) => event.event),
      [...EVENT_TYPES],
    )
    for (const { id, event } of data) assert.equal((await client('GET', `/events/${id}`)).json.event, event)
  })
})

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
