// A follower of the log gets every event once and in order, whatever happens to the connection and to the server.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { ApiError, ConnectionError, Recaudo, type RecaudoEvent, TimeoutError } from '../../sdk/src/recaudo.ts'
import { type Api, createApi, createMetrics } from '../../src/service.ts'
import { revokeOAuthClient } from '../../src/store/organizations/credentials.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { createWorld, eventually, type World } from '../world.ts'
import { type FaultyProxy, startProxy } from './proxy.ts'

describe('events.follow', () => {
  let world: World
  let proxy: FaultyProxy
  // The current server. It is restarted on the same port.
  let api: Api
  before(async () => {
    world = await createWorld()
    api = world.api
    proxy = await startProxy(world.baseUrl)
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await api.close()
    await world[Symbol.asyncDispose]()
  })

  const merchant = async (baseUrl: string, maxRetries = 3) => {
    const { organization, apiKey } = await world.newMerchant()
    const { organizationId } = organization
    return {
      recaudo: new Recaudo({ apiKey }, { baseUrl, maxRetries }),
      organizationId,
      insert: async (...types: string[]) => {
        await insertEvents(world, organizationId, types)
        await sequenceAllEvents(world.ctx, organizationId)
      },
    }
  }
  const CONFIRMED = 'payin.confirmed'
  const start = async (): Promise<void> => {
    api = await createApi(world.config, world.ctx, pino({ level: 'silent' }), createMetrics())
    await api.app.listen({ host: '127.0.0.1', port: world.config.port })
  }
  // Collects in the background until it is stopped.
  const collect = (events: AsyncIterable<RecaudoEvent>, stop: AbortController) => {
    const got: number[] = []
    const done = (async () => {
      for await (const event of events) got.push(event.sequence)
    })()
    return {
      got,
      has: (count: number) =>
        eventually(
          async () => got.length,
          (length) => length >= count,
        ),
      end: async () => {
        stop.abort()
        await done
      },
    }
  }
  const upTo = (last: number, first = 1): number[] =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at)

  it('connects again as soon after a connection that worked, however many have broken before', async (t) => {
    const { apiKey } = await world.newMerchant()
    const backOffs: number[] = []
    const later = globalThis.setTimeout
    t.mock.method(globalThis, 'setTimeout', (act: () => void, ms: number) => {
      if (ms <= 8_000) backOffs.push(ms)
      return later(act, ms <= 8_000 ? 1 : ms)
    })
    const stop = new AbortController()
    let opened = 0
    // Each stream has one heartbeat, and ends.
    const brief = async (): Promise<Response> => {
      opened += 1
      if (opened > 6) stop.abort()
      return new Response(':\n\n', { headers: { 'content-type': 'text/event-stream' } })
    }
    const recaudo = new Recaudo({ apiKey }, { baseUrl: world.baseUrl, fetch: brief })
    for await (const event of recaudo.events.follow({ after: 0, signal: stop.signal })) assert.fail(event.id)
    assert.ok(backOffs.length >= 5)
    for (const ms of backOffs) assert.ok(ms <= 500, `it waited ${ms} ms`)
  })

  it('yields an event once that comes twice, as from a proxy that repeats', async () => {
    const frame = (sequence: number) => `id: ${sequence}\ndata: ${JSON.stringify({ sequence })}\n\n`
    const stop = new AbortController()
    const repeating = async () =>
      new Response([41, 42, 42, 41, 43].map((sequence) => frame(sequence)).join(''))
    const recaudo = new Recaudo({ apiKey: world.apiKey }, { baseUrl: proxy.url, fetch: repeating })
    const events = recaudo.events.follow({ after: 40, signal: stop.signal })
    const collected = collect(events, stop)
    await collected.has(3)
    await collected.end()
    assert.deepEqual(collected.got, [41, 42, 43])
  })

  it('starts after the given event, or with new events only', async () => {
    const { recaudo, insert } = await merchant(world.baseUrl)
    await insert(CONFIRMED, CONFIRMED, CONFIRMED)
    const stop = new AbortController()
    const all = collect(recaudo.events.follow({ after: 0, signal: stop.signal }), stop)
    const some = collect(recaudo.events.follow({ after: 2, signal: stop.signal }), stop)
    await some.has(1)
    const fresh = collect(recaudo.events.follow({ signal: stop.signal }), stop)
    const typed = collect(
      recaudo.events.follow({ after: 0, type: 'payout.declined', signal: stop.signal }),
      stop,
    )
    // A new follower starts at the end of the log. Nothing may be inserted until it is connected.
    await eventually(
      async () => (await world.anonymous('GET', '/metrics')).text,
      (metrics) => /^recaudo_event_streams 4$/m.test(metrics),
    )
    await insert('payout.declined')
    for (const one of [all, some, fresh, typed]) await one.has(1)
    await all.has(4)
    await some.has(2)
    await all.end()
    assert.deepEqual([all.got, some.got, fresh.got, typed.got], [upTo(4), [3, 4], [4], [4]])
  })

  it('continues across a server restart, without a gap and without a repetition', async () => {
    const { recaudo, insert } = await merchant(world.baseUrl)
    const stop = new AbortController()
    await insert(CONFIRMED, CONFIRMED)
    const followed = collect(recaudo.events.follow({ after: 0, signal: stop.signal }), stop)
    await followed.has(2)
    await api.close()
    await insert(CONFIRMED, CONFIRMED, CONFIRMED)
    assert.equal(followed.got.length, 2, 'nobody is there to tell of them')
    await start()
    await insert(CONFIRMED)
    await followed.has(6)
    await followed.end()
    assert.deepEqual(followed.got, upTo(6))
  })

  it('loses nothing when connections break in the middle of an event', async () => {
    const { recaudo, insert } = await merchant(proxy.url)
    await insert(...Array<string>(12).fill(CONFIRMED))
    const frame = 250
    proxy.next(...[30, frame, 3 * frame + 7].map((cutAfterBytes) => ({ cutAfterBytes })))
    proxy.seen.length = 0
    const stop = new AbortController()
    const followed = collect(recaudo.events.follow({ after: 0, signal: stop.signal }), stop)
    await followed.has(12)
    await followed.end()
    assert.deepEqual(followed.got, upTo(12))
    assert.equal(proxy.seen.length, 4, 'three connections broke')
  })

  it('reconnects when the connection stalls', async () => {
    const { recaudo, insert } = await merchant(proxy.url)
    await insert(CONFIRMED)
    proxy.next({ muteAfterBytes: 40 })
    const stop = new AbortController()
    const followed = collect(recaudo.events.follow({ after: 0, signal: stop.signal, silenceMs: 100 }), stop)
    await followed.has(1)
    await followed.end()
    assert.deepEqual(followed.got, [1])
  })

  it('continues after the last event that its consumer took, and passes on its consumer’s error', async () => {
    const { recaudo, insert } = await merchant(world.baseUrl)
    await insert(CONFIRMED, CONFIRMED, CONFIRMED)
    const seen: number[] = []
    for await (const { sequence } of recaudo.events.follow({ after: 0 })) {
      seen.push(sequence)
      if (sequence === 2) break
    }
    for await (const { sequence } of recaudo.events.follow({ after: seen.at(-1) })) {
      seen.push(sequence)
      break
    }
    assert.deepEqual(seen, [1, 2, 3])
    await assert.rejects(async () => {
      for await (const event of recaudo.events.follow({ after: 0 }))
        throw new Error(`no use for ${event.sequence}`)
    }, /no use for 1/)
  })

  it('gives up on a server that stays down, and says where to continue', async () => {
    const { recaudo, insert } = await merchant(proxy.url, 0)
    await insert(CONFIRMED, CONFIRMED)
    const seen: number[] = []
    const followed = (async () => {
      for await (const { sequence } of recaudo.events.follow({
        after: 0,
        giveUpAfterMs: 300,
        silenceMs: 200,
      })) {
        seen.push(sequence)
        if (sequence === 2) proxy.always('drop')
      }
    })()
    await assert.rejects(followed, (error: unknown) => {
      assert.ok(error instanceof ConnectionError)
      assert.match(
        error.message,
        /cannot be reached \(.+\), at try 1\..+ No event is lost: follow again with after: 2\.$/,
      )
      return true
    })
    proxy.always(undefined)
    assert.deepEqual(seen, [1, 2])
  })

  it('reports at once what waiting would not change', async () => {
    const { recaudo, insert } = await merchant(proxy.url, 0)
    await insert(CONFIRMED)
    const first = async (options: Parameters<typeof recaudo.events.follow>[0], client = recaudo) =>
      client.events.follow(options).next()
    const stranger = new Recaudo({ apiKey: 'rk_stg_wrong' }, { baseUrl: proxy.url })
    await assert.rejects(first({}, stranger), (error: unknown) => (error as ApiError).status === 401)
    await assert.rejects(
      first({ after: -1 }),
      (error: unknown) => (error as ApiError).code === 'INVALID_INPUT',
    )
    proxy.next('drop')
    await assert.rejects(first({ after: 0 }), ConnectionError)
    proxy.next({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' })
    await assert.rejects(first({ after: 0 }), /No event stream came: check baseUrl\./)
    proxy.next({ muteAfterBytes: 0 })
    await assert.rejects(first({ after: 0, silenceMs: 100 }), (error: unknown) => {
      assert.ok(error instanceof TimeoutError)
      assert.match(error.message, /was silent for 100 ms: the server hangs, or a proxy holds events back\.$/)
      return true
    })
  })

  it('ends when the credential may no longer listen', async () => {
    const { organization } = await world.newMerchant()
    const { clientId, secret: clientSecret } = await world.oauthClient(organization)
    const recaudo = new Recaudo({ clientId, clientSecret }, { baseUrl: world.baseUrl })
    await insertEvents(world, organization.organizationId, [CONFIRMED])
    await sequenceAllEvents(world.ctx, organization.organizationId)
    await assert.rejects(async () => {
      for await (const _ of recaudo.events.follow({ after: 0, giveUpAfterMs: 10_000 })) {
        await revokeOAuthClient(world.db, clientId, world.ctx.clock.now())
      }
    }, ApiError)
  })
})
