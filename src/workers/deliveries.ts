// Sends what is due to merchants' endpoints. Each endpoint is served in a queue of its own (queues.ts), so that while it hangs
// nobody else waits for it. No transaction is open while we send: a crash before the record means a second send under the
// same id, never a loss.

import type { Logger } from 'pino'
import { envelopeText } from '../core/events/event.ts'
import { isoInstant } from '../core/instant.ts'
import { openSecret } from '../core/seal.ts'
import {
  type AttemptResult,
  afterAttempt,
  BREAKER_REST_MS,
  DISABLE_AFTER_MS,
} from '../core/webhooks/delivery.ts'
import type { Context } from '../flows/context.ts'
import type { DeliverableEvent } from '../store/events/events.ts'
import {
  type ClaimedDelivery,
  claimDueDeliveries,
  type DueEndpoint,
  endpointsWithDueDeliveries,
  releaseDeliveries,
} from '../store/webhooks/deliveries.ts'
import {
  disableEndpoint,
  getEndpoint,
  markFailing,
  markHealthy,
  type WebhookEndpoint,
} from '../store/webhooks/endpoints.ts'
import {
  type ClaimedFirstAttempts,
  claimFirstAttempts,
  finishFirstAttempts,
  releaseFirstAttempts,
} from '../store/webhooks/first-attempts.ts'
import type { Sender } from '../webhooks/send.ts'
import { secretBytes } from '../webhooks/sign.ts'
import { BATCHES_PER_ENDPOINT, createEndpointQueues, type EndpointQueue } from './endpoint-queues.ts'
import type { PumpOptions } from './pump.ts'

export type DeliverySettings = { schedule: readonly number[]; perEndpoint: number }

// Who sends, how, and who counts.
export type Delivering = {
  sender: Sender
  settings: DeliverySettings
  countAttempt?: (endpointId: string, result: string) => void
}

// Endpoints served at the same time. Most hold a handful of deliveries each; see queues.ts for those that hold more.
const ENDPOINTS_IN_ALL = 10_000
const LEASE_MS = 120_000
// What has not been begun by then goes back: its lease must outlast the longest attempt and the record of it.
const BEGIN_WITHIN_MS = 60_000
const REST_MS = 250
const NO_FIRST_ATTEMPTS: ClaimedFirstAttempts = { batches: [], deliveries: [], size: 0, isFull: false }

export type DeliveryBatch = {
  endpoint: WebhookEndpoint
  claimed: ClaimedDelivery[]
  batches: number[]
  leaseToken: string
  // As many as there was room for: more may be due.
  isFull: boolean
}

export function deliveryPump(ctx: Context, delivering: Delivering, log: Logger): PumpOptions<DeliveryBatch> {
  const queues = createEndpointQueues(delivering.settings.perEndpoint)
  const post: Post = { ...delivering, ctx, log, isStopping: false }
  // As the last look found them, by name.
  let due = new Map<string, DueEndpoint>()

  return {
    name: 'deliveries',
    restMs: REST_MS,
    log,
    maxPerOrganization: BATCHES_PER_ENDPOINT,
    maxTotal: ENDPOINTS_IN_ALL,
    sizeOf: ({ claimed }) => claimed.length,
    dueOrganizations: async () => {
      const found = await endpointsWithDueDeliveries(ctx.db, ctx.clock.now())
      due = new Map(found.map((one) => [`${one.organizationId} ${one.endpointId}`, one]))
      return [...due.keys()]
    },
    claim: async (name) => {
      const found = due.get(name)
      const room = found === undefined ? 0 : queues.capacity(found.endpointId, ctx.clock.wallClock())
      if (found === undefined || room === 0) return []
      const endpoint = await getEndpoint(ctx.db, found.organizationId, found.endpointId)
      if (endpoint?.state !== 'ENABLED') return []
      const now = ctx.clock.now()
      const leaseToken = ctx.ids.next()
      const lease = { token: leaseToken, until: now + LEASE_MS }
      // What was put off and is due again goes first: its merchant has waited longer.
      const again = found.hasRetries ? await claimDueDeliveries(ctx.db, endpoint, now, lease, room) : []
      const left = found.hasFirstAttempts ? room - again.length : 0
      const first =
        left > 0 ? await claimFirstAttempts(ctx.db, endpoint, now, lease, left) : NO_FIRST_ATTEMPTS
      if (again.length + first.size === 0) return []
      const claimed = again.length === 0 ? first.deliveries : [...again, ...first.deliveries]
      const isFull = again.length === room || first.isFull
      return [{ endpoint, claimed, batches: first.batches, leaseToken, isFull }]
    },
    act: async (batch) => {
      const queue = queues.of(batch.endpoint.endpointId)
      await deliverBatch(post, queue, batch)
      return batch.isFull && !queue.isTripped
    },
    onStop: () => {
      post.isStopping = true
    },
  }
}

type Post = Delivering & { ctx: Context; log: Logger; isStopping: boolean }

async function deliverBatch(post: Post, queue: EndpointQueue, batch: DeliveryBatch): Promise<void> {
  const { ctx, sender, log } = post
  const { endpoint, claimed } = batch
  const { endpointId } = endpoint
  const secrets = secretsOf(ctx, endpoint)
  const beginUntilMs = ctx.clock.wallClock() + BEGIN_WITHIN_MS
  const written: Promise<void>[] = []
  const unsent: ClaimedDelivery[] = []
  let gone = false
  let isRecorded = true

  const deliver = async (delivery: ClaimedDelivery): Promise<void> => {
    // What was not begun waits without losing a try. A probe is sent all the same.
    const isClosed = gone || (queue.isTripped && claimed.length > 1)
    if (isClosed || post.isStopping || ctx.clock.wallClock() > beginUntilMs) {
      unsent.push(delivery)
      return
    }
    const result = await attempt(ctx, sender, endpoint, secrets, delivery.event)
    if (result.delivered) queue.recordSuccess()
    // What we could not send for our own reasons says nothing about the endpoint.
    else if (result.failure !== 'NOT_SENT') queue.recordFailure(ctx.clock.wallClock())
    if (result.gone) gone = true
    // Not awaited here: the next request need not wait for the record of this one.
    written.push(
      record(post, batch, delivery, result).catch((error: Error) => {
        isRecorded = false
        log.error({ endpointId, error: error.message }, 'attempt not recorded')
      }),
    )
  }
  await queue.runAll(claimed, deliver)
  await Promise.all(written)
  await putBack(ctx, batch, unsent, queue.isTripped ? BREAKER_REST_MS : 0, isRecorded)
  await noteHealth(ctx, log, endpoint, gone, queue.failures)
}

async function putBack(
  ctx: Context,
  { endpoint, batches, leaseToken }: DeliveryBatch,
  unsent: ClaimedDelivery[],
  restMs: number,
  isRecorded: boolean,
): Promise<void> {
  const dueAt = ctx.clock.now() + restMs
  const idsOf = (deliveries: ClaimedDelivery[]) => deliveries.map(({ event }) => event.eventId)
  const again = idsOf(unsent.filter(({ isFirst }) => !isFirst))
  if (again.length > 0) await releaseDeliveries(ctx.db, endpoint, again, leaseToken, dueAt)
  // An attempt that could not be recorded is made again, under the same id, by whoever finds its batch when the lease is over.
  if (batches.length === 0 || !isRecorded) return
  const first = idsOf(unsent.filter(({ isFirst }) => isFirst))
  if (first.length === 0) await finishFirstAttempts(ctx.db, endpoint, batches, leaseToken)
  else await releaseFirstAttempts(ctx.db, endpoint, batches, leaseToken, first, dueAt)
}

async function attempt(
  ctx: Context,
  sender: Sender,
  endpoint: WebhookEndpoint,
  secrets: Buffer[],
  event: DeliverableEvent,
): Promise<AttemptResult> {
  ctx.signals.crashPoint('delivery-before-send')
  const result = await sender.send({
    url: endpoint.url,
    endpointId: endpoint.endpointId,
    id: event.eventId,
    // A receiver compares it with its own clock, which staging's does not move.
    timestampSeconds: Math.floor(ctx.clock.wallClock() / 1_000),
    body: eventBody(event),
    secrets,
  })
  ctx.signals.crashPoint('delivery-after-send')
  return result
}

export function eventBody(event: DeliverableEvent): string {
  const { eventId: id, type, resource, sequence, version, createdAt, data } = event
  return envelopeText(
    { id, event: type, resource, sequence, version, createdAt: isoInstant(createdAt) },
    data,
  )
}

async function record(
  { ctx, settings, log, countAttempt }: Post,
  { endpoint, leaseToken }: DeliveryBatch,
  { event, attempts, scheduleFrom, isFirst }: ClaimedDelivery,
  result: AttemptResult,
): Promise<void> {
  const now = ctx.clock.now()
  const { organizationId, endpointId } = endpoint
  const step = afterAttempt(result, attempts - scheduleFrom, settings.schedule, ctx.ids.random(), now)
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
  countAttempt?.(endpointId, result.delivered ? 'delivered' : (result.failure ?? 'STATUS'))
  const isAttemptAlone = isFirst && step.state === 'DELIVERED'
  const write = isAttemptAlone ? ctx.batched.recordAcknowledged : ctx.batched.recordAttempt
  await write({
    organizationId,
    endpointId,
    eventId,
    sequence: event.sequence,
    attemptId: ctx.ids.next(),
    leaseToken: isFirst ? null : leaseToken,
    number,
    at: now,
    result,
    state: step.state,
    dueAt: step.dueAt,
  })
  ctx.signals.crashPoint('delivery-after-commit')
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
  const now = ctx.clock.now()
  const givenUp = straightFailures > 0 && failingSince !== null && failingSince <= now - DISABLE_AFTER_MS
  if (gone || givenUp) {
    const reason = gone ? 'GONE' : 'FAILING'
    if (await disableEndpoint(ctx.db, organizationId, endpointId, reason, now)) {
      log.warn({ organizationId, endpointId, reason }, 'webhook endpoint disabled')
    }
  } else if (straightFailures > 0 && failingSince === null) {
    await markFailing(ctx.db, organizationId, endpointId, now)
  } else if (straightFailures === 0 && failingSince !== null) {
    await markHealthy(ctx.db, organizationId, endpointId)
  }
}

// During a rotation both secrets sign.
function secretsOf(ctx: Context, endpoint: WebhookEndpoint): Buffer[] {
  const { sealedSecret, sealedPrevious, previousUntil, endpointId } = endpoint
  const sealed = [
    sealedSecret,
    ...(sealedPrevious !== null && (previousUntil ?? 0) > ctx.clock.now() ? [sealedPrevious] : []),
  ]
  return sealed.map((secret) => {
    const opened = openSecret(ctx.settings.keys.rest, secret, `webhook ${endpointId}`)
    if (opened === undefined)
      throw new Error('the secret of a webhook endpoint does not open with SECRETS_KEY')
    return secretBytes(opened.toString('utf8'))
  })
}
