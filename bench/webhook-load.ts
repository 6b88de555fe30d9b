// Events for the questions about webhooks: endpoints that want them, and events written as the money path writes them, all
// at once or as they fall due at a rate.

import { setTimeout as delay } from 'node:timers/promises'
import { sealSecret } from '../src/core/seal.ts'
import type { Queryable } from '../src/store/db.ts'
import { insertEndpoint } from '../src/store/webhooks/endpoints.ts'
import { newWebhookSecret } from '../src/webhooks/sign.ts'
import type { InProcessService } from './in-process.ts'
import type { Measurement } from './report.ts'

// About 600 bytes with its envelope, as a payin's event has.
export const PADDING = 'x'.repeat(420)
// Until the last of what was written has arrived.
const STRAGGLERS_MS = 1_000

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
    createdAt: ctx.clock.now(),
    updatedAt: ctx.clock.now(),
  })
}

const WRITE_AT_ONCE = 1_000

// As the money path writes them: without a number. All are there at the same moment, that of the commit.
export async function writeEvents(service: InProcessService, events: number): Promise<void> {
  const { db } = service.ctx
  if (events <= WRITE_AT_ONCE) return writeSome(service, db, events)
  await db.inTransaction(async (tx) => {
    for (let left = events; left > 0; left -= WRITE_AT_ONCE)
      await writeSome(service, tx, Math.min(left, WRITE_AT_ONCE))
  })
}

async function writeSome(
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

// How long events take from the commit to the receiver, which says so, when they come at a rate.
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
  await delay(STRAGGLERS_MS)
  const sorted = (await latencies()).sort((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
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
