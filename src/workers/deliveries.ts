// Sends what is due to merchants' endpoints. Each endpoint is served on its own: it may have so many requests under way and
// no more, after a run of failures it is tried by one probe at a time, and while it hangs nobody else waits for it.

import type { Logger } from 'pino'
import {
  type AttemptResult,
  afterAttempt,
  BREAKER_FAILURES,
  BREAKER_REST_MS,
  DISABLE_AFTER_MS,
} from '../core/delivery.ts'
import { envelopeText } from '../core/event.ts'
import { isoInstant } from '../core/instant.ts'
import { openSecret } from '../core/seal.ts'
import type { Context } from '../flows/context.ts'
import {
  type ClaimedDelivery,
  claimDueDeliveries,
  endpointsWithDueDeliveries,
  releaseDeliveries,
} from '../store/deliveries.ts'
import type { StoredEvent } from '../store/events.ts'
import {
  disableEndpoint,
  getEndpoint,
  noteFailing,
  noteWorking,
  type WebhookEndpoint,
} from '../store/webhook-endpoints.ts'
import type { Sender } from '../webhooks/send.ts'
import { secretBytes } from '../webhooks/sign.ts'
import type { PumpOptions } from './pump.ts'

export type DeliverySettings = { schedule: readonly number[]; perEndpoint: number }

// Two batches of an endpoint at a time: one is being sent while the next is fetched.
const BATCHES_PER_ENDPOINT = 2
const BATCHES_IN_ALL = 400
const BATCH_SIZE = 100
// A batch of an endpoint that hangs until its deadline every time ends well before this: the breaker cuts it short.
const LEASE_MS = 120_000
const REST_MS = 250

export type DeliveryBatch = { endpoint: WebhookEndpoint; claimed: ClaimedDelivery[]; leaseToken: string }

export function deliveryPump(
  ctx: Context,
  sender: Sender,
  settings: DeliverySettings,
  log: Logger,
): PumpOptions<DeliveryBatch> {
  // Straight failures of each endpoint that is failing, as this process has seen them.
  const failures = new Map<string, number>()

  return {
    name: 'deliveries',
    restMs: REST_MS,
    log,
    perOrganization: BATCHES_PER_ENDPOINT,
    inAll: BATCHES_IN_ALL,
    dueOrganizations: async () =>
      (await endpointsWithDueDeliveries(ctx.db, ctx.now())).map(
        (address) => `${address.organizationId} ${address.endpointId}`,
      ),
    claim: async (name) => {
      const [organizationId = '', endpointId = ''] = name.split(' ')
      const endpoint = await getEndpoint(ctx.db, organizationId, endpointId)
      if (endpoint?.state !== 'ENABLED') return []
      const now = ctx.now()
      const leaseToken = ctx.nextId()
      const isFailing = (failures.get(endpointId) ?? 0) >= BREAKER_FAILURES
      const lease = { token: leaseToken, until: now + LEASE_MS }
      const claimed = await claimDueDeliveries(ctx.db, endpoint, now, lease, isFailing ? 1 : BATCH_SIZE)
      return claimed.length === 0 ? [] : [{ endpoint, claimed, leaseToken }]
    },
    act: (batch) => deliverBatch(ctx, sender, settings, log, failures, batch),
  }
}

async function deliverBatch(
  ctx: Context,
  sender: Sender,
  settings: DeliverySettings,
  log: Logger,
  failures: Map<string, number>,
  { endpoint, claimed, leaseToken }: DeliveryBatch,
): Promise<void> {
  const { endpointId } = endpoint
  const secrets = secretsOf(ctx, endpoint)
  const waiting = [...claimed]
  const written: Promise<void>[] = []
  const resting: string[] = []
  let gone = false

  const isOpen = (): boolean => gone || (failures.get(endpointId) ?? 0) >= BREAKER_FAILURES
  const serve = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // The breaker opened while we were at it: what has not been tried waits without losing a try.
      if (isOpen() && claimed.length > 1) {
        resting.push(next.event.eventId)
        continue
      }
      const result = await attempt(ctx, sender, endpoint, secrets, next.event)
      if (result.delivered) failures.delete(endpointId)
      // What we could not send for our own reasons says nothing about the endpoint.
      else if (result.failure !== 'NOT_SENT') failures.set(endpointId, (failures.get(endpointId) ?? 0) + 1)
      if (result.gone) gone = true
      // Not awaited here: the next request need not wait for the record of this one. Where it cannot be written the lease
      // runs out, and the event is sent again under the same id.
      const recorded = record(ctx, settings, log, endpoint, next, leaseToken, result)
      written.push(
        recorded.catch((error: Error) =>
          log.error({ endpointId, error: error.message }, 'attempt not recorded'),
        ),
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(settings.perEndpoint, claimed.length) }, serve))
  if (resting.length > 0) {
    await releaseDeliveries(ctx.db, endpoint, resting, leaseToken, ctx.now() + BREAKER_REST_MS)
  }
  await Promise.all(written)
  await noteHealth(ctx, log, endpoint, gone, failures.get(endpointId) ?? 0)
}

function attempt(
  ctx: Context,
  sender: Sender,
  endpoint: WebhookEndpoint,
  secrets: Buffer[],
  event: StoredEvent,
): Promise<AttemptResult> {
  return sender.send({
    url: endpoint.url,
    id: event.eventId,
    // A receiver compares it with its own clock, which staging's does not move.
    timestampSeconds: Math.floor(ctx.wallClock() / 1_000),
    body: eventBody(event),
    secrets,
  })
}

export function eventBody(event: StoredEvent): string {
  const { eventId: id, type, resource, sequence, version, createdAt, data } = event
  return envelopeText(
    { id, event: type, resource, sequence, version, createdAt: isoInstant(createdAt) },
    data,
  )
}

async function record(
  ctx: Context,
  settings: DeliverySettings,
  log: Logger,
  endpoint: WebhookEndpoint,
  { event, attempts, scheduleFrom }: ClaimedDelivery,
  leaseToken: string,
  result: AttemptResult,
): Promise<void> {
  const now = ctx.now()
  const { organizationId, endpointId } = endpoint
  const step = afterAttempt(result, attempts - scheduleFrom, settings.schedule, ctx.chance(), now)
  const number = attempts + 1
  const { eventId } = event
  log.info({
    delivery: eventId,
    organizationId,
    endpointId,
    event: event.type,
    attempt: number,
    status: result.status,
    failure: result.failure ?? undefined,
    ms: Math.round(result.latencyMs),
    state: step.state,
  })
  ctx.countAttempt(endpointId, result.delivered ? 'delivered' : (result.failure ?? 'STATUS'))
  await ctx.together.recordAttempt({
    organizationId,
    endpointId,
    eventId,
    attemptId: ctx.nextId(),
    leaseToken,
    number,
    at: now,
    result,
    ...step,
  })
}

// The endpoint's own row changes only when a run of failures begins or ends, or when it is given up.
async function noteHealth(
  ctx: Context,
  log: Logger,
  endpoint: WebhookEndpoint,
  gone: boolean,
  straightFailures: number,
): Promise<void> {
  const { organizationId, endpointId, failingSince } = endpoint
  const now = ctx.now()
  const givenUp = straightFailures > 0 && failingSince !== null && failingSince <= now - DISABLE_AFTER_MS
  if (gone || givenUp) {
    const reason = gone ? 'GONE' : 'FAILING'
    if (await disableEndpoint(ctx.db, organizationId, endpointId, reason, now)) {
      log.warn({ organizationId, endpointId, reason }, 'webhook endpoint disabled')
    }
  } else if (straightFailures > 0 && failingSince === null) {
    await noteFailing(ctx.db, organizationId, endpointId, now)
  } else if (straightFailures === 0 && failingSince !== null) {
    await noteWorking(ctx.db, organizationId, endpointId)
  }
}

// During a rotation both secrets sign.
function secretsOf(ctx: Context, endpoint: WebhookEndpoint): Buffer[] {
  const { sealedSecret, sealedPrevious, previousUntil, endpointId } = endpoint
  const sealed = [
    sealedSecret,
    ...(sealedPrevious !== null && (previousUntil ?? 0) > ctx.now() ? [sealedPrevious] : []),
  ]
  return sealed.map((secret) => {
    const opened = openSecret(ctx.keys.rest, secret, `webhook ${endpointId}`)
    if (opened === undefined)
      throw new Error('the secret of a webhook endpoint does not open with SECRETS_KEY')
    return secretBytes(opened.toString('utf8'))
  })
}
