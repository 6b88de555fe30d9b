// Webhooks in /metrics: what is due and since when, attempts by result, and which endpoints fail.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { createMetrics } from '../../src/api/http/metrics.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { startReceiver } from '../api/webhooks/receiver.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { createWorld, type World } from '../world.ts'

// Longer than the figures from the database are cached.
const LATER_MS = 6_000

function reader(text: string): (line: string) => number {
  return (line) =>
    Number(
      text
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.slice(line.length + 1) ?? Number.NaN,
    )
}

const metricsOf = async (world: World) => reader((await world.anonymous('GET', '/metrics')).text)

describe('/metrics', () => {
  it('shows up to which day a rail is reconciled, and how many lines were compared', async () => {
    const metrics = createMetrics()
    const days = [
      { rail: 'BRE_B', day: '2026-11-17' },
      { rail: 'PSE', day: '2026-11-16' },
    ] as const
    const lines = [
      { rail: 'BRE_B', lines: 7, found: {} },
      { rail: 'PSE', lines: 11, found: { NETWORK_ONLY: 3 } },
    ] as const
    // The 17th ends at midnight in Bogotá, five hours behind.
    const now = Date.UTC(2026, 10, 18, 6)
    metrics.watchReconciled(
      async () => [...days],
      async () => [...lines],
      () => now,
    )
    const read = reader(await metrics.show())
    const seconds = (rail: string) => read(`recaudo_reconciled_day_age_seconds{rail="${rail}"}`)
    assert.deepEqual([seconds('BRE_B'), seconds('PSE')], [3_600, 90_000])
    const compared = (rail: string) => read(`recaudo_reconciled_lines_total{rail="${rail}"}`)
    assert.deepEqual([compared('BRE_B'), compared('PSE')], [7, 11])
    assert.equal(read('recaudo_reconciliation_findings_total{rail="PSE",kind="NETWORK_ONLY"}'), 3)
  })

  it('shows how many deliveries are due and for how long, without those of disabled endpoints', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    const { json } = await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/' })
    const cause = async () => {
      await insertEvents(world, organizationId, ['payin.confirmed', 'payin.declined'])
      await sequenceAllEvents(world.ctx, organizationId)
    }
    const backlog = async () => {
      const value = await metricsOf(world)
      return [value('recaudo_webhook_deliveries_due'), value('recaudo_webhook_oldest_due_seconds')]
    }
    assert.deepEqual(await backlog(), [0, 0])
    await cause()
    assert.deepEqual(await backlog(), [0, 0], 'the database is not asked again at once')
    world.advance(LATER_MS)
    const [due, oldest = 0] = await backlog()
    assert.equal(due, 2)
    assert.ok(oldest >= LATER_MS / 1_000 && oldest < 60, String(oldest))
    world.advance(3_600_000)
    await cause()
    const [more, stillOldest = 0] = await backlog()
    assert.equal(more, 4)
    assert.ok(stillOldest >= 3_600 && stillOldest < 3_700, String(stillOldest))

    await world.client('PATCH', `/webhook-endpoints/${json.id}`, { status: 'DISABLED' })
    world.advance(LATER_MS)
    assert.deepEqual(await backlog(), [0, 0])
  })

  it('counts attempts by result and failures by endpoint', async () => {
    await using world = await createWorld()
    await using receiver = await startReceiver()
    const { json: endpoint } = await world.client('POST', '/webhook-endpoints', { url: receiver.url })
    const cause = () =>
      insertEvents(world, world.organization.organizationId, ['payin.confirmed', 'payin.declined'])
    await cause()
    await world.work()
    const before = await world.anonymous('GET', '/metrics')
    assert.ok(!before.text.includes(endpoint.id), 'an endpoint that works is not named')
    receiver.answerWith(500)
    await cause()
    await world.work()
    const value = await metricsOf(world)
    assert.equal(value('recaudo_webhook_attempts_total{result="delivered"}'), 2)
    assert.equal(value('recaudo_webhook_attempts_total{result="STATUS"}'), 2)
    assert.equal(value(`recaudo_webhook_failures_total{endpoint="${endpoint.id}"}`), 2)
    const lines = world.logLines().filter((line) => line.endpointId === endpoint.id && 'attempt' in line)
    assert.equal(lines.length, 4, 'and a log line for every attempt')
  })

  it('names the hundred endpoints that failed last', async () => {
    const metrics = createMetrics()
    const ids = Array.from({ length: 150 }, () => randomUUID())
    for (const id of ids) metrics.countAttempt(id, 'TIMEOUT')
    metrics.countAttempt(ids[60] as string, 'TIMEOUT')
    metrics.countAttempt(randomUUID(), 'TIMEOUT')
    const text = await metrics.registry.metrics()
    const named = [...text.matchAll(/^recaudo_webhook_failures_total\{endpoint="(.+)"\} (\d+)$/gm)]
    assert.equal(named.length, 100)
    assert.equal(reader(text)(`recaudo_webhook_failures_total{endpoint="${ids[60]}"}`), 2)
    assert.ok(!text.includes(ids[49] as string) && !text.includes(ids[50] as string))
    assert.ok(text.includes(ids[51] as string))
    assert.equal(reader(text)('recaudo_webhook_attempts_total{result="TIMEOUT"}'), 152)
  })

  it('is served while the database is down, without the figures from it', async () => {
    const metrics = createMetrics()
    metrics.watchBacklog(
      () => Promise.reject(new Error('away')),
      () => 0,
    )
    metrics.countAttempt(randomUUID(), 'delivered')
    const text = await metrics.registry.metrics()
    assert.match(text, /^recaudo_webhook_deliveries_due NaN$/im)
    assert.match(text, /^recaudo_webhook_attempts_total\{result="delivered"\} 1$/m)
  })
})
