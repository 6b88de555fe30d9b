// What the request log is told of a request: which of them, where it went, and what it made or was about.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Fastify, { type FastifyReply } from 'fastify'
import { objectIdIn } from '../../../src/api/audit/refused-acts.ts'
import { logRequests } from '../../../src/api/audit/request-log.ts'
import type { Caller } from '../../../src/api/http/auth.ts'
import type { LoggedRequest } from '../../../src/store/audit/requests.ts'

const NOW = Date.parse('2026-11-14T12:00:00Z')
// An id holds the time at which it was made.
const idAt = (time: number): string => {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`
}
const MADE = idAt(NOW)
const EARLIER = idAt(NOW - 60_000)
const OWN = 'the-log’s-own'

function logging() {
  const entries: LoggedRequest[] = []
  const ctx = { clock: { now: () => NOW }, ids: { next: () => OWN } } as Parameters<typeof logRequests>[2]
  const app = Fastify()
  app.decorateRequest('caller', null)
  app.decorateRequest('refusal', null)
  app.decorateRequest('startedAtMs', 0)
  let organizationId = 'org'
  app.addHook('onRequest', (request, _, done) => {
    if (request.headers.stranger === undefined)
      request.caller = { kind: 'key', credentialId: 'key one', organization: { organizationId } } as Caller
    request.startedAtMs = performance.now() - 250
    done()
  })
  logRequests(app, { add: (entry) => void entries.push(entry) }, ctx)
  // Answers as it is told to.
  let answer: (reply: FastifyReply) => unknown = () => ({})
  const handler = (request: { refusal: unknown }, reply: FastifyReply) => {
    if (reply.statusCode >= 400) request.refusal = 'NOT_FOUND'
    return answer(reply)
  }
  for (const url of ['/payins', '/payins/:payinId/cancel', '/breb/keys/:keyString', '/b/:batchId/rows/:row'])
    app.route({ method: ['GET', 'POST', 'PATCH'], url, handler })
  return {
    entries,
    as: (id: string) => {
      organizationId = id
    },
    ask: async (
      method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PATCH',
      url: string,
      answering: typeof answer,
      headers = {},
    ) => {
      answer = answering
      await app.inject({ method, url, headers: { 'request-id': 'the-request', ...headers } })
      return entries.splice(0)
    },
  }
}

const made =
  (id: string, name = 'id') =>
  (reply: FastifyReply) =>
    reply.code(201).type('application/json').send(`{"${name}":"${id}","more":1}`)

describe('an entry of the request log', () => {
  it('says who asked what, how it was answered and how long it took', async () => {
    const { ask } = logging()
    const [entry, ...others] = await ask('POST', '/payins?secret=1', made(MADE))
    assert.deepEqual(others, [])
    const { durationMs = 0, requestId, ...rest } = entry ?? ({} as LoggedRequest)
    assert.ok(Number.isInteger(durationMs) && durationMs >= 250 && durationMs < 60_000, String(durationMs))
    assert.equal(typeof requestId, 'string')
    assert.deepEqual(rest, {
      organizationId: 'org',
      logId: MADE,
      method: 'POST',
      path: '/payins',
      status: 201,
      credentialKind: 'key',
      credentialId: 'key one',
      objectId: MADE,
      refusal: null,
    })
  })

  it('has the id of what was made just now, and its own for all else', async () => {
    const { ask } = logging()
    const idsOf = async (...asked: Parameters<typeof ask>) => {
      const [entry] = await ask(...asked)
      return [entry?.logId, entry?.objectId]
    }
    assert.deepEqual(await idsOf('POST', '/payins', made(MADE, 'paymentLinkId')), [MADE, MADE])
    const bytes = (reply: FastifyReply) => reply.code(201).send(Buffer.from(`{"id":"${MADE}"}`))
    assert.deepEqual(await idsOf('POST', '/payins', bytes), [MADE, MADE])
    assert.deepEqual(await idsOf('POST', '/payins', made(idAt(NOW - 59_999))), [
      idAt(NOW - 59_999),
      idAt(NOW - 59_999),
    ])
    assert.deepEqual(await idsOf('POST', '/payins', made(EARLIER)), [OWN, EARLIER], 'a minute ago')
    const repeated = (reply: FastifyReply) => made(MADE)(reply.header('idempotent-replayed', 'true'))
    assert.deepEqual(await idsOf('POST', '/payins', repeated), [OWN, MADE])
    const changed = (reply: FastifyReply) => reply.code(200).send(`{"id":"${MADE}"}`)
    assert.deepEqual(await idsOf('POST', '/payins', changed), [OWN, MADE])
    const refused = (reply: FastifyReply) => reply.code(409).send(`{"id":"${MADE}"}`)
    assert.deepEqual(await idsOf('POST', '/payins', refused), [OWN, null])
    const moved = (reply: FastifyReply) => reply.code(300).send(`{"id":"${MADE}"}`)
    assert.deepEqual(await idsOf('POST', '/payins', moved), [OWN, null])
    for (const text of [`{"name":"x","id":"${MADE}"}`, `{"id":"${MADE}x"}`, '{"id":"x"}', '', `["${MADE}"]`])
      assert.deepEqual(
        await idsOf('POST', '/payins', (reply) => reply.code(201).send(text)),
        [OWN, null],
        text,
      )
  })

  it('is about the first thing that its path names, and holds nothing of a path but ids', async () => {
    const { ask } = logging()
    const about = async (url: string, answering = made(MADE)) => {
      const [entry] = await ask('POST', url, answering)
      return [entry?.path, entry?.objectId, entry?.logId]
    }
    assert.deepEqual(await about(`/payins/${EARLIER.toUpperCase()}/cancel`), [
      `/payins/${EARLIER}/cancel`,
      EARLIER,
      OWN,
    ])
    assert.deepEqual(await about('/breb/keys/%40ANAGOMEZ'), ['/breb/keys/{keyString}', MADE, OWN])
    assert.deepEqual(await about(`/b/${EARLIER}/rows/2`), [`/b/${EARLIER}/rows/{row}`, EARLIER, OWN])
  })

  it('is made of each write and of each refusal of somebody we know, and of no other', async () => {
    const { ask } = logging()
    const ok = () => ({})
    const no = (reply: FastifyReply) => reply.code(404).send({})
    const count = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).length
    assert.deepEqual([await count('POST', '/payins', ok), await count('PATCH', '/payins', ok)], [1, 1])
    assert.deepEqual([await count('GET', '/payins', ok), await count('HEAD', '/payins', ok)], [0, 0])
    assert.deepEqual([await count('GET', '/payins', no), await count('POST', '/payins', no)], [1, 1])
    assert.equal(await count('GET', '/payins', (reply) => reply.code(400).send({})), 1)
    assert.equal(await count('GET', '/payins', (reply) => reply.code(399).send({})), 0)
    assert.equal(await count('POST', '/payins', ok, { stranger: 'yes' }), 0)
  })

  it('is made of sixty that came too fast, and of those of another organization beside them', async () => {
    const { ask, as } = logging()
    as(`flood ${MADE}`)
    const tooFast = (reply: FastifyReply) => reply.code(429).send({})
    let logged = 0
    for (let asked = 0; asked < 80; asked += 1) logged += (await ask('GET', '/payins', tooFast)).length
    assert.ok(logged >= 60 && logged <= 70, String(logged))
    as(`another ${MADE}`)
    assert.equal((await ask('GET', '/payins', tooFast)).length, 1)
  })
})

describe('a refused act', () => {
  it('is about the id or the client that its path names, and about nothing else in it', () => {
    assert.equal(objectIdIn({ payinId: EARLIER.toUpperCase() }), EARLIER)
    assert.equal(objectIdIn({ clientId: 'rc_stg_9Xk2mQ7vTzLw3bNa' }), 'rc_stg_9Xk2mQ7vTzLw3bNa')
    assert.equal(objectIdIn({ row: '2', batchId: EARLIER }), EARLIER)
    for (const value of [
      '@ANAGOMEZ',
      '2',
      '',
      'rc_stg_',
      `rc_stg_${'x'.repeat(41)}`,
      'xrc_stg_one',
      'rc_STG_one',
    ])
      assert.equal(objectIdIn({ keyString: value }), null, value)
    assert.equal(objectIdIn({}), null)
  })
})
