// Merchant operations on OAuth clients: create, list, roll, change and revoke.

import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { changeOAuthClient } from '../../flows/credentials/change.ts'
import { createOAuthClient } from '../../flows/credentials/create.ts'
import { refuseUnknownClient } from '../../flows/credentials/known.ts'
import { revokeClient } from '../../flows/credentials/revoke.ts'
import { OVERLAP_HOURS, type RolledClient, rollClient } from '../../flows/credentials/roll.ts'
import type { IssuedClient } from '../../flows/organizations/issue-credential.ts'
import { ENDED_SHOWN, listOwnClients } from '../../store/organizations/own-credentials.ts'
import { type ApiAnswer, type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { CREDENTIAL_EXAMPLES as EXAMPLES } from './examples.ts'
import {
  CreateOAuthClient,
  CredentialChanges,
  OAuthClientList,
  OAuthClientObject,
  OAuthClientWithSecret,
  presentClient,
  RollCredential,
} from './schema.ts'
import {
  AT_MOST,
  CHANGE_REFUSALS,
  changesIn,
  giverOf,
  granterOf,
  NOT_BEYOND_ONESELF,
  newCredentialIn,
  overlapHoursIn,
  READ,
  scopeRules,
  WRITE,
} from './shared.ts'

// Longer than any that we issue.
const MAX_ID_LENGTH = 64
const CLIENT_ID = {
  clientId: { description: 'The client id.', example: EXAMPLES.client.id, maxLength: MAX_ID_LENGTH },
}

export const createOAuthClientOperation: Operation = {
  method: 'POST',
  path: '/oauth-clients',
  operationId: 'createOAuthClient',
  tag: 'Credentials',
  summary: 'Create an OAuth client',
  description: `For \`POST /oauth/token\`. The answer holds the secret, this once. ${NOT_BEYOND_ONESELF} ${AT_MOST}`,
  access: WRITE,
  act: 'client.create',
  body: {
    schema: CreateOAuthClient,
    required: true,
    examples: { shop: { summary: 'For a shop', value: EXAMPLES.createClient } },
  },
  rules: scopeRules,
  success: {
    status: 201,
    description: 'The client was created.',
    schema: OAuthClientWithSecret,
    examples: { created: { summary: 'With its secret', value: EXAMPLES.createdClient } },
  },
  refusals: [
    'INVALID_INPUT',
    'SCOPE_NOT_HELD',
    'CREDENTIAL_LIMITED',
    'TOO_MANY_CREDENTIALS',
    'APPROVAL_REQUIRED',
  ],
  idempotent: true,
  hasSecret: true,
  handle: async (request) => {
    const { ctx, idempotency } = request
    const now = ctx.clock.now()
    const answer = renderOnce(({ client, secret }: IssuedClient) =>
      json(201, { ...presentClient(client, now), secret }),
    )
    const kept = idempotency && { ...idempotency, answer }
    const created = await createOAuthClient(ctx, giverOf(request), newCredentialIn(request), kept)
    return isRefusal(created) ? created : answer(created)
  },
}

export const listOAuthClientsOperation: Operation = {
  method: 'GET',
  path: '/oauth-clients',
  operationId: 'listOAuthClients',
  tag: 'Credentials',
  summary: 'List OAuth clients',
  description: `Those that work, newest first, then the last ${ENDED_SHOWN} that were revoked.`,
  access: READ,
  success: {
    status: 200,
    description: 'The clients.',
    schema: OAuthClientList,
    examples: { all: { summary: 'One client', value: { data: [EXAMPLES.client] } } },
  },
  refusals: [],
  handle: async ({ ctx, caller }) => {
    const now = ctx.clock.now()
    const clients = await listOwnClients(ctx.db, caller.organization.organizationId)
    return json(200, { data: clients.map((client) => presentClient(client, now)) })
  },
}

export const rollOAuthClientOperation: Operation = {
  method: 'POST',
  path: '/oauth-clients/{clientId}/roll',
  operationId: 'rollOAuthClient',
  tag: 'Credentials',
  summary: 'Roll a client’s secret',
  description: `Gives the client a new secret. The one before it works for \`overlapHours\` more (${OVERLAP_HOURS.default} if you send none); one that an earlier roll left ends now. The answer holds the new secret, this once. You need the scopes that the client has.`,
  access: WRITE,
  act: 'client.roll',
  params: CLIENT_ID,
  body: {
    schema: RollCredential,
    required: false,
    examples: {
      day: { summary: 'Both work for a day', value: {} },
      now: { summary: 'The old one ends now', value: { overlapHours: 0 } },
    },
  },
  success: {
    status: 200,
    description: 'The client, with its new secret.',
    schema: OAuthClientWithSecret,
    examples: { rolled: { summary: 'With its secret', value: EXAMPLES.rolledClient } },
  },
  refusals: CHANGE_REFUSALS,
  idempotent: true,
  hasSecret: true,
  handle: (request) =>
    withClientId(request, async (organizationId, clientId) => {
      const { ctx, body, idempotency } = request
      const now = ctx.clock.now()
      const answer = renderOnce(({ client, secret }: RolledClient) =>
        json(200, { ...presentClient(client, now), secret }),
      )
      const kept = idempotency && { ...idempotency, answer }
      const address = { organizationId, clientId }
      const rolled = await rollClient(ctx, giverOf(request), address, overlapHoursIn(body), kept)
      return isRefusal(rolled) ? rolled : answer(rolled)
    }),
}

const oneClient = {
  status: 200,
  description: 'The client.',
  schema: OAuthClientObject,
  examples: { client: { summary: 'A client', value: EXAMPLES.client } },
}

export const changeOAuthClientOperation: Operation = {
  method: 'PATCH',
  path: '/oauth-clients/{clientId}',
  operationId: 'changeOAuthClient',
  tag: 'Credentials',
  summary: 'Change an OAuth client',
  description:
    'Changes the name or the limits that you send and keeps the others. Scopes do not change: make another client. You need the scopes that the client has.',
  access: WRITE,
  act: 'client.change',
  params: CLIENT_ID,
  body: {
    schema: CredentialChanges,
    required: true,
    examples: { limit: { summary: 'At most 50 requests a second', value: { maxPerSecond: 50 } } },
  },
  success: oneClient,
  refusals: CHANGE_REFUSALS,
  handle: (request) =>
    withClientId(request, async (organizationId, clientId) => {
      const { ctx, body } = request
      const changes = changesIn(body)
      const changed = await changeOAuthClient(ctx, granterOf(request), organizationId, clientId, changes)
      return isRefusal(changed) ? changed : json(200, presentClient(changed, ctx.clock.now()))
    }),
}

export const revokeOAuthClientOperation: Operation = {
  method: 'DELETE',
  path: '/oauth-clients/{clientId}',
  operationId: 'revokeOAuthClient',
  tag: 'Credentials',
  summary: 'Revoke an OAuth client',
  description:
    'Ends it at once, here and within a second on every node, and for good. Its access tokens end with it.',
  access: WRITE,
  act: 'client.revoke',
  params: CLIENT_ID,
  success: {
    ...oneClient,
    examples: { revoked: { summary: 'A revoked client', value: EXAMPLES.revokedClient } },
  },
  refusals: ['NOT_FOUND'],
  handle: (request) =>
    withClientId(request, async (organizationId, clientId) => {
      const { ctx } = request
      const revoked = await revokeClient(ctx, organizationId, clientId)
      return isRefusal(revoked) ? revoked : json(200, presentClient(revoked, ctx.clock.now()))
    }),
}

// Text that cannot be an id is not looked up, because PostgreSQL does not accept NUL in text.
const SANE_ID = new RegExp(`^[\\x21-\\x7e]{1,${MAX_ID_LENGTH}}$`)

async function withClientId(
  { caller, params }: ApiRequest,
  answer: (organizationId: string, clientId: string) => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal> {
  const { clientId = '' } = params
  if (!SANE_ID.test(clientId)) return refuseUnknownClient(clientId)
  return answer(caller.organization.organizationId, clientId)
}
