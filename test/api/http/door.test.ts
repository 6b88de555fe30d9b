// What stands at the door, each part by itself: what an address may have, how many requests are worked on at once, and which
// credentials are looked at.

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import Fastify from 'fastify'
import type { AccessTokens } from '../../../src/api/http/access-token.ts'
import { createAddressLimits } from '../../../src/api/http/address-limits.ts'
import { createAuth } from '../../../src/api/http/auth.ts'
import type { Operation } from '../../../src/api/http/operation.ts'
import { createRequestLimits } from '../../../src/api/http/request-limits.ts'
import { isRefusal, type Refusal } from '../../../src/core/refusal.ts'
import type { Context } from '../../../src/flows/context.ts'

const LIMITS = { trustedProxies: ['10.0.0.1/32'], maxConnectionsPerAddress: 2, unauthenticatedPerSecond: 5 }
const STRANGER = '203.0.113.7'

describe('what an address may have', () => {
  const from = (remoteAddress: string, forwardedFor?: string) =>
    ({
      socket: { remoteAddress },
      headers: { 'x-forwarded-for': forwardedFor },
    }) as unknown as IncomingMessage
  const limitsAt = (settings = {}) => {
    const clock = { now: 0 }
    return { ...createAddressLimits({ ...LIMITS, ...settings }, () => clock.now), clock }
  }

  it('is twice as many requests at once as it may have a second, and then as many as time gives', () => {
    const { takeUnauthenticated, isExhausted, clock } = limitsAt()
    for (let asked = 0; asked < 10; asked += 1) {
      assert.equal(isExhausted(from(STRANGER)), false)
      assert.equal(takeUnauthenticated(from(STRANGER)), undefined)
    }
    assert.equal(isExhausted(from(STRANGER)), true)
    const refusal = takeUnauthenticated(from(STRANGER))
    assert.deepEqual(
      [refusal?.refused, refusal?.detail, refusal?.retryAfterSeconds],
      ['RATE_LIMITED', 'More than 5 requests a second from your address without a credential that holds.', 1],
    )
    assert.equal(takeUnauthenticated(from('203.0.113.8')), undefined, 'another is another')
    clock.now = 200
    assert.equal(takeUnauthenticated(from(STRANGER)), undefined)
    assert.equal(isExhausted(from(STRANGER)), true)
  })

  it('is what a proxy says of it, and a proxy that names nobody is not limited', () => {
    const { takeUnauthenticated, isExhausted, addressOf, clientOf } = limitsAt({
      unauthenticatedPerSecond: 1,
    })
    const proxied = (name?: string) => from('10.0.0.1', name)
    assert.deepEqual([clientOf(proxied(STRANGER)), addressOf(proxied(STRANGER))], [STRANGER, STRANGER])
    assert.deepEqual([clientOf(proxied()), addressOf(proxied())], [null, null])
    assert.equal(addressOf(from(STRANGER, '198.51.100.1')), STRANGER, 'a stranger names nobody')
    assert.equal(addressOf(proxied('2001:db8:1:2:3::4')), addressOf(proxied('2001:db8:1:2:5::6')))
    for (const _ of [1, 2]) assert.equal(takeUnauthenticated(proxied(STRANGER)), undefined)
    assert.ok(takeUnauthenticated(proxied(STRANGER)) !== undefined)
    assert.ok(takeUnauthenticated(from(STRANGER)) !== undefined, 'the same address without a proxy')
    for (let asked = 0; asked < 5; asked += 1) assert.equal(takeUnauthenticated(proxied()), undefined)
    assert.equal(isExhausted(proxied()), false)
  })

  it('is not limited where the operator has set no limit', () => {
    const { takeUnauthenticated, isExhausted } = limitsAt({ unauthenticatedPerSecond: 0 })
    for (let asked = 0; asked < 50; asked += 1) assert.equal(takeUnauthenticated(from(STRANGER)), undefined)
    assert.equal(isExhausted(from(STRANGER)), false)
  })

  const opened = (limits: ReturnType<typeof limitsAt>) => {
    const server = new EventEmitter()
    let refused = 0
    limits.watchConnections(server as unknown as Server, () => (refused += 1))
    const connect = (remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        isDestroyed: false,
        destroy: () => (socket.isDestroyed = true),
      })
      server.emit('connection', socket)
      return socket
    }
    return { connect, refused: () => refused }
  }

  it('is so many open connections, each until it is closed; a proxy may have any number', () => {
    const { connect, refused } = opened(limitsAt())
    const [first, second, third] = [connect(STRANGER), connect(STRANGER), connect(STRANGER)]
    assert.deepEqual(
      [first, second, third].map(({ isDestroyed }) => isDestroyed),
      [false, false, true],
    )
    assert.equal(refused(), 1)
    assert.equal(connect('203.0.113.8').isDestroyed, false)
    third.emit('close')
    assert.equal(connect(STRANGER).isDestroyed, true, 'what was refused held no place')
    first.emit('close')
    assert.deepEqual(
      [connect(STRANGER), connect(STRANGER)].map(({ isDestroyed }) => isDestroyed),
      [false, true],
    )
    for (let made = 0; made < 9; made += 1) assert.equal(connect('10.0.0.1').isDestroyed, false)
    assert.equal(refused(), 3)
    const unlimited = opened(limitsAt({ maxConnectionsPerAddress: 0 }))
    for (let made = 0; made < 9; made += 1) assert.equal(unlimited.connect(STRANGER).isDestroyed, false)
  })

  it('is so many open requests where they come through a proxy, each until it is answered', () => {
    const { holdRequest } = limitsAt()
    const ask = (request: IncomingMessage) => {
      const response = new EventEmitter()
      return { response, refusal: holdRequest(request, response as unknown as ServerResponse) }
    }
    const proxied = () => ask(from('10.0.0.1', STRANGER))
    const [first, second, third] = [proxied(), proxied(), proxied()]
    assert.deepEqual([first.refusal, second.refusal], [undefined, undefined])
    assert.deepEqual(
      [third.refusal?.refused, third.refusal?.detail, third.refusal?.retryAfterSeconds],
      ['RATE_LIMITED', 'More than 2 requests of your address are open.', 1],
    )
    first.response.emit('close')
    assert.equal(proxied().refusal, undefined)
    for (let asked = 0; asked < 9; asked += 1) {
      assert.equal(ask(from(STRANGER)).refusal, undefined, 'its connections are counted')
      assert.equal(ask(from('10.0.0.1')).refusal, undefined, 'nobody is named')
    }
  })
})

describe('a request at the door', () => {
  function serving(settings: { maxInFlight?: number; unauthenticatedPerSecond?: number } = {}) {
    const refused: string[] = []
    const addressLimits = createAddressLimits(
      { ...LIMITS, unauthenticatedPerSecond: 1, ...settings },
      () => 0,
    )
    const { maxInFlight = 9 } = settings
    const limits = createRequestLimits({
      metrics: { countRefused: (why) => void refused.push(why) },
      addressLimits,
      maxInFlight,
    })
    const app = Fastify()
    limits.watch(app)
    app.setErrorHandler((error, _, reply) => {
      const { refused: code, detail, retryAfterSeconds } = error as unknown as Refusal
      return reply.code(429).send([code, detail, retryAfterSeconds])
    })
    const held: (() => void)[] = []
    app.get('/docs', () => 'ok')
    app.get('/docs/held', () => new Promise((resolve) => held.push(() => resolve('ok'))))
    app.get('/healthz', () => 'ok')
    app.get('/payins', { config: { operation: {} as Operation } }, () => 'ok')
    app.get('/payins/guess', { config: { operation: {} as Operation } }, (_, reply) =>
      reply.code(401).send('no'),
    )
    app.get('/events/stream', { config: { stream: true } }, () => 'ok')
    app.get('/notifications/breb', { config: { provesItself: true } }, (_, reply) =>
      reply.code(404).send('no'),
    )
    app.get('/nothing', { config: { operation: {} as Operation } }, (_, reply) => reply.code(404).send('no'))
    const ask = async (url: string, remoteAddress = STRANGER) => {
      const { statusCode, body } = await app.inject({ url, remoteAddress })
      return statusCode === 429 ? JSON.parse(body) : statusCode
    }
    return { ask, refused, held }
  }
  const TOO_OFTEN = [
    'RATE_LIMITED',
    'More than 1 requests a second from your address without a credential that holds.',
    1,
  ]
  const TOO_MANY_GUESSES = [
    'RATE_LIMITED',
    'Too many requests from your address carried no credential that holds.',
    1,
  ]
  const FULL = ['OVERLOADED', 'Too many requests are being worked on.', 1]

  it('of nobody is one of so many of its address, and what was refused is counted', async () => {
    const { ask, refused } = serving()
    assert.deepEqual([await ask('/docs'), await ask('/docs'), await ask('/docs')], [200, 200, TOO_OFTEN])
    assert.deepEqual(refused, ['address'])
    assert.equal(await ask('/docs', '203.0.113.8'), 200)
    assert.deepEqual(
      [await ask('/healthz'), await ask('/payins')],
      [200, 200],
      'probes and merchants are let in',
    )
    assert.deepEqual(refused, ['address'])
  })

  it('whose credential does not hold counts as one of nobody', async () => {
    const { ask } = serving()
    assert.deepEqual([await ask('/payins/guess'), await ask('/payins/guess')], [401, 401])
    assert.deepEqual(await ask('/docs'), TOO_OFTEN)
  })

  it('that finds nothing is a guess where it proves itself, and further ones are not looked at', async () => {
    const { ask, refused } = serving()
    for (let asked = 0; asked < 5; asked += 1) assert.equal(await ask('/nothing'), 404, 'no guess')
    assert.deepEqual([await ask('/notifications/breb'), await ask('/notifications/breb')], [404, 404])
    assert.deepEqual(await ask('/notifications/breb'), TOO_MANY_GUESSES)
    assert.deepEqual(refused, ['address'])
    assert.equal(await ask('/notifications/breb', '203.0.113.8'), 404)
  })

  it('has a place until its budget is full; streams and other kinds have others', async () => {
    const { ask, refused, held } = serving({ maxInFlight: 1, unauthenticatedPerSecond: 100 })
    const first = ask('/docs/held')
    while (held.length === 0) await turn()
    assert.deepEqual(await ask('/docs'), FULL)
    assert.deepEqual(refused, ['overload'])
    assert.deepEqual(
      [await ask('/payins'), await ask('/events/stream'), await ask('/healthz')],
      [200, 200, 200],
    )
    for (const answer of held) answer()
    assert.equal(await first, 200)
    assert.equal(await ask('/docs'), 200, 'the place is free again')
  })
})

describe('a credential', () => {
  function authenticating() {
    const asked = { lookups: 0, verified: 0 }
    const query = async () => {
      asked.lookups += 1
      return { rows: [], rowCount: 0 }
    }
    const ctx = {
      db: { query },
      signals: { onWork: () => {} },
      clock: { now: () => 0 },
    } as unknown as Context
    const verify = async () => {
      asked.verified += 1
      return undefined
    }
    const auth = createAuth(ctx, { verify } as unknown as AccessTokens)
    const refused = async (headers: Parameters<typeof auth.authenticate>[0]) => {
      const answer = await auth.authenticate(headers)
      assert.ok(isRefusal(answer))
      assert.equal(answer.refused, 'UNAUTHORIZED')
      assert.equal(auth.isKnown(headers), false)
      return answer.detail
    }
    return { asked, refused }
  }
  const UNKNOWN = 'The API key is not known.'
  const INVALID = 'The access token is not valid or has expired: get a new one from POST /oauth/token.'
  const NONE = 'Send an API key in the header x-api-key, or an access token as Authorization: Bearer.'

  it('is looked at if it has at most 4,096 characters, and refused in the same words if it has more', async () => {
    const { asked, refused } = authenticating()
    assert.equal(await refused({ 'x-api-key': 'k'.repeat(4_097) }), UNKNOWN)
    assert.equal(await refused({ authorization: `Bearer ${'t'.repeat(4_097)}` }), INVALID)
    assert.deepEqual(asked, { lookups: 0, verified: 0 })
    assert.equal(await refused({ 'x-api-key': 'k'.repeat(4_096) }), UNKNOWN)
    assert.equal(await refused({ authorization: `Bearer ${'t'.repeat(4_096)}` }), INVALID)
    assert.deepEqual(asked, { lookups: 1, verified: 1 })
  })

  it('is a key or a token, however its header is written, and anything else is none', async () => {
    const { asked, refused } = authenticating()
    for (const headers of [
      {},
      { 'x-api-key': '' },
      { authorization: 'Basic x' },
      { authorization: 'Bearers x' },
    ])
      assert.equal(await refused(headers), NONE)
    assert.deepEqual(asked, { lookups: 0, verified: 0 })
    for (const authorization of ['bearer x', 'BEARER   x', 'Bearer x y', 'Bearer', 'Bearer '])
      assert.equal(await refused({ authorization }), INVALID, authorization)
    assert.equal(await refused({ 'x-api-key': 'one', authorization: 'Bearer x' }), UNKNOWN)
    assert.equal(await refused({ 'x-api-key': 'one', authorization: 'Basic x' }), UNKNOWN)
  })
})
