// Alarms that are to be told by e-mail or by an incoming webhook, and the mails about them. An alarm waits with its own row until it is
// handed on as mails, one for each address and one without for the webhook; a mail is found by its time, and claimed one by one, because sending takes longer than claiming.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { MailedAlarm } from '../../core/ledger/alarm-mail.ts'
import type { Queryable } from '../db.ts'

// Whose alarms are to be told. Where no e-mail is sent, only those that have a webhook.
export async function listOrganizationsToTell(
  db: Queryable,
  now: Instant,
  limit: number,
  sendsMail = true,
): Promise<string[]> {
  const result = await db.query<{ organizationId: string }>({
    name: 'list-organizations-to-tell',
    text: `select distinct a.organization_id as "organizationId"
             from alarms a
             join organizations o on o.organization_id = a.organization_id
            where a.mail_due_at <= $1 and ($3 or o.alarm_webhook_url is not null)
            limit $2`,
    values: [isoInstant(now), limit, sendsMail],
  })
  return result.rows.map(({ organizationId }) => organizationId)
}

export type AlarmToMail = MailedAlarm & { readonly isOpen: boolean }

// All that wait, also those that are put off. Under the organization's lock: of two that ask, the second finds what the first left.
export async function listAlarmsToTell(
  tx: Queryable,
  organizationId: string,
  limit: number,
): Promise<AlarmToMail[]> {
  const result = await tx.query<AlarmToMail>({
    name: 'list-alarms-to-tell',
    text: `select alarm_id as "alarmId", kind, created_at as "createdAt", resolved_at is null as "isOpen"
             from alarms
            where organization_id = $1 and mail_due_at is not null
            order by alarm_id
            limit $2`,
    values: [organizationId, limit],
  })
  return result.rows
}

// Of those that are still open.
export async function countAlarmsTold(
  db: Queryable,
  organizationId: string,
  since: Instant,
): Promise<number> {
  const result = await db.query<{ count: number }>({
    name: 'count-alarms-told',
    text: `select count(*)::integer as count
             from alarms
            where organization_id = $1 and resolved_at is null and mail_due_at is null and created_at > $2`,
    values: [organizationId, isoInstant(since)],
  })
  return result.rows[0]?.count ?? 0
}

// Null: they are handed on, or nobody is to be told.
export async function setAlarmsDue(
  tx: Queryable,
  organizationId: string,
  alarmIds: readonly string[],
  dueAt: Instant | null,
): Promise<void> {
  await tx.query({
    name: 'set-alarms-due',
    text: `update alarms set mail_due_at = $3 where organization_id = $1 and alarm_id = any($2::uuid[])`,
    values: [organizationId, alarmIds, dueAt === null ? null : isoInstant(dueAt)],
  })
}

export type AlarmMailAddress = { readonly organizationId: string; readonly mailId: string }
export type NewAlarmMail = {
  readonly mailId: string
  // Null: to the organization's webhook.
  readonly email: string | null
  readonly alarmIds: readonly string[]
}

export async function insertAlarmMail(
  tx: Queryable,
  organizationId: string,
  { mailId, email, alarmIds }: NewAlarmMail,
  now: Instant,
): Promise<void> {
  await tx.query({
    name: 'insert-alarm-mail',
    text: `insert into alarm_mails (organization_id, mail_id, email, alarm_ids, due_at, created_at)
           values ($1, $2, $3, $4::uuid[], $5, $5)`,
    values: [organizationId, mailId, email, alarmIds, isoInstant(now)],
  })
}

// Those that have waited longest first. Where no e-mail is sent, only those to webhooks.
export async function listDueAlarmMails(
  db: Queryable,
  now: Instant,
  limit: number,
  sendsMail = true,
): Promise<AlarmMailAddress[]> {
  const result = await db.query<AlarmMailAddress>({
    name: 'list-due-alarm-mails',
    text: `select organization_id as "organizationId", mail_id as "mailId"
             from alarm_mails
            where due_at <= $1 and ($3 or email is null)
            order by due_at
            limit $2`,
    values: [isoInstant(now), limit, sendsMail],
  })
  return result.rows
}

// `attempts` counts this one too.
export type AlarmMailClaim = AlarmMailAddress & {
  readonly email: string | null
  readonly alarmIds: readonly string[]
  readonly attempts: number
  readonly createdAt: Instant
  readonly until: Instant
}

// Undefined if somebody else has it. Until the lease ends, nobody else sends it.
export async function claimAlarmMail(
  db: Queryable,
  { organizationId, mailId }: AlarmMailAddress,
  now: Instant,
  until: Instant,
): Promise<AlarmMailClaim | undefined> {
  const result = await db.query<Pick<AlarmMailClaim, 'email' | 'alarmIds' | 'attempts' | 'createdAt'>>({
    name: 'claim-alarm-mail',
    text: `update alarm_mails
              set due_at = $4, attempts = attempts + 1
            where organization_id = $1 and mail_id = $2 and due_at <= $3
        returning email, alarm_ids as "alarmIds", attempts, created_at as "createdAt"`,
    values: [organizationId, mailId, isoInstant(now), isoInstant(until)],
  })
  return result.rows[0] && { organizationId, mailId, until, ...result.rows[0] }
}

// Those of a mail that nobody has resolved meanwhile, oldest first.
export async function listOpenAlarmsOf(
  db: Queryable,
  { organizationId, alarmIds }: Pick<AlarmMailClaim, 'organizationId' | 'alarmIds'>,
): Promise<MailedAlarm[]> {
  const result = await db.query<MailedAlarm>({
    name: 'list-open-alarms-of',
    text: `select alarm_id as "alarmId", kind, created_at as "createdAt"
             from alarms
            where organization_id = $1 and alarm_id = any($2::uuid[]) and resolved_at is null
            order by alarm_id`,
    values: [organizationId, alarmIds],
  })
  return result.rows
}

// Of a failed sending. Nothing is written if the lease was lost.
export async function putOffAlarmMail(db: Queryable, claim: AlarmMailClaim, dueAt: Instant): Promise<void> {
  await db.query({
    name: 'put-off-alarm-mail',
    text: `update alarm_mails set due_at = $4 where organization_id = $1 and mail_id = $2 and due_at = $3`,
    values: [claim.organizationId, claim.mailId, isoInstant(claim.until), isoInstant(dueAt)],
  })
}

// Sent or given up, whoever holds the lease now.
export async function finishAlarmMail(
  db: Queryable,
  { organizationId, mailId }: AlarmMailAddress,
): Promise<void> {
  await db.query({
    name: 'finish-alarm-mail',
    text: `delete from alarm_mails where organization_id = $1 and mail_id = $2`,
    values: [organizationId, mailId],
  })
}

// Where nobody sends, what waits is given up when it is old, whoever's it is. Returns how much there was.
export async function forgetAlarmsToTell(db: Queryable, before: Instant): Promise<number> {
  const result = await db.query({
    name: 'forget-alarms-to-tell',
    text: `update alarms set mail_due_at = null where mail_due_at is not null and created_at < $1`,
    values: [isoInstant(before)],
  })
  return result.rowCount ?? 0
}

export async function forgetAlarmMails(db: Queryable, before: Instant): Promise<number> {
  const result = await db.query({
    name: 'forget-alarm-mails',
    text: `delete from alarm_mails where created_at < $1`,
    values: [isoInstant(before)],
  })
  return result.rowCount ?? 0
}
