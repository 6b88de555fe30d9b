// Spans in the words of OTLP, as JSON. Written as text, because most of it is the same for every span.

import type { SpanAttributes, SpanKind } from '../core/tracing/trace.ts'

export type FinishedSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  // Milliseconds since 1970, with their fractions.
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly attributes: SpanAttributes
  readonly failure: string | undefined
  readonly link: { readonly traceId: string; readonly spanId: string } | undefined
}

export type Resource = { readonly serviceName: string; readonly instanceId: string }

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 }
const STATUS_ERROR = '{"code":2}'

export function exportRequest(resource: Resource, spans: readonly FinishedSpan[]): string {
  const about = attributeList({
    'service.name': resource.serviceName,
    'service.instance.id': resource.instanceId,
  })
  return (
    `{"resourceSpans":[{"resource":{"attributes":${about}},` +
    `"scopeSpans":[{"scope":{"name":"recaudo"},"spans":[${spans.map(spanText).join(',')}]}]}]}`
  )
}

function spanText(span: FinishedSpan): string {
  const { failure, link } = span
  const attributes = failure === undefined ? span.attributes : { ...span.attributes, 'error.type': failure }
  return (
    `{"traceId":"${span.traceId}","spanId":"${span.spanId}",` +
    (span.parentId === undefined ? '' : `"parentSpanId":"${span.parentId}",`) +
    `"name":${JSON.stringify(span.name)},"kind":${KINDS[span.kind]},` +
    `"startTimeUnixNano":"${nanoseconds(span.startedAtMs)}","endTimeUnixNano":"${nanoseconds(span.endedAtMs)}",` +
    `"attributes":${attributeList(attributes)}` +
    (link === undefined ? '' : `,"links":[{"traceId":"${link.traceId}","spanId":"${link.spanId}"}]`) +
    (failure === undefined ? '}' : `,"status":${STATUS_ERROR}}`)
  )
}

// A number has no room for nanoseconds since 1970.
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  return `${whole}${String(Math.floor((ms - whole) * 1_000_000)).padStart(6, '0')}`
}

function attributeList(attributes: SpanAttributes): string {
  const items: string[] = []
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== undefined) items.push(`{"key":${JSON.stringify(name)},"value":${valueText(value)}}`)
  }
  return `[${items.join(',')}]`
}

function valueText(value: string | number | boolean): string {
  if (typeof value === 'string') return `{"stringValue":${JSON.stringify(value)}}`
  if (typeof value === 'boolean') return `{"boolValue":${value}}`
  return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`
}
