// Sends due deliveries to merchants' endpoints. Each endpoint has its own queue (endpoint-queues.ts), so one that hangs delays
// nobody else. No transaction is open while we send. A crash before an attempt is recorded means a second send under the same
// id, never a loss.

import type { Logger } from 'pino'
import {
  type AttemptResult,
  afterAttempt,
  BREAKER_REST_MS,
  DISABLE_AFTER_MS,
} from '../core/webhooks/delivery.ts'
import type { Context } from '../flows/context.ts'
import { endDeliveries } from '../flows/webhooks/delete-endpoint.ts'
import { endpointSecrets } from '../flows/webhooks/endpoint-secrets.ts'
import { parkDueDeliveries } from '../flows/webhooks/park-deliveries.ts'
import { resumeParkedDeliveries } from '../flows/webhooks/resume-deliveries.ts'
import type { Lease } from '../store/db.ts'
import { type ClaimedDelivery, claimDueDeliveries, releaseDeliveries } from '../store/webhooks/deliveries.ts'
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
import type { Sender, SendRequest } from '../webhooks/send.ts'
import { signingKeyOf } from '../webhooks/sign.ts'
import { type DueEndpoint, searchForDueEndpoints } from './due-endpoints.ts'
import { createSearches } from './due-queues.ts'
import {
  BATCHES_PER_ENDPOINT,
  createEndpointQueues,
  type EndpointQueue,
  type EndpointQueues,
} from './endpoint-queues.ts'
import { eventBody, withSealedResponse } from './event-body.ts'
import type { PumpOptions } from './pump.ts'
import { capacityWithinRate } from './send-rate.ts'
import { tracedAttempt } from './traced.ts'

export type DeliverySettings = { schedule: readonly number[]; perEndpoint: number }

// The sender, its settings and the attempt counter.
export type DeliveryWorkerOptions = {
  sender: Sender
  settings: DeliverySettings
  countAttempt?: (endpointId: string, result: string) => void
}

// Endpoints served at the same time. Most have a handful of deliveries; endpoint-queues.ts limits those that have more.
const MAX_ENDPOINTS = 10_000
const LEASE_MS = 120_000
// Deliveries not begun by then are released: the lease must outlast the longest attempt and its record.
const BEGIN_WITHIN_MS = 60_000
const REST_MS = 250
const NO_FIRST_ATTEMPTS: ClaimedFirstAttempts = { batches: [], deliveries: [], size: 0, isFull: false }

export type DeliveryBatch = {
  endpoint: WebhookEndpoint
  claimed: ClaimedDelivery[]
  // The first-attempt batches in this claim, by their first sequence.
  firstAttempts: number[]
  leaseToken: string
  // The claim used all its capacity: more may be due.
  isFull: boolean
}

export function deliveryPump(
  ctx: Context,
  delivering: DeliveryWorkerOptions,
  log: Logger,
  searches = createSearches(ctx),
): PumpOptions<DeliveryBatch> {
  const queues = createEndpointQueues(delivering.settings.perEndpoint)
  const worker: DeliveryWorker = { ...delivering, ctx, log, isStopping: false }
  const search = searchForDueEndpoints(ctx, searches)
  // The due endpoints of the last poll, by organization and endpoint.
  let due = new Map<string, DueEndpoint>()

  return {
    name: 'deliveries',
    restMs: REST_MS,
    log,
    maxPerOrganization: BATCHES_PER_ENDPOINT,
    maxTotal: MAX_ENDPOINTS,
    sizeOf: ({ claimed }) => claimed.length,
    dueOrganizations: async () => {
      due = await search.look()
      return [...due.keys()]
    },
    claim: async (key) => {
      const found = due.get(key)
      const most = found === undefined ? 0 : queues.capacity(found.endpointId, ctx.clock.now())
      if (found === undefined || most === 0) return []
      const endpoint = await enabledEndpoint(ctx, found)
      if (endpoint === undefined) {
        search.forget(found)
        return []
      }
      const { capacity, giveBack } = await capacityWithinRate(ctx, endpoint, most)
      if (capacity === 0) return []
      const now = ctx.clock.now()
      const leaseToken = ctx.ids.next()
      const lease = { token: leaseToken, until: now + LEASE_MS }
      const retries = await claimRetries(ctx, queues, found, endpoint, lease, capacity)
      const capacityLeft = found.hasFirstAttempts ? capacity - retries.length : 0
      const first =
        capacityLeft > 0
          ? await claimFirstAttempts(ctx.db, endpoint, now, lease, capacityLeft)
          : NO_FIRST_ATTEMPTS
      await giveBack(retries.length + first.size)
      if (retries.length + first.size === 0) {
        search.forget(found)
        return []
      }
      const claimed = retries.length === 0 ? first.deliveries : interleaved(retries, first.deliveries)
      // Retries that left room for first attempts may have more behind them.
      const isFull = retries.length + first.size === capacity || first.isFull
      return [{ endpoint, claimed, firstAttempts: first.batches, leaseToken, isFull }]
    },
    act: async (batch) => {
      const queue = queues.of(batch.endpoint.endpointId)
      await deliverBatch(worker, queue, batch)
      return batch.isFull && !queue.isTripped
    },
    onStop: () => {
      worker.isStopping = true
    },
  }
}

// Before anything is claimed, what is due for an endpoint that is switched off or deleted is put away, and what was put away
// for one that is enabled again is made due.
async function enabledEndpoint(ctx: Context, found: DueEndpoint): Promise<WebhookEndpoint | undefined> {
  const endpoint = await getEndpoint(ctx.db, found.organizationId, found.endpointId)
  if (endpoint?.state === 'ENABLED') {
    if (found.hasParked) await resumeParkedDeliveries(ctx, found)
    return endpoint
  }
  if (endpoint === undefined) await endDeliveries(ctx, found)
  else await parkDueDeliveries(ctx, found)
  return undefined
}

function claimRetries(
  ctx: Context,
  queues: EndpointQueues,
  { hasRetries, hasFirstAttempts }: DueEndpoint,
  endpoint: WebhookEndpoint,
  lease: Lease,
  capacity: number,
): Promise<ClaimedDelivery[]> | ClaimedDelivery[] {
  if (!hasRetries) return []
  const share = hasFirstAttempts ? queues.of(endpoint.endpointId).retryShare(capacity) : capacity
  return share === 0 ? [] : claimDueDeliveries(ctx.db, endpoint, ctx.clock.now(), lease, share)
}

// Alternates: a run of retries that fail again must not trip the breaker before a first attempt had its chance.
function interleaved<Item>(one: readonly Item[], other: readonly Item[]): Item[] {
  const longest = Math.max(one.length, other.length)
  return Array.from({ length: longest }, (_, at) => [one.slice(at, at + 1), other.slice(at, at + 1)]).flat(2)
}

type DeliveryWorker = DeliveryWorkerOptions & { ctx: Context; log: Logger; isStopping: boolean }

async function deliverBatch(
  worker: DeliveryWorker,
  queue: EndpointQueue,
  batch: DeliveryBatch,
): Promise<void> {
  const { ctx, sender, log } = worker
  const { endpoint, claimed } = batch
  const { endpointId } = endpoint
  const signers = signersOf(ctx, endpoint)
  const vault = await ctx.vault(endpoint.organizationId)
  const beginUntilMs = ctx.clock.wallClock() + BEGIN_WITHIN_MS
  const written: Promise<void>[] = []
  const unsent: ClaimedDelivery[] = []
  let gone = false
  let hasDelivered = false
  let isRecorded = true

  const deliver = async (delivery: ClaimedDelivery): Promise<void> => {
    // A delivery that is not begun does not use up an attempt. A probe is sent although the breaker is tripped.
    const isClosed = gone || (queue.isTripped && claimed.length > 1)
    if (isClosed || worker.isStopping || ctx.clock.wallClock() > beginUntilMs) {
      unsent.push(delivery)
      return
    }
    const body = eventBody(vault, delivery.event)
    const result = await tracedAttempt(ctx, delivery, endpoint, (traceparent) =>
      attempt(ctx, sender, endpoint, signers, { id: delivery.event.eventId, body, traceparent }),
    )
    if (result.delivered) {
      hasDelivered = true
      queue.recordSuccess()
    }
    // A failure on our side says nothing about the endpoint.
    else if (result.failure !== 'NOT_SENT') queue.recordFailure(ctx.clock.now())
    if (result.gone) gone = true
    // Not awaited here: the next request need not wait for this record.
    written.push(
      record(worker, batch, delivery, withSealedResponse(vault, delivery.event, result)).catch(
        (error: Error) => {
          isRecorded = false
          log.error({ endpointId, error: error.message }, 'attempt not recorded')
        },
      ),
    )
  }
  await queue.runAll(claimed, deliver)
  await Promise.all(written)
  await releaseUnsent(ctx, batch, unsent, queue.isTripped ? BREAKER_REST_MS : 0, isRecorded)
  await recordHealth(ctx, log, endpoint, { gone, hasDelivered, consecutiveFailures: queue.failures })
}

async function releaseUnsent(
  ctx: Context,
  { endpoint, firstAttempts, leaseToken }: DeliveryBatch,
  unsent: ClaimedDelivery[],
  restMs: number,
  isRecorded: boolean,
): Promise<void> {
  const dueAt = ctx.clock.now() + restMs
  const idsOf = (deliveries: ClaimedDelivery[]) => deliveries.map(({ event }) => event.eventId)
  const unsentRetries = idsOf(unsent.filter(({ isFirst }) => !isFirst))
  if (unsentRetries.length > 0) await releaseDeliveries(ctx.db, endpoint, unsentRetries, leaseToken, dueAt)
  // An unrecorded attempt is repeated under the same id by the worker that claims its batch after the lease ends.
  if (firstAttempts.length === 0 || !isRecorded) return
  const unsentFirst = idsOf(unsent.filter(({ isFirst }) => isFirst))
  if (unsentFirst.length === 0) await finishFirstAttempts(ctx.db, endpoint, firstAttempts, leaseToken)
  else await releaseFirstAttempts(ctx.db, endpoint, firstAttempts, leaseToken, unsentFirst, dueAt)
}

async function attempt(
  ctx: Context,
  sender: Sender,
  endpoint: WebhookEndpoint,
  signers: Signers,
  { id, body, traceparent }: { id: string; body: string; traceparent: string | undefined },
): Promise<AttemptResult> {
  ctx.signals.crashPoint('delivery-before-send')
  const result = await sender.send({
    url: endpoint.url,
    endpointId: endpoint.endpointId,
    id,
    // The receiver compares this with its own clock, which staging does not move.
    timestampSeconds: Math.floor(ctx.clock.wallClock() / 1_000),
    body,
    traceparent,
    ...signers,
  })
  ctx.signals.crashPoint('delivery-after-send')
  return result
}

async function record(
  { ctx, settings, log, countAttempt }: DeliveryWorker,
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
  const isAcknowledgedFirst = isFirst && step.state === 'DELIVERED'
  const write = isAcknowledgedFirst ? ctx.batched.recordAcknowledged : ctx.batched.recordAttempt
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

type Health = { gone: boolean; hasDelivered: boolean; consecutiveFailures: number }

// The endpoint's row changes only when a run of failures begins or ends, or when the endpoint is disabled. Any delivery
// ends a run, also one among failures; a process that has seen no failure may have sent nothing.
async function recordHealth(
  ctx: Context,
  log: Logger,
  endpoint: WebhookEndpoint,
  { gone, hasDelivered, consecutiveFailures }: Health,
): Promise<void> {
  const { organizationId, endpointId, failingSince } = endpoint
  const now = ctx.clock.now()
  const hasOnlyFailed = consecutiveFailures > 0 && !hasDelivered
  const hasFailedTooLong = hasOnlyFailed && failingSince !== null && failingSince <= now - DISABLE_AFTER_MS
  if (gone || hasFailedTooLong) {
    const reason = gone ? 'GONE' : 'FAILING'
    if (await disableEndpoint(ctx.db, organizationId, endpointId, reason, now)) {
      log.warn({ organizationId, endpointId, reason }, 'webhook endpoint disabled')
    }
  } else if (hasOnlyFailed && failingSince === null) {
    await markFailing(ctx.db, organizationId, endpointId, now)
  } else if (hasDelivered && failingSince !== null) {
    await markHealthy(ctx.db, organizationId, endpointId)
  }
}

type Signers = Pick<SendRequest, 'secrets' | 'signingKeys'>

function signersOf(ctx: Context, endpoint: WebhookEndpoint): Signers {
  const { secrets, signingSeeds } = endpointSecrets(ctx, endpoint)
  return { secrets, signingKeys: signingSeeds.map(signingKeyOf) }
}
