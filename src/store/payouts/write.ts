// Writes payout steps: the row, its bookings, alarm, event and the notice that caused it, in one statement for many payouts. A
// payout is skipped, with all that belongs to it, if its version has changed or its lease is lost.

import type { NewEvent } from '../../core/events/event.ts'
import type { Instant } from '../../core/instant.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import type { Transfer } from '../../core/ledger/bookings.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import type { Queryable } from '../db.ts'
import { type Alarm, IS_RAISED, UNLESS_RAISED } from '../ledger/alarms.ts'
import { BALANCE_UPSERT, PAYOUT_SLOT, POSTED_TRANSFERS, transferRow } from '../ledger/transfers.ts'
import {
  anchoredOrganization,
  fromAnchored,
  inScope,
  isAnchored,
  scopedStatement,
} from '../scoped-statement.ts'
import type { PayoutAddress } from './payouts.ts'

export type PayoutWrite = {
  payout: Payout
  expectedVersion: number
  leaseToken: string | null
  // Keeps the lease, because the writer goes on to act under it.
  keepLease: boolean
  dueAt: Instant | null
  attempts: number
  at: Instant
  transfers: Transfer[]
  alarm: Alarm | null
  event: NewEvent | null
  noticeId: string | null
}

// Returns true for each step that was written.
export async function writePayouts(db: Queryable, writes: PayoutWrite[]): Promise<boolean[]> {
  // All rows of a batch may be refused. A statement about nobody's rows is refused where rows are on several machines.
  if (writes.length === 0) return []
  const seen = new Set<string>()
  const chosen = writes.filter(({ payout }) => !seen.has(payoutKey(payout)) && seen.add(payoutKey(payout)))
  const result = await db.query<{ organization_id: string; payout_id: string }>(
    await WRITE_PAYOUT_STEPS(
      db,
      chosen.map(({ payout }) => payout.organizationId),
      [
        JSON.stringify(chosen.map(writeRow)),
        JSON.stringify(
          chosen.flatMap(({ payout, transfers }) =>
            transfers.map((transfer) => ({ ...transferRow(transfer), payout_id: payout.payoutId })),
          ),
        ),
        PAYOUT_SLOT,
      ],
    ),
  )
  const moved = new Set(
    result.rows.map((row) => payoutKey({ organizationId: row.organization_id, payoutId: row.payout_id })),
  )
  return writes.map((write) => moved.has(payoutKey(write.payout)) && chosen.includes(write))
}

// An id is an organization's own, so it names a row only together with it.
function payoutKey({ organizationId, payoutId }: PayoutAddress): string {
  return `${organizationId} ${payoutId}`
}

const WRITE_PAYOUT_STEPS = scopedStatement(
  'write-payout-steps',
  3,
  (scope) => `
  with incoming as (
    select *
      from json_to_recordset($1) as r (
             organization_id uuid, payout_id uuid, expected_version integer, lease_token uuid, next_lease uuid,
             version integer, status text, stage text, error_code text, network_code text, trace_id text,
             updated_at timestamptz, result_at timestamptz, due_at timestamptz, attempts integer, at timestamptz,
             alarm_id uuid, alarm_kind text, alarm_detail text, notice_id text, event_id uuid, event_type text,
             event_data text, event_at timestamptz, provider_id text, returned_at timestamptz,
             deposit_cents bigint, refund_id uuid, missing_cents bigint)
  ), locked as (
    -- Citus loses its way among the columns of a locking query, unless there is another around it.
    select organization_id, payout_id
      from (select p.organization_id, p.payout_id
              from payouts p
              join incoming i using (organization_id, payout_id)
             where p.organization_id = i.organization_id ${inScope(scope, 'p')}
               and p.version = i.expected_version
               and (i.lease_token is null or p.lease_token = i.lease_token)
             order by p.organization_id, p.payout_id
               for update of p) rows
  ), moved as (
    update payouts p
       set version = i.version, status = i.status, stage = i.stage, error_code = i.error_code,
           network_code = i.network_code, trace_id = i.trace_id, updated_at = i.updated_at,
           result_at = i.result_at, due_at = i.due_at, attempts = i.attempts, lease_token = i.next_lease,
           provider_id = coalesce(i.provider_id, p.provider_id), returned_at = coalesce(i.returned_at, p.returned_at),
           deposit_cents = coalesce(i.deposit_cents, p.deposit_cents),
           missing_cents = coalesce(i.missing_cents, p.missing_cents)
      from incoming i
      join locked using (organization_id, payout_id)
     where p.organization_id = i.organization_id ${inScope(scope, 'p')}
       and p.payout_id = i.payout_id
       and p.version = i.expected_version
       and (i.lease_token is null or p.lease_token = i.lease_token)
 returning p.organization_id, p.payout_id
  ), transfers as (
    select t.*
      from json_to_recordset($2) as t (
             organization_id uuid, payout_id uuid, transfer_id uuid, booking text, subject_id uuid, part text,
             debit_account text, credit_account text, amount_cents bigint, created_at timestamptz)
      join moved using (organization_id, payout_id)
  ), ${POSTED_TRANSFERS(scope)}, ${BALANCE_UPSERT('$3', scope)}, alarmed as (
    insert into alarms (organization_id, alarm_id, kind, subject_id, detail, created_at)
    select ${anchoredOrganization(scope, 'i')}, i.alarm_id, i.alarm_kind, i.payout_id, i.alarm_detail, i.at
      from ${fromAnchored(scope, 'incoming i join moved using (organization_id, payout_id)')}
     where i.alarm_id is not null and ${isAnchored(scope)}
       and not exists (select 1
                         from alarms a
                        where a.organization_id = ${scope === null ? 'i.organization_id' : `${scope}::uuid`} and a.subject_id = i.payout_id
                          and a.kind = i.alarm_kind and a.detail = i.alarm_detail and ${IS_RAISED('i.at')})
           ${UNLESS_RAISED}
  ), emitted as (
    insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
    select ${anchoredOrganization(scope, 'i')}, i.event_id, i.event_type, 'payout', i.payout_id, i.version, i.event_data, i.event_at
      from ${fromAnchored(scope, 'incoming i join moved using (organization_id, payout_id)')}
     where i.event_id is not null and ${isAnchored(scope)}
  ), noticed as (
    update rail_notices n
       set state = 'DONE', due_at = null
      from incoming i
      join moved using (organization_id, payout_id)
     where n.organization_id = i.organization_id ${inScope(scope, 'n')}
       and n.rail = 'BRE_B' and n.notice_id = i.notice_id
  ), woken as (
    -- The refund that the payout pays follows it, whoever has its lease, unless it is held back since a restore.
    update refunds r
       set due_at = i.at
      from incoming i
      join moved using (organization_id, payout_id)
     where r.organization_id = i.organization_id ${inScope(scope, 'r')}
       and r.refund_id = i.refund_id and r.due_at is distinct from 'infinity'
  )
  select organization_id, payout_id from moved`,
)

function writeRow(write: PayoutWrite): Record<string, unknown> {
  const { payout, alarm, event } = write
  return {
    organization_id: payout.organizationId,
    payout_id: payout.payoutId,
    expected_version: write.expectedVersion,
    lease_token: write.leaseToken,
    next_lease: write.keepLease ? write.leaseToken : null,
    version: payout.version,
    status: payout.status,
    stage: payout.stage,
    error_code: payout.errorCode,
    network_code: payout.networkCode,
    trace_id: payout.traceId,
    updated_at: isoInstant(payout.updatedAt),
    result_at: isoOrNull(payout.resultAt),
    due_at: isoOrNull(write.dueAt),
    attempts: write.attempts,
    at: isoInstant(write.at),
    ...(alarm && { alarm_id: alarm.alarmId, alarm_kind: alarm.kind, alarm_detail: alarm.detail }),
    notice_id: write.noticeId,
    // An end, or money that came back. What happens before is nothing to its refund.
    ...(payout.refundId !== null &&
      (payout.stage === 'DONE' || payout.stage === 'STOPPED') && { refund_id: payout.refundId }),
    provider_id: payout.providerId ?? undefined,
    ...(payout.returnedAt !== null && { returned_at: isoInstant(payout.returnedAt) }),
    ...(payout.depositInCents > 0n && { deposit_cents: Number(payout.depositInCents) }),
    ...(payout.missingInCents !== null && { missing_cents: Number(payout.missingInCents) }),
    ...(event && {
      event_id: event.eventId,
      event_type: event.type,
      event_data: event.data,
      event_at: isoInstant(event.createdAt),
    }),
  }
}
