// The metrics of all processes as one. What an ended process had counted stays in the sums, as it was last seen: a
// counter that went down would look to a monitor like a restart of everything.

import { AggregatorRegistry, type Registry } from 'prom-client'
import type { ProcessMetrics } from './process-messages.ts'

export type CombinedMetrics = {
  show: () => Promise<string>
  // A process has sent its values; `request` is null if nobody asked.
  counted: (process: number, request: number | null, values: ProcessMetrics) => void
  ended: (process: number) => void
}

// A process that does not answer is shown as it was last seen.
const ANSWER_WITHIN_MS = 1_000
const SUMS = new Set(['counter', 'histogram'])
// Series by endpoint are limited in each process. Those of ended ones would grow without end.
const UNLIMITED = 'recaudo_webhook_failures_total'

// `askAll` asks every process for its values and returns whom it asked.
export function combineMetrics(own: Registry, askAll: (request: number) => number[]): CombinedMetrics {
  const seen = new Map<number, ProcessMetrics>()
  let departed: Promise<ProcessMetrics> = Promise.resolve([])
  let requests = 0
  const open = new Map<number, { missing: Set<number>; complete: () => void }>()
  const answered = (request: number, process: number): void => {
    const waiting = open.get(request)
    waiting?.missing.delete(process)
    if (waiting?.missing.size === 0) waiting.complete()
  }

  return {
    show: async () => {
      requests += 1
      const request = requests
      const { promise, resolve } = Promise.withResolvers<void>()
      const missing = new Set(askAll(request))
      open.set(request, { missing, complete: resolve })
      const late = setTimeout(resolve, missing.size === 0 ? 0 : ANSWER_WITHIN_MS)
      await promise
      clearTimeout(late)
      open.delete(request)
      const all = [await own.getMetricsAsJSON(), await departed, ...seen.values()]
      return AggregatorRegistry.aggregate(all).metrics()
    },
    counted: (process, request, values) => {
      seen.set(process, values.map(withNumbers))
      if (request !== null) answered(request, process)
    },
    ended: (process) => {
      const last = seen.get(process) ?? []
      seen.delete(process)
      const sums = last.filter(
        ({ type, name, aggregator }) => SUMS.has(String(type)) && aggregator === 'sum' && name !== UNLIMITED,
      )
      departed = departed.then((before) => AggregatorRegistry.aggregate([before, sums]).getMetricsAsJSON())
      for (const request of [...open.keys()]) answered(request, process)
    },
  }
}

// Between processes, a value that is no number arrives as null.
function withNumbers(metric: ProcessMetrics[number]): ProcessMetrics[number] {
  return { ...metric, values: metric.values.map((value) => ({ ...value, value: value.value ?? Number.NaN })) }
}
