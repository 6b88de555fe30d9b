// Data keys: what seals the people of one organization. A key is stored wrapped, and never changed but to be wrapped anew.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type WrappedKey = { readonly version: number; readonly wrapped: Buffer }

// Oldest first.
export async function listDataKeys(db: Queryable, organizationId: string): Promise<WrappedKey[]> {
  const result = await db.query<WrappedKey>({
    name: 'list-data-keys',
    text: 'select version, wrapped from data_keys where organization_id = $1 order by version',
    values: [organizationId],
  })
  return result.rows
}

// Whoever is first makes the key of a version. The others use that one.
export async function insertDataKey(
  db: Queryable,
  organizationId: string,
  { version, wrapped }: WrappedKey,
  now: Instant,
): Promise<void> {
  await db.query({
    name: 'insert-data-key',
    text: `insert into data_keys (organization_id, version, wrapped, created_at)
           values ($1, $2, $3, $4)
               on conflict (organization_id, version) do nothing`,
    values: [organizationId, version, wrapped, isoInstant(now)],
  })
}
