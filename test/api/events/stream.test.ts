// The event stream: every event once and in order, across reconnects, outages and slow neighbours; and how it ends.

import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { STREAM_TIMES, type StreamTimes } from '../../../src/api/events/stream.ts'
import type { Metrics } from '../../../src/api/http/metrics.ts'
import type { Context } from '../../../src/flows/context.ts'
import { createApi, createMetrics } from '../../../src/service.ts'
import { StoreUnavailable } from '../../../src/store/db.ts'
import { endApiKey } from '../../../src/store/organizations/credentials.ts'
import { sequenceAllEvents } from '../../sequence-events.ts'
import { brebPayin, type Client, clientOf, createWorld, eventually, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'
import { insertEvents } from './insert-events.ts'
import { listen } from './listen.ts'

describe('the event stream', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const tell = async (organizationId: string, types: string[]): Promise<void> => {
    await insertEvents(world, organizationId, types)
    await sequenceAllEvents(world.ctx, organizationId)
  }
  const merchant = async () => {
    const { client, apiKey, organization } = await world.newMerchant()
    const { organizationId } = organization
    const headers = { 'x-api-key': apiKey }
    const open = (query = '', more: Record<string, string> = {}, baseUrl = world.baseUrl) =>
      listen(`${baseUrl}/events/stream${query}`, { ...headers, ...more })
    return { client, apiKey, organizationId, open, tell: (...types: string[]) => tell(organizationId, types) }
  }
  const ids = (frames: { id?: string }[]): number[] => frames.map((frame) => Number(frame.id))

  it('counts in no latency, unlike the requests beside it', async () => {
    const { client, open } = await merchant()
    const stream = await open()
    assert.equal(stream.status, 200)
    stream.close()
    assert.equal((await client('GET', '/events')).status, 200)
    const { text } = await eventually(
      () => world.anonymous('GET', '/metrics'),
      (metrics) => /_bucket\{[^}]*route="\/events"/.test(metrics.text),
    )
    assert.doesNotMatch(text, /route="\/events\/stream"[^}]*status="200"/)
    const bounds = [...text.matchAll(/_bucket\{le="([^"]+)"[^}]*route="\/events"/g)].map(([, bound]) => bound)
    assert.deepEqual(bounds.join(' '), '0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 +Inf')
  })

  it('sends each event as it was delivered, from the end of the log on', async () => {
    const { client, open, tell } = await merchant()
    await tell('payin.confirmed', 'payin.declined')
    const stream = await open()
    assert.equal(stream.status, 200)
    assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8')
    assert.equal(stream.headers['cache-control'], 'no-store')
    assert.ok(stream.headers['x-request-id'])
    await tell('payout.confirmed')
    const [frame] = await stream.received(1)
    assert.deepEqual(
      stream.frames[0],
      { retry: '1000', id: '2' },
      'its place is named before the first event',
    )
    const { json } = await client('GET', '/events?after=2')
    const { text } = await client('GET', `/events/${json.data[0].id}`)
    assert.deepEqual(frame, { id: '3', event: 'payout.confirmed', data: text })
    stream.close()
  })

  it('starts after the event that the client names; its header takes precedence over the query', async () => {
    const { open, tell } = await merchant()
    await tell(...Array<string>(120).fill('payin.confirmed'))
    const cases: [string, Record<string, string>, number][] = [
      ['?after=0', {}, 1],
      ['?after=118', {}, 119],
      ['', { 'last-event-id': '100' }, 101],
      ['?after=3', { 'last-event-id': '117' }, 118],
    ]
    for (const [query, headers, first] of cases) {
      const stream = await open(query, headers)
      assert.deepEqual(ids(await stream.received(121 - first)), range(first, 120), `${query} ${first}`)
      stream.close()
    }
    const ahead = await open('?after=121')
    await tell('payin.confirmed', 'payin.confirmed')
    assert.deepEqual(ids(await ahead.received(1)), [122])
    ahead.close()
  })

  it('sends only events of one name if asked, and loses none among the others', async () => {
    const { open, tell } = await merchant()
    const stream = await open('?after=0&type=payout.confirmed')
    for (let round = 0; round < 4; round += 1) {
      await tell(...Array<string>(60).fill('payin.confirmed'), 'payout.confirmed')
      await stream.received(round + 1)
    }
    assert.deepEqual(
      stream.events().map((frame) => frame.event),
      Array<string>(4).fill('payout.confirmed'),
    )
    assert.deepEqual(ids(stream.events()), [61, 122, 183, 244])
    stream.close()
  })

  it('has no gap and no duplicate while four write, two sequence, and the client reconnects again and again', async () => {
    const { client, organizationId, open } = await merchant()
    const perWriter = 30
    let writing = true
    const write = async (): Promise<void> => {
      for (let made = 0; made < perWriter; made += 1) {
        const { json } = await client('POST', '/payins', brebPayin())
        assert.equal((await client('POST', `/payins/${json.id}/cancel`)).status, 200)
      }
    }
    const sequence = async (): Promise<void> => {
      while (writing) await sequenceAllEvents(world.ctx, organizationId)
    }
    const total = 4 * perWriter
    const met: number[] = []
    let reconnections = 0
    const follow = async (): Promise<void> => {
      for (let last = '0'; met.length < total; reconnections += 1) {
        const stream = await open('', { 'last-event-id': last })
        const frames = await stream.received(Math.min(9, total - met.length))
        stream.close()
        met.push(...ids(frames))
        last = frames.at(-1)?.id ?? last
      }
    }
    const steady = await open('?after=0')
    const follower = follow()
    const sequencers = [sequence(), sequence()]
    await Promise.all(Array.from({ length: 4 }, write))
    writing = false
    await Promise.all(sequencers)
    // Each skips what the other has locked.
    await sequenceAllEvents(world.ctx, organizationId)
    await follower
    assert.deepEqual(met, range(1, total))
    assert.ok(reconnections > 3)
    assert.deepEqual(ids(await steady.received(total)), range(1, total))
    steady.close()
  })

  it('is refused without the events scope, and with wrong parameters', async () => {
    const { client, open } = await merchant()
    assertProblem(await world.anonymous('GET', '/events/stream'), 'UNAUTHORIZED')
    const powerless = await world.key(['payins:read'])
    assertProblem(await powerless.client('GET', '/events/stream'), 'INSUFFICIENT_SCOPE')
    for (const query of [
      'after=-1',
      'after=x',
      'after=1.5',
      'after=',
      'after=9007199254740992',
      'type=x',
      'type=',
    ]) {
      const answer = await client('GET', `/events/stream?${query}`)
      assertProblem(answer, 'INVALID_INPUT', query)
      assert.equal(answer.json.errors[0].path, `/${query.split('=')[0]}`)
    }
    for (const id of ['x', '-1', '1.5', '0x10', '1 2', '9'.repeat(30)]) {
      const answer = await client('GET', '/events/stream', undefined, { 'last-event-id': id })
      assertProblem(answer, 'INVALID_INPUT', id)
      assert.equal(answer.json.errors[0].path, '/headers/last-event-id')
    }
    assert.equal(
      (await client('HEAD', '/events/stream')).status,
      404,
      'a stream has nothing that HEAD could tell',
    )
    const reader = await world.key(['events:read', 'payins:read', 'payouts:read', 'links:read'])
    const allowed = await listen(`${world.baseUrl}/events/stream`, { 'x-api-key': reader.apiKey })
    assert.equal(allowed.status, 200)
    allowed.close()
    const stream = await open()
    assert.equal(stream.status, 200)
    stream.close()
  })

  it('sends an organization only its own events', async () => {
    const [one, other] = [await merchant(), await merchant()]
    const stream = await one.open('?after=0')
    await other.tell('payin.declined')
    await one.tell('payin.confirmed')
    assert.deepEqual(
      (await stream.received(1)).map((frame) => frame.event),
      ['payin.confirmed'],
    )
    stream.close()
  })

  it('an organization opens fifty at most, and closing one frees a place', async () => {
    const { client, open } = await merchant()
    const streams = await Promise.all(Array.from({ length: 50 }, () => open()))
    const refused = await client('GET', '/events/stream')
    assertProblem(refused, 'TOO_MANY_STREAMS')
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal((await client('GET', '/events')).status, 200)
    const neighbour = await (await merchant()).open()
    assert.equal(neighbour.status, 200, 'others are not kept out')
    streams[0]?.close()
    await eventually(
      () => open(),
      (stream) => {
        streams.push(stream)
        return stream.status === 200
      },
    )
    for (const stream of [...streams, neighbour]) stream.close()
  })

  describe('with short timeouts', () => {
    const QUICK: StreamTimes = { heartbeatMs: 20, stallMs: 300, recheckMs: 50 }

    it('keep-alive comments continue for longer than a request may take', async () => {
      await using server = await serve(world, world.ctx, { headersMs: 200, requestMs: 200, stream: QUICK })
      const { open, tell } = await merchant()
      const stream = await open('', {}, server.baseUrl)
      const comments = () => stream.frames.filter((frame) => frame.comment === 'heartbeat').length
      // Node checks for late requests once per headers timeout.
      await eventually(
        async () => comments(),
        (count) => count > 40,
      )
      await tell('payin.confirmed')
      assert.deepEqual(ids(await stream.received(1)), [1])
      const inFlight = await server.gauge('recaudo_http_requests_in_flight')
      assert.deepEqual(
        [inFlight, await server.gauge('recaudo_event_streams')],
        [0, 1],
        'it listens, it is no work',
      )
      stream.close()
    })

    it('it ends when its credential is revoked', async () => {
      await using server = await serve(world, world.ctx, {
        headersMs: 5_000,
        requestMs: 5_000,
        stream: QUICK,
      })
      const { apiKey, apiKeyId } = await world.key([
        'events:read',
        'payins:read',
        'payouts:read',
        'links:read',
      ])
      const stream = await listen(`${server.baseUrl}/events/stream`, { 'x-api-key': apiKey })
      const other = await listen(`${server.baseUrl}/events/stream`, { 'x-api-key': world.apiKey })
      await endApiKey(world.db, apiKeyId, { revokedAt: world.ctx.clock.now() })
      await stream.ended
      await eventually(
        async () => other.frames.length,
        (count) => count > 3,
      )
      assert.equal(other.hasEnded(), false, 'that of another key goes on')
      other.close()
    })

    it('as it is served, it ends within a second of the revocation, although nobody was told', async () => {
      const times = { headersMs: 5_000, requestMs: 5_000, stream: STREAM_TIMES }
      await using server = await serve(world, world.ctx, times)
      const lasted: number[] = []
      // A busy machine may be late once. A check that comes too seldom is late every time.
      while (lasted.length < 4 && !lasted.some((ms) => ms < 1_000)) {
        const { apiKey, apiKeyId } = await world.key(['events:read'])
        const stream = await listen(`${server.baseUrl}/events/stream`, { 'x-api-key': apiKey })
        const revokedAtMs = performance.now()
        await endApiKey(world.db, apiKeyId, { revokedAt: world.ctx.clock.now() })
        await stream.ended
        lasted.push(performance.now() - revokedAtMs)
      }
      assert.ok(Math.min(...lasted) < 1_000, `it lasted ${lasted.map(Math.round).join(', ')} ms`)
    })

    it('it ends when the server stops, and delays the shutdown by a moment at most', async () => {
      const server = await serve(world, world.ctx, {
        headersMs: 5_000,
        requestMs: 5_000,
        stream: STREAM_TIMES,
      })
      const { open } = await merchant()
      const stream = await open('', {}, server.baseUrl)
      const idle = connect(Number(new URL(server.baseUrl).port), '127.0.0.1')
      idle.on('error', () => {})
      const startedMs = performance.now()
      await server[Symbol.asyncDispose]()
      await stream.ended
      assert.ok(performance.now() - startedMs < 5_000)
      idle.destroy()
    })

    it('a client that never reads is cut off, and the other clients miss nothing', async () => {
      await using server = await serve(world, world.ctx, {
        headersMs: 5_000,
        requestMs: 5_000,
        stream: QUICK,
      })
      const { open, apiKey, organizationId } = await merchant()
      const reader = await open('?after=0', {}, server.baseUrl)
      const deaf = connect(Number(new URL(server.baseUrl).port), '127.0.0.1')
      let isCut = false
      deaf.on('error', () => {})
      deaf.on('close', () => {
        isCut = true
      })
      deaf.pause()
      deaf.write(`GET /events/stream?after=0 HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKey}\r\n\r\n`)
      await eventually(
        () => server.gauge('recaudo_event_streams'),
        (open) => open === 2,
      )
      // More than the two kernel buffers between us hold.
      const count = 400
      await insertEvents(world, organizationId, Array<string>(count).fill('payin.confirmed'), 50_000)
      await sequenceAllEvents(world.ctx, organizationId)
      await eventually(
        () => server.gauge('recaudo_event_streams'),
        (open) => open === 1,
      )
      assert.deepEqual(ids(await reader.received(count)), range(1, count))
      deaf.resume()
      await eventually(
        async () => isCut,
        (cut) => cut,
      )
      reader.close()
    })

    it('clients that leave before they are answered leave nothing open', async () => {
      await using server = await serve(world, world.ctx, {
        headersMs: 5_000,
        requestMs: 5_000,
        stream: STREAM_TIMES,
      })
      const { apiKey, open } = await merchant()
      const request = `GET /events/stream HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKey}\r\n\r\n`
      for (let attempt = 0; attempt < 40; attempt += 1) {
        const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1')
        socket.on('error', () => {})
        await new Promise<void>((resolve) => socket.write(request, () => resolve()))
        // A few turns more each time, so that some leave before, some during and some after the log query.
        for (let turns = 0; turns < attempt; turns += 1) await new Promise((resolve) => setImmediate(resolve))
        socket.destroy()
      }
      const last = await open('', {}, server.baseUrl)
      await eventually(
        () => server.gauge('recaudo_event_streams'),
        (open) => open === 1,
      )
      last.close()
    })

    it('an outage of the database is survived, and nothing is lost', async () => {
      let isAway = false
      const db = new Proxy(world.ctx.db, {
        get: (target, name) =>
          name === 'query' && isAway
            ? () => Promise.reject(new StoreUnavailable('away'))
            : Reflect.get(target, name),
      })
      await using server = await serve(
        world,
        { ...world.ctx, db },
        { headersMs: 5_000, requestMs: 5_000, stream: QUICK },
      )
      const { open, tell, apiKey } = await merchant()
      const stream = await open('', {}, server.baseUrl)
      await tell('payin.confirmed')
      await stream.received(1)
      isAway = true
      await tell('payin.declined')
      const seen = stream.frames.length
      const client: Client = clientOf(server.baseUrl, { 'x-api-key': apiKey })
      await eventually(
        async () => (await client('GET', '/events/stream')).status,
        (status) => status === 503,
      )
      await eventually(
        async () => stream.frames.length,
        (count) => count > seen + 20,
      )
      assert.deepEqual([ids(stream.events()), stream.hasEnded()], [[1], false])
      isAway = false
      assert.deepEqual(ids(await stream.received(2)), [1, 2])
      stream.close()
    })
  })
})

type Times = { headersMs: number; requestMs: number; stream: StreamTimes }

// Its own server on the world's database.
async function serve(world: World, ctx: Context, times: Times) {
  const metrics: Metrics = createMetrics()
  const api = await createApi(world.config, ctx, pino({ level: 'silent' }), metrics, times)
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  return {
    baseUrl: `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`,
    gauge: async (name: string): Promise<number> =>
      (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value ?? Number.NaN,
    [Symbol.asyncDispose]: () => api.close(),
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
