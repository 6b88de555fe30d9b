// What every process of the service has: the signals that stop it, its log and its tracer.

import { hostname } from 'node:os'
import pino, { type Logger } from 'pino'
import type { Metrics } from '../api/http/metrics.ts'
import type { Config } from '../config.ts'
import type { Tracer } from '../core/tracing/trace.ts'
import { openTracing } from '../tracing/open-tracing.ts'

export type StopSignal = { signal: AbortSignal; received: Promise<void> }

// Log lines are buffered for at most this long.
const LOG_FLUSH_MS = 500
// Up to here a pipe takes a write whole, however many processes write to it.
const WHOLE_WRITE_BYTES = 4_096

// SIGINT may arrive twice, from the terminal and from our launcher. The death of the launcher counts as a signal too.
export function stopSignal(): StopSignal {
  const controller = new AbortController()
  const received = new Promise<void>((resolve) => {
    const stop = (): void => {
      controller.abort()
      resolve()
    }
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(name, stop)
  })
  return { signal: controller.signal, received }
}

// `number` is given to one of many processes: its lines say whose they are, and are never mixed with others'.
export function createLog(config: Pick<Config, 'logLevel'>, number?: number): Logger {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    periodicFlush: LOG_FLUSH_MS,
    ...(number === undefined
      ? { minLength: WHOLE_WRITE_BYTES }
      : { minLength: WHOLE_WRITE_BYTES / 2, maxWrite: WHOLE_WRITE_BYTES }),
  })
  const base = number === undefined ? null : { process: number, pid: process.pid }
  return pino({ level: config.logLevel, base, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

// Null where no collector is named.
export function openTracer({ tracing }: Pick<Config, 'tracing'>, { countSpans }: Metrics): Tracer | null {
  return openTracing(tracing, `${hostname()}-${process.pid}`, countSpans)
}
