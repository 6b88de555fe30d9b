// API keys, OAuth clients and the keys that sign access tokens. Secrets are stored as digests only. A lookup includes the
// organization, because every caller needs to know whom the credential represents.

import type { Instant } from '../../core/instant.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import type { CredentialLimits } from '../../core/organizations/limits.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import type { Queryable } from '../db.ts'
import { ORGANIZATION_COLUMNS, type OrganizationRow, toOrganization } from './organizations.ts'

export type ApiKey = CredentialLimits & {
  apiKeyId: string
  organizationId: string
  digest: Buffer
  displayPrefix: string
  name: string
  scopes: Scope[] | null
  createdAt: Instant
  expiresAt: Instant | null
  revokedAt: Instant | null
  lastUsedAt: Instant | null
}

export type OAuthClient = CredentialLimits & {
  clientId: string
  organizationId: string
  secretDigest: Buffer
  // The secret before it, and until when that one works.
  previousDigest: Buffer | null
  previousUntil: Instant | null
  name: string
  scopes: Scope[] | null
  createdAt: Instant
  revokedAt: Instant | null
  lastUsedAt: Instant | null
}

export type WithOrganization<Credential> = Credential & { organization: Organization }

const limitColumns = (table: string): string =>
  `${table}.max_per_second as "maxPerSecond", ${table}.allowed_addresses as "allowedAddresses",
  ${table}.payouts_per_day as "payoutsPerDay", ${table}.payout_sum_per_day as "payoutSumPerDay"`

export const API_KEY_COLUMNS = `k.api_key_id as "apiKeyId", k.organization_id as "organizationId", k.digest,
  k.display_prefix as "displayPrefix", k.name, k.scopes, k.created_at as "createdAt", k.expires_at as "expiresAt",
  k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt",
  ${limitColumns('k')}`

export const CLIENT_COLUMNS = `c.client_id as "clientId", c.organization_id as "organizationId", c.secret_digest as "secretDigest",
  c.previous_digest as "previousDigest", c.previous_until as "previousUntil",
  c.name, c.scopes, c.created_at as "createdAt", c.revoked_at as "revokedAt", c.last_used_at as "lastUsedAt",
  ${limitColumns('c')}`

// The organization's columns come as one JSON object, so that its `name` does not collide with the credential's.
const ORGANIZATION_AS_ROW = `(select to_json(r) from (select ${ORGANIZATION_COLUMNS.replace(
  'o.created_at, o.updated_at',
  `(extract(epoch from o.created_at) * 1000)::bigint as created_at, (extract(epoch from o.updated_at) * 1000)::bigint as updated_at`,
)}) r) as organization`

type WithOrganizationRow<Credential> = Credential & { organization: OrganizationRow }

export async function findApiKeys(
  db: Queryable,
  digests: Buffer[],
): Promise<(WithOrganization<ApiKey> | undefined)[]> {
  const result = await db.query<WithOrganizationRow<ApiKey>>({
    name: 'find-api-keys',
    text: `select ${API_KEY_COLUMNS}, ${ORGANIZATION_AS_ROW}
             from api_keys k
             join organizations o using (organization_id)
            where k.digest = any($1)`,
    values: [digests],
  })
  const found = new Map(result.rows.map((row) => [row.digest.toString('hex'), withOrganization(row)]))
  return digests.map((digest) => found.get(digest.toString('hex')))
}

export async function findOAuthClients(
  db: Queryable,
  clientIds: string[],
): Promise<(WithOrganization<OAuthClient> | undefined)[]> {
  const result = await db.query<WithOrganizationRow<OAuthClient>>({
    name: 'find-oauth-clients',
    text: `select ${CLIENT_COLUMNS}, ${ORGANIZATION_AS_ROW}
             from oauth_clients c
             join organizations o using (organization_id)
            where c.client_id = any($1)`,
    values: [clientIds],
  })
  const found = new Map(result.rows.map((row) => [row.clientId, withOrganization(row)]))
  return clientIds.map((clientId) => found.get(clientId))
}

function withOrganization<Credential>(row: WithOrganizationRow<Credential>): WithOrganization<Credential> {
  return { ...row, organization: toOrganization(row.organization) }
}

export async function insertApiKey(db: Queryable, key: ApiKey): Promise<boolean> {
  const result = await db.query({
    text: `insert into api_keys (digest, organization_id, api_key_id, display_prefix, name, scopes, created_at, expires_at,
                                 max_per_second, allowed_addresses, payouts_per_day, payout_sum_per_day)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
               on conflict (digest) do nothing`,
    values: [
      key.digest,
      key.organizationId,
      key.apiKeyId,
      key.displayPrefix,
      key.name,
      key.scopes,
      isoInstant(key.createdAt),
      isoOrNull(key.expiresAt),
      ...limitValues(key),
    ],
  })
  return result.rowCount === 1
}

export function limitValues(limits: CredentialLimits): unknown[] {
  const { maxPerSecond, allowedAddresses, payoutsPerDay, payoutSumPerDay } = limits
  return [maxPerSecond, allowedAddresses, payoutsPerDay, payoutSumPerDay]
}

export async function listApiKeys(db: Queryable, organizationId: string): Promise<ApiKey[]> {
  const result = await db.query<ApiKey>({
    text: `select ${API_KEY_COLUMNS} from api_keys k where k.organization_id = $1 order by k.created_at`,
    values: [organizationId],
  })
  return result.rows
}

// Whoever changes a key waits for another, so that what is recorded is what was changed.
export async function lockApiKey(tx: Queryable, apiKeyId: string): Promise<ApiKey | undefined> {
  const result = await tx.query<ApiKey>({
    text: `select ${API_KEY_COLUMNS} from api_keys k where k.api_key_id = $1 for no key update`,
    values: [apiKeyId],
  })
  return result.rows[0]
}

export async function lockOAuthClient(tx: Queryable, clientId: string): Promise<OAuthClient | undefined> {
  const result = await tx.query<OAuthClient>({
    text: `select ${CLIENT_COLUMNS} from oauth_clients c where c.client_id = $1 for no key update`,
    values: [clientId],
  })
  return result.rows[0]
}

export async function getApiKey(db: Queryable, apiKeyId: string): Promise<ApiKey | undefined> {
  const result = await db.query<ApiKey>({
    text: `select ${API_KEY_COLUMNS} from api_keys k where k.api_key_id = $1`,
    values: [apiKeyId],
  })
  return result.rows[0]
}

// An earlier end stays: neither a second revocation nor a roll gives a key more time.
export async function endApiKey(
  db: Queryable,
  apiKeyId: string,
  at: { expiresAt?: Instant; revokedAt?: Instant },
): Promise<void> {
  await db.query({
    text: `update api_keys
              set expires_at = least(expires_at, $2::timestamptz),
                  revoked_at = least(revoked_at, $3::timestamptz)
            where api_key_id = $1`,
    values: [apiKeyId, isoOrNull(at.expiresAt ?? null), isoOrNull(at.revokedAt ?? null)],
  })
}

export async function insertOAuthClient(db: Queryable, client: OAuthClient): Promise<void> {
  await db.query({
    text: `insert into oauth_clients (client_id, organization_id, secret_digest, name, scopes, created_at,
                                      max_per_second, allowed_addresses, payouts_per_day, payout_sum_per_day)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      client.clientId,
      client.organizationId,
      client.secretDigest,
      client.name,
      client.scopes,
      isoInstant(client.createdAt),
      ...limitValues(client),
    ],
  })
}

export async function listOAuthClients(db: Queryable, organizationId: string): Promise<OAuthClient[]> {
  const result = await db.query<OAuthClient>({
    text: `select ${CLIENT_COLUMNS} from oauth_clients c where c.organization_id = $1 order by c.created_at`,
    values: [organizationId],
  })
  return result.rows
}

export async function revokeOAuthClient(db: Queryable, clientId: string, now: Instant): Promise<void> {
  await db.query({
    text: `update oauth_clients set revoked_at = least(revoked_at, $2::timestamptz) where client_id = $1`,
    values: [clientId, isoInstant(now)],
  })
}

// The secret that it replaces must be the present one: of two who roll at once, one is told to look again.
export async function rollOAuthClient(
  db: Queryable,
  clientId: string,
  from: Buffer,
  to: Buffer,
  previousUntil: Instant,
): Promise<boolean> {
  const result = await db.query({
    text: `update oauth_clients
              set secret_digest = $3, previous_digest = $2, previous_until = $4
            where client_id = $1 and secret_digest = $2 and revoked_at is null`,
    values: [clientId, from, to, isoInstant(previousUntil)],
  })
  return result.rowCount === 1
}

export type LastUse = { apiKeyIds: string[]; clientIds: string[]; at: Instant }

export async function recordLastUse(db: Queryable, use: LastUse): Promise<void> {
  const at = isoInstant(use.at)
  if (use.apiKeyIds.length > 0) {
    await db.query({
      text: `update api_keys set last_used_at = $2 where api_key_id = any($1::uuid[])`,
      values: [use.apiKeyIds, at],
    })
  }
  if (use.clientIds.length > 0) {
    await db.query({
      text: `update oauth_clients set last_used_at = $2 where client_id = any($1)`,
      values: [use.clientIds, at],
    })
  }
}

export type SigningKey = {
  keyId: string
  publicJwk: Record<string, unknown>
  sealedPrivate: Buffer
  createdAt: Instant
}

export async function listSigningKeys(db: Queryable): Promise<SigningKey[]> {
  const result = await db.query<SigningKey>({
    text: `select key_id as "keyId", public_jwk as "publicJwk", sealed_private as "sealedPrivate", created_at as "createdAt"
             from signing_keys
            where retired_at is null
            order by created_at desc, key_id`,
  })
  return result.rows
}

// Two nodes that start at the same moment may both insert a key. That is harmless: all keys here are published, and any of
// them verifies.
export async function insertFirstSigningKey(db: Queryable, key: SigningKey): Promise<void> {
  await db.query({
    text: `insert into signing_keys (key_id, public_jwk, sealed_private, created_at)
           select $1, $2, $3, $4
            where not exists (select 1 from signing_keys where retired_at is null)
               on conflict do nothing`,
    values: [key.keyId, JSON.stringify(key.publicJwk), key.sealedPrivate, isoInstant(key.createdAt)],
  })
}

export async function insertSigningKey(db: Queryable, key: SigningKey): Promise<void> {
  await db.query({
    text: `insert into signing_keys (key_id, public_jwk, sealed_private, created_at) values ($1, $2, $3, $4)`,
    values: [key.keyId, JSON.stringify(key.publicJwk), key.sealedPrivate, isoInstant(key.createdAt)],
  })
}
