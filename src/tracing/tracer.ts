// Makes spans and knows which is under way. Most traces are not kept, and what is not kept costs as little as possible. A request
// that may make a payment is decided about at its end: only then is it known whose trace it begins. Unless all are kept, its spans
// are made only then, and parts of it other than its operation are not seen.

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'
import { createRandomPool } from '../core/ids.ts'
import { createTokenBuckets } from '../core/token-buckets.ts'
import {
  firstSpanIdOf,
  isSampled,
  readTraceparent,
  type Sampler,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type TraceParent,
  type Tracer,
  traceIdOf,
  traceparentOf,
} from '../core/tracing/trace.ts'
import type { Exporter } from './exporter.ts'
import type { FinishedSpan } from './otlp.ts'

// How many traces are kept only because their callers say so. Strangers can say it too, and must not decide what tracing costs.
export const FOLLOWED_PER_SECOND = 100

// One trace as far as this process sees it.
type Trace = {
  id: string
  // Undefined while that is not decided. Until then its finished spans wait.
  isKept: boolean | undefined
  readonly waiting: OpenSpan[]
  // The payment that its request made.
  createdId: string | undefined
}

type OpenSpan = Span & {
  readonly trace: Trace
  id: string
  // One of ours, whose id may still change, or the id of another's.
  readonly parent: OpenSpan | string | undefined
  readonly name: string
  readonly kind: SpanKind
  startedAtMs: number
  endedAtMs: number
  attributes: SpanAttributes
  failure: string | undefined
  link: FinishedSpan['link']
}

export function createTracer(sampler: Sampler, exporter: Exporter): Tracer {
  const underWay = new AsyncLocalStorage<OpenSpan | undefined>()
  const randomBytes = createRandomPool(randomFillSync)
  const newId = (bytes: number): string => randomBytes(bytes).toString('hex')
  const followed = createTokenBuckets({ perSecond: FOLLOWED_PER_SECOND, burst: FOLLOWED_PER_SECOND })
  const keepsOf = ({ traceId, isSampled: isWanted }: TraceParent): boolean => {
    if (!sampler.followsParent) return isSampled(sampler, traceId)
    return isWanted && (isSampled(sampler, traceId) || followed.take('', performance.now()).allowed)
  }

  const open = (
    trace: Trace,
    parent: OpenSpan['parent'],
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
  ): OpenSpan => {
    const span: OpenSpan = {
      trace,
      id: newId(8),
      parent,
      name,
      kind,
      startedAtMs: nowMs(),
      endedAtMs: 0,
      attributes,
      failure: undefined,
      link: undefined,
      set: (more) => {
        span.attributes = { ...span.attributes, ...more }
      },
      fail: (reason) => {
        span.failure = reason
      },
      traceparent: () =>
        trace.isKept === undefined
          ? undefined
          : traceparentOf({ traceId: trace.id, spanId: span.id, isSampled: trace.isKept }),
      end: () => {
        if (span.endedAtMs !== 0) return
        span.endedAtMs = nowMs()
        if (trace.isKept === undefined) trace.waiting.push(span)
        else if (trace.isKept) exporter.add(finished(span))
      },
    }
    return span
  }

  const run = async <Result>(span: OpenSpan, work: (span: Span) => Promise<Result>): Promise<Result> => {
    try {
      return await underWay.run(span, work, span)
    } catch (error) {
      // Its message may quote data.
      span.fail((error as Error).name)
      throw error
    } finally {
      span.end()
    }
  }

  // It has begun the trace of the payment that it made, or a trace of its own.
  const endOwn = (request: OpenSpan): void => {
    const { trace } = request
    if (trace.createdId !== undefined) {
      trace.id = traceIdOf(trace.createdId)
      request.id = firstSpanIdOf(trace.createdId)
      request.set({ 'recaudo.id': trace.createdId })
    }
    trace.isKept ??= isSampled(sampler, trace.id)
    for (const span of trace.waiting.splice(0)) if (trace.isKept) exporter.add(finished(span))
    request.end()
  }

  // It is a part of its caller's trace. The payment that it made has its own, which begins with a span of the same time.
  const endOthers = (request: OpenSpan): void => {
    const { createdId } = request.trace
    if (createdId !== undefined) {
      request.set({ 'recaudo.id': createdId })
      request.link = { traceId: traceIdOf(createdId), spanId: firstSpanIdOf(createdId) }
    }
    request.end()
    if (createdId === undefined || !isSampled(sampler, traceIdOf(createdId))) return
    exporter.add({
      ...finished(request),
      traceId: traceIdOf(createdId),
      spanId: firstSpanIdOf(createdId),
      parentId: undefined,
      link: { traceId: request.trace.id, spanId: request.id },
    })
  }

  return {
    begins: (traceparent, mayCreate) =>
      sampler.ratio >= 1 ||
      readTraceparent(traceparent) !== undefined ||
      (!mayCreate && Math.random() < sampler.ratio),
    request: (name, traceparent, mayCreate) => {
      const parent = readTraceparent(traceparent)
      const id = parent?.traceId ?? newId(16)
      const isKept = parent === undefined ? (mayCreate ? undefined : true) : keepsOf(parent)
      if (isKept === false && !mayCreate) return undefined
      const trace: Trace = { id, isKept, waiting: [], createdId: undefined }
      const span = open(trace, parent?.spanId, name, 'server', {})
      const end = parent === undefined ? endOwn : endOthers
      return requestSpan(span, () => end(span))
    },
    within: (request, work) => underWay.run((request as RequestSpan).span, work),
    created: (id) => {
      const span = underWay.getStore()
      if (span !== undefined) span.trace.createdId ??= id
    },
    keeps: (createdId) =>
      createdId === undefined ? Math.random() < sampler.ratio : isSampled(sampler, traceIdOf(createdId)),
    record: ({ name, startedAtMs, attributes, failure, createdId, operation }) => {
      const trace: Trace = { id: '', isKept: true, waiting: [], createdId: undefined }
      const request = open(trace, undefined, name, 'server', attributes)
      trace.id = createdId === undefined ? newId(16) : traceIdOf(createdId)
      if (createdId !== undefined) {
        request.id = firstSpanIdOf(createdId)
        request.set({ 'recaudo.id': createdId })
      }
      const act = open(trace, request, operation.name, 'internal', {})
      act.startedAtMs = performance.timeOrigin + operation.startedAtMs
      act.endedAtMs = performance.timeOrigin + operation.endedAtMs
      act.failure = operation.failure
      exporter.add(finished(act))
      request.startedAtMs = performance.timeOrigin + startedAtMs
      request.failure = failure
      request.end()
    },
    forPayment: (id, name, kind, attributes, work) => {
      const traceId = traceIdOf(id)
      if (!isSampled(sampler, traceId))
        // Whoever handed the work over may be traced itself.
        return underWay.getStore() === undefined ? work(undefined) : underWay.run(undefined, work, undefined)
      const trace: Trace = { id: traceId, isKept: true, waiting: [], createdId: undefined }
      return run(open(trace, firstSpanIdOf(id), name, kind, { ...attributes, 'recaudo.id': id }), work)
    },
    part: (name, kind, attributes, work) => {
      const parent = underWay.getStore()
      if (parent === undefined || parent.trace.isKept === false) return work(undefined)
      return run(open(parent.trace, parent, name, kind, attributes), work)
    },
    close: exporter.close,
  }
}

// What a request's holder has of it.
type RequestSpan = Span & { readonly span: OpenSpan }

function requestSpan(span: OpenSpan, end: () => void): RequestSpan {
  return { span, set: span.set, fail: span.fail, traceparent: span.traceparent, end }
}

function finished(span: OpenSpan): FinishedSpan {
  const { trace, parent } = span
  return {
    traceId: trace.id,
    spanId: span.id,
    parentId: typeof parent === 'object' ? parent.id : parent,
    name: span.name,
    kind: span.kind,
    startedAtMs: span.startedAtMs,
    endedAtMs: span.endedAtMs,
    attributes: span.attributes,
    failure: span.failure,
    link: span.link,
  }
}

// Real time, finer than milliseconds.
function nowMs(): number {
  return performance.timeOrigin + performance.now()
}
