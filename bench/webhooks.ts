// Webhooks: how fast are events delivered, signed and recorded, beside undici posting the same bodies with no database
// behind it; does a backlog of 100,000 drain as fast; and how long from the commit to the receiver at half the load.

import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { Pool } from 'undici'
import { sealSecret } from '../src/core/seal.ts'
import { insertEndpoint } from '../src/store/webhook-endpoints.ts'
import { createSender } from '../src/webhooks/send.ts'
import { newWebhookSecret } from '../src/webhooks/sign.ts'
import { eventBody } from '../src/workers/deliveries.ts'
import { startWorkers } from '../src/workers/due.ts'
import { startChild } from './child.ts'
import { type Ground, inRounds } from './ground.ts'
import { type House, openHouse } from './house.ts'
import type { ReceiverQuestion } from './receiver.ts'
import { atLeast, atMost, type Measurement, type Row } from './report.ts'

const FRESH = 10_000
const BACKLOG = 100_000
const AT_ONCE = 32
const ENDPOINTS = 4
const HALF_LOAD_MS = 3_000
// About 600 bytes with its envelope, as a payin's event has.
const PADDING = 'x'.repeat(420)

export async function webhooks(ground: Ground): Promise<Row[]> {
  await using house = await openHouse(ground, ENDPOINTS)
  await using receiver = startChild<ReceiverQuestion, number | number[]>('receiver.ts')
  const port = (await receiver.ask('port')) as number
  const count = async () => (await receiver.ask('count')) as number
  for (const { organizationId } of house.organizations)
    await register(house, organizationId, `http://127.0.0.1:${port}/events`)
  const sender = createSender({ allowPrivate: true })
  const workers = startWorkers(house.ctx, pino({ level: 'silent' }), {
    sender,
    settings: { schedule: [60_000], perEndpoint: 16 },
  })
  house.ctx.onHint(workers.wake)
  try {
    const drain = async (events: number): Promise<Measurement> => {
      const before = await count()
      await writeEvents(house, events)
      const startedAtMs = performance.now()
      const cpuBefore = process.cpuUsage()
      house.ctx.hint('events')
      while ((await count()) < before + events) await delay(5)
      return measurementOf(events, performance.now() - startedAtMs, process.cpuUsage(cpuBefore))
    }
    const measured = await inRounds(ground, {
      fresh: () => drain(FRESH),
      raw: () => postPlainly(port, FRESH),
    })
    const backlog = await drain(BACKLOG)
    await receiver.ask('latencies')
    const half = await atRate(
      house,
      measured.fresh.requestsPerSecond / 2,
      async () => (await receiver.ask('latencies')) as number[],
    )
    return [
      {
        label: `webhooks delivered, signed and recorded, ${ENDPOINTS} endpoints`,
        measured: measured.fresh,
        bars: [
          atLeast(measured.fresh.requestsPerSecond / measured.raw.requestsPerSecond, 0.6, 'of undici alone'),
        ],
      },
      { label: '  undici posting the same bodies, no database', measured: measured.raw, bars: [] },
      {
        label: `  a backlog of ${BACKLOG.toLocaleString('en')}`,
        measured: backlog,
        bars: [atLeast(backlog.requestsPerSecond / measured.fresh.requestsPerSecond, 0.8, 'of fresh')],
      },
      {
        label: '  commit to receipt, at half load',
        measured: half,
        bars: [atMost(half.p99Ms, 150, 'ms p99')],
      },
    ]
  } finally {
    await workers.stop()
    await sender.close()
  }
}

async function register({ ctx }: House, organizationId: string, url: string): Promise<void> {
  const endpointId = ctx.nextId()
  const secret = Buffer.from(newWebhookSecret(ctx.randomBytes))
  await insertEndpoint(ctx.db, {
    organizationId,
    endpointId,
    url,
    events: null,
    description: null,
    state: 'ENABLED',
    disabledReason: null,
    sealedSecret: sealSecret(ctx.keys.rest, secret, `webhook ${endpointId}`, ctx.randomBytes(12)),
    sealedPrevious: null,
    previousUntil: null,
    failingSince: null,
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
  })
}

// As the money path writes them: without a number.
async function writeEvents({ ctx, organizations }: House, events: number): Promise<void> {
  for (let written = 0; written < events; written += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, events - written) }, (_, index) => ({
      organization_id: organizations[index % organizations.length]?.organizationId,
      event_id: ctx.nextId(),
      data: JSON.stringify({ committedAt: Date.now(), padding: PADDING }),
    }))
    await ctx.db.query({
      text: `insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
             select organization_id, event_id, 'payin.confirmed', 'payin', event_id, 2, data, now()
               from json_to_recordset($1) as r (organization_id uuid, event_id uuid, data text)`,
      values: [JSON.stringify(rows)],
    })
  }
}

async function postPlainly(port: number, requests: number): Promise<Measurement> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE })
  const body = eventBody({
    organizationId: '',
    eventId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
    sequence: 1,
    type: 'payin.confirmed',
    resource: 'payin',
    objectId: '',
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
  await Promise.all(Array.from({ length: AT_ONCE }, loop))
  const measured = measurementOf(requests, performance.now() - startedAtMs, process.cpuUsage(cpuBefore))
  await pool.close()
  return measured
}

async function atRate(
  house: House,
  perSecond: number,
  latencies: () => Promise<number[]>,
): Promise<Measurement> {
  const startedAtMs = performance.now()
  const cpuBefore = process.cpuUsage()
  let written = 0
  while (performance.now() - startedAtMs < HALF_LOAD_MS) {
    const due = Math.floor(((performance.now() - startedAtMs) / 1_000) * perSecond) - written
    if (due > 0) {
      written += due
      await writeEvents(house, due)
      house.ctx.hint('events')
    }
    await delay(5)
  }
  await delay(1_000)
  const sorted = (await latencies()).sort((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
  return {
    ...measurementOf(written, HALF_LOAD_MS, process.cpuUsage(cpuBefore)),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  }
}

function measurementOf(answered: number, tookMs: number, { user, system }: NodeJS.CpuUsage): Measurement {
  const perSecond = (answered / tookMs) * 1_000
  return {
    answered,
    requestsPerSecond: perSecond,
    p50Ms: Number.NaN,
    p99Ms: Number.NaN,
    cpuMicrosPerRequest: (user + system) / answered,
  }
}
