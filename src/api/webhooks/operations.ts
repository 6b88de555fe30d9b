// Merchant operations on webhook endpoints: create, get, list, change and delete.

import { refuseUnreadable } from '../../core/events/read-scopes.ts'
import type { Static } from '../../core/json-schema.ts'
import { type FieldProblem, isRefusal } from '../../core/refusal.ts'
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
import { getEndpoint, listEndpoints, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { grantableOf } from '../http/auth.ts'
import { type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { ENDPOINT_ID, endpointResponse, READ, WRITE, withEndpointId } from './one-endpoint.ts'
import {
  CreateWebhookEndpoint,
  DeletedWebhookEndpoint,
  WEBHOOK_ENDPOINT_EXAMPLES as EXAMPLES,
  presentEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
} from './schema.ts'

export const createWebhookEndpointOperation: Operation = {
  method: 'POST',
  path: '/webhook-endpoints',
  operationId: 'createWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description: `Names an address that events are sent to from now on. The answer holds the secret that signs them, this once. In production nothing is sent before the endpoint is verified: give your receiver the secret, then call \`verify\`. An organization has ${MAX_ENDPOINTS} endpoints at most. The credential needs the scope that reads what the events tell too: \`payins:read\`, \`payouts:read\`, \`links:read\`.`,
  access: WRITE,
  act: 'webhook.create',
  body: {
    schema: CreateWebhookEndpoint,
    required: true,
    examples: {
      some: { summary: 'Some events', value: EXAMPLES.create },
      plain: { summary: 'The default events', value: EXAMPLES.createPlain },
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
  hasSecret: true,
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
    const refused = refuseUnreadable(grantableOf(caller), request.events)
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

export const changeWebhookEndpointOperation: Operation = {
  method: 'PATCH',
  path: '/webhook-endpoints/{endpointId}',
  operationId: 'changeWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Change a webhook endpoint',
  description:
    'Changes the fields that you send and keeps the others. Enabling an endpoint sends the deliveries that were waiting, but not the events that came while it was off: `recover` sends those. In production a new `url` is verified first, as `verify` does; if that fails, nothing changes. ' +
    'To change the address or the events, or to enable it, you also need the scopes that read what its events contain.',
  access: WRITE,
  act: 'webhook.change',
  params: ENDPOINT_ID,
  body: {
    schema: WebhookEndpointChanges,
    required: true,
    examples: {
      note: { summary: 'A new note', value: { description: 'Orders and refunds' } },
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
      const granted = { held: caller.scopes, grantable: grantableOf(caller) }
      const changed = await changeWebhookEndpoint(ctx, organizationId, endpointId, changes, granted)
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
  description: 'Nothing more is sent to it. Past deliveries stay readable with the events.',
  access: WRITE,
  act: 'webhook.delete',
  params: ENDPOINT_ID,
  success: {
    status: 200,
    description: 'The endpoint was deleted.',
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
