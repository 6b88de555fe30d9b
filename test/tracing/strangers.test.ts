// Whoever calls us may say that their trace be kept. Strangers can say so too, and must not decide what tracing costs.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { type SamplerName, samplerOf } from '../../src/core/tracing/trace.ts'
import { createTracer, FOLLOWED_PER_SECOND } from '../../src/tracing/tracer.ts'

const REQUESTS = 5_000

function kept(sampler: SamplerName, ratio: number, requests: number): number {
  let spans = 0
  const tracer = createTracer(samplerOf(sampler, ratio), {
    add: () => {
      spans += 1
    },
    close: async () => {},
  })
  for (let count = 0; count < requests; count += 1) {
    const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`
    tracer.request('GET /payins', traceparent, false)?.end()
  }
  return spans
}

describe('a trace that its caller wants kept', () => {
  it('is kept, but no more of them than so many a second', () => {
    assert.equal(kept('parentbased_traceidratio', 0, 10), 10)
    const startedAtMs = performance.now()
    const spans = kept('parentbased_traceidratio', 0, REQUESTS)
    const seconds = (performance.now() - startedAtMs) / 1_000
    assert.ok(spans <= FOLLOWED_PER_SECOND * (1 + seconds) + 1, `${spans} of ${REQUESTS}`)
  })

  it('does not have the payment’s own trace kept as well, which is decided by the payment', () => {
    const names: string[] = []
    const tracer = createTracer(samplerOf('parentbased_traceidratio', 0), {
      add: ({ traceId }) => void names.push(traceId),
      close: async () => {},
    })
    const traceId = randomBytes(16).toString('hex')
    const request = tracer.request('POST /payins', `00-${traceId}-${randomBytes(8).toString('hex')}-01`, true)
    assert.ok(request !== undefined)
    tracer.within(request, () => tracer.created(randomUUID()))
    request.end()
    assert.deepEqual(names, [traceId])
  })

  it('is kept like any other beyond that', () => {
    assert.equal(kept('parentbased_always_on', 1, REQUESTS), REQUESTS)
    const spans = kept('parentbased_traceidratio', 0.5, REQUESTS)
    assert.ok(spans > REQUESTS * 0.4 && spans < REQUESTS * 0.6, `${spans} of ${REQUESTS}`)
  })
})
