// What a merchant has done with a webhook endpoint: rotate its secret, verify it, test it, and send what it missed.

import { isoInstant } from '../../core/instant.ts'
import type { Static } from '../../core/json-schema.ts'
import { isRefusal } from '../../core/refusal.ts'
import { sendTestEvent } from '../../flows/events/send-test.ts'
import type { Scheduled } from '../../flows/webhooks/change-endpoint.ts'
import { recoverWebhookEndpoint } from '../../flows/webhooks/recover-endpoint.ts'
import { type RotatedSecret, rotateWebhookSecret } from '../../flows/webhooks/rotate-secret.ts'
import { verifyWebhookEndpoint } from '../../flows/webhooks/verify-endpoint.ts'
import type { StoredEvent } from '../../store/events/events.ts'
import type { WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { EVENT_EXAMPLES, EventObject, eventText } from '../events/schema.ts'
import { json, type Operation, renderOnce } from '../http/operation.ts'
import { ENDPOINT_ID, endpointResponse, WRITE, withEndpointId } from './one-endpoint.ts'
import {
  WEBHOOK_ENDPOINT_EXAMPLES as EXAMPLES,
  presentEndpoint,
  presentPublicKey,
  RecoverWebhookEndpoint,
  RotatedWebhookSecret,
  ScheduledDeliveries,
} from './schema.ts'

export const rotateWebhookSecretOperation: Operation = {
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  tag: 'Webhooks',
  summary: 'Replace the secret',
  description:
    'Creates a new secret, shown only now. For 24 hours events carry two signatures, one for each secret; switch your receiver over meanwhile. Secrets replaced earlier stop working.',
  access: WRITE,
  act: 'webhook.rotate',
  params: ENDPOINT_ID,
  success: {
    status: 200,
    description: 'The new secret.',
    schema: RotatedWebhookSecret,
    examples: { rotated: { summary: 'A new secret', value: EXAMPLES.rotated } },
  },
  refusals: ['NOT_FOUND'],
  idempotent: true,
  hasSecret: true,
  handle: (request) =>
    withEndpointId(request, async (organizationId, endpointId) => {
      const { ctx, idempotency } = request
      const answer = renderOnce(({ endpoint, secret, previousUntil }: RotatedSecret) => {
        const publicKey = presentPublicKey(endpoint)
        return json(200, {
          id: endpointId,
          secret,
          publicKey,
          previousSecretUntil: isoInstant(previousUntil),
        })
      })
      const idempotencyWithAnswer = idempotency && { ...idempotency, answer }
      const rotated = await rotateWebhookSecret(ctx, organizationId, endpointId, idempotencyWithAnswer)
      return isRefusal(rotated) ? rotated : answer(rotated)
    }),
}

export const verifyWebhookEndpointOperation: Operation = {
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/verify',
  operationId: 'verifyWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Verify an endpoint',
  description:
    'Sends its address six `webhook.verification` events at once, three signed with the endpoint’s secret and three with random secrets. A receiver that answers 2xx to the former and 4xx to the latter holds the secret: the endpoint is verified, and enabled if it was waiting for this. A receiver that verifies signatures, as the SDK does, needs no extra code.',
  access: WRITE,
  act: 'webhook.verify',
  params: ENDPOINT_ID,
  success: endpointResponse,
  refusals: ['NOT_FOUND', 'ENDPOINT_NOT_VERIFIED'],
  idempotent: true,
  handle: (request) =>
    withEndpointId(request, async (organizationId, endpointId) => {
      const { ctx, idempotency } = request
      const answer = renderOnce((endpoint: WebhookEndpoint) => json(200, presentEndpoint(endpoint)))
      const idempotencyWithAnswer = idempotency && { ...idempotency, answer }
      const verified = await verifyWebhookEndpoint(ctx, organizationId, endpointId, idempotencyWithAnswer)
      return isRefusal(verified) ? verified : answer(verified)
    }),
}

export const testWebhookEndpointOperation: Operation = {
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/test',
  operationId: 'testWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description:
    'Sends a `webhook.test` event to this endpoint only, signed and retried like any other. `GET /events/{eventId}/deliveries` shows how it went.',
  access: WRITE,
  act: 'webhook.test',
  params: ENDPOINT_ID,
  success: {
    status: 202,
    description: 'The event is on its way.',
    schema: EventObject,
    examples: { test: { summary: 'The test event', value: EVENT_EXAMPLES.test } },
  },
  refusals: ['NOT_FOUND', 'ENDPOINT_DISABLED', 'ENDPOINT_NOT_VERIFIED'],
  idempotent: true,
  handle: (request) =>
    withEndpointId(request, async (organizationId, endpointId) => {
      const { ctx, idempotency } = request
      const answer = renderOnce((event: StoredEvent) => ({ status: 202, body: eventText(event) }))
      const idempotencyWithAnswer = idempotency && { ...idempotency, answer }
      const event = await sendTestEvent(ctx, organizationId, endpointId, idempotencyWithAnswer)
      return isRefusal(event) ? event : answer(event)
    }),
}

export const recoverWebhookEndpointOperation: Operation = {
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/recover',
  operationId: 'recoverWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Send what was missed',
  description:
    'Sends this endpoint every event that it takes, that was created since a given time and that never reached it: those that failed for good, and those that came while it was switched off. Events that were delivered, or are still being retried, are not sent again.',
  access: WRITE,
  act: 'webhook.recover',
  params: ENDPOINT_ID,
  body: {
    schema: RecoverWebhookEndpoint,
    required: true,
    examples: { since: { summary: 'Since the outage began', value: { since: '2025-11-07T13:00:00.000Z' } } },
  },
  success: {
    status: 202,
    description: 'The events are on their way.',
    schema: ScheduledDeliveries,
    examples: { scheduled: { summary: 'Twelve events', value: { scheduled: 12 } } },
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'ENDPOINT_DISABLED', 'ENDPOINT_NOT_VERIFIED'],
  idempotent: true,
  handle: (request) =>
    withEndpointId(request, async (organizationId, endpointId) => {
      const { ctx, caller, body, idempotency } = request
      const since = Date.parse((body as Static<typeof RecoverWebhookEndpoint>).since)
      const answer = renderOnce(({ scheduled }: Scheduled) => json(202, { scheduled }))
      const idempotencyWithAnswer = idempotency && { ...idempotency, answer }
      const done = await recoverWebhookEndpoint(
        ctx,
        organizationId,
        endpointId,
        since,
        caller.scopes,
        idempotencyWithAnswer,
      )
      return isRefusal(done) ? done : answer(done)
    }),
}
