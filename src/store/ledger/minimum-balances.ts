// Which organizations have less to pay out than they want to have, and since when. Over connections, that is what lies at providers.

import { type Instant, isoInstant, isoOrNull } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type WatchedBalance = {
  readonly organizationId: string
  readonly minimumInCents: bigint
  readonly availableInCents: bigint
  readonly belowSince: Instant | null
}

// Only those whose state has changed: fallen below, or back above.
export async function changedMinimums(db: Queryable, limit: number): Promise<WatchedBalance[]> {
  const result = await db.query<Omit<WatchedBalance, 'availableInCents'> & { available: string }>({
    name: 'changed-minimums',
    text: `select "organizationId", "minimumInCents", "belowSince", available::text as available
             from (select o.organization_id as "organizationId", o.minimum_balance_cents as "minimumInCents",
                          o.below_minimum_since as "belowSince",
                          coalesce(sum(b.credit_cents - b.debit_cents), 0) as available
                     from organizations o
                     left join ledger_balances b
                       on b.organization_id = o.organization_id
                      and b.account = case when o.routes::jsonb @> '[{"uses": ["BRE_B_OUT"]}]' then 'DEPOSITED' else 'AVAILABLE' end
                    where o.minimum_balance_cents is not null
                    group by o.organization_id, o.minimum_balance_cents, o.below_minimum_since) watched
            where (available < "minimumInCents") = ("belowSince" is null)
            order by "organizationId"
            limit $1`,
    values: [limit],
  })
  return result.rows.map(({ available, ...row }) => ({ ...row, availableInCents: BigInt(available) }))
}

// False if another process has written it, or the minimum is another one now.
export async function markBelowMinimum(
  tx: Queryable,
  { organizationId, minimumInCents }: WatchedBalance,
  since: Instant | null,
): Promise<boolean> {
  const result = await tx.query({
    name: 'mark-below-minimum',
    text: `update organizations
              set below_minimum_since = $2
            where organization_id = $1 and minimum_balance_cents = $3
              and (below_minimum_since is null) <> ($2::timestamptz is null)`,
    values: [organizationId, isoOrNull(since), minimumInCents],
  })
  return result.rowCount === 1
}

// Raised once each time, whether or not the last one was resolved meanwhile.
export async function insertMinimumAlarm(
  tx: Queryable,
  alarm: { organizationId: string; alarmId: string; detail: string },
  now: Instant,
): Promise<void> {
  await tx.query({
    text: `insert into alarms (organization_id, alarm_id, kind, subject_id, detail, created_at)
           values ($1, $2, 'balance-below-minimum', $1, $3, $4)
               on conflict do nothing`,
    values: [alarm.organizationId, alarm.alarmId, alarm.detail, isoInstant(now)],
  })
}
