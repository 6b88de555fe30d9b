// Merchant operations on the event log: list, get, list deliveries, redeliver.

import { refuseUnreadable, refuseUnreadableLog } from '../../core/events/read-scopes.ts'
import { isUuid } from '../../core/ids.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { redeliverEvent, refuseUnknownEvent } from '../../flows/events/redeliver.ts'
import { openText } from '../../flows/people/vault.ts'
import type { Scheduled } from '../../flows/webhooks/change-endpoint.ts'
import { type EventFilters, getEvent, listEvents } from '../../store/events/events.ts'
import {
  ATTEMPTS_SHOWN,
  type AttemptView,
  DELIVERIES_SHOWN,
  type DeliveryView,
  deliveriesOfEvent,
} from '../../store/webhooks/delivery-views.ts'
import { type ApiAnswer, type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { PAGE_QUERY, PAGE_SIZE } from '../http/pagination.ts'
import { OneOf, Uuid } from '../http/schema.ts'
import { ScheduledDeliveries } from '../webhooks/schema.ts'
import {
  DeliveryList,
  EVENT_EXAMPLES,
  EVENT_NAMES,
  EventList,
  EventObject,
  eventText,
  RedeliverEvent,
} from './schema.ts'

const EVENT_ID = {
  eventId: { description: 'Identifier of the event.', example: EVENT_EXAMPLES.canceled.id },
}

export const After = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Only events with a higher `sequence`.',
})
export const EventName = OneOf(EVENT_NAMES, { description: 'Only events with this name.' })

const ListEventsQuery = Type.Object({
  after: Type.Optional(After),
  type: Type.Optional(EventName),
  objectId: Type.Optional(Uuid('Only events about this payin, payout, payment link or webhook endpoint.')),
  pageSize: PAGE_QUERY.pageSize,
})

export const listEventsOperation: Operation = {
  method: 'GET',
  path: '/events',
  operationId: 'listEvents',
  tag: 'Events',
  summary: 'List events',
  description:
    'Sorted by `sequence`, which has no gaps: keep reading from `nextAfter`, and you get every event exactly once, also those that come later. The credential also needs the scopes that read what the events contain (`payins:read`, `payouts:read`, `links:read`): all three, or with `type` the one for that event.',
  access: { scope: 'events:read', shown: 'apiKey' },
  query: ListEventsQuery,
  success: {
    status: 200,
    description: 'Events.',
    schema: EventList,
    examples: { page: { summary: 'A page', value: EVENT_EXAMPLES.page } },
  },
  refusals: ['INVALID_INPUT'],
  handle: async ({ ctx, caller, query }) => {
    const {
      after = 0,
      type,
      objectId,
      pageSize = PAGE_SIZE.default,
    } = query as Static<typeof ListEventsQuery>
    const refused = refuseUnreadableLog(caller.scopes, type)
    if (refused !== undefined) return refused
    const filters: EventFilters = {
      ...(type !== undefined && { type }),
      ...(objectId !== undefined && { objectId: objectId.toLowerCase() }),
    }
    const { organizationId } = caller.organization
    const found = await listEvents(ctx.db, organizationId, after, filters, pageSize + 1)
    const events = found.slice(0, pageSize)
    const nextAfter = events.at(-1)?.sequence ?? after
    const data = events.map(eventText).join(',')
    return {
      status: 200,
      body: `{"data":[${data}],"hasMore":${found.length > pageSize},"nextAfter":${nextAfter}}`,
    }
  },
}

export const getEventOperation: Operation = {
  method: 'GET',
  path: '/events/{eventId}',
  operationId: 'getEvent',
  tag: 'Events',
  summary: 'Get an event',
  description: 'The event as it was sent.',
  access: { scope: 'events:read', shown: 'apiKey' },
  params: EVENT_ID,
  success: {
    status: 200,
    description: 'The event.',
    schema: EventObject,
    examples: { canceled: { summary: 'A payin was canceled', value: EVENT_EXAMPLES.canceled } },
  },
  refusals: ['NOT_FOUND'],
  handle: (request) =>
    withEventId(request, async (organizationId, eventId) => {
      const event = await getEvent(request.ctx.db, organizationId, eventId)
      if (event === undefined) return refuseUnknownEvent(eventId)
      const refused = refuseUnreadable(request.caller.scopes, [event.type])
      return refused ?? { status: 200, body: eventText(event) }
    }),
}

// An id that is not a UUID matches no event.
async function withEventId(
  { caller, params }: ApiRequest,
  answer: (organizationId: string, eventId: string) => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal> {
  const eventId = (params.eventId ?? '').toLowerCase()
  if (!isUuid(eventId)) return refuseUnknownEvent(params.eventId ?? '')
  return answer(caller.organization.organizationId, eventId)
}

export const listDeliveriesOperation: Operation = {
  method: 'GET',
  path: '/events/{eventId}/deliveries',
  operationId: 'listDeliveries',
  tag: 'Events',
  summary: 'See how an event was delivered',
  description: `One entry for each endpoint the event was sent to, with its last ${ATTEMPTS_SHOWN} tries. Where endpoints were deleted, at most ${DELIVERIES_SHOWN} entries: those there are, then those deleted last.`,
  access: { scope: 'events:read', shown: 'apiKey' },
  params: EVENT_ID,
  success: {
    status: 200,
    description: 'The deliveries.',
    schema: DeliveryList,
    examples: { retried: { summary: 'Delivered at the second attempt', value: EVENT_EXAMPLES.deliveries } },
  },
  refusals: ['NOT_FOUND'],
  handle: (request) =>
    withEventId(request, async (organizationId, eventId) => {
      const { db } = request.ctx
      const event = await getEvent(db, organizationId, eventId)
      if (event === undefined) return refuseUnknownEvent(eventId)
      const { deliveries, attempts } = await deliveriesOfEvent(db, organizationId, eventId)
      const vault = await request.ctx.vault(organizationId)
      const shown = attempts.map((attempt) => ({
        ...attempt,
        response: openText(vault, eventId, attempt.response),
      }))
      return json(200, { data: deliveries.map((delivery) => presentDelivery(delivery, shown)) })
    }),
}

function presentDelivery(delivery: DeliveryView, attempts: AttemptView[]): Record<string, unknown> {
  return {
    endpointId: delivery.endpointId,
    url: delivery.url,
    state: delivery.state,
    nextAttemptAt: isoOrNull(delivery.nextAttemptAt),
    deliveredAt: isoOrNull(delivery.deliveredAt),
    attempts: attempts
      .filter((attempt) => attempt.endpointId === delivery.endpointId)
      .map(({ number, at, status, latencyMs, failure, response, nextAttemptAt }) => ({
        number,
        at: isoInstant(at),
        status,
        latencyMs,
        failure,
        response,
        nextAttemptAt: isoOrNull(nextAttemptAt),
      })),
  }
}

export const redeliverEventOperation: Operation = {
  method: 'POST',
  path: '/events/{eventId}/redeliver',
  operationId: 'redeliverEvent',
  tag: 'Events',
  summary: 'Send an event again',
  description:
    'Sends the event again under the same id, to one endpoint or to all that are enabled and take it, whether or not it was delivered before. Its retries start over. Streams that ask for `redeliveries` get it too.',
  access: { scope: 'webhooks:write', shown: 'apiKey' },
  act: 'event.redeliver',
  params: EVENT_ID,
  body: {
    schema: RedeliverEvent,
    required: false,
    examples: { all: { summary: 'To all endpoints', value: {} } },
  },
  success: {
    status: 202,
    description: 'The event is on its way.',
    schema: ScheduledDeliveries,
    examples: { scheduled: { summary: 'To one endpoint', value: { scheduled: 1 } } },
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'ENDPOINT_DISABLED', 'ENDPOINT_NOT_VERIFIED'],
  idempotent: true,
  handle: (request) =>
    withEventId(request, async (organizationId, eventId) => {
      const { ctx, caller, body, idempotency } = request
      const { endpointId } = (body ?? {}) as Static<typeof RedeliverEvent>
      const answer = renderOnce(({ scheduled }: Scheduled) => json(202, { scheduled }))
      const idempotencyWithAnswer = idempotency && { ...idempotency, answer }
      const address = { organizationId, eventId }
      const to = endpointId?.toLowerCase()
      const done = await redeliverEvent(ctx, address, to, caller.scopes, idempotencyWithAnswer)
      return isRefusal(done) ? done : answer(done)
    }),
}
