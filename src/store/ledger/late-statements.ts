// Alarms about days that are not compared, because their statement does not come or the comparison fails: one for each day and
// rail, until the day is compared. They belong to nobody's organization, because a statement is for all.

import type { Day } from '../../core/bogota-day.ts'
import type { Rail } from '../../core/connections/rail.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import type { LateDays } from '../../core/ledger/reconciliation.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import type { Queryable } from '../db.ts'
import { idPrefix } from './findings.ts'

// A day that was never asked for has no failure, and is asked for first. One that was begun and has none may have ended a process
// each time.
export async function raiseLateAlarms(
  db: Queryable,
  rails: readonly Rail[],
  late: LateDays,
  now: Instant,
): Promise<void> {
  await db.query({
    name: 'raise-late-alarms',
    text: `with late as (
             update reconciliation_runs
                -- Every machine has this table, and must come to the same id: it is made of the day and of the time of the call.
                set late_alarm_id = overlay(md5(rail || (day - date '2000-01-01')::text || $4)::uuid::text
                                            placing $4 from 1 for 15)::uuid
              where rail = any($1)
                and day <= case when compared_run = 0 then $2::date else $3::date end
                and (failure is not null or state in ('FETCHING', 'COMPARING') and started_at <= $7)
                and late_alarm_id is null
          returning rail, day, failure, late_alarm_id
           )
           insert into alarms (organization_id, alarm_id, kind, subject_id, detail, created_at)
           select $6::uuid, late_alarm_id, 'statement-late', $6::uuid,
                  rail || ' on ' || day || ': the day should have been compared a day ago, and is not: '
                       || coalesce(failure, 'it was begun and never finished'), $5
             from late`,
    values: [
      rails,
      late.compared,
      late.comparedAgain,
      idPrefix(now),
      isoInstant(now),
      UNATTRIBUTED_ORGANIZATION,
      isoInstant(late.begunUntil),
    ],
  })
}

// The day is compared.
export async function resolveLateAlarm(
  tx: Queryable,
  { rail, day }: { rail: Rail; day: Day },
  now: Instant,
): Promise<void> {
  await tx.query({
    text: `with compared as (
             select late_alarm_id from reconciliation_runs where rail = $1 and day = $2
           ), cleared as (
             update reconciliation_runs set late_alarm_id = null where rail = $1 and day = $2
           )
           update alarms a
              set resolved_at = $3
             from compared
            where a.organization_id = $4 and a.alarm_id = compared.late_alarm_id and a.resolved_at is null`,
    values: [rail, day, isoInstant(now), UNATTRIBUTED_ORGANIZATION],
  })
}
