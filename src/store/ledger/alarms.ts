// Alarms: problems that a person must check. The same problem of the same subject is written once, however often it is seen.

import type { Actor } from '../../core/audit/actor.ts'
import type { Instant } from '../../core/instant.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import type { AlarmKind } from '../../core/ledger/alarm.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, type ListCase, listOf } from '../keyset-list.ts'

export type Alarm = { alarmId: string; kind: AlarmKind; detail: string }

export type AlarmRow = {
  organizationId: string
  alarmId: string
  kind: AlarmKind
  subjectId: string
  detail: string
  createdAt: Instant
}

// Whoever takes or resolves an alarm, as staff know them.
export type AlarmHolder = Pick<Actor, 'kind' | 'id' | 'name'>

export type ListedAlarm = Omit<AlarmRow, 'organizationId'> & {
  takenBy: AlarmHolder | null
  takenAt: Instant | null
  resolvedBy: AlarmHolder | null
  resolvedAt: Instant | null
  // The word of whoever resolved it, sealed.
  resolution: string | null
}

export const LISTED_ALARM_COLUMNS = `alarm_id as "alarmId", kind, subject_id as "subjectId", detail,
  created_at as "createdAt", taken_by as "takenBy", taken_at as "takenAt", resolved_by as "resolvedBy",
  resolved_at as "resolvedAt", resolution`

export type AlarmFilters = IdBounds & { kind?: AlarmKind; isOpen?: boolean }

export const alarmList = listOf<AlarmFilters, ListedAlarm, ListedAlarm>({
  table: 'alarms',
  idColumn: 'alarm_id',
  columns: LISTED_ALARM_COLUMNS,
  cases: ({ kind, isOpen }): ListCase[] => [
    {
      ...(isOpen !== undefined && { indexed: `resolved_at is ${isOpen ? 'null' : 'not null'}` }),
      also: [['kind', kind]],
    },
  ],
  read: (row) => row,
})

// An alarm a counts as raised, also after a person has resolved it. What is still unresolved a day after that is said again.
export const IS_RAISED = (at: string): string =>
  `(a.resolved_at is null or a.kind not in ('payin-unresolved', 'payout-unresolved', 'refund-unresolved')
    or a.resolved_at > ${at}::timestamptz - interval '1 day')`

// Ends an insert of alarms. Of two that raise the same alarm at once, neither sees the other's, and the second writes nothing.
export const UNLESS_RAISED = `on conflict (organization_id, subject_id, kind, md5(detail))
  where resolved_at is null and kind <> 'reconciliation'
     do nothing`

export async function insertAlarm(
  db: Queryable,
  organizationId: string,
  subjectId: string,
  alarm: Alarm,
  now: Instant,
): Promise<void> {
  await db.query({
    text: `insert into alarms (organization_id, alarm_id, kind, subject_id, detail, created_at)
           select $1, $2, $3, $4, $5, $6
            where not exists (select 1
                                from alarms a
                               where a.organization_id = $1 and a.subject_id = $4 and a.kind = $3 and a.detail = $5
                                 and ${IS_RAISED('$6')})
           ${UNLESS_RAISED}`,
    values: [organizationId, alarm.alarmId, alarm.kind, subjectId, alarm.detail, isoInstant(now)],
  })
}

// Of abuse by one subject there is one open alarm, whatever its detail says.
export async function insertAbuseAlarm(
  db: Queryable,
  organizationId: string,
  subjectId: string,
  alarm: Alarm,
  now: Instant,
): Promise<void> {
  await db.query({
    text: `insert into alarms (organization_id, alarm_id, kind, subject_id, detail, created_at)
           values ($1, $2, $3, $4, $5, $6)
               on conflict do nothing`,
    values: [organizationId, alarm.alarmId, alarm.kind, subjectId, alarm.detail, isoInstant(now)],
  })
}

export async function listOpenAlarms(db: Queryable): Promise<AlarmRow[]> {
  const result = await db.query<AlarmRow>({
    text: `select organization_id as "organizationId", alarm_id as "alarmId", kind, subject_id as "subjectId", detail,
                  created_at as "createdAt"
             from alarms
            where resolved_at is null
            order by created_at`,
  })
  return result.rows
}

// Undefined if there is no such alarm, or it was resolved before.
export async function resolveAlarm(
  db: Queryable,
  alarmId: string,
  now: Instant,
): Promise<Omit<AlarmRow, 'createdAt' | 'detail'> | undefined> {
  const result = await db.query<Omit<AlarmRow, 'createdAt' | 'detail'>>({
    text: `update alarms
              set resolved_at = $2
            where alarm_id = $1 and resolved_at is null
        returning organization_id as "organizationId", alarm_id as "alarmId", kind, subject_id as "subjectId"`,
    values: [alarmId, isoInstant(now)],
  })
  return result.rows[0]
}

export type AlarmAddress = { readonly organizationId: string; readonly alarmId: string }

export async function lockAlarm(
  tx: Queryable,
  { organizationId, alarmId }: AlarmAddress,
): Promise<ListedAlarm | undefined> {
  const result = await tx.query<ListedAlarm>({
    text: `select ${LISTED_ALARM_COLUMNS} from alarms where organization_id = $1 and alarm_id = $2 for update`,
    values: [organizationId, alarmId],
  })
  return result.rows[0]
}

// Of an alarm that is locked: who has it, and how it ended.
export async function updateAlarm(
  tx: Queryable,
  organizationId: string,
  alarm: Pick<ListedAlarm, 'alarmId' | 'takenBy' | 'takenAt' | 'resolvedBy' | 'resolvedAt' | 'resolution'>,
): Promise<void> {
  const json = (holder: AlarmHolder | null) => (holder === null ? null : JSON.stringify(holder))
  await tx.query({
    text: `update alarms
              set taken_by = $3, taken_at = $4, resolved_by = $5, resolved_at = $6, resolution = $7
            where organization_id = $1 and alarm_id = $2`,
    values: [
      organizationId,
      alarm.alarmId,
      json(alarm.takenBy),
      isoOrNull(alarm.takenAt),
      json(alarm.resolvedBy),
      isoOrNull(alarm.resolvedAt),
      alarm.resolution,
    ],
  })
}
