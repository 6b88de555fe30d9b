// Which Bre-B keys an organization has looked up, and its lookup budget: a token bucket that all nodes share.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type LookupBudget = { capacity: number; perSecond: number }

// Takes `cost` from the bucket (a negative cost refunds it) and returns what is left, which is never below zero.
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
           values ($1, least($4::float8, greatest(0, $4::float8 - $2::float8)), $3)
               on conflict (organization_id) do update
              set tokens = least($4::float8,
                                 greatest(0, least($4::float8,
                                                   b.tokens + $5::float8 * greatest(0, extract(epoch from $3::timestamptz - b.counted_at)))
                                             - $2::float8)),
                  counted_at = greatest(b.counted_at, $3::timestamptz)
        returning tokens`,
    values: [organizationId, cost, isoInstant(now), budget.capacity, budget.perSecond],
  })
  return Math.floor(result.rows[0]?.tokens ?? 0)
}

export async function recordLookup(
  db: Queryable,
  organizationId: string,
  keyString: string,
  now: Instant,
): Promise<void> {
  await db.query({
    name: 'remember-key-lookup',
    text: `insert into key_lookups as k (organization_id, key_string, looked_up_at)
           values ($1, $2, $3)
               on conflict (organization_id, key_string) do update
              set looked_up_at = greatest(k.looked_up_at, excluded.looked_up_at)`,
    values: [organizationId, keyString, isoInstant(now)],
  })
}

export async function lastLookup(
  db: Queryable,
  organizationId: string,
  keyString: string,
): Promise<Instant | undefined> {
  const result = await db.query<{ looked_up_at: Instant }>({
    name: 'last-key-lookup',
    text: `select looked_up_at from key_lookups where organization_id = $1 and key_string = $2`,
    values: [organizationId, keyString],
  })
  return result.rows[0]?.looked_up_at
}
