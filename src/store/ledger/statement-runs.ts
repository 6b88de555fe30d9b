// The days to reconcile, as a queue: which are due, who has one under a lease, and how far each has come.

import type { Day } from '../../core/bogota-day.ts'
import type { Rail } from '../../core/connections/rail.ts'
import { type Instant, isoInstant, isoOrNull } from '../../core/instant.ts'
import type { FindingKind } from '../../core/ledger/reconciliation.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import type { Db, Lease, Queryable } from '../db.ts'
import { isDistributed } from '../distribute.ts'
import { firstRow } from '../due-work.ts'

export type RunState = 'WAITING' | 'FETCHING' | 'COMPARING' | 'LATE' | 'DONE'

export type StatementRun = {
  rail: Rail
  day: Day
  state: RunState
  run: number
  comparedRun: number
  cursor: string | null
  lines: bigint
  attempts: number
  failure: string | null
  dueAt: Instant | null
  finishedAt: Instant | null
}

// With the digests of the cursors that this fetch has met.
export type StatementClaim = StatementRun & { leaseToken: string; seenCursors: readonly string[] }

const COLUMNS = `rail, day, state, run, compared_run as "comparedRun", cursor, lines, attempts, failure,
  due_at as "dueAt", finished_at as "finishedAt"`

export async function hasRun(db: Queryable, rail: Rail, day: Day): Promise<boolean> {
  const result = await db.query({
    name: 'has-statement-run',
    text: 'select 1 from reconciliation_runs where rail = $1 and day = $2',
    values: [rail, day],
  })
  return result.rows.length === 1
}

// Null if nothing was ever paid. The first of each organization is looked up. Where these are on several machines, which take no such
// statement, each machine reads all that it has: it is asked once a day.
export async function firstPaymentAt(db: Db): Promise<Instant | null> {
  const isSpread = await isDistributed(db)
  const row = await firstRow(db, isSpread, { text: isSpread ? FIRST_OF_ALL : FIRST_OF_EACH })
  return (row?.at as Instant | null | undefined) ?? null
}

const FIRST_OF_ALL = `
  select min(at) as at
    from (select min(created_at) as at from payins union all select min(created_at) from payouts) first`

const FIRST_OF_EACH = `
  select min(first.created_at) as at
    from organizations o,
         lateral (
           (select created_at from payins where organization_id = o.organization_id order by payin_id limit 1)
            union all
           (select created_at from payouts where organization_id = o.organization_id order by payout_id limit 1)
         ) first`

// Null if there is no merchant yet.
export async function firstOrganizationAt(db: Queryable): Promise<Instant | null> {
  const result = await db.query<{ at: Instant | null }>({
    text: 'select min(created_at) as at from organizations where organization_id <> $1',
    values: [UNATTRIBUTED_ORGANIZATION],
  })
  return result.rows[0]?.at ?? null
}

// Adds the days that are not there yet, each with the time from which it is due.
export async function insertRuns(
  db: Queryable,
  rail: Rail,
  days: readonly { day: Day; dueAt: Instant }[],
): Promise<void> {
  await db.query({
    text: `insert into reconciliation_runs (rail, day, state, run, compared_run, lines, attempts, due_at)
           select $1, day, 'WAITING', 0, 0, 0, 0, due_at
             from json_to_recordset($2) as d (day date, due_at timestamptz)
               on conflict do nothing`,
    values: [rail, JSON.stringify(days.map(({ day, dueAt }) => ({ day, due_at: isoInstant(dueAt) })))],
  })
}

// Makes a day due now, from its first page, unless somebody has it.
export async function requestRun(db: Queryable, rail: Rail, day: Day, now: Instant): Promise<void> {
  await db.query({
    text: `insert into reconciliation_runs as r (rail, day, state, run, compared_run, lines, attempts, due_at)
           values ($1, $2, 'WAITING', 0, 0, 0, 0, $3)
               on conflict (rail, day) do update
              set state = 'WAITING', due_at = $3
            where r.lease_until is null or r.lease_until <= $3`,
    values: [rail, day, isoInstant(now)],
  })
}

// Claims one due day, the oldest or the one that is named. A fetch that was interrupted goes on where it stopped; anything else
// begins anew.
export async function claimRun(
  db: Queryable,
  rails: readonly Rail[],
  named: Day | null,
  now: Instant,
  lease: Lease,
): Promise<StatementClaim | undefined> {
  const begins = `state not in ('FETCHING', 'COMPARING')`
  const result = await db.query<StatementRun & Pick<StatementClaim, 'seenCursors'>>({
    text: `with due as materialized (
             select rail, day
               from reconciliation_runs
              where rail = any($1)
                and ($2::date is null or day = $2)
                and due_at <= $3
                and (lease_until is null or lease_until <= $3)
              order by day, rail
              limit 1
                for update skip locked
           )
           update reconciliation_runs
              set run = case when ${begins} then run + 1 else run end,
                  cursor = case when ${begins} then null else cursor end,
                  seen_cursors = case when ${begins} then '{}' else seen_cursors end,
                  lines = case when ${begins} then 0 else lines end,
                  started_at = case when ${begins} then $3 else started_at end,
                  state = case when ${begins} then 'FETCHING' else state end,
                  lease_token = $4, lease_until = $5
            where (rail, day) in (select rail, day from due)
        returning ${COLUMNS}, seen_cursors as "seenCursors"`,
    values: [rails, named, isoInstant(now), lease.token, isoInstant(lease.until)],
  })
  return result.rows[0] && { ...result.rows[0], leaseToken: lease.token }
}

// A page was stored. False if the lease is lost: somebody else goes on.
export async function advanceRun(
  tx: Queryable,
  claim: StatementClaim,
  page: { nextCursor: string | null; cursorDigest: string | null; lines: number; leaseUntil: Instant },
): Promise<boolean> {
  const result = await tx.query({
    name: 'advance-statement-run',
    text: `update reconciliation_runs
              set cursor = $4, lines = lines + $5, attempts = 0, failure = null, lease_until = $6,
                  seen_cursors = case when $7::text is null then seen_cursors else seen_cursors || $7::text end,
                  state = case when $4::text is null then 'COMPARING' else 'FETCHING' end
            where rail = $1 and day = $2 and lease_token = $3`,
    values: [
      claim.rail,
      claim.day,
      claim.leaseToken,
      page.nextCursor,
      page.lines,
      isoInstant(page.leaseUntil),
      page.cursorDigest,
    ],
  })
  return result.rowCount === 1
}

// A fetch that goes on later has failed once since its last page. One that begins anew has gained nothing by the pages it read.
export async function deferRun(
  db: Queryable,
  claim: StatementClaim,
  { state, failure, dueAt }: { state: RunState; failure: string; dueAt: Instant },
): Promise<void> {
  await db.query({
    text: `update reconciliation_runs
              set state = $4, failure = $5, due_at = $6, attempts = 1 + case when $4 = 'FETCHING' then attempts else $7 end,
                  lease_token = null, lease_until = null
            where rail = $1 and day = $2 and lease_token = $3`,
    values: [claim.rail, claim.day, claim.leaseToken, state, failure, isoInstant(dueAt), claim.attempts],
  })
}

// Something of ours went wrong. The day is taken up where it stands, or from its first page each time that `attempts` is a
// multiple of `anewAfter`: what was stored may be what is wrong.
export async function failRun(
  db: Queryable,
  claim: StatementClaim,
  { failure, anewAfter, dueAt }: { failure: string; anewAfter: number; dueAt: Instant },
): Promise<void> {
  const attempts = claim.attempts + 1
  await db.query({
    text: `update reconciliation_runs
              set state = case when $5 then 'WAITING' else state end, failure = $4, attempts = $6, due_at = $7,
                  lease_token = null, lease_until = null
            where rail = $1 and day = $2 and lease_token = $3`,
    values: [
      claim.rail,
      claim.day,
      claim.leaseToken,
      failure,
      attempts % anewAfter === 0,
      attempts,
      isoInstant(dueAt),
    ],
  })
}

// False if the lease is lost.
export async function finishRun(
  tx: Queryable,
  claim: StatementClaim,
  now: Instant,
  dueAt: Instant | null,
): Promise<boolean> {
  const result = await tx.query({
    text: `update reconciliation_runs
              set state = 'DONE', compared_run = run, attempts = 0, failure = null, finished_at = $4, due_at = $5,
                  seen_cursors = '{}', lease_token = null, lease_until = null
            where rail = $1 and day = $2 and lease_token = $3`,
    values: [claim.rail, claim.day, claim.leaseToken, isoInstant(now), isoOrNull(dueAt)],
  })
  return result.rowCount === 1
}

// Adds what a comparison read and found to what all comparisons of the day did.
export async function addToTotals(
  tx: Queryable,
  { rail, day }: { rail: Rail; day: Day },
  lines: number,
  found: Readonly<Record<FindingKind, number>>,
): Promise<void> {
  const counts = Object.entries(found).map(([kind, count]) => ({ kind, count }))
  await tx.query({
    text: `update reconciliation_runs
              set total_lines = total_lines + $3,
                  total_found = (select jsonb_object_agg(kind, count + coalesce((total_found ->> kind)::bigint, 0))
                                   from json_to_recordset($4) as f (kind text, count bigint))
            where rail = $1 and day = $2`,
    values: [rail, day, lines, JSON.stringify(counts)],
  })
}

// What all comparisons have read and found, by whichever process: the lines, and the findings of each kind.
export type ReconciledTotals = { rail: Rail; lines: number; found: Readonly<Record<string, number>> }

export async function readReconciledTotals(db: Queryable): Promise<ReconciledTotals[]> {
  const result = await db.query<ReconciledTotals>({
    text: `select t.rail, t.lines::float8 as lines, coalesce(f.found, '{}') as found
             from (select rail, sum(total_lines) as lines from reconciliation_runs group by rail) t
             left join (select rail, jsonb_object_agg(kind, count) as found
                          from (select rail, kind, sum(count::bigint) as count
                                  from reconciliation_runs
                                 cross join lateral jsonb_each_text(total_found) as k (kind, count)
                                 group by rail, kind) s
                         group by rail) f using (rail)
            order by t.rail`,
  })
  return result.rows
}

export async function getRun(db: Queryable, rail: Rail, day: Day): Promise<StatementRun | undefined> {
  const result = await db.query<StatementRun>({
    text: `select ${COLUMNS} from reconciliation_runs where rail = $1 and day = $2`,
    values: [rail, day],
  })
  return result.rows[0]
}

export type ListedRun = StatementRun & { openFindings: number }

export async function listRuns(db: Queryable, limit: number): Promise<ListedRun[]> {
  const result = await db.query<ListedRun>({
    text: `select ${COLUMNS}, coalesce(f.open, 0) as "openFindings"
             from reconciliation_runs r
             left join (select rail as found_rail, day as found_day, count(*)::integer as open
                          from reconciliation_findings
                         where state = 'OPEN'
                         group by rail, day) f on found_rail = rail and found_day = r.day
            order by r.day desc, rail
            limit $1`,
    values: [limit],
  })
  return result.rows
}

// The last day of each network up to which every day is reconciled.
export async function lastReconciledDays(db: Queryable): Promise<{ rail: Rail; day: Day }[]> {
  const result = await db.query<{ rail: Rail; day: Day }>({
    text: `select rail, max(day)::text as day
             from reconciliation_runs r
            where compared_run > 0
              and not exists (select 1
                                from reconciliation_runs earlier
                               where earlier.rail = r.rail and earlier.day < r.day and earlier.compared_run = 0)
            group by rail
            order by rail`,
  })
  return result.rows
}
