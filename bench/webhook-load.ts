// Load for the questions about webhooks: registers endpoints, and writes events as the payment flows write them, all at
// once or at a rate.

import { setTimeout as delay } from 'node:timers/promises'
import { sealSecret } from '../src/core/seal.ts'
import type { Queryable } from '../src/store/db.ts'
import { insertEndpoint } from '../src/store/webhooks/endpoints.ts'
import { newWebhookSecret } from '../src/webhooks/sign.ts'
import type { InProcessService } from './in-process.ts'
import type { Measurement } from './report.ts'

// Makes an event about 600 bytes with its envelope, like a payin's event.
export const PADDING = 'x'.repeat(420)
// How long to wait for the last events to arrive.
const DRAIN_MS = 1_000

export async function register(
  { ctx }: InProcessService,
  organizationId: string,
  url: string,
): Promise<void> {
  const endpointId = ctx.ids.next()
  const secret = Buffer.from(newWebhookSecret(ctx.ids.randomBytes))
  await insertEndpoint(ctx.db, {
    organizationId,
    endpointId,
    url,
    events: null,
    description: null,
    state: 'ENABLED',
    disabledReason: null,
    sealedSecret: sealSecret(
      ctx.settings.keys.rest,
      secret,
      `webhook ${endpointId}`,
      ctx.ids.randomBytes(12),
    ),
    sealedPrevious: null,
    previousUntil: null,
    failingSince: null,
    verifiedAt: null,
    maxPerSecond: null,
    sendsUntil: null,
    publicKey: null,
    sealedSigningKey: null,
    sealedPreviousKey: null,
    createdAt: ctx.clock.now(),
    updatedAt: ctx.clock.now(),
  })
}

const ROWS_PER_INSERT = 1_000

// Writes events without a sequence, as the payment flows do. All become visible at the same moment, the commit.
export async function writeEvents(service: InProcessService, events: number): Promise<void> {
  const { db } = service.ctx
  if (events <= ROWS_PER_INSERT) return insertEvents(service, db, events)
  await db.inTransaction(async (tx) => {
    for (let left = events; left > 0; left -= ROWS_PER_INSERT)
      await insertEvents(service, tx, Math.min(left, ROWS_PER_INSERT))
  })
}

async function insertEvents(
  { ctx, organizations }: InProcessService,
  db: Queryable,
  events: number,
): Promise<void> {
  const rows = Array.from({ length: events }, (_, index) => ({
    organization_id: organizations[index % organizations.length]?.organizationId,
    event_id: ctx.ids.next(),
    data: JSON.stringify({ committedAt: Date.now(), padding: PADDING }),
  }))
  await db.query({
    text: `insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
           select organization_id, event_id, 'payin.confirmed', 'payin', event_id, 2, data, now()
             from json_to_recordset($1) as r (organization_id uuid, event_id uuid, data text)`,
    values: [JSON.stringify(rows)],
  })
}

// Writes events at a rate and measures the time from commit to receipt, as reported by the receiver.
export async function atRate(
  service: InProcessService,
  perSecond: number,
  forMs: number,
  latencies: () => Promise<number[]>,
): Promise<Measurement> {
  const startedAtMs = performance.now()
  const cpuBefore = process.cpuUsage()
  let written = 0
  while (performance.now() - startedAtMs < forMs) {
    const due = Math.floor(((performance.now() - startedAtMs) / 1_000) * perSecond) - written
    if (due > 0) {
      written += due
      await writeEvents(service, due)
      service.ctx.signals.workAdded('events')
    }
    await delay(5)
  }
  await delay(DRAIN_MS)
  const sorted = (await latencies()).sort((a, b) => a - b)
  const at = (quantile: number): number =>
    sorted[Math.max(0, Math.ceil(sorted.length * quantile) - 1)] ?? Number.NaN
  return {
    ...measurementOf(written, forMs, process.cpuUsage(cpuBefore)),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  }
}

export function measurementOf(
  answered: number,
  tookMs: number,
  { user, system }: NodeJS.CpuUsage,
): Measurement {
  const perSecond = (answered / tookMs) * 1_000
  return {
    answered,
    requestsPerSecond: perSecond,
    p50Ms: Number.NaN,
    p99Ms: Number.NaN,
    cpuMicrosPerRequest: (user + system) / answered,
  }
}
