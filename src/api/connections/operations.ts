// Merchant operations on connections: create, list, get, change and delete.

import type { Connection } from '../../core/connections/connection.ts'
import { newConnectionProblems, type WantedConnection } from '../../core/connections/connection-problems.ts'
import type { Static } from '../../core/json-schema.ts'
import { isRefusal } from '../../core/refusal.ts'
import {
  changeConnection,
  changeProblems,
  refuseUnknownConnection,
} from '../../flows/connections/change-connection.ts'
import {
  createConnection,
  MAX_CONNECTIONS,
  type NewConnection,
} from '../../flows/connections/create-connection.ts'
import { deleteConnection } from '../../flows/connections/delete-connection.ts'
import type { ConnectionChanges as StoredChanges } from '../../flows/connections/write.ts'
import { getConnection, listConnections } from '../../store/connections/connections.ts'
import { json, type Operation, renderOnce } from '../http/operation.ts'
import { CONNECTION_EXAMPLES as EXAMPLES } from './examples.ts'
import { addressIn, CONNECTION_ID, connectionResponse, READ, WRITE, withAddress } from './one-connection.ts'
import {
  ConnectionChanges,
  ConnectionList,
  ConnectionObject,
  CreateConnection,
  DeletedConnection,
  PRIORITY,
  presentConnection,
} from './schema.ts'

export const createConnectionOperation: Operation = {
  method: 'POST',
  path: '/connections',
  operationId: 'createConnection',
  tag: 'Connections',
  summary: 'Connect an account at a provider',
  description: `Payments that it can take go over this account from now on; those that exist stay where they are. Create it with \`enabled: false\` to test it first. Then enter \`notificationUrl\` at the provider. An organization has ${MAX_CONNECTIONS} connections at most.`,
  access: WRITE,
  act: 'connection.create',
  body: {
    schema: CreateConnection,
    required: true,
    examples: {
      wompi: { summary: 'PSE with Wompi, to be tested first', value: EXAMPLES.create },
      mono: { summary: 'Bre-B with Mono, up to an amount', value: EXAMPLES.createMono },
    },
  },
  rules: ({ ctx, body }) => newConnectionProblems(wantedBy(body), ctx.settings),
  success: {
    status: 201,
    description: 'The connection was created.',
    schema: ConnectionObject,
    examples: { created: { summary: 'The connection', value: EXAMPLES.connection } },
  },
  refusals: ['INVALID_INPUT', 'TOO_MANY_CONNECTIONS', 'APPROVAL_REQUIRED'],
  idempotent: true,
  handle: async ({ ctx, caller, body, idempotency }) => {
    const answer = renderOnce((connection: Connection) =>
      json(201, presentConnection(ctx.settings, connection, ctx.clock.now())),
    )
    const created = await createConnection(
      ctx,
      caller.organization.organizationId,
      toNewConnection(body as Static<typeof CreateConnection>),
      idempotency && { ...idempotency, answer },
    )
    return isRefusal(created) ? created : answer(created)
  },
}

function toNewConnection(body: Static<typeof CreateConnection>): NewConnection {
  const { name, provider, environment, uses, credentials, priority, enabled } = body
  return {
    name,
    provider,
    environment,
    uses,
    credentials,
    priority: priority ?? PRIORITY.default,
    minimumInCents: centsIn(body.minimumInCents) ?? null,
    maximumInCents: centsIn(body.maximumInCents) ?? null,
    enabled: enabled ?? true,
  }
}

// What is of the right type. The schema says what is not.
function wantedBy(body: unknown): Partial<WantedConnection> {
  const { provider, environment, uses, credentials, minimumInCents, maximumInCents } = body as Record<
    string,
    unknown
  >
  return {
    ...(typeof provider === 'string' && { provider: provider as Connection['provider'] }),
    ...(typeof environment === 'string' && { environment: environment as Connection['environment'] }),
    ...(Array.isArray(uses) && { uses }),
    minimumInCents: centsIn(minimumInCents) ?? null,
    maximumInCents: centsIn(maximumInCents) ?? null,
    ...(isObject(credentials) && { credentials }),
  }
}

function isObject(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Undefined: the value is no amount.
function centsIn(value: unknown): bigint | null | undefined {
  if (value === null) return null
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined
}

export const listConnectionsOperation: Operation = {
  method: 'GET',
  path: '/connections',
  operationId: 'listConnections',
  tag: 'Connections',
  summary: 'List connections',
  description: 'All of them, in the order in which they are preferred.',
  access: READ,
  success: {
    status: 200,
    description: 'The connections.',
    schema: ConnectionList,
    examples: { all: { summary: 'One connection', value: { data: [EXAMPLES.connection] } } },
  },
  refusals: [],
  handle: async ({ ctx, caller }) => {
    const connections = await listConnections(ctx.db, caller.organization.organizationId)
    const now = ctx.clock.now()
    return json(200, { data: connections.map((each) => presentConnection(ctx.settings, each, now)) })
  },
}

export const getConnectionOperation: Operation = {
  method: 'GET',
  path: '/connections/{connectionId}',
  operationId: 'getConnection',
  tag: 'Connections',
  summary: 'Get a connection',
  description: 'The connection as it stands now, without its secrets.',
  access: READ,
  params: CONNECTION_ID,
  success: connectionResponse,
  refusals: ['NOT_FOUND'],
  handle: (request) =>
    withAddress(request, async (address) => {
      const { ctx } = request
      const connection = await getConnection(ctx.db, address)
      return connection === undefined
        ? refuseUnknownConnection(address.connectionId)
        : json(200, presentConnection(ctx.settings, connection, ctx.clock.now()))
    }),
}

export const changeConnectionOperation: Operation = {
  method: 'PATCH',
  path: '/connections/{connectionId}',
  operationId: 'changeConnection',
  tag: 'Connections',
  summary: 'Change a connection',
  description:
    'Changes the fields that you send and keeps the others; so with the names in `credentials`. The account stays the same: for another one, make another connection. New payments follow the change at once; those that exist stay where they are.',
  access: WRITE,
  act: 'connection.change',
  params: CONNECTION_ID,
  body: {
    schema: ConnectionChanges,
    required: true,
    examples: {
      limits: {
        summary: 'Prefer it, for large payments',
        value: { priority: 10, minimumInCents: 100_000_000 },
      },
      rotation: {
        summary: 'A new secret, which the provider changes over to within a day',
        value: { credentials: { eventsSecret: 'test_events_another' } },
      },
    },
  },
  rules: async (request) => {
    const address = addressIn(request)
    return address === undefined ? [] : changeProblems(request.ctx, address, changesIn(request.body))
  },
  success: connectionResponse,
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'APPROVAL_REQUIRED'],
  handle: (request) =>
    withAddress(request, async (address) => {
      const { ctx } = request
      const changed = await changeConnection(ctx, address, changesIn(request.body))
      return isRefusal(changed)
        ? changed
        : json(200, presentConnection(ctx.settings, changed, ctx.clock.now()))
    }),
}

// What is of the right type. The schema says what is not.
function changesIn(body: unknown): StoredChanges {
  const { name, uses, priority, enabled, credentials, ...limits } = body as Record<string, unknown>
  const minimumInCents = centsIn(limits.minimumInCents)
  const maximumInCents = centsIn(limits.maximumInCents)
  return {
    ...(typeof name === 'string' && { name }),
    ...(Array.isArray(uses) && { uses }),
    ...(typeof priority === 'number' && { priority }),
    ...(minimumInCents !== undefined && { minimumInCents }),
    ...(maximumInCents !== undefined && { maximumInCents }),
    ...(typeof enabled === 'boolean' && { enabled }),
    ...(isObject(credentials) && { credentials }),
  }
}

export const deleteConnectionOperation: Operation = {
  method: 'DELETE',
  path: '/connections/{connectionId}',
  operationId: 'deleteConnection',
  tag: 'Connections',
  summary: 'Delete a connection',
  description:
    'Possible once no payment of it is open or waits for settlement. Its credentials are deleted, and notifications for it are refused.',
  access: WRITE,
  act: 'connection.delete',
  params: CONNECTION_ID,
  success: {
    status: 200,
    description: 'The connection was deleted.',
    schema: DeletedConnection,
    examples: { deleted: { summary: 'Deleted', value: { id: EXAMPLES.connection.id, deleted: true } } },
  },
  refusals: ['NOT_FOUND', 'CONNECTION_IN_USE', 'APPROVAL_REQUIRED'],
  handle: (request) =>
    withAddress(request, async (address) => {
      const refused = await deleteConnection(request.ctx, address)
      return refused ?? json(200, { id: address.connectionId, deleted: true })
    }),
}
