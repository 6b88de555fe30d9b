// The inbox: notices from the networks, under the networks' own ids. A repeated notice is one row.

import type { NetworkUpdate } from '../../core/connections/notice.ts'
import type { Rail } from '../../core/connections/rail.ts'
import type { Instant } from '../../core/instant.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import type { ReportedChargeback } from '../../core/ledger/chargebacks.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import type { Queryable } from '../db.ts'
import { type Alarm, UNLESS_RAISED } from '../ledger/alarms.ts'

export type StoredNotice = {
  organizationId: string
  rail: Rail
  noticeId: string
  subjectKind: 'payin' | 'payout'
  subjectId: string
  update: NetworkUpdate
  networkCode: string
  occurredAt: Instant
  receivedAt: Instant
  // What the network calls the payment. It is kept only where that names no organization of ours.
  reference?: string | null | undefined
}

// `dueAt` is when a worker claims the notice, unless it is applied by then. The default is at once. The alarm is raised with
// the notice, and not again for a notice that we already have.
export type NewNotice = StoredNotice & { dueAt?: Instant; alarm?: Alarm }

// Returns false for a notice that we already have.
export async function insertNotices(db: Queryable, notices: NewNotice[]): Promise<boolean[]> {
  const sorted = notices.toSorted((a, b) => (noticeKey(a) < noticeKey(b) ? -1 : 1))
  const result = await db.query<{ organization_id: string; rail: Rail; notice_id: string }>({
    name: 'insert-rail-notices',
    // A notice for an organization that does not exist is kept by the reserved one: work is found through organizations.
    text: `with incoming as (
             select r.*, coalesce(o.organization_id, $2::uuid) as keeper
               from json_to_recordset($1) as r (
                      organization_id uuid, rail text, notice_id text, subject_kind text, subject_id uuid, network_update jsonb,
                      network_code text, occurred_at timestamptz, received_at timestamptz, due_at timestamptz, reference text,
                      alarm_id uuid, alarm_kind text, alarm_detail text)
               left join organizations o using (organization_id)
           ), inserted as (
             insert into rail_notices (organization_id, rail, notice_id, subject_kind, subject_id, network_update, network_code,
                                       occurred_at, received_at, state, due_at, reference)
             select keeper, rail, notice_id, subject_kind, subject_id, network_update, network_code, occurred_at,
                    received_at, 'WAITING', due_at, case when keeper = $2::uuid then reference end
               from incoming
                 on conflict do nothing
          returning organization_id, rail, notice_id
           ), alarmed as (
             insert into alarms (organization_id, alarm_id, kind, subject_id, detail, created_at)
             select i.keeper, i.alarm_id, i.alarm_kind, i.subject_id, i.alarm_detail, i.received_at
               from inserted n
               join incoming i on i.keeper = n.organization_id and i.rail = n.rail and i.notice_id = n.notice_id
              where i.alarm_id is not null
             ${UNLESS_RAISED}
           )
           select i.organization_id, i.rail, i.notice_id
             from inserted n
             join incoming i on i.keeper = n.organization_id and i.rail = n.rail and i.notice_id = n.notice_id`,
    values: [JSON.stringify(sorted.map(noticeRow)), UNATTRIBUTED_ORGANIZATION],
  })
  const inserted = new Set(result.rows.map((row) => `${row.organization_id} ${row.rail} ${row.notice_id}`))
  return notices.map((notice) => inserted.delete(noticeKey(notice)))
}

// True if we have a notice under this id that says something else.
export async function contradictsStored(db: Queryable, notice: StoredNotice): Promise<boolean> {
  const result = await db.query({
    text: `select 1
             from rail_notices n
            where n.organization_id in (select organization_id from organizations where organization_id = $1
                                        union all
                                        select $2::uuid
                                         where not exists (select 1 from organizations where organization_id = $1))
              and n.rail = $3 and n.notice_id = $4
              and (n.subject_kind <> $5 or n.subject_id <> $6 or n.network_update <> $7::jsonb)`,
    values: [
      notice.organizationId,
      UNATTRIBUTED_ORGANIZATION,
      notice.rail,
      notice.noticeId,
      notice.subjectKind,
      notice.subjectId,
      JSON.stringify(amountsAsText(notice.update)),
    ],
  })
  return result.rowCount === 1
}

// What the network has reported before of chargebacks of one payment, as far as it was applied. It may have named the payment
// otherwise, or nobody, or the organization that has the payment.
export async function chargebacksReportedBefore(
  db: Queryable,
  notice: StoredNotice,
  paymentId: string,
  ownerId: string,
): Promise<ReportedChargeback[]> {
  const result = await db.query<{ noticeId: string; chargebackId: string | null; amount: string }>({
    name: 'chargebacks-reported-before',
    text: `select notice_id as "noticeId", network_update->>'chargebackId' as "chargebackId",
                  network_update->>'amountInCents' as amount
             from rail_notices
            where organization_id in ($1, $2, $6) and rail = $3 and state = 'DONE'
              and not (organization_id = $1 and notice_id = $4)
              and network_update->>'kind' = 'payin.chargeback' and network_update->>'paymentId' = $5`,
    values: [
      notice.organizationId,
      UNATTRIBUTED_ORGANIZATION,
      notice.rail,
      notice.noticeId,
      paymentId,
      ownerId,
    ],
  })
  return result.rows.map(({ amount, ...reported }) => ({ ...reported, amountInCents: BigInt(amount) }))
}

function noticeKey(notice: StoredNotice): string {
  return `${notice.organizationId} ${notice.rail} ${notice.noticeId}`
}

function noticeRow({ alarm, ...notice }: NewNotice): Record<string, unknown> {
  return {
    organization_id: notice.organizationId,
    rail: notice.rail,
    notice_id: notice.noticeId,
    subject_kind: notice.subjectKind,
    subject_id: notice.subjectId,
    network_update: amountsAsText(notice.update),
    network_code: notice.networkCode,
    occurred_at: isoInstant(Math.min(Math.max(notice.occurredAt, EARLIEST), LATEST)),
    received_at: isoInstant(notice.receivedAt),
    due_at: isoInstant(notice.dueAt ?? notice.receivedAt),
    reference: notice.reference,
    ...(alarm && { alarm_id: alarm.alarmId, alarm_kind: alarm.kind, alarm_detail: alarm.detail }),
  }
}

// A network may name any time. What the database cannot hold is no reason to refuse the notice.
const EARLIEST: Instant = Date.parse('0001-01-01T00:00:00.000Z')
const LATEST: Instant = Date.parse('9999-12-31T23:59:59.999Z')

// JSON has no bigint, so the amount is stored as text.
function amountsAsText(update: NetworkUpdate): Record<string, unknown> {
  return 'amountInCents' in update ? { ...update, amountInCents: update.amountInCents.toString() } : update
}

function amountsAsBigint(update: Record<string, unknown>): NetworkUpdate {
  const amount = update.amountInCents
  return (typeof amount === 'string' ? { ...update, amountInCents: BigInt(amount) } : update) as NetworkUpdate
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
        returning organization_id, rail, notice_id, subject_kind, subject_id, network_update, network_code, occurred_at,
                  received_at, reference`,
    values: [organizationId, isoInstant(now), isoInstant(until), limit],
  })
  return result.rows
    .map((row) => ({
      organizationId: row.organization_id,
      rail: row.rail,
      noticeId: row.notice_id,
      subjectKind: row.subject_kind,
      subjectId: row.subject_id,
      update: amountsAsBigint(row.network_update),
      networkCode: row.network_code,
      occurredAt: row.occurred_at,
      receivedAt: row.received_at,
      reference: row.reference,
    }))
    .sort((a, b) => a.occurredAt - b.occurredAt || a.receivedAt - b.receivedAt)
}

type NoticeRow = {
  organization_id: string
  rail: Rail
  notice_id: string
  subject_kind: 'payin' | 'payout'
  subject_id: string
  network_update: Record<string, unknown>
  network_code: string
  occurred_at: Instant
  received_at: Instant
  reference: string | null
}

// Defers a notice. A null `dueAt` gives it up as an orphan: we know nothing that it concerns.
export async function deferNotice(db: Queryable, notice: StoredNotice, dueAt: Instant | null): Promise<void> {
  await db.query({
    name: 'defer-rail-notice',
    text: `update rail_notices
              set due_at = $4, state = case when $4::timestamptz is null then 'ORPHAN' else state end
            where organization_id = $1 and rail = $2 and notice_id = $3 and state = 'WAITING'`,
    values: [notice.organizationId, notice.rail, notice.noticeId, isoOrNull(dueAt)],
  })
}

// For a notice that changes nothing: it reports what we already know.
export async function finishNotice(db: Queryable, notice: StoredNotice): Promise<void> {
  await db.query({
    name: 'finish-rail-notice',
    text: `update rail_notices
              set state = 'DONE', due_at = null
            where organization_id = $1 and rail = $2 and notice_id = $3`,
    values: [notice.organizationId, notice.rail, notice.noticeId],
  })
}
