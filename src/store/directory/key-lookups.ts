// Which Bre-B keys an organization has looked up, and its lookup budget: a token bucket that all nodes share.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type LookupBudget = { capacity: number; perSecond: number }

// What is in the bucket at $3: what was in it when it was last counted, and what has flowed in since.
const REFILLED = `least($4::float8,
                        b.tokens + $5::float8 * greatest(0, extract(epoch from $3::timestamptz - b.counted_at)))`

// Takes `price` from the bucket if that much is in it, in one statement: whoever asks at the same moment, at whatever node,
// sees it gone. False: there was too little, and nothing is taken.
export async function reserveLookupBudget(
  db: Queryable,
  organizationId: string,
  price: number,
  budget: LookupBudget,
  now: Instant,
): Promise<boolean> {
  const result = await db.query({
    name: 'reserve-lookup-budget',
    text: `insert into lookup_budgets as b (organization_id, tokens, counted_at)
           values ($1, $4::float8 - $2::float8, $3)
               on conflict (organization_id) do update
              set tokens = ${REFILLED} - $2::float8,
                  counted_at = greatest(b.counted_at, $3::timestamptz)
            where ${REFILLED} >= $2::float8`,
    values: [organizationId, price, isoInstant(now), budget.capacity, budget.perSecond],
  })
  return result.rowCount === 1
}

// Takes `cost` from the bucket (a negative cost refunds it) and returns what is left. A cost that cannot be refused is a
// debt: then less than nothing is left, until the bucket has refilled.
export async function spendLookupBudget(
  db: Queryable,
  organizationId: string,
  cost: number,
  budget: LookupBudget,
  now: Instant,
): Promise<number> {
  const result = await db.query<{ tokens: number }>({
    name: 'draw-on-lookup-budget',
    text: `insert into lookup_budgets as b (organization_id, tokens, counted_at)
           values ($1, least($4::float8, $4::float8 - $2::float8), $3)
               on conflict (organization_id) do update
              set tokens = least($4::float8, ${REFILLED} - $2::float8),
                  counted_at = greatest(b.counted_at, $3::timestamptz)
        returning tokens`,
    values: [organizationId, cost, isoInstant(now), budget.capacity, budget.perSecond],
  })
  return Math.floor(result.rows[0]?.tokens ?? 0)
}

export async function recordLookup(
  db: Queryable,
  organizationId: string,
  // A digest of the key: see lookupName.
  name: string,
  now: Instant,
): Promise<void> {
  await db.query({
    name: 'remember-key-lookup',
    text: `insert into key_lookups as k (organization_id, key_string, looked_up_at)
           values ($1, $2, $3)
               on conflict (organization_id, key_string) do update
              set looked_up_at = greatest(k.looked_up_at, excluded.looked_up_at)`,
    values: [organizationId, name, isoInstant(now)],
  })
}

// Which of these names were looked up since then.
export async function namesLookedUpSince(
  db: Queryable,
  organizationId: string,
  names: readonly string[],
  since: Instant,
): Promise<string[]> {
  const result = await db.query<{ name: string }>({
    name: 'names-looked-up-since',
    text: `select key_string as name
             from key_lookups
            where organization_id = $1 and key_string = any($2::text[]) and looked_up_at >= $3`,
    values: [organizationId, names, isoInstant(since)],
  })
  return result.rows.map(({ name }) => name)
}

export async function lastLookup(
  db: Queryable,
  organizationId: string,
  name: string,
): Promise<Instant | undefined> {
  const result = await db.query<{ looked_up_at: Instant }>({
    name: 'last-key-lookup',
    text: `select looked_up_at from key_lookups where organization_id = $1 and key_string = $2`,
    values: [organizationId, name],
  })
  return result.rows[0]?.looked_up_at
}
