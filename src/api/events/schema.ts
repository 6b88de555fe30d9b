// Schemas and examples of events and deliveries. The API returns an event as the same text that is sent to endpoints.

import { EVENT_TYPES, envelopeText, TEST_EVENT } from '../../core/events/event.ts'
import { isoInstant } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import type { StoredEvent } from '../../store/events/events.ts'
import { ATTEMPTS_SHOWN, DELIVERIES_SHOWN } from '../../store/webhooks/delivery-views.ts'
import { DateTime, Nullable, OneOf, Uuid } from '../http/schema.ts'
import { PAYIN_EXAMPLES } from '../payins/examples.ts'

export const EVENT_NAMES = [...EVENT_TYPES, TEST_EVENT] as const

export const EventObject = Type.Object({
  id: Uuid('Identifier of the event, and `webhook-id` of every delivery of it.'),
  event: OneOf(EVENT_NAMES, { description: 'What happened.' }),
  resource: OneOf(
    [
      'payin',
      'payout',
      'paymentlink',
      'paymentpage',
      'refund',
      'payoutbatch',
      'approval',
      'webhook',
    ] as const,
    { description: 'What it happened to.' },
  ),
  sequence: Type.Integer({
    minimum: 1,
    description: 'Numbers the organization’s events 1, 2, 3 … without gaps.',
    examples: [42],
  }),
  version: Type.Integer({
    description: 'Version of the object: the event with the highest version has its current state.',
  }),
  createdAt: DateTime('When it happened.'),
  data: Type.Unsafe<object>({
    type: 'object',
    description: 'The object as the API would have returned it then.',
  }),
})

export const EventList = Type.Object({
  data: Type.Array(EventObject),
  hasMore: Type.Boolean({ description: 'More events follow at once.' }),
  nextAfter: Type.Integer({ minimum: 0, description: 'Send it as `after` to continue, now or later.' }),
})

export const DeliveryAttemptObject = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  at: DateTime('When it was sent.'),
  status: Nullable(Type.Integer({ description: 'HTTP status of the answer; null if there was none.' })),
  latencyMs: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
  failure: Nullable(
    Type.String({ description: 'Why it does not count as delivered, or null.', examples: ['TIMEOUT'] }),
  ),
  response: Type.String({ description: 'The first KiB of the answer.' }),
  nextAttemptAt: Nullable(DateTime('When the next attempt was planned, or null.')),
})

export const DeliveryObject = Type.Object({
  endpointId: Uuid('The webhook endpoint.'),
  url: Type.String({ description: 'Its address.' }),
  state: OneOf(['PENDING', 'DELIVERED', 'FAILED'] as const, {
    description: '`FAILED`: no attempts are left. `redeliver` sends it again.',
  }),
  nextAttemptAt: Nullable(
    DateTime('When the next attempt is due; null if there is none, or one is under way.'),
  ),
  deliveredAt: Nullable(DateTime('When the endpoint acknowledged it.')),
  attempts: Type.Array(DeliveryAttemptObject, {
    maxItems: ATTEMPTS_SHOWN,
    description: `The last ${ATTEMPTS_SHOWN} tries, oldest first; \`number\` counts all there were.`,
  }),
})

export const DeliveryList = Type.Object({ data: Type.Array(DeliveryObject, { maxItems: DELIVERIES_SHOWN }) })

export const RedeliverEvent = Type.Object({
  endpointId: Type.Optional(Uuid('Only to this endpoint; else to all that take the event.')),
})

// The envelope around the data as it was stored.
export function eventText({ eventId, type, createdAt, data, ...event }: StoredEvent): string {
  return envelopeText({ ...event, id: eventId, event: type, createdAt: isoInstant(createdAt) }, data)
}

const canceled = {
  id: '019a5c41-2b3c-7d4e-8f50-617283940a1b',
  event: 'payin.canceled',
  resource: 'payin',
  sequence: 42,
  version: 2,
  createdAt: '2025-11-07T13:04:10.500Z',
  data: PAYIN_EXAMPLES.canceled,
}
const test = {
  id: '019a5c42-3c4d-7e5f-8a61-728394a5b6c7',
  event: 'webhook.test',
  resource: 'webhook',
  sequence: 43,
  version: 1,
  createdAt: '2025-11-07T13:05:00.000Z',
  data: {
    endpointId: '019a5c42-1d2e-7a3b-8c4d-5e6f7a8b9c0d',
    message: 'This event was asked for to try the endpoint.',
  },
}
const delivery = {
  endpointId: '019a5c42-1d2e-7a3b-8c4d-5e6f7a8b9c0d',
  url: 'https://shop.example/recaudo/events',
  state: 'DELIVERED',
  nextAttemptAt: null,
  deliveredAt: '2025-11-07T13:04:16.120Z',
  attempts: [
    {
      number: 1,
      at: '2025-11-07T13:04:10.630Z',
      status: 503,
      latencyMs: 41,
      failure: 'STATUS',
      response: 'upstream is restarting',
      nextAttemptAt: '2025-11-07T13:04:15.910Z',
    },
    {
      number: 2,
      at: '2025-11-07T13:04:16.120Z',
      status: 200,
      latencyMs: 38,
      failure: null,
      response: 'ok',
      nextAttemptAt: null,
    },
  ],
}

export const EVENT_EXAMPLES = {
  canceled,
  test,
  page: { data: [canceled, test], hasMore: false, nextAfter: 43 },
  deliveries: { data: [delivery] },
  frames: `retry: 1000\nid: 41\n\nid: 42\nevent: payin.canceled\ndata: ${JSON.stringify(canceled)}\n\n`,
}
