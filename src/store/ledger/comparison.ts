// Compares a day's statement with the books, both ways, in sets: a million lines never pass through this process. What agrees is
// only counted. What does not is kept in a table of this transaction, one row for each movement, until it is judged.

import type { Day } from '../../core/bogota-day.ts'
import type { Rail } from '../../core/connections/rail.ts'
import { MOVEMENT_OF_BOOKING } from '../../core/connections/statement.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { clearingAccount } from '../../core/ledger/bookings.ts'
import type { Queryable } from '../db.ts'

export type Comparison = {
  rail: Rail
  day: Day
  run: number
  // The bookings that are judged with this day.
  from: Instant
  to: Instant
}

// A booking, the movement that it stands for, and what its subject is.
export const BOOKING_MOVEMENTS = Object.entries(MOVEMENT_OF_BOOKING).flatMap(([booking, meaning]) =>
  meaning === null ? [] : [{ booking, ...meaning }],
)
export const BOOKING_MOVEMENT_ROWS = `json_to_recordset($1) as m (booking text, movement text, subject text)`

// Sessions forbid sequential scans. The comparison reads whole days, so it allows them for its transaction.
export async function openComparison(tx: Queryable): Promise<void> {
  for (const setting of ['enable_seqscan = on', `work_mem = '64MB'`])
    await tx.query({ text: `set local ${setting}` })
  await tx.query({
    text: `create temporary table compared_lines (
             organization_id uuid, line_key text, low_cents bigint, high_cents bigint, total_cents bigint, times bigint,
             other_day boolean
           ) on commit drop`,
  })
  await tx.query({
    text: `create temporary table compared_bookings (
             organization_id uuid, line_key text, our_cents bigint, our_times bigint, subject_id uuid
           ) on commit drop`,
  })
  await tx.query({
    text: `create temporary table compared_totals (
             organization_id uuid, matched_in bigint, matched_in_cents bigint, matched_out bigint, matched_out_cents bigint
           ) on commit drop`,
  })
  await tx.query({
    text: `create temporary table disagreements (
             organization_id uuid, line_key text, low_cents bigint, high_cents bigint, times bigint, other_day boolean,
             our_cents bigint, subject_id uuid, elsewhere boolean not null default false,
             repeated boolean not null default false, is_part boolean not null default false, movement text, network_id text,
             reference text, occurred_at timestamptz
           ) on commit drop`,
  })
}

// What the network says of the day, one row for each movement, however often it is listed.
export async function collectLines(
  tx: Queryable,
  { rail, day, run }: Comparison,
  [from, to]: readonly [string, string],
): Promise<void> {
  await tx.query({
    text: `insert into compared_lines
           select l.organization_id, l.line_key, min(l.amount_cents), max(l.amount_cents), sum(l.amount_cents * l.times), sum(l.times),
                  bool_or(l.occurred_at < $4 or l.occurred_at >= $5)
             from organizations o
             join statement_lines l on l.organization_id = o.organization_id and l.rail = $1 and l.day = $2
            where l.run = $3 and l.movement is not null
            group by l.organization_id, l.line_key`,
    values: [rail, day, run, from, to],
  })
  await tx.query({ text: 'analyze compared_lines' })
}

// What we booked over this network in the time that is judged with the day, without what the statement of another day lists, and
// with what this one lists of other days. Ids hold their time, so a time is a range of ids. A movement that was booked twice has
// the sum, which no line will equal. What went over a connection is in no statement of ours: its provider moved it.
export async function collectBookings(tx: Queryable, { rail, day, from, to }: Comparison): Promise<void> {
  await tx.query({
    text: `insert into compared_bookings
           select t.organization_id,
                  m.movement || ' ' || case when m.movement in ('debit', 'return') then t.subject_id::text
                                            else coalesce(p.payment_id, s.payment_id, t.subject_id::text) end,
                  sum(t.amount_cents), count(*), min(coalesce(s.payin_id, t.subject_id)::text)::uuid
             from (select t.*
                     from organizations o
                     join ledger_transfers t on t.organization_id = o.organization_id and t.transfer_id >= $3 and t.transfer_id < $4
                     left join bookings_of_other_days b
                       on b.organization_id = t.organization_id and b.transfer_id = t.transfer_id and b.rail = $5 and b.own_day = $6
                    where b.transfer_id is null
                    union all
                   select t.*
                     from organizations o
                     join bookings_of_other_days b on b.organization_id = o.organization_id and b.rail = $5 and b.listed_on = $6
                     join ledger_transfers t on t.organization_id = b.organization_id and t.transfer_id = b.transfer_id) t
             join ${BOOKING_MOVEMENT_ROWS} on m.booking = t.booking
             left join payins p on m.subject = 'payin' and p.organization_id = t.organization_id and p.payin_id = t.subject_id
             left join suspense_items s
               on m.subject = 'suspense' and s.organization_id = t.organization_id and s.suspense_id = t.subject_id
             left join payins late on late.organization_id = s.organization_id and late.payin_id = s.payin_id
             left join refunds g on m.subject = 'refund' and g.organization_id = t.organization_id and g.refund_id = t.subject_id
             left join payins given on given.organization_id = g.organization_id and given.payin_id = g.payin_id
             left join payouts o on m.subject = 'payout' and o.organization_id = t.organization_id and o.payout_id = t.subject_id
            where $2 in (t.debit_account, t.credit_account)
              and p.connection_id is null and late.connection_id is null and given.connection_id is null and o.connection_id is null
              and not (s.state is not distinct from 'COUNTED' and ${IS_RELEASED})
            group by 1, 2`,
    values: [
      JSON.stringify(BOOKING_MOVEMENTS),
      clearingAccount(rail),
      firstIdAt(from),
      firstIdAt(to),
      rail,
      day,
    ],
  })
  await tx.query({ text: 'analyze compared_bookings' })
}

// The payment is a payin's, which has booked it. The network lists it once.
export const IS_RELEASED = `exists (select 1
                              from ledger_transfers r
                             where r.organization_id = t.organization_id and r.subject_id = t.subject_id
                               and r.booking = 'suspense released')`

// The payout, or the money in suspense, went over a connection. Payins are looked up by their payment, and say so themselves.
export const IS_CONNECTED = `(exists (select 1
                               from payouts c
                              where c.organization_id = t.organization_id and c.payout_id = t.subject_id
                                and c.connection_id is not null)
                       or exists (select 1
                                    from suspense_items i
                                    join payins c on c.organization_id = i.organization_id and c.payin_id = i.payin_id
                                   where i.organization_id = t.organization_id and i.suspense_id = t.subject_id
                                     and c.connection_id is not null)
                       or exists (select 1
                                    from refunds g
                                    join payins c on c.organization_id = g.organization_id and c.payin_id = g.payin_id
                                   where g.organization_id = t.organization_id and g.refund_id = t.subject_id
                                     and c.connection_id is not null))`

// How many movements that meet a condition came in and went out, and their cents. A key begins with its movement, and stands for
// one, or for so many.
export const MATCHED_TOTALS = (condition: string, times = '1', cents = 'low_cents'): string =>
  Object.entries({ in: 'like', out: 'not like' })
    .map(
      ([
        way,
        like,
      ]) => `coalesce(sum(${times}) filter (where ${condition} and line_key ${like} 'credit %'), 0) as matched_${way},
        coalesce(sum(${cents}) filter (where ${condition} and line_key ${like} 'credit %'), 0) as matched_${way}_cents`,
    )
    .join(', ')

// Lines and bookings that agree are counted. All others are kept. A payment comes once, but may be charged back in several parts: if
// all of the day are booked but one, only that one is kept, as a part that we have not heard of.
export async function matchLinesWithBookings(tx: Queryable): Promise<void> {
  await tx.query({
    text: `with pairs as materialized (
             select organization_id, line_key, l.low_cents, l.high_cents, l.times, l.other_day, b.our_cents, b.our_times, b.subject_id,
                    l.total_cents,
                    coalesce(l.times = b.our_times and (l.times = 1 or line_key like 'chargeback %') and not l.other_day
                               and l.total_cents = b.our_cents,
                             false) as agree,
                    case when ${LACKS_ONE_PART} then l.total_cents - b.our_cents end as part_cents
               from compared_lines l
               full join compared_bookings b using (organization_id, line_key)
           ), kept as (
             insert into disagreements (organization_id, line_key, low_cents, high_cents, times, other_day, our_cents, subject_id,
                                        is_part)
             select organization_id, line_key, coalesce(part_cents, low_cents), coalesce(part_cents, high_cents),
                    case when part_cents is null then times else 1 end, other_day,
                    case when part_cents is null then our_cents end, subject_id, part_cents is not null
               from pairs
              where not agree
           )
           insert into compared_totals
           select organization_id,
                  ${MATCHED_TOTALS(
                    '(agree or part_cents is not null)',
                    'case when agree then times else our_times end',
                    'case when agree then total_cents else our_cents end',
                  )}
             from pairs
            group by organization_id`,
  })
  await tx.query({ text: 'analyze disagreements' })
}

// Chargebacks of different amounts, one more than we have, and what we lack is the amount of one. If that is also the sum of those we
// have, it may be them.
const LACKS_ONE_PART = `line_key like 'chargeback %' and l.low_cents <> l.high_cents and l.times = b.our_times + 1
                              and l.total_cents - b.our_cents in (l.low_cents, l.high_cents)
                              and l.total_cents <> 2 * b.our_cents`

// Adds what the line said to the rows that have one. Each row looks its line up by key: there are few, and a join would read the
// whole day once more.
export async function describeLines(tx: Queryable, { rail, day, run }: Comparison): Promise<void> {
  await tx.query({
    text: `update disagreements d
              set (movement, network_id, reference, occurred_at, subject_id) = (
                    select l.movement, l.network_id, l.reference, l.occurred_at, coalesce(d.subject_id, l.subject_id)
                      from statement_lines l
                     where l.organization_id = d.organization_id and l.rail = $1 and l.day = $2 and l.line_key = d.line_key
                       and l.run = $3
                     order by l.network_id, l.amount_cents
                     limit 1)
            where d.low_cents is not null`,
    values: [rail, day, run],
  })
  await tx.query({
    text: `update disagreements set movement = split_part(line_key, ' ', 1) where movement is null`,
  })
}

// A payout that the network paid with another amount than ours is not confirmed by it.
export async function compareWithPayouts(tx: Queryable): Promise<void> {
  await tx.query({
    text: `update disagreements d
              set our_cents = p.amount_cents
             from payouts p
            where d.our_cents is null
              and d.movement = 'debit'
              and p.organization_id = d.organization_id and p.payout_id = d.subject_id
              and d.low_cents <> p.amount_cents`,
  })
}
