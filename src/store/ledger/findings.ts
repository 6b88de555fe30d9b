// What a comparison found: written once, raised as alarms once, and resolved when it no longer holds. Money that the network has
// and we do not goes into the inbox as if the network had notified us of it.

import type { Rail } from '../../core/connections/rail.ts'
import { firstIdAt } from '../../core/ids.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import type { Queryable } from '../db.ts'
import type { Comparison } from './comparison.ts'
import { bookingsOf, IS_LISTED_ELSEWHERE, IS_SINCE_BOOKED } from './other-days.ts'

// Each comparison raises at most this many alarms for the findings of one kind in one organization. One more alarm counts the rest.
const ALARMS_OF_A_KIND = 100

// A new id of a time, made by the database.
export const newId = (prefix: string): string =>
  `overlay(gen_random_uuid()::text placing ${prefix} from 1 for 15)::uuid`

export function idPrefix(now: Instant): string {
  return `${firstIdAt(now).slice(0, 14)}7`
}

// One movement can be wrong in several ways. Of a credit that is listed with two amounts and that we do not have, the lower one is
// sure to have come. A payout's lines are known by our reference, so their ids are compared apart.
export async function classifyDisagreements(tx: Queryable, { rail, day, run }: Comparison): Promise<void> {
  await tx.query({
    text: `create temporary table found (
             organization_id uuid, kind text, line_key text, movement text, reference text, network_id text,
             network_cents bigint, our_cents bigint, times integer, subject_id uuid, occurred_at timestamptz,
             repeated boolean, our_trace text, is_part boolean, is_new boolean
           ) on commit drop`,
  })
  await tx.query({
    text: `insert into found
           select d.organization_id, k.kind, d.line_key, d.movement, d.reference, d.network_id,
                  case when k.kind <> 'NETWORK_ONLY' and (d.our_cents is null or d.low_cents = d.our_cents) then d.high_cents
                       else d.low_cents end,
                  d.our_cents, coalesce(d.times, 0), d.subject_id, d.occurred_at, d.repeated, null, d.is_part, false
             from disagreements d
             join lateral (
                    select case when d.low_cents is null then 'OURS_ONLY'
                                when d.our_cents is null and (d.low_cents = d.high_cents or d.movement = 'credit')
                                then 'NETWORK_ONLY' end as kind
                     union all
                    select 'AMOUNT_DIFFERS' where d.low_cents <> d.high_cents or d.our_cents <> d.low_cents
                     union all
                    select 'DOUBLED' where d.times > 1
                     union all
                    select 'OTHER_DAY' where d.other_day) k on k.kind is not null
            union all
           (select distinct on (c.organization_id, c.line_key)
                   c.organization_id, 'TRACE_DIFFERS', c.line_key, l.movement, l.reference, l.network_id, l.amount_cents,
                   p.amount_cents, c.times, p.payout_id, l.occurred_at, false, p.trace_id, false, false
              from compared_lines c
              join statement_lines l
                on l.organization_id = c.organization_id and l.rail = $1 and l.day = $2 and l.line_key = c.line_key
               and l.run = $3
              join payouts p on p.organization_id = l.organization_id and p.payout_id = l.subject_id
             where c.line_key like 'debit %' and l.network_id <> p.trace_id
             order by c.organization_id, c.line_key, l.network_id, l.amount_cents)
            union all
           select l.organization_id, 'UNREADABLE', l.line_key, null, nullif(l.reference, ''), null, null, null, l.times,
                  l.subject_id, null, false, null, false, false
             from organizations o
             join statement_lines l on l.organization_id = o.organization_id and l.rail = $1 and l.day = $2
            where l.run = $3 and l.movement is null`,
    values: [rail, day, run],
  })
}

// Those that no earlier comparison of the day has made. Another part of a payment is another finding.
export async function markNewFindings(tx: Queryable, { rail, day }: Comparison): Promise<void> {
  await tx.query({
    text: `update found n
              set is_new = true
            where not exists (select 1
                                from reconciliation_findings f
                               where f.organization_id = n.organization_id and f.rail = $1 and f.day = $2
                                 and f.kind = n.kind and f.line_key = n.line_key
                                 and (f.network_cents = n.network_cents or not n.is_part) and f.state = 'OPEN')`,
    values: [rail, day],
  })
}

export async function writeFindings(
  tx: Queryable,
  { rail, day, run }: Comparison,
  now: Instant,
): Promise<void> {
  await tx.query({
    text: `insert into reconciliation_findings as f (
                    organization_id, finding_id, rail, day, kind, line_key, movement, reference, network_id, network_cents,
                    our_cents, times, subject_id, state, run, created_at)
           select organization_id, ${newId('$5')}, $1, $2, kind, line_key, movement, reference, network_id, network_cents,
                  our_cents, times, subject_id, 'OPEN', $3, $4
             from found
               on conflict (organization_id, rail, day, kind, line_key) do update
              set reference = excluded.reference, network_id = excluded.network_id, network_cents = excluded.network_cents,
                  our_cents = excluded.our_cents, times = excluded.times, state = 'OPEN', run = excluded.run, resolved_at = null`,
    values: [rail, day, run, isoInstant(now), idPrefix(now)],
  })
}

// One alarm for each new finding, up to a number; the rest share one.
export async function raiseAlarms(tx: Queryable, { rail, day }: Comparison, now: Instant): Promise<void> {
  await tx.query({
    text: `with fresh as (
             select n.*, ${newId('$3')} as alarm_id,
                    row_number() over (partition by organization_id, kind order by line_key) as number
               from found n
              where is_new
           ), shared as (
             select organization_id, kind, ${newId('$3')} as alarm_id, count(*) as number,
                    coalesce(sum(coalesce(network_cents, our_cents)), 0) as cents
               from fresh
              where number > $5
              group by organization_id, kind
           ), raised as (
             insert into alarms (organization_id, alarm_id, kind, subject_id, detail, created_at)
             select organization_id, alarm_id, 'reconciliation', coalesce(subject_id, $6::uuid),
                    $1 || ' on ' || $2 || ', ' || coalesce(movement, 'a line') || ' '
                       || coalesce(network_id, reference, ${KEY_ALONE}) || ': ' || ${WHAT_IS_WRONG},
                    $4::timestamptz
               from fresh
              where number <= $5
              union all
             select organization_id, alarm_id, 'reconciliation', $6::uuid,
                    $1 || ' on ' || $2 || ': ' || number || ' more findings of kind ' || kind || ', ' || cents || ' cents',
                    $4::timestamptz
               from shared
           )
           update reconciliation_findings f
              set alarm_id = coalesce(shared.alarm_id, fresh.alarm_id)
             from fresh
             left join shared
               on fresh.number > $5 and shared.organization_id = fresh.organization_id and shared.kind = fresh.kind
            where f.organization_id = fresh.organization_id and f.rail = $1 and f.day = $2::date and f.kind = fresh.kind
              and f.line_key = fresh.line_key`,
    values: [rail, day, idPrefix(now), isoInstant(now), ALARMS_OF_A_KIND, UNATTRIBUTED_ORGANIZATION],
  })
}

// A key begins with its movement, which stands before it already.
const KEY_ALONE = `case when movement is null then line_key else substr(line_key, length(movement) + 2) end`

const WHAT_IS_WRONG = `case kind
    when 'NETWORK_ONLY' then 'the network has ' || network_cents || ' cents that we do not have'
    when 'OURS_ONLY' then 'we have ' || our_cents || ' cents that the network does not have'
    when 'AMOUNT_DIFFERS' then 'the network has ' || network_cents || ' cents, we have ' || coalesce(our_cents::text, 'nothing')
    when 'TRACE_DIFFERS' then 'the network paid the payout under this id, and told us ' || our_trace
    when 'DOUBLED' then 'the network lists it ' || times || ' times' || case when repeated then ', on several days' else '' end
    when 'OTHER_DAY' then 'the network dates it on another day'
    else 'the line cannot be read' end`

// Every credit becomes a notice: if it fits no payin, its money goes to suspense. So does every chargeback, which is booked where its
// payment is; one of several parts has an id of its own. A debit becomes one only if it names an organization of ours. A return does
// not: a person must look at it.
export async function insertNoticesOfNetworkOnly(
  tx: Queryable,
  { rail, day }: Comparison,
  now: Instant,
): Promise<number> {
  const result = await tx.query({
    text: `insert into rail_notices (organization_id, rail, notice_id, subject_kind, subject_id, network_update, network_code,
                                     occurred_at, received_at, state, due_at)
           select organization_id, $1, 'statement:' || $2 || case movement when 'credit' then ':' else ':' || movement || ':' end
                                                    || network_id || case when is_part then ':' || network_cents else '' end,
                  case movement when 'debit' then 'payout' else 'payin' end,
                  coalesce(subject_id, md5($1 || ' ' || network_id)::uuid),
                  case movement
                    when 'debit' then jsonb_build_object('kind', 'payout.completed', 'traceId', network_id)
                    else jsonb_build_object('kind', case movement when 'credit' then 'payin.paid' else 'payin.chargeback' end,
                                            'amountInCents', network_cents::text, 'paymentId', network_id) end,
                  'STATEMENT', occurred_at, $3, 'WAITING', $3
             from found
            where kind = 'NETWORK_ONLY'
              and (movement in ('credit', 'chargeback') or (movement = 'debit' and organization_id <> $4))
               on conflict do nothing`,
    values: [rail, day, isoInstant(now), UNATTRIBUTED_ORGANIZATION],
  })
  return result.rowCount ?? 0
}

// A payout that was confirmed without the network's id of it. The statement has the id, and tells it as a notice would. With two
// ids the line is doubled, and a person must say which it is.
export async function insertNoticesOfTraces(
  tx: Queryable,
  { rail, day, run }: Comparison,
  now: Instant,
): Promise<number> {
  const result = await tx.query({
    text: `insert into rail_notices (organization_id, rail, notice_id, subject_kind, subject_id, network_update, network_code,
                                     occurred_at, received_at, state, due_at)
           select p.organization_id, $1, 'statement:' || $2 || ':debit:' || min(l.network_id), 'payout', p.payout_id,
                  jsonb_build_object('kind', 'payout.completed', 'traceId', min(l.network_id)), 'STATEMENT', min(l.occurred_at),
                  $4, 'WAITING', $4
             from compared_lines c
             join statement_lines l
               on l.organization_id = c.organization_id and l.rail = $1 and l.day = $2::date and l.line_key = c.line_key
              and l.run = $3
             join payouts p on p.organization_id = l.organization_id and p.payout_id = l.subject_id
            where c.line_key like 'debit %' and p.trace_id is null and (p.status = 'CONFIRMED' or p.stage = 'STOPPED')
            group by p.organization_id, p.payout_id
           having min(l.network_id) = max(l.network_id)
               on conflict do nothing`,
    values: [rail, day, run, isoInstant(now)],
  })
  return result.rowCount ?? 0
}

// What an earlier comparison of this day found and this one does not. The network has corrected its record, or we have booked
// what was missing.
export async function resolveGone(
  tx: Queryable,
  { rail, day, run }: Comparison,
  now: Instant,
): Promise<void> {
  await tx.query({
    text: `with resolved as (
             update reconciliation_findings f
                set state = 'RESOLVED', resolved_at = $4
               from organizations o
              where f.organization_id = o.organization_id and f.rail = $1 and f.day = $2 and f.state = 'OPEN' and f.run < $3
          returning f.organization_id, f.finding_id, f.alarm_id, f.kind
           ) ${RESOLVE_ALARMS('$1')}`,
    values: [rail, day, run, isoInstant(now)],
  })
}

// What is missing in one day's statement may stand in another's.
export async function resolveListedOnOtherDay(tx: Queryable, rail: Rail, now: Instant): Promise<void> {
  await tx.query({
    text: `with resolved as (
             update reconciliation_findings x
                set state = 'RESOLVED', resolved_at = $4
               from organizations g
              where x.organization_id = g.organization_id and x.rail = $2 and x.state = 'OPEN' and x.kind = 'OURS_ONLY'
                and ${IS_LISTED_ELSEWHERE}
          returning x.organization_id, x.finding_id, x.alarm_id, x.kind
           ) ${RESOLVE_ALARMS('$2')}`,
    values: [...bookingsOf(rail), isoInstant(now)],
  })
}

// Money that was missing is in our books now. Its alarm stays: a person should know that the network did not notify us.
export async function resolveSinceBooked(tx: Queryable, rail: Rail, now: Instant): Promise<void> {
  await tx.query({
    text: `update reconciliation_findings x
              set state = 'RESOLVED', resolved_at = $4
             from organizations g
            where x.organization_id = g.organization_id and x.rail = $2 and x.state = 'OPEN' and x.kind = 'NETWORK_ONLY'
              and ${IS_SINCE_BOOKED}`,
    values: [...bookingsOf(rail), isoInstant(now)],
  })
}

// Ends the alarms of findings that were resolved. One that several share ends with the last of them.
export const RESOLVE_ALARMS = (rail: string, at = '$4'): string => `
  update alarms a
     set resolved_at = ${at}
    from (select distinct organization_id, alarm_id from resolved where kind <> 'NETWORK_ONLY') ended
   where a.organization_id = ended.organization_id and a.alarm_id = ended.alarm_id and a.resolved_at is null
     and not exists (select 1
                       from reconciliation_findings f
                      where f.organization_id = a.organization_id and f.rail = ${rail} and f.alarm_id = a.alarm_id
                        and f.state = 'OPEN'
                        and f.finding_id not in (select finding_id from resolved))`
