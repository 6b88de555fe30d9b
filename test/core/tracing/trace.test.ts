// The rules of traces: whose trace a request is in, and which are kept.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { createIdSource } from '../../../src/core/ids.ts'
import {
  firstSpanIdOf,
  isSampled,
  readTraceparent,
  SAMPLERS,
  samplerOf,
  traceIdOf,
  traceparentOf,
} from '../../../src/core/tracing/trace.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('a traceparent', () => {
  it('is read, and written as it was read', () => {
    for (const flags of ['00', '01']) {
      const text = `00-${TRACE}-${SPAN}-${flags}`
      const read = readTraceparent(text)
      assert.deepEqual(read, { traceId: TRACE, spanId: SPAN, isSampled: flags === '01' })
      assert.equal(traceparentOf(read), text)
    }
    assert.equal(readTraceparent(`00-${TRACE}-${SPAN}-03`)?.isSampled, true, 'by its last bit')
    assert.equal(readTraceparent(`01-${TRACE}-${SPAN}-01-later`)?.traceId, TRACE, 'of a later version')
  })

  it('that is not one is as if none was sent', () => {
    for (const text of [
      undefined,
      '',
      TRACE,
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-1`,
      `00-${TRACE}-${SPAN}-01-more`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01\r\nx: y`,
    ])
      assert.equal(readTraceparent(text), undefined, String(text))
  })
})

describe('a payment’s trace', () => {
  it('has the payment’s name, and so has its first span', () => {
    const id = '01932f4e-7a10-7abc-8def-0123456789ab'
    assert.equal(traceIdOf(id), '01932f4e7a107abc8def0123456789ab')
    assert.equal(firstSpanIdOf(id), '8def0123456789ab')
  })

  it('is kept by the part that was asked for, by whoever asks', () => {
    const newId = createIdSource(randomBytes)
    const ids = Array.from({ length: 5_000 }, () => traceIdOf(newId(Date.now())))
    for (const ratio of [0.05, 0.5]) {
      const kept = ids.filter((id) => isSampled(samplerOf('traceidratio', ratio), id)).length / ids.length
      assert.ok(Math.abs(kept - ratio) < 0.03, `${kept} of ${ratio}`)
    }
    assert.ok(ids.every((id) => isSampled(samplerOf('always_on', 0), id)))
    assert.ok(!ids.some((id) => isSampled(samplerOf('parentbased_always_off', 1), id)))
    const [least, most] = ['0'.repeat(32), 'f'.repeat(32)]
    assert.equal(isSampled(samplerOf('always_off', 1), least), false)
    assert.equal(isSampled(samplerOf('always_on', 0), most), true)
  })

  it('is kept by whoever calls us, where the sampler says that it follows', () => {
    const told = SAMPLERS.map((name) => [name, samplerOf(name, 0.25)])
    assert.deepEqual(Object.fromEntries(told), {
      always_on: { ratio: 1, followsParent: false },
      always_off: { ratio: 0, followsParent: false },
      traceidratio: { ratio: 0.25, followsParent: false },
      parentbased_always_on: { ratio: 1, followsParent: true },
      parentbased_always_off: { ratio: 0, followsParent: true },
      parentbased_traceidratio: { ratio: 0.25, followsParent: true },
    })
  })
})
