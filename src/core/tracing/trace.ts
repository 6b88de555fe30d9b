// Traces: what one request or one payment led to, across processes. A payment's trace is named after the payment, and so is its
// first span. So every process knows both without being told, and nothing is stored for it.

// `undefined` is left out. Nothing personal and nothing secret: ids, routes, codes, counts.
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanKind = 'internal' | 'server' | 'client'

// One piece of work under way.
export type Span = {
  readonly set: (attributes: SpanAttributes) => void
  // It did not come to its end; the reason is a code.
  readonly fail: (reason: string) => void
  // What tells others whose part they do. Undefined while the trace has no final name.
  readonly traceparent: () => string | undefined
  readonly end: () => void
}

// Times are those of `performance.now()`.
export type EndedRequest = {
  readonly name: string
  readonly startedAtMs: number
  readonly attributes: SpanAttributes
  readonly failure: string | undefined
  readonly createdId: string | undefined
  readonly operation: {
    readonly name: string
    readonly startedAtMs: number
    readonly endedAtMs: number
    readonly failure: string | undefined
  }
}

export type Tracer = {
  // Whether a request from outside begins a trace or joins the one that it names. If not, it is not traced, or that is decided at its
  // end. `mayCreate`: it may make a payment, whose trace it then begins.
  readonly begins: (traceparent: string | undefined, mayCreate: boolean) => boolean
  // One that does: in the trace that it names, or in one of its own. Undefined: the trace that it names is not kept.
  readonly request: (name: string, traceparent: string | undefined, mayCreate: boolean) => Span | undefined
  // Whatever is done meanwhile belongs to the request.
  readonly within: <Result>(request: Span, work: () => Result) => Result
  // The request that is under way has made this payment.
  readonly created: (id: string) => void
  // A request that is not traced so far has ended. Undefined: it made no payment.
  readonly keeps: (createdId: string | undefined) => boolean
  // One that is kept, told when it is over.
  readonly record: (request: EndedRequest) => void
  // What is done for a payment, by whoever does it, in the payment's trace.
  readonly forPayment: <Result>(
    id: string,
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
    work: (span: Span | undefined) => Promise<Result>,
  ) => Promise<Result>
  // A part of what is under way. If that is not traced, neither is this.
  readonly part: <Result>(
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
    work: (span: Span | undefined) => Promise<Result>,
  ) => Promise<Result>
  // Sends what is left, within a short time.
  readonly close: () => Promise<void>
}

// Which traces are kept. A payment's parts agree, because all decide by its id.
export type Sampler = {
  readonly ratio: number
  // Whoever calls us and has decided, has decided for their trace.
  readonly followsParent: boolean
}

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof SAMPLERS)[number]

export function samplerOf(name: SamplerName, ratio: number): Sampler {
  const root = name.replace('parentbased_', '')
  return {
    ratio: root === 'always_on' ? 1 : root === 'always_off' ? 0 : ratio,
    followsParent: name.startsWith('parentbased_'),
  }
}

// By the last 52 bits, which are random in ids of traces and of payments alike.
export function isSampled({ ratio }: Sampler, traceId: string): boolean {
  return Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < ratio
}

export type TraceParent = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean }

// Of W3C Trace Context. Undefined if it is not one: then it is as if none was sent. Later versions may have more behind it.
export function readTraceparent(text: string | undefined): TraceParent | undefined {
  if (text === undefined) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== '')) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function traceparentOf({ traceId, spanId, isSampled: isKept }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isKept ? '01' : '00'}`
}

export function traceIdOf(paymentId: string): string {
  return paymentId.replaceAll('-', '')
}

// The second half of an id: random, and never all zeros.
export function firstSpanIdOf(paymentId: string): string {
  return traceIdOf(paymentId).slice(16)
}
