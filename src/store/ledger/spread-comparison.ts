// The steps of a comparison that a distributed PostgreSQL takes in another form only. It has no statement that looks up, for each row
// of a table of this transaction, what a machine has: here such rows are sent to the machines, and what these find comes back into
// another table of this transaction. Each step does what the one of the same name does in comparison.ts, other-days.ts or findings.ts.

import type { Rail } from '../../core/connections/rail.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import { BOOKING_MOVEMENT_ROWS, type Comparison, IS_CONNECTED, IS_RELEASED } from './comparison.ts'
import { RESOLVE_ALARMS } from './findings.ts'
import { bookingsOf, createKeyedTables, DAY_OF_ID, IS_UUID, NEIGHBOR_DAYS } from './other-days.ts'

export const spreadComparison = {
  describeLines,
  compareWithPayouts,
  giveToNetworkOnly,
  collectOtherDays,
  markNewFindings,
  resolveListedOnOtherDay,
  resolveSinceBooked,
}

async function describeLines(tx: Queryable, { rail, day, run }: Comparison): Promise<void> {
  await tx.query({
    text: `create temporary table described_lines (
             organization_id uuid, line_key text, movement text, network_id text, reference text, occurred_at timestamptz,
             subject_id uuid
           ) on commit drop`,
  })
  await tx.query({
    text: `insert into described_lines
           select distinct on (d.organization_id, d.line_key)
                  d.organization_id, d.line_key, l.movement, l.network_id, l.reference, l.occurred_at, l.subject_id
             from disagreements d
             join statement_lines l on l.organization_id = d.organization_id and l.line_key = d.line_key
            where d.low_cents is not null and l.rail = $1 and l.day = $2 and l.run = $3
            order by d.organization_id, d.line_key, l.network_id, l.amount_cents`,
    values: [rail, day, run],
  })
  await tx.query({
    text: `update disagreements d
              set movement = l.movement, network_id = l.network_id, reference = l.reference, occurred_at = l.occurred_at,
                  subject_id = coalesce(d.subject_id, l.subject_id)
             from described_lines l
            where l.organization_id = d.organization_id and l.line_key = d.line_key`,
  })
  await tx.query({
    text: `update disagreements set movement = split_part(line_key, ' ', 1) where movement is null`,
  })
}

async function compareWithPayouts(tx: Queryable): Promise<void> {
  await tx.query({
    text: `create temporary table paid_payouts (organization_id uuid, line_key text, amount_cents bigint) on commit drop`,
  })
  await tx.query({
    text: `insert into paid_payouts
           select d.organization_id, d.line_key, p.amount_cents
             from disagreements d
             join payouts p on p.organization_id = d.organization_id and p.payout_id = d.subject_id
            where d.our_cents is null and d.movement = 'debit' and d.low_cents <> p.amount_cents`,
  })
  await tx.query({
    text: `update disagreements d
              set our_cents = p.amount_cents
             from paid_payouts p
            where p.organization_id = d.organization_id and p.line_key = d.line_key`,
  })
}

// The bookings with certain keys, with the day of each and the day that lists it. `keys` selects organization_id, line_key and
// movement of a table of this transaction.
async function collectBookingsLike(tx: Queryable, rail: Rail, keys: string): Promise<void> {
  await tx.query({ text: 'drop table if exists like_subjects, like_bookings' })
  await tx.query({
    text: `create temporary table like_subjects (
             organization_id uuid, line_key text, movement text, subject_id uuid, is_counted boolean
           ) on commit drop`,
  })
  await tx.query({
    text: `create temporary table like_bookings (
             organization_id uuid, line_key text, movement text, transfer_id uuid, cents bigint, own_day date, listed_on date
           ) on commit drop`,
  })
  await tx.query({
    text: `insert into like_subjects
           select x.organization_id, x.line_key, x.movement, p.payin_id, false
             from (${keys}) x
             join payins p on p.organization_id = x.organization_id and p.payment_id = split_part(x.line_key, ' ', 2)
            where x.movement in ('credit', 'chargeback') and p.rail = $1 and p.status = 'CONFIRMED' and p.connection_id is null`,
    values: [rail],
  })
  await tx.query({
    text: `insert into like_subjects
           select x.organization_id, x.line_key, x.movement, s.suspense_id, s.state = 'COUNTED'
             from (${keys}) x
             join suspense_items s on s.organization_id = x.organization_id and s.payment_id = split_part(x.line_key, ' ', 2)
            where x.movement in ('credit', 'chargeback') and s.rail = $1`,
    values: [rail],
  })
  await tx.query({
    text: `insert into like_subjects
           select x.organization_id, x.line_key, x.movement, split_part(x.line_key, ' ', 2)::uuid, false
             from (${keys}) x
            where x.movement in ('debit', 'return') and ${IS_UUID(`split_part(x.line_key, ' ', 2)`)}`,
  })
  const [movements, , account] = bookingsOf(rail)
  await tx.query({
    text: `insert into like_bookings
           select s.organization_id, s.line_key, s.movement, t.transfer_id, t.amount_cents, ${DAY_OF_ID('t.transfer_id')},
                  b.listed_on
             from like_subjects s
             join ledger_transfers t on t.organization_id = s.organization_id and t.subject_id = s.subject_id
             join ${BOOKING_MOVEMENT_ROWS} on m.booking = t.booking and m.movement = s.movement
             left join bookings_of_other_days b on b.organization_id = t.organization_id and b.transfer_id = t.transfer_id
            where $2 in (t.debit_account, t.credit_account)
              and not (s.is_counted and ${IS_RELEASED}) and not ${IS_CONNECTED}`,
    values: [movements, account],
  })
}

// Findings that are open, as a table of this transaction.
async function collectOpenFindings(tx: Queryable, rail: Rail, kind: string): Promise<void> {
  await tx.query({ text: 'drop table if exists open_findings' })
  await tx.query({
    text: `create temporary table open_findings (
             organization_id uuid, finding_id uuid, line_key text, movement text, day date, network_cents bigint
           ) on commit drop`,
  })
  await tx.query({
    text: `insert into open_findings
           select organization_id, finding_id, line_key, movement, day, network_cents
             from reconciliation_findings
            where rail = $1 and state = 'OPEN' and kind = $2`,
    values: [rail, kind],
  })
  await collectBookingsLike(
    tx,
    rail,
    'select distinct organization_id, line_key, movement from open_findings',
  )
}

async function giveToNetworkOnly(tx: Queryable, rail: Rail): Promise<void> {
  await collectOpenFindings(tx, rail, 'NETWORK_ONLY')
  await tx.query({
    text: `insert into bookings_of_other_days (organization_id, transfer_id, rail, line_key, own_day, listed_on)
           select l.organization_id, k.transfer_id, $1, l.line_key, k.own_day, l.day
             from (select *, row_number() over (partition by organization_id, line_key, network_cents order by day) as number
                     from open_findings) l
             join (select *, row_number() over (partition by organization_id, line_key, cents order by transfer_id) as number
                     from like_bookings
                    where listed_on is null) k
               on k.organization_id = l.organization_id and k.line_key = l.line_key and k.cents = l.network_cents
              and k.number = l.number and k.own_day <> l.day`,
    values: [rail],
  })
}

async function collectOtherDays(tx: Queryable, { rail, day }: Comparison): Promise<void> {
  await createKeyedTables(tx)
  await collectBookingsLike(tx, rail, 'select organization_id, line_key, movement from disagreements')
  await tx.query({
    text: `insert into keyed_bookings
           select organization_id, line_key, transfer_id, cents, own_day, listed_on from like_bookings`,
  })
  await tx.query({
    text: KEYED_LINES('disagreements', 'l.day between $2::date - $3::integer and $2::date + $3::integer'),
    values: [rail, day, NEIGHBOR_DAYS],
  })
  const farBookings = `(select distinct organization_id, line_key, own_day
                          from keyed_bookings
                         where own_day not between $2::date - $3::integer and $2::date + $3::integer)`
  await tx.query({ text: KEYED_LINES(farBookings, 'l.day = x.own_day'), values: [rail, day, NEIGHBOR_DAYS] })
}

const KEYED_LINES = (keys: string, days: string): string => `
  insert into keyed_lines
  select x.organization_id, x.line_key, l.day, sum(l.times), min(l.amount_cents), max(l.amount_cents)
    from ${keys} x
    join statement_lines l on l.organization_id = x.organization_id and l.line_key = x.line_key
    join reconciliation_runs r on r.rail = l.rail and r.day = l.day
   where l.rail = $1 and l.run >= r.compared_run and ${days}
   group by x.organization_id, x.line_key, l.day`

async function markNewFindings(tx: Queryable, { rail, day }: Comparison): Promise<void> {
  await tx.query({
    text: `create temporary table known_findings (organization_id uuid, kind text, line_key text) on commit drop`,
  })
  await tx.query({
    text: `insert into known_findings
           select n.organization_id, n.kind, n.line_key
             from found n
             join reconciliation_findings f
               on f.organization_id = n.organization_id and f.kind = n.kind and f.line_key = n.line_key
            where f.rail = $1 and f.day = $2 and (f.network_cents = n.network_cents or not n.is_part) and f.state = 'OPEN'`,
    values: [rail, day],
  })
  await tx.query({
    text: `update found n
              set is_new = true
            where not exists (select 1
                                from known_findings f
                               where f.organization_id = n.organization_id and f.kind = n.kind and f.line_key = n.line_key)`,
  })
}

async function resolveListedOnOtherDay(tx: Queryable, rail: Rail, now: Instant): Promise<void> {
  await collectOpenFindings(tx, rail, 'OURS_ONLY')
  await tx.query({
    text: `with listed as materialized (
             select x.organization_id, x.finding_id
               from open_findings x
               join like_bookings k
                 on k.organization_id = x.organization_id and k.line_key = x.line_key and k.movement = x.movement
                and k.own_day = x.day
              group by x.organization_id, x.finding_id
             having bool_and(k.listed_on is not null)
           ), resolved as (
             update reconciliation_findings f
                set state = 'RESOLVED', resolved_at = $2
               from listed
              where f.organization_id = listed.organization_id and f.finding_id = listed.finding_id
                and f.rail = $1 and f.state = 'OPEN'
          returning f.organization_id, f.finding_id, f.alarm_id, f.kind
           ) ${RESOLVE_ALARMS('$1', '$2')}`,
    values: [rail, isoInstant(now)],
  })
}

async function resolveSinceBooked(tx: Queryable, rail: Rail, now: Instant): Promise<void> {
  await collectOpenFindings(tx, rail, 'NETWORK_ONLY')
  await tx.query({
    text: `with booked as materialized (
             select x.organization_id, x.finding_id
               from open_findings x
               join like_bookings k
                 on k.organization_id = x.organization_id and k.line_key = x.line_key and k.movement = x.movement
                and coalesce(k.listed_on, k.own_day) = x.day
              group by x.organization_id, x.finding_id, x.network_cents
             having sum(k.cents) = x.network_cents
           )
           update reconciliation_findings f
              set state = 'RESOLVED', resolved_at = $1
             from booked
            where f.organization_id = booked.organization_id and f.finding_id = booked.finding_id and f.state = 'OPEN'`,
    values: [isoInstant(now)],
  })
}
