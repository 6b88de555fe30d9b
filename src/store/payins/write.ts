// Writes payin steps: the row, its bookings, suspense item, alarm, event, payment link and the notice that caused it, in one
// statement for many payins. A payin is skipped, with all that belongs to it, if its version has changed, its lease is lost, or
// its payment is counted already.

import type { QueryConfig, QueryResultRow } from 'pg'
import type { Rail } from '../../core/connections/rail.ts'
import type { NewEvent } from '../../core/events/event.ts'
import type { Instant } from '../../core/instant.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import type { Transfer } from '../../core/ledger/bookings.ts'
import type { Payin, PayinAddress } from '../../core/payins/payin.ts'
import type { SuspenseReason } from '../../core/payins/settle.ts'
import type { PaymentLink } from '../../core/payment-links/payment-link.ts'
import { type Queryable, sqlState, UNIQUE_VIOLATION } from '../db.ts'
import { type TextPacker, textPacker } from '../events/text-packer.ts'
import { type Alarm, IS_RAISED, UNLESS_RAISED } from '../ledger/alarms.ts'
import { BALANCE_UPSERT, POSTED_TRANSFERS, transferRow } from '../ledger/transfers.ts'
import {
  anchoredOrganization,
  fromAnchored,
  inScope,
  isAnchored,
  scopedStatement,
} from '../scoped-statement.ts'

export type PayinWrite = {
  payin: Payin
  // The version that the decision was based on.
  expectedVersion: number
  // Set if a worker acts under a lease. If the lease is lost, nothing is written.
  leaseToken: string | null
  // 'keep' leaves the payin's schedule, stage and lease as they are: these change without a new version.
  dueAt: Instant | null | 'keep'
  // When the decision was made. The payin's `updatedAt` is older if the payin itself does not change.
  at: Instant
  transfers: Transfer[]
  suspense: { suspenseId: string; reason: SuspenseReason; amountInCents: bigint; paymentId: string } | null
  alarm: Alarm | null
  event: NewEvent | null
  // The payment link that this step completes. If its version has changed, nothing is written.
  link: { next: PaymentLink; expectedVersion: number } | null
  notice: { rail: Rail; noticeId: string } | null
  // The receipt is to be sent by e-mail.
  mailsReceipt?: boolean
}

// Returns true for each step that was written.
export async function writePayins(db: Queryable, writes: PayinWrite[], slot: number): Promise<boolean[]> {
  const chosen = firstOfEachSubject(writes)
  // Rows are locked in one order everywhere, so that two writers never deadlock.
  chosen.sort((a, b) => (payinKey(a.payin) < payinKey(b.payin) ? -1 : 1))
  const pack = await textPacker(db)
  const result = await queryUnlessPaymentIsTaken<{ organization_id: string; payin_id: string }>(
    db,
    chosen,
    await WRITE_PAYIN_STEPS(
      db,
      chosen.map(({ payin }) => payin.organizationId),
      [
        JSON.stringify(chosen.map((write) => payinRow(write, pack))),
        JSON.stringify(
          chosen.flatMap((write) => write.transfers.map((transfer) => transferOf(write, transfer))),
        ),
        slot,
      ],
    ),
  )
  const moved = new Set(
    result.rows.map((row) => payinKey({ organizationId: row.organization_id, payinId: row.payin_id })),
  )
  return writes.map((write) => moved.has(payinKey(write.payin)) && chosen.includes(write))
}

// In an organization one payment confirms one payin. Whoever is second to confirm one by it has lost, like whoever is second to
// move a payin, and decides again. Of many steps, the database does not say which one it was: the batch runs them one by one. In a
// transaction nothing else can be written after this, and nothing is.
async function queryUnlessPaymentIsTaken<Row extends QueryResultRow>(
  db: Queryable,
  { length }: readonly PayinWrite[],
  query: QueryConfig,
): Promise<{ rows: Row[] }> {
  try {
    return await db.query<Row>(query)
  } catch (error) {
    if (length > 1 || sqlState(error) !== UNIQUE_VIOLATION || !isAboutPayment(error)) throw error
    return { rows: [] }
  }
}

// On a distributed PostgreSQL each part of the table has its own key, with a number behind the name, and Citus passes on nothing of a
// machine's error but its text.
function isAboutPayment(error: unknown): boolean {
  const { constraint, message } = error as { constraint?: string; message: string }
  return constraint === undefined ? QUOTED_PAYMENT_KEY.test(message) : constraint === PAYMENT_KEY
}

const PAYMENT_KEY = 'payins_by_payment'
const QUOTED_PAYMENT_KEY = new RegExp(`"${PAYMENT_KEY}_\\d+"`)

// An id is an organization's own, so it names a row only together with it.
function payinKey({ organizationId, payinId }: PayinAddress): string {
  return `${organizationId} ${payinId}`
}

// One statement can change a payin only once, complete a payment link only once, and count a payment only once. A second step of the
// same payin, link or payment is refused, and its caller decides again.
function firstOfEachSubject(writes: PayinWrite[]): PayinWrite[] {
  const seen = new Set<string>()
  return writes.filter(({ payin, link, suspense }) => {
    const subjects = [`payin ${payinKey(payin)}`]
    const paymentId = suspense?.paymentId ?? (payin.status === 'CONFIRMED' ? payin.progress.paymentId : null)
    if (paymentId !== null) subjects.push(`payment ${payin.organizationId} ${payin.source.rail} ${paymentId}`)
    if (link !== null) subjects.push(`link ${payin.organizationId} ${link.next.paymentLinkId}`)
    if (subjects.some((subject) => seen.has(subject))) return false
    for (const subject of subjects) seen.add(subject)
    return true
  })
}

const WRITE_PAYIN_STEPS = scopedStatement(
  'write-payin-steps',
  3,
  (scope) => `
  with incoming as (
    select *
      from json_to_recordset($1) as r (
             organization_id uuid, payin_id uuid, expected_version integer, lease_token uuid, version integer, status text,
             settlement_status text, confirmed_amount_cents bigint, error_code text, network_code text, updated_at timestamptz,
             result_at timestamptz, chargeback_at timestamptz, charged_back_cents bigint, rail_stage text, bank_url text, trace_id text, payment_id text,
             attempts integer, due_at timestamptz, keeps_schedule boolean, rail text, provider_id text, key_string text, qr_payload text, suspense_id uuid, suspense_reason text, suspense_cents bigint,
             suspense_payment_id text, at timestamptz, alarm_id uuid, alarm_kind text, alarm_detail text, notice_rail text, notice_id text, event_id uuid,
             event_type text, event_resource text, event_object_id uuid, event_version integer, event_data text, event_at timestamptz, link_id uuid,
             link_expected_version integer, link_version integer, link_completed_at timestamptz, mails_receipt boolean)
  ), locked as (
    -- Citus loses its way among the columns of a locking query, unless there is another around it.
    select organization_id, payin_id
      from (select p.organization_id, p.payin_id
              from payins p
              join incoming i using (organization_id, payin_id)
             where p.organization_id = i.organization_id ${inScope(scope, 'p')}
               and p.version = i.expected_version
               and (i.lease_token is null or p.lease_token = i.lease_token)
             order by p.organization_id, p.payin_id
               for update of p) rows
  ), completed as (
    update payment_links l
       set status = 'COMPLETED', version = i.link_version, updated_at = i.link_completed_at,
           completed_at = i.link_completed_at,
           -- A page counts what was paid on it.
           due_at = case when l.payment_page_id is not null then i.link_completed_at end
      from incoming i
      join locked using (organization_id, payin_id)
     where l.organization_id = i.organization_id ${inScope(scope, 'l')}
       and l.payment_link_id = i.link_id
       and l.version = i.link_expected_version
 -- An update changes a row once, and this is the step that did it.
 returning l.organization_id, l.payment_link_id, i.payin_id
  ), suspended as (
 -- Somebody else may have put the payment there, with another amount. Then the step is decided again. A step that completes a
 -- payment link puts nothing in suspense.
    insert into suspense_items (organization_id, suspense_id, payin_id, rail, payment_id, amount_cents, reason, state,
                                created_at, updated_at)
    select ${anchoredOrganization(scope, 'i')}, i.suspense_id, i.payin_id, i.rail, i.suspense_payment_id, i.suspense_cents, i.suspense_reason,
           'OPEN', i.at, i.at
      from ${fromAnchored(scope, 'incoming i join locked using (organization_id, payin_id)')}
     where i.suspense_id is not null and ${isAnchored(scope)}
       and (i.link_id is null
            or exists (select 1
                         from completed c
                        where c.organization_id = i.organization_id
                          and c.payment_link_id = i.link_id
                          and c.payin_id = i.payin_id))
        on conflict (organization_id, rail, payment_id) do nothing
 returning organization_id, suspense_id
  ), moved as (
    update payins p
       set version = i.version, status = i.status, settlement_status = i.settlement_status,
           confirmed_amount_cents = i.confirmed_amount_cents, error_code = i.error_code, updated_at = i.updated_at,
           result_at = i.result_at, chargeback_at = i.chargeback_at, charged_back_cents = i.charged_back_cents,
           bank_url = i.bank_url, trace_id = i.trace_id, payment_id = i.payment_id, network_code = i.network_code,
           provider_id = coalesce(i.provider_id, p.provider_id), key_string = coalesce(i.key_string, p.key_string),
           qr_payload = coalesce(i.qr_payload, p.qr_payload),
           rail_stage = case when i.keeps_schedule then p.rail_stage else i.rail_stage end,
           attempts = case when i.keeps_schedule then p.attempts else i.attempts end,
           due_at = case when i.keeps_schedule then p.due_at else i.due_at end,
           lease_token = case when i.keeps_schedule then p.lease_token end
      from incoming i
      join locked using (organization_id, payin_id)
     where p.organization_id = i.organization_id ${inScope(scope, 'p')}
       and p.payin_id = i.payin_id
       and p.version = i.expected_version
       and (i.lease_token is null or p.lease_token = i.lease_token)
       and (i.link_id is null
            or exists (select 1
                         from completed c
                        where c.organization_id = i.organization_id
                          and c.payment_link_id = i.link_id
                          and c.payin_id = i.payin_id))
       and (i.suspense_id is null
            or exists (select 1
                         from suspended s
                        where s.organization_id = i.organization_id
                          and s.suspense_id = i.suspense_id))
 returning p.organization_id, p.payin_id
  ), transfers as (
    select t.*
      from json_to_recordset($2) as t (
             organization_id uuid, payin_id uuid, transfer_id uuid, booking text, subject_id uuid, part text,
             debit_account text, credit_account text, amount_cents bigint, created_at timestamptz)
      join moved using (organization_id, payin_id)
  ), ${POSTED_TRANSFERS(scope)}, ${BALANCE_UPSERT('$3', scope)}, alarmed as (
    insert into alarms (organization_id, alarm_id, kind, subject_id, detail, created_at)
    select ${anchoredOrganization(scope, 'i')}, i.alarm_id, i.alarm_kind, i.payin_id, i.alarm_detail, i.at
      from ${fromAnchored(scope, 'incoming i join moved using (organization_id, payin_id)')}
     where i.alarm_id is not null and ${isAnchored(scope)}
       and not exists (select 1
                         from alarms a
                        where a.organization_id = ${scope === null ? 'i.organization_id' : `${scope}::uuid`} and a.subject_id = i.payin_id
                          and a.kind = i.alarm_kind and a.detail = i.alarm_detail and ${IS_RAISED('i.at')})
           ${UNLESS_RAISED}
  ), emitted as (
    insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
    select ${anchoredOrganization(scope, 'i')}, i.event_id, i.event_type, i.event_resource, i.event_object_id, i.event_version, i.event_data, i.event_at
      from ${fromAnchored(scope, 'incoming i join moved using (organization_id, payin_id)')}
     where i.event_id is not null and ${isAnchored(scope)}
  ), mailed as (
    insert into receipt_mails (organization_id, payin_id, due_at)
    select ${anchoredOrganization(scope, 'i')}, i.payin_id, i.at
      from ${fromAnchored(scope, 'incoming i join moved using (organization_id, payin_id)')}
     where i.mails_receipt and ${isAnchored(scope)}
        on conflict do nothing
  ), noticed as (
    update rail_notices n
       set state = 'DONE', due_at = null
      from incoming i
      join moved using (organization_id, payin_id)
     where n.organization_id = i.organization_id ${inScope(scope, 'n')}
       and n.rail = i.notice_rail and n.notice_id = i.notice_id
  )
  select organization_id, payin_id from moved`,
)

function payinRow(
  {
    payin,
    expectedVersion,
    leaseToken,
    dueAt,
    at,
    suspense,
    alarm,
    notice,
    event,
    link,
    mailsReceipt,
  }: PayinWrite,
  pack: TextPacker,
): Record<string, unknown> {
  const { progress } = payin
  return {
    organization_id: payin.organizationId,
    payin_id: payin.payinId,
    expected_version: expectedVersion,
    lease_token: leaseToken,
    version: payin.version,
    status: payin.status,
    settlement_status: payin.settlementStatus,
    confirmed_amount_cents:
      payin.confirmedAmountInCents === null ? null : Number(payin.confirmedAmountInCents),
    error_code: payin.errorCode,
    updated_at: isoInstant(payin.updatedAt),
    result_at: isoOrNull(payin.resultAt),
    chargeback_at: isoOrNull(payin.chargebackAt),
    charged_back_cents: Number(payin.chargedBackInCents),
    rail_stage: progress.stage,
    bank_url: progress.bankUrl,
    trace_id: progress.traceId,
    payment_id: progress.paymentId,
    network_code: progress.networkCode,
    attempts: progress.attempts,
    due_at: dueAt === 'keep' ? null : isoOrNull(dueAt),
    keeps_schedule: dueAt === 'keep',
    rail: payin.source.rail,
    at: isoInstant(at),
    ...(payin.connection && providerColumns(payin)),
    ...(suspense && {
      suspense_id: suspense.suspenseId,
      suspense_reason: suspense.reason,
      suspense_cents: Number(suspense.amountInCents),
      suspense_payment_id: suspense.paymentId,
    }),
    ...(alarm && { alarm_id: alarm.alarmId, alarm_kind: alarm.kind, alarm_detail: alarm.detail }),
    ...(mailsReceipt && { mails_receipt: true }),
    ...(notice && { notice_rail: notice.rail, notice_id: notice.noticeId }),
    ...(event && {
      event_id: event.eventId,
      event_type: event.type,
      event_resource: event.resource,
      event_object_id: event.objectId,
      event_version: event.version,
      event_data: pack(event.data),
      event_at: isoInstant(event.createdAt),
    }),
    ...(link && {
      link_id: link.next.paymentLinkId,
      link_expected_version: link.expectedVersion,
      link_version: link.next.version,
      link_completed_at: isoOrNull(link.next.completedAt),
    }),
  }
}

// What a provider names. It never changes once it is known.
function providerColumns({ progress, source }: Payin): Record<string, unknown> {
  const key = source.rail === 'BRE_B' && { key_string: source.keyString, qr_payload: source.qrPayload }
  return { provider_id: progress.providerId, ...key }
}

function transferOf({ payin }: PayinWrite, transfer: Transfer): Record<string, unknown> {
  return { ...transferRow(transfer), payin_id: payin.payinId }
}
