// Pairs lines and bookings of different days. A notification or an answer that came late makes a booking whose line is in the
// statement of another day. One line stands for one booking: which booking a line of another day has is remembered, and that
// booking is compared with the day of its line from then on.

import { BOGOTA_OFFSET_MS } from '../../core/bogota-day.ts'
import type { Rail } from '../../core/connections/rail.ts'
import { firstIdAt } from '../../core/ids.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import { clearingAccount } from '../../core/ledger/bookings.ts'
import { MIDNIGHT_MARGIN_MS } from '../../core/ledger/reconciliation.ts'
import type { Queryable } from '../db.ts'
import {
  BOOKING_MOVEMENT_ROWS,
  BOOKING_MOVEMENTS,
  type Comparison,
  IS_CONNECTED,
  IS_RELEASED,
} from './comparison.ts'

// How far from its own day the line of a booking is looked for.
export const NEIGHBOR_DAYS = 31

// The day with which a booking is judged, by the time in its id.
export const DAY_OF_ID = (id: string): string =>
  `date '1970-01-01'
     + ((('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint + ${DAY_SHIFT_MS}) / 86400000)::integer`
const DAY_SHIFT_MS = MIDNIGHT_MARGIN_MS - BOGOTA_OFFSET_MS

// The lines with the key of x, in the days r. A line counts unless a later fetch of its day no longer has it.
const LINES_LIKE = (x: string): string => `
  reconciliation_runs r
  join statement_lines l
    on l.organization_id = ${x}.organization_id and l.rail = r.rail and l.day = r.day and l.line_key = ${x}.line_key
   and l.run >= r.compared_run`

export const IS_UUID = (text: string): string => `${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`

// The bookings t with the key of x, with the day of each and the day that lists it, if that is another. $1 is what bookings mean,
// $2 the rail, $3 its clearing account: two networks may give the same id and reference. A credit or a chargeback is booked under
// the payin, or the item in suspense. A debit under the payout, a return under the item that was returned. Only a confirmed payin has
// bookings, and only such are in the index by payment. What went over a connection is no network's of ours.
const BOOKINGS_LIKE_X = `
  lateral (select p.payin_id as subject_id, false as is_counted
             from payins p
            where x.movement in ('credit', 'chargeback') and p.status = 'CONFIRMED' and p.connection_id is null
              and p.organization_id = x.organization_id and p.rail = $2 and p.payment_id = split_part(x.line_key, ' ', 2)
            union all
           select s.suspense_id, s.state = 'COUNTED'
             from suspense_items s
            where x.movement in ('credit', 'chargeback')
              and s.organization_id = x.organization_id and s.rail = $2 and s.payment_id = split_part(x.line_key, ' ', 2)
            union all
           select case when ${IS_UUID(`split_part(x.line_key, ' ', 2)`)} then split_part(x.line_key, ' ', 2)::uuid end, false
            where x.movement in ('debit', 'return')) s
  join ledger_transfers t
    on t.organization_id = x.organization_id and t.subject_id = s.subject_id and $3 in (t.debit_account, t.credit_account)
   and not (s.is_counted and ${IS_RELEASED}) and not ${IS_CONNECTED}
  join ${BOOKING_MOVEMENT_ROWS} on m.booking = t.booking and m.movement = x.movement
 cross join lateral (select ${DAY_OF_ID('t.transfer_id')} as day) own
  left join bookings_of_other_days b on b.organization_id = t.organization_id and b.transfer_id = t.transfer_id`

export function bookingsOf(rail: Rail): string[] {
  return [JSON.stringify(BOOKING_MOVEMENTS), rail, clearingAccount(rail)]
}

// A line that this day no longer lists leaves its booking. The booking's own day is compared again: it may be without a line now,
// or have one that was taken for another's.
export async function releaseUnlisted(tx: Queryable, { rail, day }: Comparison, now: Instant): Promise<void> {
  await tx.query({
    text: `with listed as (
             select b.organization_id, b.transfer_id, coalesce(l.times, 0) as times,
                    row_number() over (partition by b.organization_id, b.line_key order by b.transfer_id) as number
               from organizations o
               join bookings_of_other_days b on b.organization_id = o.organization_id and b.rail = $1 and b.listed_on = $2
               left join compared_lines l on l.organization_id = b.organization_id and l.line_key = b.line_key
           ), released as (
             delete from bookings_of_other_days b
              using listed
              where b.organization_id = listed.organization_id and b.transfer_id = listed.transfer_id
                and listed.number > listed.times
          returning b.own_day
           )
           update reconciliation_runs
              set due_at = $3
            where rail = $1 and day in (select own_day from released) and state = 'DONE'
              and (due_at is null or due_at > $3)`,
    values: [rail, day, isoInstant(now)],
  })
}

// Money that only the network had is in our books now: the line that said so has the booking. The day of the booking must not
// count it a second time.
export async function giveToNetworkOnly(tx: Queryable, rail: Rail): Promise<void> {
  await tx.query({
    text: `with lines as (
             select x.organization_id, x.line_key, x.movement, x.day, x.network_cents,
                    row_number() over (partition by x.organization_id, x.line_key, x.network_cents order by x.day) as number
               from organizations o
               join reconciliation_findings x
                 on x.organization_id = o.organization_id and x.rail = $2 and x.state = 'OPEN' and x.kind = 'NETWORK_ONLY'
           ), bookings as (
             select x.organization_id, x.line_key, t.transfer_id, t.amount_cents, own.day,
                    row_number() over (partition by x.organization_id, x.line_key, t.amount_cents order by t.transfer_id) as number
               from (select distinct organization_id, line_key, movement from lines) x
              cross join ${BOOKINGS_LIKE_X}
              where b.transfer_id is null
           )
           insert into bookings_of_other_days (organization_id, transfer_id, rail, line_key, own_day, listed_on)
           select l.organization_id, k.transfer_id, $2, l.line_key, k.day, l.day
             from lines l
             join bookings k
               on k.organization_id = l.organization_id and k.line_key = l.line_key and k.amount_cents = l.network_cents
              and k.number = l.number and k.day <> l.day`,
    values: bookingsOf(rail),
  })
}

// All bookings and lines with the keys of what disagrees, of this day and others. There are few. What lines take of them is kept
// in a table of this transaction until it is remembered.
export async function collectOtherDays(tx: Queryable, { rail, day }: Comparison): Promise<void> {
  await createKeyedTables(tx)
  await tx.query({
    text: `insert into keyed_bookings
           select x.organization_id, x.line_key, t.transfer_id, t.amount_cents, own.day, b.listed_on
             from disagreements x
            cross join ${BOOKINGS_LIKE_X}`,
    values: bookingsOf(rail),
  })
  await tx.query({ text: 'analyze keyed_bookings' })
  await tx.query({
    text: KEYED_LINES('disagreements', 'r.day between $2::date - $3::integer and $2::date + $3::integer'),
    values: [rail, day, NEIGHBOR_DAYS],
  })
  const farBookings = `(select distinct organization_id, line_key, own_day
                          from keyed_bookings
                         where own_day not between $2::date - $3::integer and $2::date + $3::integer)`
  await tx.query({ text: KEYED_LINES(farBookings, 'r.day = x.own_day'), values: [rail, day, NEIGHBOR_DAYS] })
  await tx.query({ text: 'analyze keyed_lines' })
}

export async function createKeyedTables(tx: Queryable): Promise<void> {
  await tx.query({
    text: `create temporary table keyed_bookings (
             organization_id uuid, line_key text, transfer_id uuid, cents bigint, own_day date, listed_on date
           ) on commit drop`,
  })
  await tx.query({
    text: `create temporary table keyed_lines (
             organization_id uuid, line_key text, day date, times bigint, low_cents bigint, high_cents bigint
           ) on commit drop`,
  })
  await tx.query({
    text: `create temporary table taken_bookings (
             organization_id uuid, transfer_id uuid, line_key text, own_day date, listed_on date
           ) on commit drop`,
  })
}

// Each row looks its lines up: a join would read every line of every day.
const KEYED_LINES = (keys: string, days: string): string => `
  insert into keyed_lines
  select x.organization_id, x.line_key, l.day, l.times, l.low_cents, l.high_cents
    from ${keys} x
   cross join lateral (
          select l.day, sum(l.times) as times, min(l.amount_cents) as low_cents, max(l.amount_cents) as high_cents
            from ${LINES_LIKE('x')}
           where r.rail = $1 and ${days}
           group by l.day) l`

// A line may be of money that we booked on another day. It takes as many bookings as it is listed times, of those that no line
// of their own day needs: first those of its amount, then the nearest.
export async function takeBookingsOfOtherDays(tx: Queryable, { day }: Comparison): Promise<void> {
  await tx.query({
    text: `with filled as (
             select organization_id, line_key, listed_on as own_day, count(*) as number
               from keyed_bookings
              where listed_on is not null
              group by organization_id, line_key, listed_on
           ), ranked as (
             select b.*, l.times - coalesce(f.number, 0) as needed,
                    row_number() over (partition by b.organization_id, b.line_key, b.own_day
                                           order by coalesce(b.cents in (l.low_cents, l.high_cents), false) desc, b.transfer_id)
                      as number
               from keyed_bookings b
               left join keyed_lines l
                 on l.organization_id = b.organization_id and l.line_key = b.line_key and l.day = b.own_day
               left join filled f
                 on f.organization_id = b.organization_id and f.line_key = b.line_key and f.own_day = b.own_day
              where b.listed_on is null
           ), chosen as (
             select r.organization_id, r.line_key, r.transfer_id, r.cents, r.own_day, d.times,
                    row_number() over (partition by r.organization_id, r.line_key
                                           order by (r.cents in (d.low_cents, d.high_cents)) desc, abs(r.own_day - $1::date), r.transfer_id)
                      as choice
               from ranked r
               join disagreements d using (organization_id, line_key)
              where r.number > coalesce(r.needed, 0) and r.own_day <> $1::date
                and d.low_cents is not null and d.our_cents is null
           ), taken as (
             insert into taken_bookings
             select organization_id, transfer_id, line_key, own_day, $1::date
               from chosen
              where choice <= times
           )
           update disagreements d
              set our_cents = t.cents
             from (select organization_id, line_key, sum(cents) as cents
                     from chosen
                    where choice <= times
                    group by organization_id, line_key) t
            where d.organization_id = t.organization_id and d.line_key = t.line_key`,
    values: [day],
  })
}

// A line for which no booking is left, although there are some, repeats a line of another day. A chargeback of an amount that was
// not booked repeats nothing: a payment can be charged back in parts.
export async function markRepeated(tx: Queryable, { day }: Comparison): Promise<void> {
  await tx.query({
    text: `update disagreements d
              set repeated = true, times = greatest(d.times + k.times, 2), our_cents = k.cents
             from (select x.organization_id, x.line_key, coalesce(o.times, 0) as times,
                          coalesce(min(b.cents) filter (where b.cents = x.low_cents), sum(b.cents)) as cents,
                          bool_or(b.cents in (x.low_cents, x.high_cents)) as is_booked
                     from disagreements x
                     join keyed_bookings b using (organization_id, line_key)
                     left join (select organization_id, line_key, sum(times) as times
                                  from keyed_lines
                                 where day <> $1::date
                                 group by organization_id, line_key) o using (organization_id, line_key)
                    group by x.organization_id, x.line_key, o.times) k
            where d.organization_id = k.organization_id and d.line_key = k.line_key
              and d.low_cents is not null and d.our_cents is null
              and (d.movement <> 'chargeback' or k.is_booked)`,
    values: [day],
  })
}

// A booking of this day may be in the statement of another, in a line that has no booking yet. What is left of several bookings is
// ours only.
export async function takeLinesOfOtherDays(tx: Queryable, { day }: Comparison): Promise<void> {
  await tx.query({
    text: `with places as (
             select l.*, l.times - count(b.transfer_id) as free
               from keyed_lines l
               left join keyed_bookings b
                 on b.organization_id = l.organization_id and b.line_key = l.line_key and coalesce(b.listed_on, b.own_day) = l.day
              where l.day <> $1::date and l.day between $1::date - $2::integer and $1::date + $2::integer
              group by l.organization_id, l.line_key, l.day, l.times, l.low_cents, l.high_cents
             having l.times > count(b.transfer_id)
           ), numbered as (
             select p.*, sum(free) over (partition by organization_id, line_key order by abs(day - $1::date), day) as last
               from places p
           ), unlisted as (
             select b.organization_id, b.line_key, b.transfer_id, b.cents,
                    row_number() over (partition by b.organization_id, b.line_key order by b.transfer_id) as number
               from keyed_bookings b
               join disagreements d using (organization_id, line_key)
              where d.low_cents is null and b.own_day = $1::date and b.listed_on is null
           ), pairs as (
             select u.*, n.day, n.low_cents, n.high_cents
               from unlisted u
               left join numbered n
                 on n.organization_id = u.organization_id and n.line_key = u.line_key
                and u.number > n.last - n.free and u.number <= n.last
           ), taken as (
             insert into taken_bookings
             select organization_id, transfer_id, line_key, $1::date, day
               from pairs
              where day is not null
           )
           update disagreements d
              set elsewhere = p.all_listed,
                  low_cents = case when p.all_listed then p.low_cents end,
                  high_cents = case when p.all_listed then p.high_cents end,
                  our_cents = case when p.all_listed then d.our_cents else p.unlisted_cents end
             from (select organization_id, line_key, bool_and(day is not null) as all_listed,
                          sum(low_cents) as low_cents, sum(high_cents) as high_cents,
                          sum(cents) filter (where day is null) as unlisted_cents
                     from pairs
                    group by organization_id, line_key) p
            where d.organization_id = p.organization_id and d.line_key = p.line_key`,
    values: [day, NEIGHBOR_DAYS],
  })
}

// What was booked right before midnight is nearly always in the statement of the day before. If that has not come yet, nothing is
// missing: it is judged with that day, or when this one is compared again.
export async function leaveToDayBefore(
  tx: Queryable,
  { rail, day }: Comparison,
  from: Instant,
): Promise<void> {
  const waiting = await tx.query({
    text: `select 1 from reconciliation_runs where rail = $1 and day = $2::date - 1 and compared_run = 0`,
    values: [rail, day],
  })
  if (waiting.rowCount === 0) return
  await tx.query({
    text: `delete from disagreements d
            where d.low_cents is null and not d.elsewhere
              and not exists (select 1
                                from keyed_bookings b
                               where b.organization_id = d.organization_id and b.line_key = d.line_key
                                 and b.own_day = $1::date and b.listed_on is null and b.transfer_id >= $2)`,
    values: [day, firstIdAt(from)],
  })
}

// From now on these bookings are compared with the days that list them. Two comparisons that take the same booking at once cannot
// both be right: the second fails, and is made again.
export async function rememberTaken(tx: Queryable, rail: Rail): Promise<void> {
  await tx.query({
    text: `insert into bookings_of_other_days (organization_id, transfer_id, rail, line_key, own_day, listed_on)
           select organization_id, transfer_id, $1, line_key, own_day, listed_on
             from taken_bookings`,
    values: [rail],
  })
}

// The finding x is of bookings of its day that other days list, every one.
export const IS_LISTED_ELSEWHERE = `
  exists (select 1
            from bookings_of_other_days o
           where o.organization_id = x.organization_id and o.rail = $2 and o.own_day = x.day and o.line_key = x.line_key)
  and not exists (select 1 from ${BOOKINGS_LIKE_X} where own.day = x.day and b.transfer_id is null offset 0)`

// The finding x is of a line whose bookings, of its own day or of others, have its amount.
export const IS_SINCE_BOOKED = `
  x.network_cents = (select sum(t.amount_cents) from ${BOOKINGS_LIKE_X} where coalesce(b.listed_on, own.day) = x.day)`
