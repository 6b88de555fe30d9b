// One payment is one trace: from its request to the network, through the workers, to the webhook. A real collector gets the spans.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HOUR_MS } from '../../src/core/instant.ts'
import { isSampled, samplerOf } from '../../src/core/tracing/trace.ts'
import { newPayout } from '../api/http/calls.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, eventually, type World } from '../world.ts'
import { type CollectedSpan, type Collector, startCollector } from './collector.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const hex = (id: string): string => id.replaceAll('-', '')

describe('a payment', () => {
  let collector: Collector
  let receiver: Receiver
  let world: World
  before(async () => {
    collector = await startCollector()
    receiver = await startReceiver()
    world = await createWorld({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'parentbased_always_on' },
      exportLimits: { everyMs: 5 },
    })
    const made = await world.client('POST', '/webhook-endpoints', { url: `${receiver.url}/hook-path` })
    assert.equal(made.status, 201)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
    await collector[Symbol.asyncDispose]()
  })

  const traceOf = (traceId: string): CollectedSpan[] =>
    collector.spans.filter((span) => span.traceId === traceId)
  const named = (name: string | RegExp, traceId: string): CollectedSpan =>
    traceOf(traceId).find((span) => (typeof name === 'string' ? span.name === name : name.test(span.name))) ??
    assert.fail(`${name} is not in ${traceOf(traceId).map((span) => span.name)}`)
  const collected = (name: string, traceId: string) =>
    eventually(
      async () => traceOf(traceId).map((span) => span.name),
      (names) => names.includes(name),
    )

  it('is one trace from its request to its webhook, named after it', async () => {
    const { json, status } = await world.client('POST', '/payins', brebPayin())
    assert.equal(status, 201)
    const traceId = hex(json.id)
    await endPayin(world, world.client, json.id, 'confirmed')
    await world.work()
    await collected('webhook payin.confirmed', traceId)

    const request = named('POST /payins', traceId)
    assert.equal(request.parentSpanId, undefined)
    assert.equal(request.spanId, traceId.slice(16))
    assert.equal(request.kind, 2)
    assert.deepEqual(
      {
        method: request.attributes['http.request.method'],
        route: request.attributes['http.route'],
        status: request.attributes['http.response.status_code'],
        organization: request.attributes['recaudo.organization.id'],
        id: request.attributes['recaudo.id'],
      },
      {
        method: 'POST',
        route: '/payins',
        status: 201,
        organization: world.organization.organizationId,
        id: json.id,
      },
    )
    const operation = named('createPayin', traceId)
    assert.equal(operation.parentSpanId, request.spanId)
    assert.ok(BigInt(operation.startTimeUnixNano) >= BigInt(request.startTimeUnixNano))
    assert.ok(BigInt(operation.endTimeUnixNano) <= BigInt(request.endTimeUnixNano))
    const network = named(/^BRE_B /, traceId)
    assert.equal(network.kind, 3)
    const turn = traceOf(traceId).find(({ spanId }) => spanId === network.parentSpanId)
    assert.equal(turn?.name, 'work payin')
    assert.equal(turn?.parentSpanId, request.spanId)
    assert.equal(named('work notice', traceId).parentSpanId, request.spanId)
    const webhook = named('webhook payin.confirmed', traceId)
    assert.equal(webhook.attributes['http.response.status_code'], 200)
    assert.equal(webhook.attributes['recaudo.attempt'], 1)
    const sent = receiver.got.find(({ body }) => body.includes(json.id))
    assert.equal(sent?.headers.traceparent, `00-${traceId}-${webhook.spanId}-01`)
    assert.equal(new Set(traceOf(traceId).map(({ spanId }) => spanId)).size, traceOf(traceId).length)
  })

  it('shows each attempt of its webhook, and that the first one failed, and with what', async () => {
    receiver.answerWith(503)
    const { json } = await world.client('POST', '/payins', brebPayin())
    const traceId = hex(json.id)
    await endPayin(world, world.client, json.id, 'confirmed')
    await world.work()
    receiver.answerWith(200)
    world.advance(HOUR_MS)
    await world.work()
    const attempts = await eventually(
      async () => traceOf(traceId).filter(({ name }) => name === 'webhook payin.confirmed'),
      ({ length }) => length === 2,
    )
    assert.deepEqual(
      attempts.map(({ attributes, status }) => [
        attributes['recaudo.attempt'],
        attributes['http.response.status_code'],
        attributes['error.type'],
        status?.code,
      ]),
      [
        [1, 503, 'STATUS', 2],
        [2, 200, undefined, undefined],
      ],
    )
  })

  it('shares its trace with all that workers do for it, whatever kind of payment it is', async () => {
    const link = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'mesa 4',
      callbackUrl: 'https://shop.example/return',
    })
    assert.equal(link.status, 201, link.text)
    const payout = await world.client('POST', '/payouts', newPayout())
    assert.equal(payout.status, 201, payout.text)
    await world.passTime(2 * 24 * HOUR_MS)
    await collected('work payment link', hex(link.json.paymentLinkId))
    await collected('work payout', hex(payout.json.id))
  })

  it('that was made on behalf of another’s trace has its own, and the two are linked', async () => {
    const traceparent = `00-${TRACE}-${SPAN}-01`
    const { json } = await world.client('POST', '/payins', brebPayin(), { traceparent })
    await collected('POST /payins', TRACE)
    const traceId = hex(json.id)
    await collected('POST /payins', traceId)
    const request = named('POST /payins', TRACE)
    assert.equal(request.parentSpanId, SPAN)
    assert.equal(named('createPayin', TRACE).parentSpanId, request.spanId)
    const first = named('POST /payins', traceId)
    assert.equal(first.spanId, traceId.slice(16))
    assert.deepEqual(request.links, [{ traceId, spanId: first.spanId }])
    assert.deepEqual(first.links, [{ traceId: TRACE, spanId: request.spanId }])
    await world.work()
    await collected('work payin', traceId)
    assert.equal(named('work payin', traceId).parentSpanId, first.spanId)
  })

  it('is kept although whoever asked for it does not keep theirs', async () => {
    const quiet = TRACE.replace('4', '5')
    const { json } = await world.client('POST', '/payins', brebPayin(), {
      traceparent: `00-${quiet}-${SPAN}-00`,
    })
    await collected('POST /payins', hex(json.id))
    await world.client('GET', `/payins/${json.id}`, undefined, { traceparent: `00-${quiet}-${SPAN}-00` })
    const { json: next } = await world.client('POST', '/payins', brebPayin())
    await collected('POST /payins', hex(next.id))
    assert.deepEqual(traceOf(quiet), [])
  })

  it('begins once, however often its request is repeated', async () => {
    const body = brebPayin()
    const key = { 'idempotency-key': 'once' }
    const { json } = await world.client('POST', '/payins', body, key)
    const again = await world.client('POST', '/payins', body, key)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const { json: next } = await world.client('POST', '/payins', brebPayin())
    await collected('POST /payins', hex(next.id))
    assert.equal(traceOf(hex(json.id)).filter(({ name }) => name === 'POST /payins').length, 1)
  })

  it('that is refused says so, by its code', async () => {
    const refused = TRACE.replace('4', '6')
    const body = { ...brebPayin(), amountInCents: -1 }
    await world.client('POST', '/payins', body, { traceparent: `00-${refused}-${SPAN}-01` })
    await collected('POST /payins', refused)
    assert.equal(named('createPayin', refused).attributes['error.type'], 'INVALID_INPUT')
    assert.equal(named('POST /payins', refused).attributes['http.response.status_code'], 400)
    assert.equal(named('POST /payins', refused).status, undefined, 'a refusal is no failure of ours')
  })

  it('shows nobody and no secret in its spans', () => {
    const all = collector.texts.join('\n')
    assert.ok(all.length > 5_000)
    const secrets = [
      ...Object.values(CUSTOMER).filter((value) => value !== 'CO_CC'),
      world.apiKey,
      'hook-path',
      receiver.url,
      'ref-',
    ]
    for (const secret of secrets) assert.ok(!all.includes(secret), secret)
    const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)))
    assert.deepEqual([...names].sort(), [
      'error.type',
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'recaudo.attempt',
      'recaudo.endpoint.id',
      'recaudo.event.id',
      'recaudo.id',
      'recaudo.organization.id',
      'recaudo.rail',
      'recaudo.refusal',
      'recaudo.request.id',
    ])
  })

  it('is kept whole or not at all, where only a part is kept', async () => {
    await using partly = await createWorld({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0.5' },
      exportLimits: { everyMs: 5 },
    })
    const sampler = samplerOf('traceidratio', 0.5)
    const ids: string[] = []
    while (ids.filter((id) => isSampled(sampler, hex(id))).length < 3 || ids.length < 8)
      ids.push((await partly.client('POST', '/payins', brebPayin())).json.id)
    await partly.work()
    const [kept, others] = [true, false].map((is) => ids.filter((id) => isSampled(sampler, hex(id)) === is))
    for (const id of kept ?? []) {
      await collected('work payin', hex(id))
      const request = named('POST /payins', hex(id))
      assert.equal(request.spanId, hex(id).slice(16))
      assert.equal(request.attributes['http.response.status_code'], 201)
      const operation = named('createPayin', hex(id))
      assert.equal(operation.parentSpanId, request.spanId)
      assert.ok(BigInt(operation.startTimeUnixNano) >= BigInt(request.startTimeUnixNano))
      assert.ok(BigInt(operation.endTimeUnixNano) <= BigInt(request.endTimeUnixNano))
      assert.equal(named('work payin', hex(id)).parentSpanId, request.spanId)
    }
    for (const id of others ?? []) assert.deepEqual(traceOf(hex(id)), [])
  })

  it('is not hurt by a collector that refuses, and what is lost is counted', async () => {
    collector.answerWith(500)
    const { status, json } = await world.client('POST', '/payins', brebPayin())
    assert.equal(status, 201)
    await world.work()
    const shown = await eventually(
      async () => (await world.anonymous('GET', '/metrics')).text,
      (text) => /recaudo_trace_spans_total\{result="failed"\} [1-9]/.test(text),
    )
    assert.match(shown, /recaudo_trace_spans_total\{result="exported"\} [1-9]/)
    assert.equal((await world.client('GET', `/payins/${json.id}`)).status, 200)
    collector.answerWith(200)
  })
})
