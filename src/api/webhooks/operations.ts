// Merchant operations on webhook endpoints: create, get, list, change, delete, verify, rotate the secret, test, and recover
// missed events.

import { refuseUnreadable } from '../../core/events/read-scopes.ts'
import { isUuid } from '../../core/ids.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Static } from '../../core/json-schema.ts'
import { type FieldProblem, isRefusal, type Refusal } from '../../core/refusal.ts'
import { sendTestEvent } from '../../flows/events/send-test.ts'
import type { Scheduled } from '../../flows/webhooks/change-endpoint.ts'
import {
  changeWebhookEndpoint,
  refuseUnknownEndpoint,
  type WebhookEndpointChanges as StoredChanges,
} from '../../flows/webhooks/change-endpoint.ts'
import {
  createWebhookEndpoint,
  type EndpointWithSecret,
  MAX_ENDPOINTS,
  type NewWebhookEndpoint,
} from '../../flows/webhooks/create-endpoint.ts'
import { deleteWebhookEndpoint } from '../../flows/webhooks/delete-endpoint.ts'
import { recoverWebhookEndpoint } from '../../flows/webhooks/recover-endpoint.ts'
import { type RotatedSecret, rotateWebhookSecret } from '../../flows/webhooks/rotate-secret.ts'
import { verifyWebhookEndpoint } from '../../flows/webhooks/verify-endpoint.ts'
import type { StoredEvent } from '../../store/events/events.ts'
import { getEndpoint, listEndpoints, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { EVENT_EXAMPLES, EventObject, eventText } from '../events/schema.ts'
import { type ApiAnswer, type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import {
  CreateWebhookEndpoint,
  DeletedWebhookEndpoint,
  WEBHOOK_ENDPOINT_EXAMPLES as EXAMPLES,
  presentEndpoint,
  presentPublicKey,
  RecoverWebhookEndpoint,
  RotatedWebhookSecret,
  ScheduledDeliveries,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointObject,
  WebhookEndpointWithSecret,
} from './schema.ts'

const ENDPOINT_ID = {
  endpointId: { description: 'Identifier of the webhook endpoint.', example: EXAMPLES.endpoint.id },
}
const READ = { scope: 'webhooks:read', shown: 'apiKey' } as const
const WRITE = { scope: 'webhooks:write', shown: 'apiKey' } as const
const endpointResponse = {
  status: 200,
  description: 'The endpoint.',
  schema: WebhookEndpointObject,
  examples: {
    endpoint: { summary: 'An endpoint', value: EXAMPLES.endpoint },
    disabled: { summary: 'Switched off because it answered 410', value: EXAMPLES.disabled },
  },
}

export const createWebhookEndpointOperation: Operation = {
  method: 'POST',
  path: '/webhook-endpoints',
  operationId: 'createWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description: `Names an address that events are sent to from now on. The answer holds the secret that signs them, this once. In production nothing is sent before the endpoint is verified: give your receiver the secret, then call \`verify\`. An organization has ${MAX_ENDPOINTS} endpoints at most. The credential needs the scope that reads what the events tell too: \`payins:read\`, \`payouts:read\`, \`links:read\`.`,
  access: WRITE,
  body: {
    schema: CreateWebhookEndpoint,
    required: true,
    examples: {
      some: { summary: 'Some events', value: EXAMPLES.create },
      plain: { summary: 'The usual events', value: EXAMPLES.createPlain },
    },
  },
  rules: urlRules,
  success: {
    status: 201,
    description: 'The endpoint was created.',
    schema: WebhookEndpointWithSecret,
    examples: { created: { summary: 'With its secret', value: EXAMPLES.created } },
  },
  refusals: ['INVALID_INPUT', 'TOO_MANY_ENDPOINTS'],
  idempotent: true,
  handle: async ({ ctx, caller, body, idempotency }) => {
    const answer = renderOnce(({ endpoint, secret }: EndpointWithSecret) =>
      json(201, { ...presentEndpoint(endpoint), secret }),
    )
    const { url, events, description, maxPerSecond, ed25519 } = body as Static<typeof CreateWebhookEndpoint>
    const request = {
      url,
      events: events ?? null,
      description: description ?? null,
      maxPerSecond: maxPerSecond ?? null,
      ed25519: ed25519 ?? false,
    } as NewWebhookEndpoint
    const refused = refuseUnreadable(caller.scopes, request.events)
    if (refused !== undefined) return refused
    const created = await createWebhookEndpoint(
      ctx,
      caller.organization.organizationId,
      request,
      idempotency && { ...idempotency, answer },
    )
    return isRefusal(created) ? created : answer(created)
  },
}

function urlRules({ ctx, body }: ApiRequest): FieldProblem[] {
  const { url } = body as { url?: unknown }
  const message = typeof url === 'string' ? ctx.settings.webhooks.urlProblem(url) : undefined
  return message === undefined ? [] : [{ path: '/url', code: 'WRONG_FORMAT', message }]
}

export const listWebhookEndpointsOperation: Operation = {
  method: 'GET',
  path: '/webhook-endpoints',
  operationId: 'listWebhookEndpoints',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  description: 'All of them, oldest first.',
  access: READ,
  success: {
    status: 200,
    description: 'The endpoints.',
    schema: WebhookEndpointList,
    examples: { all: { summary: 'One endpoint', value: { data: [EXAMPLES.endpoint] } } },
  },
  refusals: [],
  handle: async ({ ctx, caller }) => {
    const endpoints = await listEndpoints(ctx.db, caller.organization.organizationId)
    return json(200, { data: endpoints.map(presentEndpoint) })
  },
}

export const getWebhookEndpointOperation: Operation = {
  method: 'GET',
  path: '/webhook-endpoints/{endpointId}',
  operationId: 'getWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Get a webhook endpoint',
  description: 'The endpoint as it stands now, without its secret.',
  access: READ,
  params: ENDPOINT_ID,
  success: endpointResponse,
  refusals: ['NOT_FOUND'],
  handle: (request) =>
    withEndpointId(request, async (organizationId, endpointId) => {
      const endpoint = await getEndpoint(request.ctx.db, organizationId, endpointId)
      return endpoint === undefined ? refuseUnknownEndpoint(endpointId) : json(200, presentEndpoint(endpoint))
    }),
}

// An id that is not a UUID matches no endpoint.
async function withEndpointId(
  { caller, params }: ApiRequest,
  answer: (organizationId: string, endpointId: string) => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal> {
  const endpointId = (params.endpointId ?? '').toLowerCase()
  if (!isUuid(endpointId)) return refuseUnknownEndpoint(params.endpointId ?? '')
  return answer(caller.organization.organizationId, endpointId)
}

export const changeWebhookEndpointOperation: Operation = {
  method: 'PATCH',
  path: '/webhook-endpoints/{endpointId}',
  operationId: 'changeWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Change a webhook endpoint',
  description:
    'Changes the fields that are sent and leaves the others. Enabling an endpoint sends it what waited meanwhile; events that came while it was off are not among them: `recover` sends those. In production a new `url` is verified first, as `verify` does; if that fails, nothing changes. ' +
    'Another address, other events or enabling needs the scope that reads what the endpoint is told.',
  access: WRITE,
  params: ENDPOINT_ID,
  body: {
    schema: WebhookEndpointChanges,
    required: true,
    examples: {
      note: { summary: 'Another note', value: { description: 'Orders and refunds' } },
      enable: { summary: 'Switch on again', value: { status: 'ENABLED' } },
    },
  },
  rules: urlRules,
  success: endpointResponse,
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'ENDPOINT_NOT_VERIFIED'],
  handle: (request) =>
    withEndpointId(request, async (organizationId, endpointId) => {
      const changes = toChanges(request.body as Static<typeof WebhookEndpointChanges>)
      const { ctx, caller } = request
      const changed = await changeWebhookEndpoint(ctx, organizationId, endpointId, changes, caller.scopes)
      return isRefusal(changed) ? changed : json(200, presentEndpoint(changed))
    }),
}

function toChanges(sent: Static<typeof WebhookEndpointChanges>): StoredChanges {
  return {
    ...(sent.url !== undefined && { url: sent.url }),
    ...(sent.events !== undefined && { events: sent.events as WebhookEndpoint['events'] }),
    ...(sent.description !== undefined && {
      description: sent.description as WebhookEndpoint['description'],
    }),
    ...(sent.status !== undefined && { state: sent.status }),
    ...(sent.maxPerSecond !== undefined && {
      maxPerSecond: sent.maxPerSecond as WebhookEndpoint['maxPerSecond'],
    }),
    ...(sent.ed25519 !== undefined && { ed25519: sent.ed25519 }),
  }
}

export const deleteWebhookEndpointOperation: Operation = {
  method: 'DELETE',
  path: '/webhook-endpoints/{endpointId}',
  operationId: 'deleteWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'Nothing is sent to it any more. What was sent stays readable with the events.',
  access: WRITE,
  params: ENDPOINT_ID,
  success: {
    status: 200,
    description: 'The endpoint is no more.',
    schema: DeletedWebhookEndpoint,
    examples: { deleted: { summary: 'Deleted', value: { id: EXAMPLES.endpoint.id, deleted: true } } },
  },
  refusals: ['NOT_FOUND'],
  handle: (request) =>
    withEndpointId(request, async (organizationId, endpointId) => {
      const refused = await deleteWebhookEndpoint(request.ctx, organizationId, endpointId)
      return refused ?? json(200, { id: endpointId, deleted: true })
    }),
}

export const rotateWebhookSecretOperation: Operation = {
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  tag: 'Webhooks',
  summary: 'Replace the secret',
  description:
    'Makes a new secret, shown this once. For 24 hours events carry two signatures, one by each secret; change your receiver over meanwhile. A secret that was replaced before counts no more.',
  access: WRITE,
  params: ENDPOINT_ID,
  success: {
    status: 200,
    description: 'The new secret.',
    schema: RotatedWebhookSecret,
    examples: { rotated: { summary: 'A new secret', value: EXAMPLES.rotated } },
  },
  refusals: ['NOT_FOUND'],
  idempotent: true,
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
    'Sends its address six events `webhook.verification` at once, three signed with the endpoint’s secret and three with secrets of nobody. A receiver that answers 2xx to the first and 4xx to the others holds the secret: the endpoint is verified, and one that waited for it is enabled. Whoever verifies signatures, as the SDK does, needs no code for it.',
  access: WRITE,
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
    'Sends this endpoint, and no other, an event `webhook.test`, signed and retried like any. `GET /events/{eventId}/deliveries` tells how it went.',
  access: WRITE,
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
    'Sends this endpoint every event it takes that was created since a time and never reached it: those whose tries were used up, and those that came while it was switched off. What was delivered, or is still being tried, is left alone.',
  access: WRITE,
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
