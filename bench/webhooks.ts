// Webhooks: how fast events are delivered, signed and recorded, compared with undici posting the same bodies without a
// database; whether a backlog of 100,000 drains as fast; how long an event takes from commit to receipt at half load; and
// how much longer if three of ten endpoints hang.

import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { Pool } from 'undici'
import type { Vault } from '../src/flows/people/vault.ts'
import { createSender, type SendLimits } from '../src/webhooks/send.ts'
import { eventBody } from '../src/workers/event-body.ts'
import { startWorkers } from '../src/workers/start.ts'
import { type Child, startChild } from './child.ts'
import { type InProcessService, openInProcess } from './in-process.ts'
import type { ReceiverQuestion } from './receiver.ts'
import { atLeast, atMost, type Measurement, type Row } from './report.ts'
import { inRounds, type Testbed } from './testbed.ts'
import { atRate, measurementOf, PADDING, register, writeEvents } from './webhook-load.ts'

// A process reaches full measureThroughput after some seconds of work. Both sides are warmed up equally.
const WARM_UP = 20_000
const FRESH = 20_000
const BACKLOG = 100_000
const RAW_CONNECTIONS = 32
const ENDPOINTS = 4
const PER_ENDPOINT = 16
const HALF_LOAD_MS = 3_000
const FAIR_ENDPOINTS = 10
const HANGING_ENDPOINTS = 3
// The load for the measureFairness measurement, as a share of the highest rate.
const FAIR_SHARE = 0.25
const FAIR_WARM_UP_MS = 1_000
const FAIR_MS = 3_000
// Hanging endpoints time out within a round, so that it includes the wait, its record, and the probes.
const HANGING_LIMITS = { headersMs: 1_000, totalMs: 1_500 }

export async function webhooks(testbed: Testbed): Promise<Row[]> {
  await using receiver = startChild<ReceiverQuestion, number | number[]>('receiver.ts')
  const { rows, perSecond } = await measureThroughput(testbed, receiver)
  return [...rows, ...(await measureFairness(testbed, receiver, perSecond * FAIR_SHARE))]
}

type Receiver = Child<ReceiverQuestion, number | number[]>

async function measureThroughput(
  testbed: Testbed,
  receiver: Receiver,
): Promise<{ rows: Row[]; perSecond: number }> {
  await using service = await openInProcess(testbed, ENDPOINTS)
  const port = (await receiver.ask('port')) as number
  const count = async () => (await receiver.ask('count')) as number
  for (const { organizationId } of service.organizations)
    await register(service, organizationId, `http://127.0.0.1:${port}/events`)
  await using _workers = workersOf(service)
  const drain = async (events: number): Promise<Measurement> => {
    const before = await count()
    await writeEvents(service, events)
    const startedAtMs = performance.now()
    const cpuBefore = process.cpuUsage()
    service.ctx.signals.workAdded('events')
    while ((await count()) < before + events) await delay(5)
    return measurementOf(events, performance.now() - startedAtMs, process.cpuUsage(cpuBefore))
  }
  await drain(WARM_UP)
  await postWithoutService(port, WARM_UP)
  const { fresh, raw } = await inRounds(testbed, {
    fresh: () => drain(FRESH),
    raw: () => postWithoutService(port, FRESH),
  })
  const backlog = await drain(BACKLOG)
  await receiver.ask('latencies')
  const perSecond = fresh.requestsPerSecond
  const half = await atRate(service, perSecond / 2, HALF_LOAD_MS, () => latenciesOf(receiver))
  const rows = [
    {
      label: `webhooks delivered, signed and recorded, ${ENDPOINTS} endpoints`,
      measured: fresh,
      bars: [atLeast(perSecond / raw.requestsPerSecond, 0.6, 'of undici alone')],
    },
    { label: '  undici posting the same bodies, no database', measured: raw, bars: [] },
    {
      label: `  a backlog of ${BACKLOG.toLocaleString('en')}`,
      measured: backlog,
      bars: [atLeast(backlog.requestsPerSecond / perSecond, 0.8, 'of fresh')],
    },
    { label: '  commit to receipt, at half load', measured: half, bars: [atMost(half.p99Ms, 150, 'ms p99')] },
  ]
  return { rows, perSecond }
}

// Sends the same events to the same ten endpoints. Only the seven healthy ones are timed, whether the other three answer
// or hang.
async function measureFairness(testbed: Testbed, receiver: Receiver, perSecond: number): Promise<Row[]> {
  await using service = await openInProcess(testbed, FAIR_ENDPOINTS)
  const port = (await receiver.ask('port')) as number
  for (const [index, { organizationId }] of service.organizations.entries()) {
    const path = index < HANGING_ENDPOINTS ? 'perhaps' : 'events'
    await register(service, organizationId, `http://127.0.0.1:${port}/${path}`)
  }
  const leg = async (others: 'hang' | 'answer'): Promise<Measurement> => {
    await receiver.ask(others)
    // New workers for each round, so that they know nothing about the endpoints from the round before.
    await using _workers = workersOf(service, HANGING_LIMITS)
    await atRate(service, perSecond, FAIR_WARM_UP_MS, () => latenciesOf(receiver))
    const measured = await atRate(service, perSecond, FAIR_MS, () => latenciesOf(receiver))
    await discardPendingDeliveries(service)
    return measured
  }
  const { healthy, hanging } = await inRounds(testbed, {
    healthy: () => leg('answer'),
    hanging: () => leg('hang'),
  })
  const label = `  commit to receipt of ${FAIR_ENDPOINTS - HANGING_ENDPOINTS} endpoints`
  return [
    { label: `${label}, ${HANGING_ENDPOINTS} more answer`, measured: healthy, bars: [] },
    {
      label: `${label}, ${HANGING_ENDPOINTS} more hang`,
      measured: hanging,
      bars: [atMost(hanging.p99Ms / healthy.p99Ms, 1.2, 'of p99 without')],
    },
  ]
}

async function latenciesOf(receiver: Receiver): Promise<number[]> {
  return (await receiver.ask('latencies')) as number[]
}

function workersOf({ ctx }: InProcessService, limits: Partial<SendLimits> = {}): AsyncDisposable {
  const sender = createSender({
    allowPrivate: true,
    limits: { connectionsPerEndpoint: PER_ENDPOINT, ...limits },
  })
  const workers = startWorkers(ctx, pino({ level: 'silent' }), {
    sender,
    settings: { schedule: [60_000], perEndpoint: PER_ENDPOINT },
  })
  ctx.signals.onWork(workers.wake)
  return {
    async [Symbol.asyncDispose]() {
      await workers.stop()
      await sender.close()
    },
  }
}

// Deliveries to hanging endpoints must not become due in the next round.
async function discardPendingDeliveries({ ctx }: InProcessService): Promise<void> {
  await ctx.db.query({
    text: `update deliveries set state = 'FAILED', due_at = null, lease_token = null where due_at is not null`,
  })
  await ctx.db.query({ text: 'delete from first_attempt_batches' })
}

// The event names nobody.
const NOBODY_SEALED: Vault = {
  seal: () => ({ sealed: '' }),
  open: () => [],
  digest: () => Buffer.alloc(0),
  evidenceAddressTag: () => '',
}

async function postWithoutService(port: number, requests: number): Promise<Measurement> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: RAW_CONNECTIONS })
  const body = eventBody(NOBODY_SEALED, {
    eventId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
    sequence: 1,
    type: 'payin.confirmed',
    resource: 'payin',
    version: 2,
    data: JSON.stringify({ padding: PADDING }),
    createdAt: 0,
  })
  let left = requests
  const startedAtMs = performance.now()
  const cpuBefore = process.cpuUsage()
  const loop = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const { body: answer } = await pool.request({
        method: 'POST',
        path: '/events',
        headers: { 'content-type': 'application/json' },
        body,
      })
      await answer.dump()
    }
  }
  await Promise.all(Array.from({ length: RAW_CONNECTIONS }, loop))
  const measured = measurementOf(requests, performance.now() - startedAtMs, process.cpuUsage(cpuBefore))
  await pool.close()
  return measured
}
