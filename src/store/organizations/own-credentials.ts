// API keys and clients as their organization sees and changes them. Every statement names the organization, so that an id of
// another one finds nothing.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { CredentialLimits } from '../../core/organizations/limits.ts'
import type { Queryable } from '../db.ts'
import { API_KEY_COLUMNS, type ApiKey, CLIENT_COLUMNS, limitValues, type OAuthClient } from './credentials.ts'

// Of those that have ended, the last ones are enough to look something up.
export const ENDED_SHOWN = 100

const KEY_WORKS = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > $2::timestamptz)'

// Those that work, newest first, then those that ended last.
export async function listOwnApiKeys(db: Queryable, organizationId: string, now: Instant): Promise<ApiKey[]> {
  const result = await db.query<ApiKey>({
    text: `(select ${API_KEY_COLUMNS}
              from api_keys k
             where k.organization_id = $1 and ${KEY_WORKS}
             order by k.created_at desc, k.api_key_id desc)
           union all
           (select ${API_KEY_COLUMNS}
              from api_keys k
             where k.organization_id = $1 and not (${KEY_WORKS})
             order by least(k.revoked_at, k.expires_at) desc, k.api_key_id desc
             limit $3)`,
    values: [organizationId, isoInstant(now), ENDED_SHOWN],
  })
  return result.rows
}

export async function countWorkingApiKeys(
  tx: Queryable,
  organizationId: string,
  now: Instant,
): Promise<number> {
  const result = await tx.query<{ count: bigint }>({
    text: `select count(*) as count from api_keys k where k.organization_id = $1 and ${KEY_WORKS}`,
    values: [organizationId, isoInstant(now)],
  })
  return Number(result.rows[0]?.count)
}

export async function getOwnApiKey(
  db: Queryable,
  organizationId: string,
  apiKeyId: string,
): Promise<ApiKey | undefined> {
  const result = await db.query<ApiKey>({
    text: `select ${API_KEY_COLUMNS} from api_keys k where k.organization_id = $1 and k.api_key_id = $2`,
    values: [organizationId, apiKeyId],
  })
  return result.rows[0]
}

export async function lockOwnApiKey(
  tx: Queryable,
  organizationId: string,
  apiKeyId: string,
): Promise<ApiKey | undefined> {
  const result = await tx.query<ApiKey>({
    text: `select ${API_KEY_COLUMNS}
             from api_keys k
            where k.organization_id = $1 and k.api_key_id = $2
              for no key update`,
    values: [organizationId, apiKeyId],
  })
  return result.rows[0]
}

// Of a key that is locked.
export async function updateApiKey(tx: Queryable, key: ApiKey): Promise<void> {
  await tx.query({
    text: `update api_keys
              set name = $3, max_per_second = $4, allowed_addresses = $5, payouts_per_day = $6, payout_sum_per_day = $7
            where organization_id = $1 and api_key_id = $2`,
    values: [key.organizationId, key.apiKeyId, ...changeableValues(key)],
  })
}

// Those that work, newest first, then those that ended last.
export async function listOwnClients(db: Queryable, organizationId: string): Promise<OAuthClient[]> {
  const result = await db.query<OAuthClient>({
    text: `(select ${CLIENT_COLUMNS}
              from oauth_clients c
             where c.organization_id = $1 and c.revoked_at is null
             order by c.created_at desc, c.client_id)
           union all
           (select ${CLIENT_COLUMNS}
              from oauth_clients c
             where c.organization_id = $1 and c.revoked_at is not null
             order by c.revoked_at desc, c.client_id
             limit $2)`,
    values: [organizationId, ENDED_SHOWN],
  })
  return result.rows
}

export async function countWorkingClients(tx: Queryable, organizationId: string): Promise<number> {
  const result = await tx.query<{ count: bigint }>({
    text: `select count(*) as count from oauth_clients c where c.organization_id = $1 and c.revoked_at is null`,
    values: [organizationId],
  })
  return Number(result.rows[0]?.count)
}

export async function getOwnClient(
  db: Queryable,
  organizationId: string,
  clientId: string,
): Promise<OAuthClient | undefined> {
  const result = await db.query<OAuthClient>({
    text: `select ${CLIENT_COLUMNS} from oauth_clients c where c.organization_id = $1 and c.client_id = $2`,
    values: [organizationId, clientId],
  })
  return result.rows[0]
}

export async function lockOwnClient(
  tx: Queryable,
  organizationId: string,
  clientId: string,
): Promise<OAuthClient | undefined> {
  const result = await tx.query<OAuthClient>({
    text: `select ${CLIENT_COLUMNS}
             from oauth_clients c
            where c.organization_id = $1 and c.client_id = $2
              for no key update`,
    values: [organizationId, clientId],
  })
  return result.rows[0]
}

// Of a client that is locked.
export async function updateOAuthClient(tx: Queryable, client: OAuthClient): Promise<void> {
  await tx.query({
    text: `update oauth_clients
              set name = $3, max_per_second = $4, allowed_addresses = $5, payouts_per_day = $6, payout_sum_per_day = $7
            where organization_id = $1 and client_id = $2`,
    values: [client.organizationId, client.clientId, ...changeableValues(client)],
  })
}

function changeableValues(credential: CredentialLimits & { name: string }): unknown[] {
  return [credential.name, ...limitValues(credential)]
}
