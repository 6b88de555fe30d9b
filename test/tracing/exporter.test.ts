// Spans leave in the background, to a real collector over HTTP. Whatever the collector does costs spans at most, and every span is
// counted once.

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { afterEach, describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import {
  createExporter,
  EXPORT_LIMITS,
  type ExportLimits,
  type SpanResult,
} from '../../src/tracing/exporter.ts'
import type { FinishedSpan } from '../../src/tracing/otlp.ts'
import { freePort } from '../free-port.ts'
import { eventually } from '../world.ts'
import { type Collector, startCollector } from './collector.ts'

const SPAN: FinishedSpan = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  parentId: undefined,
  name: 'POST /payins',
  kind: 'server',
  startedAtMs: 1_763_000_000_000.25,
  endedAtMs: 1_763_000_000_001.5,
  attributes: { text: 'a "b"\n', whole: 201, part: 0.5, flag: true, none: undefined },
  failure: 'STATUS',
  link: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) },
}

describe('spans', () => {
  let collector: Collector | undefined
  afterEach(async () => {
    await collector?.[Symbol.asyncDispose]()
    collector = undefined
  })

  const open = (url: string, limits: Partial<ExportLimits> = {}) => {
    const counted: Record<SpanResult, number> = { exported: 0, queue_full: 0, failed: 0 }
    const exporter = createExporter({
      url: `${url}/v1/traces`,
      headers: { 'api-key': 'secret' },
      resource: { serviceName: 'recaudo', instanceId: 'test' },
      count: (result, spans) => {
        counted[result] += spans
      },
      limits: { everyMs: 5, pauseMs: 5, ...limits },
    })
    const add = (count: number) => {
      for (let number = 0; number < count; number += 1) exporter.add(SPAN)
    }
    return { exporter, counted, add }
  }

  it('are sent as OTLP says, with the headers of the settings', async () => {
    collector = await startCollector()
    const { exporter, counted, add } = open(collector.url)
    add(1)
    await eventually(
      async () => counted.exported,
      (exported) => exported === 1,
    )
    await exporter.close()
    const [span] = collector.spans
    assert.deepEqual(span, {
      traceId: SPAN.traceId,
      spanId: SPAN.spanId,
      name: 'POST /payins',
      kind: 2,
      startTimeUnixNano: '1763000000000250000',
      endTimeUnixNano: '1763000000001500000',
      attributes: { text: 'a "b"\n', whole: 201, part: Number.NaN, flag: true, 'error.type': 'STATUS' },
      links: [SPAN.link],
      status: { code: 2 },
      resource: { 'service.name': 'recaudo', 'service.instance.id': 'test' },
    })
    assert.match(collector.texts[0] ?? '', /"key":"part","value":\{"doubleValue":0\.5\}/)
    assert.equal(collector.headers[0]?.['api-key'], 'secret')
    assert.equal(collector.headers[0]?.['content-type'], 'application/json')
  })

  it('are sent in batches, and all of them when it closes', async () => {
    collector = await startCollector()
    const { exporter, counted, add } = open(collector.url, { batch: 100, everyMs: 60_000 })
    add(250)
    await exporter.close()
    assert.deepEqual(counted, { exported: 250, queue_full: 0, failed: 0 })
    assert.equal(collector.texts.length, 3)
  })

  it('are dropped and counted when the queue is full, and nobody waits', async () => {
    collector = await startCollector()
    collector.answerWith('never')
    const { exporter, counted, add } = open(collector.url, { queue: 100, batch: 50, closeMs: 50 })
    add(10_000)
    assert.ok(counted.queue_full >= 9_850, `${counted.queue_full}`)
    await exporter.close()
    assert.equal(counted.queue_full + counted.failed, 10_000)
    exporter.add(SPAN)
    assert.equal(counted.queue_full + counted.failed, 10_001, 'and what comes later')
  })

  it('take little memory, and little of the time that a process has to end', () => {
    const { queue, batch, closeMs } = EXPORT_LIMITS
    assert.ok(batch < queue && queue <= 10_000, `${queue} spans may wait`)
    assert.ok(closeMs <= readConfig({}).shutdownGraceMs / 5, `its end may take ${closeMs} ms`)
  })

  it('are sent again if the collector is busy for a moment, and once only', async () => {
    for (const status of [429, 502, 503, 504]) {
      collector = await startCollector()
      collector.answerWith(status)
      const { exporter, counted, add } = open(collector.url, { pauseMs: 20 })
      add(3)
      const { headers, answerWith } = collector
      await eventually(
        async () => headers.length,
        (tries) => tries >= 1,
      )
      answerWith(200)
      await eventually(
        async () => counted.exported,
        (exported) => exported === 3,
      )
      await exporter.close()
      assert.equal(collector.spans.length, 3)
      await collector[Symbol.asyncDispose]()
    }
    collector = undefined
  })

  it('leave nothing in memory, however long the collector is away', async (t) => {
    const made: AbortController[] = []
    const Original = globalThis.AbortController
    t.after(() => {
      globalThis.AbortController = Original
    })
    globalThis.AbortController = class extends Original {
      constructor() {
        super()
        made.push(this)
      }
    }
    const { exporter, counted, add } = open(`http://127.0.0.1:${await freePort()}`, { pauseMs: 1 })
    const [closing = assert.fail()] = made
    for (let batch = 1; batch <= 20; batch += 1) {
      add(1)
      await eventually(
        async () => counted.failed,
        (failed) => failed === batch,
      )
    }
    assert.ok(getEventListeners(closing.signal, 'abort').length <= 1)
    await exporter.close()
  })

  it('are given up where the collector does not want them, or is not there', async () => {
    // OTLP names the few that may be sent again, and 500 is none of them.
    for (const status of [400, 500]) {
      await collector?.[Symbol.asyncDispose]()
      collector = await startCollector()
      collector.answerWith(status)
      const refused = open(collector.url)
      refused.add(2)
      await eventually(
        async () => refused.counted.failed,
        (failed) => failed === 2,
      )
      assert.equal(collector.headers.length, 1, 'it is not asked twice')
      await refused.exporter.close()
    }
    const away = open(`http://127.0.0.1:${await freePort()}`, { tries: 2 })
    away.add(2)
    await eventually(
      async () => away.counted.failed,
      (failed) => failed === 2,
    )
    await away.exporter.close()
  })
})
