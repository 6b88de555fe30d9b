// Sends what is due to merchants' endpoints. Each endpoint is served in a lane of its own (lanes.ts), so that while it hangs
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
import type { TellableEvent } from '../store/events/events.ts'
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
  noteFailing,
  noteWorking,
  type WebhookEndpoint,
} from '../store/webhooks/endpoints.ts'
import {
  closeParcels,
  putBackParcels,
  type TakenParcels,
  takeParcels,
} from '../store/webhooks/first-attempts.ts'
import type { Sender } from '../webhooks/send.ts'
import { secretBytes } from '../webhooks/sign.ts'
import { BATCHES_PER_ENDPOINT, createLanes, type Lane } from './endpoint-queues.ts'
import type { PumpOptions } from './pump.ts'

export type DeliverySettings = { schedule: readonly number[]; perEndpoint: number }

// Endpoints served at the same time. Most hold a handful of deliveries each; see lanes.ts for those that hold more.
const ENDPOINTS_IN_ALL = 10_000
const LEASE_MS = 120_000
// What has not been begun by then goes back: its lease must outlast the longest attempt and the record of it.
const BEGIN_WITHIN_MS = 60_000
const REST_MS = 250
const NO_PARCELS: TakenParcels = { parcels: [], deliveries: [], size: 0, isFull: false }

export type DeliveryBatch = {
  endpoint: WebhookEndpoint
  claimed: ClaimedDelivery[]
  parcels: number[]
  leaseToken: string
  // As many as there was room for: more may be due.
  isFull: boolean
}

export function deliveryPump(
  ctx: Context,
  sender: Sender,
  settings: DeliverySettings,
  log: Logger,
): PumpOptions<DeliveryBatch> {
  const lanes = createLanes(settings.perEndpoint)
  const post: Post = { ctx, sender, settings, log, isStopping: false }
  // As the last look found them, by name.
  let due = new Map<string, DueEndpoint>()

  return {
    name: 'deliveries',
    restMs: REST_MS,
    log,
    perOrganization: BATCHES_PER_ENDPOINT,
    inAll: ENDPOINTS_IN_ALL,
    sizeOf: ({ claimed }) => claimed.length,
    dueOrganizations: async () => {
      const found = await endpointsWithDueDeliveries(ctx.db, ctx.now())
      due = new Map(found.map((one) => [`${one.organizationId} ${one.endpointId}`, one]))
      return [...due.keys()]
    },
    claim: async (name) => {
      const found = due.get(name)
      const room = found === undefined ? 0 : lanes.room(found.endpointId, ctx.wallClock())
      if (found === undefined || room === 0) return []
      const endpoint = await getEndpoint(ctx.db, found.organizationId, found.endpointId)
      if (endpoint?.state !== 'ENABLED') return []
      const now = ctx.now()
      const leaseToken = ctx.nextId()
      const lease = { token: leaseToken, until: now + LEASE_MS }
      // What was put off and is due again goes first: its merchant has waited longer.
      const again = found.hasAgain ? await claimDueDeliveries(ctx.db, endpoint, now, lease, room) : []
      const left = found.hasFirst ? room - again.length : 0
      const first = left > 0 ? await takeParcels(ctx.db, endpoint, now, lease, left) : NO_PARCELS
      if (again.length + first.size === 0) return []
      const claimed = again.length === 0 ? first.deliveries : [...again, ...first.deliveries]
      const isFull = again.length === room || first.isFull
      return [{ endpoint, claimed, parcels: first.parcels, leaseToken, isFull }]
    },
    act: async (batch) => {
      const lane = lanes.of(batch.endpoint.endpointId)
      await deliverBatch(post, lane, batch)
      return batch.isFull && !lane.isTripped
    },
    onStop: () => {
      post.isStopping = true
    },
  }
}

type Post = { ctx: Context; sender: Sender; settings: DeliverySettings; log: Logger; isStopping: boolean }

async function deliverBatch(post: Post, lane: Lane, batch: DeliveryBatch): Promise<void> {
  const { ctx, sender, log } = post
  const { endpoint, claimed } = batch
  const { endpointId } = endpoint
  const secrets = secretsOf(ctx, endpoint)
  const beginUntilMs = ctx.wallClock() + BEGIN_WITHIN_MS
  const written: Promise<void>[] = []
  const unsent: ClaimedDelivery[] = []
  let gone = false
  let isRecorded = true

  const deliver = async (delivery: ClaimedDelivery): Promise<void> => {
    // What was not begun waits without losing a try. A probe is sent all the same.
    const isClosed = gone || (lane.isTripped && claimed.length > 1)
    if (isClosed || post.isStopping || ctx.wallClock() > beginUntilMs) {
      unsent.push(delivery)
      return
    }
    const result = await attempt(ctx, sender, endpoint, secrets, delivery.event)
    if (result.delivered) lane.noteDelivered()
    // What we could not send for our own reasons says nothing about the endpoint.
    else if (result.failure !== 'NOT_SENT') lane.noteFailure(ctx.wallClock())
    if (result.gone) gone = true
    // Not awaited here: the next request need not wait for the record of this one.
    written.push(
      record(post, batch, delivery, result).catch((error: Error) => {
        isRecorded = false
        log.error({ endpointId, error: error.message }, 'attempt not recorded')
      }),
    )
  }
  await lane.work(claimed, deliver)
  await Promise.all(written)
  await putBack(ctx, batch, unsent, lane.isTripped ? BREAKER_REST_MS : 0, isRecorded)
  await noteHealth(ctx, log, endpoint, gone, lane.failures)
}

async function putBack(
  ctx: Context,
  { endpoint, parcels, leaseToken }: DeliveryBatch,
  unsent: ClaimedDelivery[],
  restMs: number,
  isRecorded: boolean,
): Promise<void> {
  const dueAt = ctx.now() + restMs
  const idsOf = (deliveries: ClaimedDelivery[]) => deliveries.map(({ event }) => event.eventId)
  const again = idsOf(unsent.filter(({ isFirst }) => !isFirst))
  if (again.length > 0) await releaseDeliveries(ctx.db, endpoint, again, leaseToken, dueAt)
  // An attempt that could not be recorded is made again, under the same id, by whoever finds its parcel when the lease is over.
  if (parcels.length === 0 || !isRecorded) return
  const first = idsOf(unsent.filter(({ isFirst }) => isFirst))
  if (first.length === 0) await closeParcels(ctx.db, endpoint, parcels, leaseToken)
  else await putBackParcels(ctx.db, endpoint, parcels, leaseToken, first, dueAt)
}

async function attempt(
  ctx: Context,
  sender: Sender,
  endpoint: WebhookEndpoint,
  secrets: Buffer[],
  event: TellableEvent,
): Promise<AttemptResult> {
  ctx.passing('delivery-before-send')
  const result = await sender.send({
    url: endpoint.url,
    endpointId: endpoint.endpointId,
    id: event.eventId,
    // A receiver compares it with its own clock, which staging's does not move.
    timestampSeconds: Math.floor(ctx.wallClock() / 1_000),
    body: eventBody(event),
    secrets,
  })
  ctx.passing('delivery-after-send')
  return result
}

export function eventBody(event: TellableEvent): string {
  const { eventId: id, type, resource, sequence, version, createdAt, data } = event
  return envelopeText(
    { id, event: type, resource, sequence, version, createdAt: isoInstant(createdAt) },
    data,
  )
}

async function record(
  { ctx, settings, log }: Post,
  { endpoint, leaseToken }: DeliveryBatch,
  { event, attempts, scheduleFrom, isFirst }: ClaimedDelivery,
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
  const isAttemptAlone = isFirst && step.state === 'DELIVERED'
  const write = isAttemptAlone ? ctx.together.recordAcknowledged : ctx.together.recordAttempt
  await write({
    organizationId,
    endpointId,
    eventId,
    sequence: event.sequence,
    attemptId: ctx.nextId(),
    leaseToken: isFirst ? null : leaseToken,
    number,
    at: now,
    result,
    state: step.state,
    dueAt: step.dueAt,
  })
  ctx.passing('delivery-after-commit')
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
