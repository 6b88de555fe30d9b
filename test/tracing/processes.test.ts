// A payment's trace is the same in every process: one makes the payment, another works on it, and neither tells the other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGreeting, start, stop } from '../process/process.ts'
import { brebPayin, clientOf, createDatabase, eventually } from '../world.ts'
import { startCollector } from './collector.ts'

test('the API and the workers, in processes of their own, add to one trace', async (t) => {
  await using collector = await startCollector()
  const database = await createDatabase()
  t.after(database.drop)
  const env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: 'a1'.repeat(32),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_SERVICE_NAME: 'pagos',
  }
  const [api, workers] = await Promise.all([
    start(t, { args: ['start', '--api'], env }),
    start(t, { args: ['start', '--workers'], env }),
  ])
  const { apiKey } = readGreeting(api.stdout())
  const { json, status } = await clientOf(api.baseUrl, { 'x-api-key': apiKey })(
    'POST',
    '/payins',
    brebPayin(),
  )
  assert.equal(status, 201)
  const traceId = json.id.replaceAll('-', '')
  const trace = () => collector.spans.filter((span) => span.traceId === traceId)
  await eventually(
    async () => trace().map(({ name }) => name),
    (names) => names.includes('POST /payins') && names.includes('work payin'),
  )
  const [request, turn] = ['POST /payins', 'work payin'].map((name) =>
    trace().find((span) => span.name === name),
  )
  assert.equal(turn?.parentSpanId, request?.spanId)
  assert.equal(request?.resource['service.name'], 'pagos')
  assert.notEqual(turn?.resource['service.instance.id'], request?.resource['service.instance.id'])
  // What is still in the queue is sent when a process ends.
  const { json: last } = await clientOf(api.baseUrl, { 'x-api-key': apiKey })('POST', '/payins', brebPayin())
  await stop(api)
  assert.ok(
    collector.spans.some(
      ({ name, traceId: id }) => name === 'POST /payins' && id === last.id.replaceAll('-', ''),
    ),
  )
  await stop(workers)
})
