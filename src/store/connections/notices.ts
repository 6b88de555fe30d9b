// The inbox: what networks told us, under their own id. A notice told twice is one row.

import type { NetworkUpdate } from '../../core/connections/notice.ts'
import type { Rail } from '../../core/connections/rail.ts'
import type { Instant } from '../../core/instant.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

export type StoredNotice = {
  organizationId: string
  rail: Rail
  noticeId: string
  subjectKind: 'payin' | 'payout'
  subjectId: string
  happening: NetworkUpdate
  networkCode: string
  occurredAt: Instant
  receivedAt: Instant
}

// When a worker is to look at it, unless somebody has worked it out by then; at once where nothing is said.
export type NewNotice = StoredNotice & { dueAt?: Instant }

// False for a notice that was there already.
export async function insertNotices(db: Queryable, notices: NewNotice[]): Promise<boolean[]> {
  const sorted = notices.toSorted((a, b) => (noticeKey(a) < noticeKey(b) ? -1 : 1))
  const result = await db.query<{ organization_id: string; rail: Rail; notice_id: string }>({
    name: 'insert-rail-notices',
    text: `insert into rail_notices (organization_id, rail, notice_id, subject_kind, subject_id, happening, network_code,
                                     occurred_at, received_at, state, due_at)
           select organization_id, rail, notice_id, subject_kind, subject_id, happening, network_code, occurred_at,
                  received_at, 'WAITING', due_at
             from json_to_recordset($1) as r (
                    organization_id uuid, rail text, notice_id text, subject_kind text, subject_id uuid, happening jsonb,
                    network_code text, occurred_at timestamptz, received_at timestamptz, due_at timestamptz)
               on conflict do nothing
        returning organization_id, rail, notice_id`,
    values: [JSON.stringify(sorted.map(noticeRow))],
  })
  const inserted = new Set(result.rows.map((row) => `${row.organization_id} ${row.rail} ${row.notice_id}`))
  return notices.map((notice) => inserted.delete(noticeKey(notice)))
}

function noticeKey(notice: StoredNotice): string {
  return `${notice.organizationId} ${notice.rail} ${notice.noticeId}`
}

function noticeRow(notice: NewNotice): Record<string, unknown> {
  return {
    organization_id: notice.organizationId,
    rail: notice.rail,
    notice_id: notice.noticeId,
    subject_kind: notice.subjectKind,
    subject_id: notice.subjectId,
    happening: amountsAsText(notice.happening),
    network_code: notice.networkCode,
    occurred_at: isoInstant(notice.occurredAt),
    received_at: isoInstant(notice.receivedAt),
    due_at: isoInstant(notice.dueAt ?? notice.receivedAt),
  }
}

// JSON has no bigint: the amount is kept as text.
function amountsAsText(happening: NetworkUpdate): Record<string, unknown> {
  return 'amountInCents' in happening
    ? { ...happening, amountInCents: happening.amountInCents.toString() }
    : happening
}

function amountsAsBigint(happening: Record<string, unknown>): NetworkUpdate {
  const amount = happening.amountInCents
  return (
    typeof amount === 'string' ? { ...happening, amountInCents: BigInt(amount) } : happening
  ) as NetworkUpdate
}

export async function claimDueNotices(
  db: Queryable,
  organizationId: string,
  now: Instant,
  until: Instant,
  limit: number,
): Promise<StoredNotice[]> {
  const result = await db.query<NoticeRow>({
    name: 'claim-due-notices',
    text: `with due as materialized (
             select rail, notice_id
               from rail_notices
              where organization_id = $1 and due_at <= $2
              order by due_at
              limit $4
                for update skip locked
           )
           update rail_notices
              set due_at = $3
            where organization_id = $1
              and (rail, notice_id) in (select rail, notice_id from due)
        returning organization_id, rail, notice_id, subject_kind, subject_id, happening, network_code, occurred_at,
                  received_at`,
    values: [organizationId, isoInstant(now), isoInstant(until), limit],
  })
  return result.rows
    .map((row) => ({
      organizationId: row.organization_id,
      rail: row.rail,
      noticeId: row.notice_id,
      subjectKind: row.subject_kind,
      subjectId: row.subject_id,
      happening: amountsAsBigint(row.happening),
      networkCode: row.network_code,
      occurredAt: row.occurred_at,
      receivedAt: row.received_at,
    }))
    .sort((a, b) => a.occurredAt - b.occurredAt || a.receivedAt - b.receivedAt)
}

type NoticeRow = {
  organization_id: string
  rail: Rail
  notice_id: string
  subject_kind: 'payin' | 'payout'
  subject_id: string
  happening: Record<string, unknown>
  network_code: string
  occurred_at: Instant
  received_at: Instant
}

// Puts a notice off, or gives it up as about nothing we know (`dueAt` null).
export async function deferNotice(db: Queryable, notice: StoredNotice, dueAt: Instant | null): Promise<void> {
  await db.query({
    name: 'defer-rail-notice',
    text: `update rail_notices
              set due_at = $4, state = case when $4::timestamptz is null then 'ORPHAN' else state end
            where organization_id = $1 and rail = $2 and notice_id = $3 and state = 'WAITING'`,
    values: [notice.organizationId, notice.rail, notice.noticeId, isoOrNull(dueAt)],
  })
}

// A notice that changes nothing: it told what we know.
export async function finishNotice(db: Queryable, notice: StoredNotice): Promise<void> {
  await db.query({
    name: 'finish-rail-notice',
    text: `update rail_notices
              set state = 'DONE', due_at = null
            where organization_id = $1 and rail = $2 and notice_id = $3`,
    values: [notice.organizationId, notice.rail, notice.noticeId],
  })
}
