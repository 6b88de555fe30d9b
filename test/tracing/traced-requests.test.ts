// Which requests are traced, and what a span says of one: with a tracer of the test's own, which traces all that it may.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import Fastify from 'fastify'
import { traceRequests } from '../../src/api/trace-requests.ts'
import type { Tracer } from '../../src/core/tracing/trace.ts'

it('a request is traced by its route, unless a monitor sent it or it lasts for as long as somebody listens', async () => {
  const begun: unknown[][] = []
  const ended: unknown[][] = []
  const tracer = {
    begins: () => true,
    request: (...asked: unknown[]) => {
      begun.push(asked)
      const said: unknown[] = []
      return {
        set: (attributes: Record<string, unknown>) => said.push(attributes['http.response.status_code']),
        fail: (why: string) => said.push(why),
        end: () => ended.push(said),
      }
    },
  } as unknown as Tracer
  const app = Fastify()
  app.decorateRequest('caller', null)
  app.decorateRequest('refusal', null)
  traceRequests(app, tracer)
  for (const url of ['/healthz', '/readyz', '/metrics']) app.get(url, () => 'ok')
  app.get('/events/stream', { config: { stream: true } }, () => 'ok')
  app.get('/payins/:payinId', () => 'ok')
  app.post('/payins', (_, reply) => reply.code(500).send('no'))
  for (const url of ['/healthz', '/readyz', '/metrics', '/events/stream']) await app.inject(url)
  assert.deepEqual(begun, [])
  await app.inject({ url: '/payins/7', headers: { traceparent: 'given' } })
  await app.inject({ method: 'POST', url: '/payins' })
  assert.deepEqual(begun, [
    ['GET /payins/:payinId', 'given', false],
    ['POST /payins', undefined, true],
  ])
  assert.deepEqual(ended, [[200], [500, '500']])
})
