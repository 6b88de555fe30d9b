// Merchant operations on API keys: create, list, roll, change and revoke.

import { isUuid } from '../../core/ids.ts'
import { isoInstant } from '../../core/instant.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { changeApiKey } from '../../flows/credentials/change.ts'
import { createApiKey } from '../../flows/credentials/create.ts'
import { refuseUnknownKey } from '../../flows/credentials/known.ts'
import { revokeApiKey } from '../../flows/credentials/revoke.ts'
import { OVERLAP_HOURS, type RolledKey, rollKey } from '../../flows/credentials/roll.ts'
import type { IssuedApiKey } from '../../flows/organizations/issue-credential.ts'
import { ENDED_SHOWN, listOwnApiKeys } from '../../store/organizations/own-credentials.ts'
import { type ApiAnswer, type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { CREDENTIAL_EXAMPLES as EXAMPLES } from './examples.ts'
import {
  ApiKeyList,
  ApiKeyObject,
  ApiKeyWithSecret,
  CreateApiKey,
  CredentialChanges,
  presentApiKey,
  RollCredential,
  RolledApiKey,
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

const KEY_ID = { apiKeyId: { description: 'Identifier of the API key.', example: EXAMPLES.key.id } }

export const createApiKeyOperation: Operation = {
  method: 'POST',
  path: '/api-keys',
  operationId: 'createApiKey',
  tag: 'Credentials',
  summary: 'Create an API key',
  description: `The answer holds the key, this once. ${NOT_BEYOND_ONESELF} ${AT_MOST}`,
  access: WRITE,
  act: 'apikey.create',
  body: {
    schema: CreateApiKey,
    required: true,
    examples: {
      shop: { summary: 'For a shop, for a year', value: EXAMPLES.create },
      limited: { summary: 'For payouts, from one address, up to an amount', value: EXAMPLES.createLimited },
    },
  },
  rules: scopeRules,
  success: {
    status: 201,
    description: 'The key was created.',
    schema: ApiKeyWithSecret,
    examples: { created: { summary: 'With its secret', value: EXAMPLES.createdKey } },
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
    const { ctx, body, idempotency } = request
    const now = ctx.clock.now()
    const answer = renderOnce(({ apiKey, secret }: IssuedApiKey) =>
      json(201, { ...presentApiKey(apiKey, now), secret }),
    )
    const { expiresInDays = null } = body as { expiresInDays?: number | null }
    const wanted = { ...newCredentialIn(request), expiresInDays }
    const kept = idempotency && { ...idempotency, answer }
    const created = await createApiKey(ctx, giverOf(request), wanted, kept)
    return isRefusal(created) ? created : answer(created)
  },
}

export const listApiKeysOperation: Operation = {
  method: 'GET',
  path: '/api-keys',
  operationId: 'listApiKeys',
  tag: 'Credentials',
  summary: 'List API keys',
  description: `Those that work, newest first, then the last ${ENDED_SHOWN} that were revoked or have expired. Keys themselves are never shown again, only how they begin.`,
  access: READ,
  success: {
    status: 200,
    description: 'The keys.',
    schema: ApiKeyList,
    examples: { all: { summary: 'One key', value: { data: [EXAMPLES.key] } } },
  },
  refusals: [],
  handle: async ({ ctx, caller }) => {
    const now = ctx.clock.now()
    const keys = await listOwnApiKeys(ctx.db, caller.organization.organizationId, now)
    return json(200, { data: keys.map((key) => presentApiKey(key, now)) })
  },
}

export const rollApiKeyOperation: Operation = {
  method: 'POST',
  path: '/api-keys/{apiKeyId}/roll',
  operationId: 'rollApiKey',
  tag: 'Credentials',
  summary: 'Roll an API key',
  description: `Makes a key with the same name, scopes, expiry and limits, and ends the one before it after \`overlapHours\` (${OVERLAP_HOURS.default} if you send none). The answer holds the new key, this once. You need the scopes that the key has.`,
  access: WRITE,
  act: 'apikey.roll',
  params: KEY_ID,
  body: {
    schema: RollCredential,
    required: false,
    examples: {
      day: { summary: 'Both work for a day', value: {} },
      now: { summary: 'The old one ends now', value: { overlapHours: 0 } },
    },
  },
  success: {
    status: 201,
    description: 'The new key.',
    schema: RolledApiKey,
    examples: { rolled: { summary: 'With its secret', value: EXAMPLES.rolledKey } },
  },
  refusals: [...CHANGE_REFUSALS, 'TOO_MANY_CREDENTIALS'],
  idempotent: true,
  hasSecret: true,
  handle: (request) =>
    withKeyId(request, async (organizationId, apiKeyId) => {
      const { ctx, body, idempotency } = request
      const now = ctx.clock.now()
      const answer = renderOnce(({ apiKey, secret, previousId, previousUntil }: RolledKey) =>
        json(201, {
          ...presentApiKey(apiKey, now),
          secret,
          previousKeyId: previousId,
          previousKeyUntil: isoInstant(previousUntil),
        }),
      )
      const kept = idempotency && { ...idempotency, answer }
      const address = { organizationId, apiKeyId }
      const rolled = await rollKey(ctx, giverOf(request), address, overlapHoursIn(body), kept)
      return isRefusal(rolled) ? rolled : answer(rolled)
    }),
}

const oneKey = {
  status: 200,
  description: 'The key.',
  schema: ApiKeyObject,
  examples: { key: { summary: 'A key', value: EXAMPLES.key } },
}

export const changeApiKeyOperation: Operation = {
  method: 'PATCH',
  path: '/api-keys/{apiKeyId}',
  operationId: 'changeApiKey',
  tag: 'Credentials',
  summary: 'Change an API key',
  description:
    'Changes the name or the limits that you send and keeps the others. Scopes do not change: make another key. You need the scopes that the key has.',
  access: WRITE,
  act: 'apikey.change',
  params: KEY_ID,
  body: {
    schema: CredentialChanges,
    required: true,
    examples: {
      addresses: { summary: 'Only from one address', value: { allowedAddresses: ['203.0.113.7'] } },
      name: { summary: 'Another name', value: { name: 'Web shop, Medellín' } },
    },
  },
  success: oneKey,
  refusals: CHANGE_REFUSALS,
  handle: (request) =>
    withKeyId(request, async (organizationId, apiKeyId) => {
      const { ctx, body } = request
      const changes = changesIn(body)
      const changed = await changeApiKey(ctx, granterOf(request), organizationId, apiKeyId, changes)
      return isRefusal(changed) ? changed : json(200, presentApiKey(changed, ctx.clock.now()))
    }),
}

export const revokeApiKeyOperation: Operation = {
  method: 'DELETE',
  path: '/api-keys/{apiKeyId}',
  operationId: 'revokeApiKey',
  tag: 'Credentials',
  summary: 'Revoke an API key',
  description:
    'Ends it at once, here and within a second on every node, and for good. A key can revoke itself.',
  access: WRITE,
  act: 'apikey.revoke',
  params: KEY_ID,
  success: {
    ...oneKey,
    examples: { revoked: { summary: 'A revoked key', value: EXAMPLES.revokedKey } },
  },
  refusals: ['NOT_FOUND'],
  handle: (request) =>
    withKeyId(request, async (organizationId, apiKeyId) => {
      const { ctx } = request
      const revoked = await revokeApiKey(ctx, organizationId, apiKeyId)
      return isRefusal(revoked) ? revoked : json(200, presentApiKey(revoked, ctx.clock.now()))
    }),
}

// An id that is not a UUID matches no key.
async function withKeyId(
  { caller, params }: ApiRequest,
  answer: (organizationId: string, apiKeyId: string) => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal> {
  const apiKeyId = (params.apiKeyId ?? '').toLowerCase()
  if (!isUuid(apiKeyId)) return refuseUnknownKey(params.apiKeyId ?? '')
  return answer(caller.organization.organizationId, apiKeyId)
}
