// Which SECRETS_KEY seals, and everything that is sealed under it, place by place: read in pages and replaced one by one.

import { type Instant, isoInstant } from '../core/instant.ts'
import type { Queryable } from './db.ts'

export type ActiveSecretsKey = { readonly keyId: string; readonly isFinished: boolean }

export async function activeSecretsKey(db: Queryable): Promise<ActiveSecretsKey | undefined> {
  const result = await db.query<ActiveSecretsKey>({
    name: 'active-secrets-key',
    text: `select key_id as "keyId", finished_at is not null as "isFinished"
             from secrets_keys
            order by activated_at desc, key_id
            limit 1`,
  })
  return result.rows[0]
}

// For a database in which nothing says yet which key seals. Whoever is first says it.
export async function insertFirstSecretsKey(db: Queryable, keyId: string, now: Instant): Promise<void> {
  await db.query({
    text: `insert into secrets_keys (key_id, activated_at, finished_at)
           select $1, $2, $2
            where not exists (select 1 from secrets_keys)
               on conflict (key_id) do nothing`,
    values: [keyId, isoInstant(now)],
  })
}

// It may have sealed before, and does again.
export async function activateSecretsKey(db: Queryable, keyId: string, now: Instant): Promise<void> {
  await db.query({
    text: `insert into secrets_keys as s (key_id, activated_at)
           select $1, greatest($2::timestamptz, max(activated_at) + interval '1 millisecond') from secrets_keys
               on conflict (key_id) do update set activated_at = excluded.activated_at, finished_at = null`,
    values: [keyId, isoInstant(now)],
  })
}

export async function finishSecretsKey(db: Queryable, keyId: string, now: Instant): Promise<void> {
  await db.query({
    text: 'update secrets_keys set finished_at = $2 where key_id = $1',
    values: [keyId, isoInstant(now)],
  })
}

// Where sealed values stand. A kept answer is text, and sealed only if it holds a secret.
type Place = { table: string; keys: readonly [string, ...string[]]; column: string; isText?: true }

export const SEALED_PLACES = {
  'signing keys': { table: 'signing_keys', keys: ['key_id'], column: 'sealed_private' },
  'data keys': { table: 'data_keys', keys: ['organization_id', 'version'], column: 'wrapped' },
  'webhook secrets': {
    table: 'webhook_endpoints',
    keys: ['organization_id', 'endpoint_id'],
    column: 'sealed_secret',
  },
  'earlier webhook secrets': {
    table: 'webhook_endpoints',
    keys: ['organization_id', 'endpoint_id'],
    column: 'sealed_previous',
  },
  'webhook signing keys': {
    table: 'webhook_endpoints',
    keys: ['organization_id', 'endpoint_id'],
    column: 'sealed_signing_key',
  },
  'connection credentials': {
    table: 'connections',
    keys: ['organization_id', 'connection_id'],
    column: 'sealed_credentials',
  },
  'earlier connection credentials': {
    table: 'connections',
    keys: ['organization_id', 'connection_id'],
    column: 'sealed_previous',
  },
  'earlier webhook signing keys': {
    table: 'webhook_endpoints',
    keys: ['organization_id', 'endpoint_id'],
    column: 'sealed_previous_key',
  },
  'authenticator apps': { table: 'users', keys: ['user_id'], column: 'sealed_totp' },
  'invitations to be sent': { table: 'invitations', keys: ['invitation_id'], column: 'sealed_token' },
  'kept answers': {
    table: 'idempotency_records',
    keys: ['organization_id', 'idempotency_key'],
    column: 'body',
    isText: true,
  },
} as const satisfies Record<string, Place>

export type SealedPlace = keyof typeof SEALED_PLACES
export type SealedValue = { readonly key: readonly string[]; readonly sealed: Buffer | string }

// The next ones in the order of their keys, behind `after`.
export async function listSealed(
  db: Queryable,
  place: SealedPlace,
  after: readonly string[] | null,
  limit: number,
): Promise<SealedValue[]> {
  const { table, keys, column, isText }: Place = SEALED_PLACES[place]
  const names = keys.join(', ')
  const behind = after === null ? '' : `and (${names}) > (${keys.map((_, at) => `$${at + 2}`).join(', ')})`
  const isSealed = isText ? `${column} like 'sealed:%'` : `${column} is not null`
  const result = await db.query<SealedValue>({
    text: `select array[${keys.map((key) => `${key}::text`).join(', ')}] as key, ${column} as sealed
             from ${table}
            where ${isSealed} ${behind}
            order by ${names}
            limit $1`,
    values: [limit, ...(after ?? [])],
  })
  return result.rows
}

// False if the value is no longer the one that was read: somebody else has written a newer one, or it is gone.
export async function replaceSealed(
  db: Queryable,
  place: SealedPlace,
  { key, sealed }: SealedValue,
  replacement: Buffer | string,
): Promise<boolean> {
  const { table, keys, column }: Place = SEALED_PLACES[place]
  const result = await db.query({
    text: `update ${table}
              set ${column} = $2
            where ${column} = $1 and ${keys.map((name, at) => `${name} = $${at + 3}`).join(' and ')}`,
    values: [sealed, replacement, ...key],
  })
  return result.rowCount === 1
}

// What a rotation replaced works on for a day, and is of no use to anybody after it. Returns how many lost it.
export async function eraseEarlierSecrets(
  db: Queryable,
  table: keyof typeof EARLIER_SECRETS,
  now: Instant,
): Promise<number> {
  const columns = [...EARLIER_SECRETS[table], 'previous_until']
  const result = await db.query({
    name: `erase-earlier-${table}`,
    text: `update ${table} set ${columns.map((column) => `${column} = null`).join(', ')} where previous_until <= $1`,
    values: [isoInstant(now)],
  })
  return result.rowCount ?? 0
}

const EARLIER_SECRETS = {
  connections: ['sealed_previous'],
  webhook_endpoints: ['sealed_previous', 'sealed_previous_key'],
} as const
