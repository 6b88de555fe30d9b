// Which budget a request takes from, and what a refusal tells whoever is to wait.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from '../../../src/api/http/answer.ts'
import { createBudgets, kindOf } from '../../../src/api/http/budgets.ts'
import { createRateLimit, policyOf } from '../../../src/api/http/rate-limit.ts'
import { type RefusalCode, refuse } from '../../../src/core/refusal.ts'

describe('a request', () => {
  const kind = (url: string | undefined, config: object = {}) =>
    kindOf({ routeOptions: { ...(url !== undefined && { url }), config } } as unknown as FastifyRequest)
  const operation = {}

  const KINDS = {
    pages: [
      '/pay/:token',
      '/page/:token',
      '/refund/:token',
      '/receipts/:id',
      '/evidence/:id',
      '/verify',
      '/pay',
    ],
    console: ['/console', '/console/payins'],
    notifications: ['/notifications/breb', '/notifications/connections/:connectionId'],
    tokens: ['/oauth/token', '/.well-known/jwks.json'],
    probes: ['/healthz', '/readyz', '/metrics'],
    documents: [
      '/docs',
      '/openapi.json',
      '/payday',
      '/notifications',
      '/oauth/token/x',
      '/metrics/x',
      '/pages',
      undefined,
    ],
  }
  for (const [name, urls] of Object.entries(KINDS))
    it(`takes from the budget of ${name} where it comes to one`, () => {
      for (const url of urls) assert.equal(kind(url), name, String(url))
    })

  it('is a merchant’s if it runs an operation or a stream, unless a payer or the staff sees it', () => {
    assert.equal(kind('/payins', { operation }), 'merchants')
    assert.equal(kind('/notifications/own', { operation }), 'merchants')
    assert.equal(kind('/events/stream', { stream: true }), 'merchants')
    assert.equal(kind('/events/stream', { stream: false }), 'documents')
    assert.equal(kind('/console/payins', { operation }), 'console')
    assert.equal(kind('/refund/:token', { operation }), 'pages')
  })

  it('has a place until its budget is full, and gives it back; a probe always has one', () => {
    const { enter, release } = createBudgets(2)
    assert.deepEqual([enter('merchants'), enter('merchants'), enter('merchants')], [true, true, false])
    assert.equal(enter('pages'), true, 'another budget is another')
    release('merchants')
    assert.deepEqual([enter('merchants'), enter('merchants')], [true, false])
    assert.deepEqual([enter('probes'), enter('probes'), enter('probes')], [true, true, true])
  })
})

describe('a limit of requests a second', () => {
  it('is kept by each who is limited, with a burst of twice as many, and refills as time passes', () => {
    let now = 0
    const limit = createRateLimit(policyOf(5), () => now)
    const decisions = () =>
      Array.from({ length: 11 }, () => limit('a')) as { allowed: boolean; remaining: number }[]
    assert.deepEqual(policyOf(5), { perSecond: 5, burst: 10 })
    assert.deepEqual(
      decisions().map(({ allowed, remaining }) => [allowed, remaining]),
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((left) => [true, left] as [boolean, number]).concat([[false, 0]]),
    )
    assert.deepEqual(limit('b'), { allowed: true, remaining: 9, retryAfterSeconds: 1 })
    now = 200
    assert.deepEqual(
      [limit('a'), limit('a')].map((one) => (one as { allowed: boolean }).allowed),
      [true, false],
    )
  })
})

describe('a refusal', () => {
  const sent = (code: RefusalCode, extras = {}, authorization?: string) => {
    const headers: Record<string, string> = {}
    let body = ''
    const reply = {
      header: (name: string, value: string) => {
        headers[name] = value
        return reply
      },
      headers: (given: object) => Object.assign(headers, given),
      code: (status: number) => {
        headers.status = String(status)
        return reply
      },
      send: (text: string) => {
        body = text
        return reply
      },
    }
    const request = { id: 'the-id', headers: { authorization }, refusal: null }
    const settings = { publicUrl: 'https://api.recaudo.example' }
    sendRefusal(
      settings,
      request as never as FastifyRequest,
      reply as never as FastifyReply,
      refuse(code, 'Why.', extras),
    )
    const { 'content-type': type, ...rest } = headers
    assert.equal(type, 'application/json; charset=utf-8')
    assert.equal(request.refusal, code, 'the logs are told')
    assert.deepEqual(JSON.parse(body).requestId, 'the-id')
    return rest
  }

  it('says in its headers how long to wait, how to authenticate, and that a connection ends', () => {
    assert.deepEqual(sent('NOT_FOUND'), { status: '404' })
    assert.deepEqual(sent('RATE_LIMITED', { retryAfterSeconds: 7 }), { status: '429', 'retry-after': '7' })
    assert.deepEqual(sent('METHOD_NOT_ALLOWED', { headers: { allow: 'GET' } }), {
      status: '405',
      allow: 'GET',
    })
    assert.deepEqual(sent('UNAUTHORIZED'), { status: '401', 'www-authenticate': 'Bearer realm="recaudo"' })
    assert.deepEqual(sent('UNAUTHORIZED', {}, 'Bearer x'), {
      status: '401',
      'www-authenticate': 'Bearer realm="recaudo", error="invalid_token"',
    })
    assert.deepEqual(sent('INSUFFICIENT_SCOPE', {}, 'Bearer x'), { status: '403' })
    assert.deepEqual(sent('BODY_TOO_LARGE'), { status: '413', connection: 'close' })
  })
})
