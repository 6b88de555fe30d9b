// Sends finished spans to a collector, some hundreds at a time, in the background. A collector that is slow or away costs spans,
// never a payment: the queue is bounded, what does not fit is counted and forgotten, and nobody waits for an answer.

import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { exportRequest, type FinishedSpan, type Resource } from './otlp.ts'

export type SpanResult = 'exported' | 'queue_full' | 'failed'

export type Exporter = {
  readonly add: (span: FinishedSpan) => void
  readonly close: () => Promise<void>
}

export type ExporterOptions = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Resource
  readonly count: (result: SpanResult, spans: number) => void
  readonly limits?: Partial<ExportLimits>
}

export type ExportLimits = typeof EXPORT_LIMITS

// Those of OpenTelemetry's batch processor, except that we wait less: whoever looks at a trace has just made it.
export const EXPORT_LIMITS = {
  queue: 2_048,
  batch: 512,
  everyMs: 1_000,
  timeoutMs: 10_000,
  // A collector that restarts is away for so long.
  tries: 4,
  pauseMs: 1_000,
  closeMs: 2_000,
}

export function createExporter({ url, headers, resource, count, limits: given }: ExporterOptions): Exporter {
  const limits = { ...EXPORT_LIMITS, ...given }
  const closing = new AbortController()
  let queue: FinishedSpan[] = []
  let sending: Promise<void> | undefined
  let isClosed = false

  const sendAll = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, limits.batch)
      const isTaken = await sendWithRetries(batch)
      count(isTaken ? 'exported' : 'failed', batch.length)
    }
  }

  const sendWithRetries = async (batch: readonly FinishedSpan[]): Promise<boolean> => {
    const body = exportRequest(resource, batch)
    for (let attempt = 1; ; attempt += 1) {
      const status = await post(body)
      if (status >= 200 && status < 300) return true
      if (!isWorthRetrying(status) || attempt >= limits.tries || closing.signal.aborted) return false
      await pause(limits.pauseMs * 2 ** (attempt - 1), closing.signal)
    }
  }

  // Zero: no answer came.
  const post = async (body: string): Promise<number> => {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), closing.signal])
      const answer = await request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal,
      })
      await answer.body.dump()
      return answer.statusCode
    } catch {
      return 0
    }
  }

  const sendSoon = (): void => {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
  }
  const timer = setInterval(() => {
    if (queue.length > 0) sendSoon()
  }, limits.everyMs).unref()

  return {
    add: (span) => {
      if (isClosed || queue.length >= limits.queue) return count('queue_full', 1)
      queue.push(span)
      if (queue.length >= limits.batch) sendSoon()
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      sendSoon()
      const giveUp = setTimeout(() => {
        closing.abort()
        count('failed', queue.length)
        queue = []
      }, limits.closeMs)
      await sending
      clearTimeout(giveUp)
    },
  }
}

// As OTLP says. Anything else is a request that the collector does not want.
function isWorthRetrying(status: number): boolean {
  return [0, 429, 502, 503, 504].includes(status)
}

// Its listener goes with it: a collector may be away for weeks.
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => {})
}
