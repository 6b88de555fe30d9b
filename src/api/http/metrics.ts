// Prometheus metrics for operators. No label grows with the number of merchants: the one that names endpoints keeps
// only a limited number, those that failed last.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Day, endOfDay } from '../../core/bogota-day.ts'
import { PROVIDERS, type Provider } from '../../core/connections/provider.ts'
import { RAILS, type Rail } from '../../core/connections/rail.ts'
import type { Instant } from '../../core/instant.ts'
import type { Db } from '../../store/db.ts'
import type { ReconciledTotals } from '../../store/ledger/statement-runs.ts'
import type { DeliveryBacklog } from '../../store/webhooks/delivery-views.ts'

export type Metrics = {
  registry: Registry
  // What a monitor reads: this process alone, or all processes of the machine added up.
  show: () => Promise<string>
  observeRequest: (method: string, route: string, status: number, seconds: number) => void
  observeBatch: (statement: string, size: number) => void
  countRefused: (reason: (typeof REFUSALS)[number]) => void
  countUnlogged: (requests: number) => void
  countSpans: (result: 'exported' | 'queue_full' | 'failed', spans: number) => void
  // By rail or, where a connection is told something, by provider.
  countNotice: (rail: Rail | Provider | 'unknown', result: NoticeResult) => void
  // A call to a network, or to the provider of a connection.
  countCall: (rail: Rail | Provider, status: number | null) => void
  countAttempt: (endpointId: string, result: string) => void
  watchDb: (db: Db) => void
  watchReconciled: (
    readDays: () => Promise<{ rail: Rail; day: Day }[]>,
    readTotals: () => Promise<ReconciledTotals[]>,
    now: () => Instant,
  ) => void
  watchBacklog: (read: () => Promise<DeliveryBacklog>, now: () => Instant) => void
  watchInFlight: (inFlight: () => number) => void
  watchStreams: (open: () => number) => void
  // For the parent of many processes.
  watchProcesses: (wanted: number, serving: () => number) => void
  countReplaced: () => void
}

export type NoticeResult =
  | 'stored'
  | 'repeated'
  | 'ignored'
  | 'malformed'
  | 'bad_signature'
  | 'unreadable_credentials'
  | 'no_connection'

const REFUSALS = ['overload', 'rate_limit', 'address'] as const

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
// More than an operator reads one by one. Beyond this, the endpoint that failed longest ago loses its series.
const MAX_FAILING_ENDPOINTS = 100
// What is read from the database is the same in every process, so it must not be added up.
const OF_ALL = 'max'
// What is read from the database is cached this long, so that frequent scrapes do not load it.
const CACHE_MS = 5_000

export function createMetrics(): Metrics {
  const registry = new Registry()
  // Includes nodejs_eventloop_lag_* and memory.
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Counter({
    name: 'recaudo_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  })
  const latency = new Histogram({
    name: 'recaudo_http_request_seconds',
    help: 'Time from the first byte of a request to the end of its answer, by route.',
    labelNames: ['method', 'route'] as const,
    buckets: LATENCY_SECONDS,
    registers,
  })
  const batches = new Histogram({
    name: 'recaudo_batch_size',
    help: 'Requests that shared one statement and one commit, by statement.',
    labelNames: ['statement'] as const,
    buckets: BATCH_SIZES,
    registers,
  })
  const refused = new Counter({
    name: 'recaudo_requests_refused_total',
    help: 'Requests refused before they were looked at, by reason.',
    labelNames: ['reason'] as const,
    registers,
  })

  const unlogged = new Counter({
    name: 'recaudo_requests_unlogged_total',
    help: 'Requests that are not in the request log, because the database was away for too long.',
    registers,
  })
  const spans = new Counter({
    name: 'recaudo_trace_spans_total',
    help: 'Spans of traces: exported, or dropped because the queue was full or the collector did not take them.',
    labelNames: ['result'] as const,
    registers,
  })
  const notices = new Counter({
    name: 'recaudo_rail_notices_total',
    help: 'Notifications from networks and providers, by rail or provider and what became of them.',
    labelNames: ['rail', 'result'] as const,
    registers,
  })

  const calls = new Counter({
    name: 'recaudo_rail_calls_total',
    help: 'Calls to networks and providers, by rail or provider and what came of them.',
    labelNames: ['rail', 'result'] as const,
    registers,
  })
  const attempts = new Counter({
    name: 'recaudo_webhook_attempts_total',
    help: 'Webhook attempts, by result: delivered, or why not.',
    labelNames: ['result'] as const,
    registers,
  })
  const failures = new Counter({
    name: 'recaudo_webhook_failures_total',
    help: `Webhook attempts that failed, by endpoint: the ${MAX_FAILING_ENDPOINTS} that failed last.`,
    labelNames: ['endpoint'] as const,
    registers,
  })
  const replaced = new Counter({
    name: 'recaudo_processes_replaced_total',
    help: 'Processes of this machine that ended and were replaced.',
    registers,
  })
  // Prometheus sees no increase in a series that begins with 1, so an alert would miss what happens once.
  for (const reason of REFUSALS) refused.inc({ reason }, 0)
  for (const rail of [...RAILS, ...PROVIDERS])
    for (const result of ['malformed', 'bad_signature']) notices.inc({ rail, result }, 0)
  for (const rail of [...RAILS, ...PROVIDERS])
    for (const result of ['locked_out', 'failed', 'silent']) calls.inc({ rail, result }, 0)
  for (const rail of PROVIDERS) notices.inc({ rail, result: 'unreadable_credentials' }, 0)
  notices.inc({ rail: 'unknown', result: 'no_connection' }, 0)

  // Ordered by last failure, oldest first.
  const failingEndpoints = new Set<string>()
  const countFailure = (endpoint: string): void => {
    failingEndpoints.delete(endpoint)
    failingEndpoints.add(endpoint)
    failures.inc({ endpoint }, 1)
    if (failingEndpoints.size <= MAX_FAILING_ENDPOINTS) return
    const [oldest = ''] = failingEndpoints
    failingEndpoints.delete(oldest)
    failures.remove({ endpoint: oldest })
  }

  return {
    registry,
    show: () => registry.metrics(),
    observeRequest: (method, route, status, seconds) => {
      requests.inc({ method, route, status }, 1)
      latency.observe({ method, route }, seconds)
    },
    observeBatch: (statement, size) => batches.observe({ statement }, size),
    countRefused: (reason) => refused.inc({ reason }, 1),
    countUnlogged: (requests) => unlogged.inc(requests),
    countSpans: (result, count) => spans.inc({ result }, count),
    countNotice: (rail, result) => notices.inc({ rail, result }, 1),
    countCall: (rail, status) => calls.inc({ rail, result: callResult(status) }, 1),
    countAttempt: (endpointId, result) => {
      attempts.inc({ result }, 1)
      if (result !== 'delivered') countFailure(endpointId)
    },
    watchReconciled: (readDays, readTotals, now) => {
      const days = cached(readDays, now, [])
      const totals = cached(readTotals, now, [])
      new Gauge({
        name: 'recaudo_reconciled_day_age_seconds',
        help: 'How long ago the last day ended up to which every day is reconciled, by rail.',
        aggregator: OF_ALL,
        labelNames: ['rail'] as const,
        registers,
        async collect() {
          for (const { rail, day } of await days()) this.set({ rail }, (now() - endOfDay(day)) / 1_000)
        },
      })
      new Counter({
        name: 'recaudo_reconciled_lines_total',
        help: 'Lines of the networks’ statements that were compared with the books, by rail, of all processes together.',
        aggregator: OF_ALL,
        labelNames: ['rail'] as const,
        registers,
        async collect() {
          const read = await totals()
          this.reset()
          for (const { rail, lines } of read) this.inc({ rail }, lines)
        },
      })
      new Counter({
        name: 'recaudo_reconciliation_findings_total',
        help: 'What comparisons found, by rail and kind, of all processes together. A day that is compared again is counted again.',
        aggregator: OF_ALL,
        labelNames: ['rail', 'kind'] as const,
        registers,
        async collect() {
          const read = await totals()
          this.reset()
          for (const { rail, found } of read)
            for (const [kind, count] of Object.entries(found)) this.inc({ rail, kind }, count)
        },
      })
    },
    watchDb: (db) => {
      new Gauge({
        name: 'recaudo_db_pool_connections',
        help: 'Database connections: open, idle, and callers waiting for one.',
        labelNames: ['state'] as const,
        registers,
        collect() {
          const { total, idle, waiting, size } = db.pool
          this.set({ state: 'open' }, total)
          this.set({ state: 'idle' }, idle)
          this.set({ state: 'waiting' }, waiting)
          this.set({ state: 'limit' }, size)
        },
      })
    },
    watchBacklog: (read, now) => {
      const readBacklog = cached(read, now, UNKNOWN_BACKLOG)
      new Gauge({
        name: 'recaudo_webhook_deliveries_due',
        help: 'Deliveries that are due and not being sent, of all processes together, counted up to 100,000.',
        aggregator: OF_ALL,
        registers,
        async collect() {
          this.set((await readBacklog()).due)
        },
      })
      new Gauge({
        name: 'recaudo_webhook_oldest_due_seconds',
        help: 'How long the delivery that is due longest has been due, of all processes together.',
        aggregator: OF_ALL,
        registers,
        async collect() {
          this.set((await readBacklog()).oldestDueMs / 1_000)
        },
      })
    },
    watchInFlight: (inFlight) => {
      new Gauge({
        name: 'recaudo_http_requests_in_flight',
        help: 'Requests being worked on.',
        registers,
        collect() {
          this.set(inFlight())
        },
      })
    },
    watchProcesses: (wanted, serving) => {
      new Gauge({
        name: 'recaudo_processes',
        help: 'Processes of this machine: wanted, and those that serve.',
        labelNames: ['state'] as const,
        registers,
        collect() {
          this.set({ state: 'wanted' }, wanted)
          this.set({ state: 'serving' }, serving())
        },
      })
    },
    countReplaced: () => replaced.inc(1),
    watchStreams: (open) => {
      new Gauge({
        name: 'recaudo_event_streams',
        help: 'Event streams that clients listen to.',
        registers,
        collect() {
          this.set(open())
        },
      })
    },
  }
}

// Reported while the database is unavailable. The other metrics are still shown.
const UNKNOWN_BACKLOG: DeliveryBacklog = { due: Number.NaN, oldestDueMs: Number.NaN }

function cached<Value>(
  read: () => Promise<Value>,
  now: () => Instant,
  whileUnavailable: Value,
): () => Promise<Value> {
  let last: { at: Instant; value: Promise<Value> } | undefined
  return () => {
    if (last === undefined || now() - last.at >= CACHE_MS)
      last = { at: now(), value: read().catch(() => whileUnavailable) }
    return last.value
  }
}

// A status below 200 or from 300 on is no answer of a network: something else stands at its address.
function callResult(status: number | null): string {
  if (status === null) return 'silent'
  if (status === 401 || status === 403) return 'locked_out'
  if (status >= 400 && status < 500) return 'refused'
  return status >= 200 && status < 300 ? 'answered' : 'failed'
}
