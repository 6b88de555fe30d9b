// A call to a network is a part of whatever it is made for, and the network is told whose part it is.

import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { samplerOf } from '../../src/core/tracing/trace.ts'
import { type Connection, openConnection, type Sent } from '../../src/rails/connection.ts'
import { LIMITS } from '../../src/rails/limits.ts'
import type { FinishedSpan } from '../../src/tracing/otlp.ts'
import { createTracer } from '../../src/tracing/tracer.ts'

const PAYMENT = '01932f4e-7a10-7abc-8de0-0123456789ab'
const CALL: Sent = {
  method: 'GET',
  resource: '/collections',
  id: 'secret-reference',
  reference: 'secret-reference',
  headers: {},
  body: null,
  shown: undefined,
}

describe('a call to a network', () => {
  const asked: IncomingHttpHeaders[] = []
  const spans: FinishedSpan[] = []
  const tracer = createTracer(samplerOf('traceidratio', 0.5), {
    add: (span) => void spans.push(span),
    close: async () => {},
  })
  const network = createServer((request, response) => {
    asked.push(request.headers)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  let connection: Connection
  before(async () => {
    await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
    const { port } = network.address() as AddressInfo
    const options = {
      now: Date.now,
      monotonicMs: () => performance.now(),
      record: () => {},
      limits: LIMITS,
      tracer,
    }
    connection = openConnection('PSE', `http://127.0.0.1:${port}`, options)
  })
  after(async () => {
    await connection.close()
    network.closeAllConnections()
    await new Promise((resolve) => network.close(resolve))
  })
  const call = () => connection.send(CALL, new AbortController().signal)

  it('is a span of the payment’s trace, and says so to the network', async () => {
    await tracer.forPayment(PAYMENT, 'work payin', 'internal', {}, call)
    const [asking, turn] = spans.splice(0)
    assert.deepEqual(
      [asking?.name, asking?.parentId, asking?.attributes],
      ['PSE GET /collections', turn?.spanId, { 'recaudo.rail': 'PSE', 'http.response.status_code': 200 }],
    )
    assert.equal(asked.pop()?.traceparent, `00-${PAYMENT.replaceAll('-', '')}-${asking?.spanId}-01`)
  })

  it('is none where nothing is traced, or the payment’s trace is not kept, whoever handed it over', async () => {
    await call()
    const other = PAYMENT.replace('8de0-0123', '8def-0123')
    await tracer.forPayment(PAYMENT, 'work payin', 'internal', {}, () =>
      tracer.forPayment(other, 'work payin', 'internal', {}, call),
    )
    assert.deepEqual(
      spans.splice(0).map(({ name }) => name),
      ['work payin'],
    )
    assert.deepEqual(
      asked.splice(0).map(({ traceparent }) => traceparent),
      [undefined, undefined],
    )
  })

  it('that is not answered fails by its kind, and its error is not hidden', async () => {
    const gone = new AbortController()
    gone.abort()
    await tracer.forPayment(PAYMENT, 'work payin', 'internal', {}, () => connection.send(CALL, gone.signal))
    assert.equal(spans.splice(0)[0]?.failure, 'timeout')
    const failing = tracer.forPayment(PAYMENT, 'work payin', 'internal', {}, async () => {
      throw new TypeError('quotes Ana')
    })
    await assert.rejects(failing, /quotes Ana/)
    assert.equal(spans.splice(0)[0]?.failure, 'TypeError')
  })
})
