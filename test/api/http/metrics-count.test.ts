// What the metrics say, each by itself: what is counted is counted once each time, under the names that alerts and dashboards ask for.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createMetrics, type Metrics } from '../../../src/api/http/metrics.ts'
import { endOfDay } from '../../../src/core/bogota-day.ts'
import type { Db } from '../../../src/store/db.ts'

// The lines of one metric, or of all of ours.
async function linesOf(metrics: Metrics, name = ''): Promise<string[]> {
  const text = await metrics.show()
  return text.split('\n').filter((line) => line.startsWith(`recaudo_${name}`))
}

// Without what stands at nought from the start.
const countedBy = async (count: (metrics: Metrics) => void, name = ''): Promise<string[]> => {
  const metrics = createMetrics()
  const before = new Set(await linesOf(metrics, name))
  count(metrics)
  return (await linesOf(metrics, name)).filter((line) => !before.has(line))
}

it('what an alert watches is there, at nought, before it happens for the first time', async () => {
  const counted = ['BRE_B', 'PSE', 'wompi', 'mono', 'placetopay']
  const providers = counted.slice(2)
  assert.deepEqual(
    (await linesOf(createMetrics())).toSorted(),
    [
      ...['overload', 'rate_limit', 'address'].map(
        (reason) => `recaudo_requests_refused_total{reason="${reason}"} 0`,
      ),
      'recaudo_requests_unlogged_total 0',
      'recaudo_processes_replaced_total 0',
      ...counted.flatMap((rail) =>
        ['malformed', 'bad_signature'].map(
          (result) => `recaudo_rail_notices_total{rail="${rail}",result="${result}"} 0`,
        ),
      ),
      ...counted.flatMap((rail) =>
        ['locked_out', 'failed', 'silent'].map(
          (result) => `recaudo_rail_calls_total{rail="${rail}",result="${result}"} 0`,
        ),
      ),
      ...providers.map(
        (rail) => `recaudo_rail_notices_total{rail="${rail}",result="unreadable_credentials"} 0`,
      ),
      'recaudo_rail_notices_total{rail="unknown",result="no_connection"} 0',
    ].toSorted(),
  )
})

it('each call of a network is one in the metrics, by how it was answered', async () => {
  const results = {
    silent: [null],
    locked_out: [401, 403],
    refused: [400, 402, 404, 499],
    answered: [200, 201, 299],
    failed: [199, 300, 399, 500, 503],
  }
  for (const [result, statuses] of Object.entries(results))
    for (const status of statuses)
      assert.deepEqual(
        await countedBy((metrics) => metrics.countCall('BRE_B', status)),
        [`recaudo_rail_calls_total{rail="BRE_B",result="${result}"} 1`],
        String(status),
      )
})

it('each thing that is counted is counted by itself, as often as it happened', async () => {
  const counted: [(metrics: Metrics) => void, string[]][] = [
    [
      (metrics) => metrics.countRefused('rate_limit'),
      ['recaudo_requests_refused_total{reason="rate_limit"} 1'],
    ],
    [(metrics) => metrics.countUnlogged(7), ['recaudo_requests_unlogged_total 7']],
    [(metrics) => metrics.countSpans('queue_full', 3), ['recaudo_trace_spans_total{result="queue_full"} 3']],
    [
      (metrics) => metrics.countNotice('PSE', 'repeated'),
      ['recaudo_rail_notices_total{rail="PSE",result="repeated"} 1'],
    ],
    [(metrics) => metrics.countReplaced(), ['recaudo_processes_replaced_total 1']],
    [
      (metrics) => metrics.countAttempt('one', 'delivered'),
      ['recaudo_webhook_attempts_total{result="delivered"} 1'],
    ],
    [
      (metrics) => metrics.countAttempt('one', 'timeout'),
      [
        'recaudo_webhook_attempts_total{result="timeout"} 1',
        'recaudo_webhook_failures_total{endpoint="one"} 1',
      ],
    ],
  ]
  for (const [count, lines] of counted) assert.deepEqual(await countedBy(count), lines)
})

it('of the endpoints that fail, the hundred that failed last are named', async () => {
  const failures = await countedBy((metrics) => {
    for (let count = 0; count < 100; count += 1) metrics.countAttempt(`e${count}`, 'timeout')
    metrics.countAttempt('e0', 'timeout')
    metrics.countAttempt('e100', 'timeout')
    metrics.countAttempt('e101', 'delivered')
  }, 'webhook_failures_total')
  const expected = Array.from({ length: 101 }, (_, count) => count).filter((count) => count !== 1)
  assert.deepEqual(
    failures.toSorted(),
    expected
      .map((count) => `recaudo_webhook_failures_total{endpoint="e${count}"} ${count === 0 ? 2 : 1}`)
      .toSorted(),
  )
})

it('a request is counted by method, route and status, and timed in steps from a millisecond to five seconds', async () => {
  const lines = await countedBy((metrics) => {
    metrics.observeRequest('POST', '/payins', 201, 0.003)
    metrics.observeRequest('POST', '/payins', 409, 7)
  })
  const labels = 'method="POST",route="/payins"'
  const steps = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
  assert.deepEqual(lines, [
    `recaudo_http_requests_total{${labels},status="201"} 1`,
    `recaudo_http_requests_total{${labels},status="409"} 1`,
    ...steps.map(
      (step) => `recaudo_http_request_seconds_bucket{le="${step}",${labels}} ${step < 0.003 ? 0 : 1}`,
    ),
    `recaudo_http_request_seconds_bucket{le="+Inf",${labels}} 2`,
    `recaudo_http_request_seconds_sum{${labels}} 7.003`,
    `recaudo_http_request_seconds_count{${labels}} 2`,
  ])
})

it('a batch is measured by its statement, in steps up to the 256 that it may have', async () => {
  const lines = await countedBy((metrics) => metrics.observeBatch('insert_payins', 3))
  assert.deepEqual(lines, [
    ...[1, 2, 4, 8, 16, 32, 64, 128, 256, '+Inf'].map(
      (step) =>
        `recaudo_batch_size_bucket{le="${step}",statement="insert_payins"} ${Number(step) < 3 ? 0 : 1}`,
    ),
    'recaudo_batch_size_sum{statement="insert_payins"} 3',
    'recaudo_batch_size_count{statement="insert_payins"} 1',
  ])
})

it('what is open now is read when the metrics are', async () => {
  let open = 2
  const metrics = createMetrics()
  metrics.watchInFlight(() => open)
  metrics.watchStreams(() => open + 10)
  metrics.watchProcesses(4, () => open + 1)
  metrics.watchDb({ pool: { total: 5, idle: 3, waiting: 1, size: 20 } } as Db)
  open = 1
  const names = ['http_requests_in_flight', 'event_streams', 'processes{', 'db_pool']
  const lines = await Promise.all(names.map((name) => linesOf(metrics, name)))
  assert.deepEqual(lines.flat(), [
    'recaudo_http_requests_in_flight 1',
    'recaudo_event_streams 11',
    'recaudo_processes{state="wanted"} 4',
    'recaudo_processes{state="serving"} 2',
    'recaudo_db_pool_connections{state="open"} 5',
    'recaudo_db_pool_connections{state="idle"} 3',
    'recaudo_db_pool_connections{state="waiting"} 1',
    'recaudo_db_pool_connections{state="limit"} 20',
  ])
})

// Of the metrics that are read from the database.
function watched(now: () => number) {
  const metrics = createMetrics()
  const reads = { backlog: 0, days: 0, totals: 0 }
  metrics.watchBacklog(async () => ({ due: ++reads.backlog, oldestDueMs: 2_500 }), now)
  metrics.watchReconciled(
    async () => {
      reads.days += 1
      return [{ rail: 'BRE_B', day: '2026-11-14' }]
    },
    async () => [{ rail: 'PSE', lines: ++reads.totals, found: { UNREADABLE: 4 } } as never],
    now,
  )
  const shown = async () => (await linesOf(metrics)).filter((line) => /webhook_d|oldest|reconcil/.test(line))
  return { metrics, reads, shown }
}

it('what the database is asked for is told as it is, and asked again after five seconds', async () => {
  let now = endOfDay('2026-11-14') + 90_000
  const { reads, shown } = watched(() => now)
  const lines = (count: number, age: number) => [
    `recaudo_webhook_deliveries_due ${count}`,
    'recaudo_webhook_oldest_due_seconds 2.5',
    `recaudo_reconciled_day_age_seconds{rail="BRE_B"} ${age}`,
    `recaudo_reconciled_lines_total{rail="PSE"} ${count}`,
    'recaudo_reconciliation_findings_total{rail="PSE",kind="UNREADABLE"} 4',
  ]
  // Two of them show the backlog, and two the totals: they share what was read.
  assert.deepEqual(await shown(), lines(1, 90))
  now += 4_999
  assert.deepEqual(await shown(), lines(1, 94.999))
  assert.deepEqual(reads, { backlog: 1, days: 1, totals: 1 })
  now += 1
  assert.deepEqual(await shown(), lines(2, 95))
  assert.deepEqual(reads, { backlog: 2, days: 2, totals: 2 })
})

it('what is the same in every process is not added up over them', async () => {
  const { metrics, shown } = watched(() => 0)
  await shown()
  const aggregators = Object.fromEntries(
    (await metrics.registry.getMetricsAsJSON()).map(({ name, aggregator }) => [name, aggregator]),
  )
  for (const name of [
    'webhook_deliveries_due',
    'webhook_oldest_due_seconds',
    'reconciled_day_age_seconds',
    'reconciled_lines_total',
    'reconciliation_findings_total',
  ])
    assert.equal(aggregators[`recaudo_${name}`], 'max', name)
  assert.equal(aggregators.recaudo_http_requests_total, 'sum')
})

it('while the database is away, the backlog is unknown and the rest is shown', async () => {
  const metrics = createMetrics()
  const away = (): Promise<never> => Promise.reject(new Error('away'))
  metrics.watchBacklog(away, () => 0)
  metrics.watchReconciled(away, away, () => 0)
  metrics.countReplaced()
  const lines = (await linesOf(metrics)).filter((line) => /webhook|reconcil|replaced/.test(line))
  assert.deepEqual(lines, [
    'recaudo_processes_replaced_total 1',
    'recaudo_webhook_deliveries_due Nan',
    'recaudo_webhook_oldest_due_seconds Nan',
  ])
})
