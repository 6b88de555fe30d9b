// API keys and OAuth clients are set up alike. What differs between them stands here.

import {
  changeApiKeyOperation,
  createApiKeyOperation,
  revokeApiKeyOperation,
  rollApiKeyOperation,
} from '../../api/credentials/api-keys.ts'
import {
  changeOAuthClientOperation,
  createOAuthClientOperation,
  revokeOAuthClientOperation,
  rollOAuthClientOperation,
} from '../../api/credentials/oauth-clients.ts'
import type { Operation } from '../../api/http/operation.ts'
import type { Instant } from '../../core/instant.ts'
import type { CredentialLimits } from '../../core/organizations/limits.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import { hasEnded } from '../../flows/credentials/known.ts'
import type { ApiKey, OAuthClient } from '../../store/organizations/credentials.ts'
import {
  getOwnApiKey,
  getOwnClient,
  listOwnApiKeys,
  listOwnClients,
} from '../../store/organizations/own-credentials.ts'
import { idParam, paramOf } from '../params.ts'
import type { Visit } from '../visit.ts'

export const KINDS = ['key', 'client'] as const
export type Kind = (typeof KINDS)[number]

// One of either kind, as the pages show it.
export type Credential = CredentialLimits & {
  readonly kind: Kind
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[] | null
  // How a key begins.
  readonly prefix: string | null
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
  readonly expiresAt: Instant | null
  readonly revokedAt: Instant | null
  readonly previousUntil: Instant | null
  readonly status: 'ACTIVE' | 'EXPIRED' | 'REVOKED'
}

type KindPlace = {
  readonly path: string
  readonly param: 'apiKeyId' | 'clientId'
  readonly operations: Readonly<Record<'create' | 'change' | 'roll' | 'revoke', Operation>>
}

export const KEYS_PATH = '/settings/keys'

export const KIND_PLACES: Readonly<Record<Kind, KindPlace>> = {
  key: {
    path: KEYS_PATH,
    param: 'apiKeyId',
    operations: {
      create: createApiKeyOperation,
      change: changeApiKeyOperation,
      roll: rollApiKeyOperation,
      revoke: revokeApiKeyOperation,
    },
  },
  client: {
    path: '/settings/clients',
    param: 'clientId',
    operations: {
      create: createOAuthClientOperation,
      change: changeOAuthClientOperation,
      roll: rollOAuthClientOperation,
      revoke: revokeOAuthClientOperation,
    },
  },
}

export async function listCredentials(
  { ctx, organization: { organizationId } }: Visit,
  kind: Kind,
): Promise<Credential[]> {
  const now = ctx.clock.now()
  return kind === 'key'
    ? (await listOwnApiKeys(ctx.db, organizationId, now)).map((key) => ofKey(key, now))
    : (await listOwnClients(ctx.db, organizationId)).map((client) => ofClient(client, now))
}

export async function credentialOf(visit: Visit, kind: Kind): Promise<Credential | undefined> {
  const { ctx, organization } = visit
  const { organizationId } = organization
  const now = ctx.clock.now()
  if (kind === 'key') {
    const id = idParam(visit, 'apiKeyId')
    const key = id === undefined ? undefined : await getOwnApiKey(ctx.db, organizationId, id)
    return key && ofKey(key, now)
  }
  const id = paramOf(visit, 'clientId')
  const client = /^[\w-]{1,64}$/.test(id) ? await getOwnClient(ctx.db, organizationId, id) : undefined
  return client && ofClient(client, now)
}

function ofKey(key: ApiKey, now: Instant): Credential {
  const { apiKeyId: id, displayPrefix: prefix, revokedAt } = key
  const status = revokedAt !== null ? 'REVOKED' : hasEnded(key, now) ? 'EXPIRED' : 'ACTIVE'
  return { ...key, kind: 'key', id, prefix, previousUntil: null, status }
}

function ofClient(client: OAuthClient, now: Instant): Credential {
  const { clientId: id, revokedAt, previousUntil } = client
  return {
    ...client,
    kind: 'client',
    id,
    prefix: null,
    expiresAt: null,
    previousUntil: previousUntil !== null && previousUntil > now ? previousUntil : null,
    status: revokedAt === null ? 'ACTIVE' : 'REVOKED',
  }
}
