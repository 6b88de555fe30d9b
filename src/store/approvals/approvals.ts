// Approvals as rows. Whoever decides about one has its lock, and takes it before the lock of what it is about.

import { APPROVAL_STATUSES, type Approval, type ApprovalStatus } from '../../core/approvals/approval.ts'
import type { ApprovalKind } from '../../core/approvals/rule.ts'
import type { ActorKind } from '../../core/audit/actor.ts'
import type { NewEvent } from '../../core/events/event.ts'
import { type Instant, isoInstant, isoOrNull } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, type ListCase, listOf } from '../keyset-list.ts'

export type ApprovalAddress = { readonly organizationId: string; readonly approvalId: string }
export type SubjectAddress = Pick<Approval, 'organizationId' | 'kind' | 'subjectId'>

const APPROVAL_COLUMNS = `organization_id, approval_id, version, kind, subject_id, status, amount_cents, approvers, maker_kind, maker_id,
  maker_name, canonical_text, digest, payload, created_at, updated_at, lapses_at, decided_at, used_at`

export async function insertApproval(tx: Queryable, approval: Approval, event: NewEvent): Promise<void> {
  await tx.query({
    name: 'insert-approval',
    text: `with inserted as (
             insert into approvals (organization_id, approval_id, version, kind, subject_id, status, amount_cents, approvers,
                                    maker_kind, maker_id, maker_name, canonical_text, digest, payload, created_at, updated_at,
                                    lapses_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16)
          returning organization_id
           )
           insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
           select $1, $17, $18, 'approval', $2, $3, $19, $15
             from inserted`,
    values: [
      approval.organizationId,
      approval.approvalId,
      approval.version,
      approval.kind,
      approval.subjectId,
      approval.status,
      approval.amountInCents,
      approval.approvers,
      approval.maker.kind,
      approval.maker.id,
      approval.maker.name,
      approval.canonicalText,
      approval.digest,
      approval.payload,
      isoInstant(approval.createdAt),
      isoInstant(approval.lapsesAt),
      event.eventId,
      event.type,
      event.data,
    ],
  })
}

// Of one that the caller has locked and that waits, with the event that tells of it. False if it has changed meanwhile.
export async function writeApproval(tx: Queryable, approval: Approval, event: NewEvent): Promise<boolean> {
  const result = await tx.query({
    name: 'write-approval',
    text: `with written as (
             update approvals
                set version = $3, status = $4, payload = $5, updated_at = $6, decided_at = $7
              where organization_id = $1 and approval_id = $2 and status = 'WAITING' and version = $3 - 1
          returning organization_id
           )
           insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
           select $1, $8, $9, 'approval', $2, $3, $10, $6
             from written`,
    values: [
      approval.organizationId,
      approval.approvalId,
      approval.version,
      approval.status,
      approval.payload,
      isoInstant(approval.updatedAt),
      isoOrNull(approval.decidedAt),
      event.eventId,
      event.type,
      event.data,
    ],
  })
  return result.rowCount === 1
}

export async function getApproval(
  db: Queryable,
  { organizationId, approvalId }: ApprovalAddress,
): Promise<Approval | undefined> {
  const result = await db.query<ApprovalRow>({
    name: 'get-approval',
    text: `select ${APPROVAL_COLUMNS} from approvals where organization_id = $1 and approval_id = $2`,
    values: [organizationId, approvalId],
  })
  return result.rows[0] && toApproval(result.rows[0])
}

export async function lockApproval(
  tx: Queryable,
  { organizationId, approvalId }: ApprovalAddress,
): Promise<Approval | undefined> {
  const result = await tx.query<ApprovalRow>({
    name: 'lock-approval',
    text: `select ${APPROVAL_COLUMNS} from approvals where organization_id = $1 and approval_id = $2 for update`,
    values: [organizationId, approvalId],
  })
  return result.rows[0] && toApproval(result.rows[0])
}

// The one that waits for this subject. There is one at most.
export async function lockWaitingApproval(
  tx: Queryable,
  { organizationId, kind, subjectId }: SubjectAddress,
): Promise<Approval | undefined> {
  const result = await tx.query<ApprovalRow>({
    name: 'lock-waiting-approval',
    text: `select ${APPROVAL_COLUMNS}
             from approvals
            where organization_id = $1 and kind = $2 and subject_id = $3 and status = 'WAITING'
              for update`,
    values: [organizationId, kind, subjectId],
  })
  return result.rows[0] && toApproval(result.rows[0])
}

export async function getWaitingApproval(
  db: Queryable,
  { organizationId, kind, subjectId }: SubjectAddress,
): Promise<Approval | undefined> {
  const result = await db.query<ApprovalRow>({
    name: 'get-waiting-approval',
    text: `select ${APPROVAL_COLUMNS}
             from approvals
            where organization_id = $1 and kind = $2 and subject_id = $3 and status = 'WAITING'`,
    values: [organizationId, kind, subjectId],
  })
  return result.rows[0] && toApproval(result.rows[0])
}

// The newest of this subject that waits, or that was approved and that its maker may still use.
export async function getOpenApproval(
  db: Queryable,
  { organizationId, kind, subjectId }: SubjectAddress,
  now: Instant,
): Promise<Approval | undefined> {
  const result = await db.query<ApprovalRow>({
    name: 'get-open-approval',
    text: `select ${APPROVAL_COLUMNS}
             from approvals
            where organization_id = $1 and kind = $2 and subject_id = $3
              and (status = 'WAITING' or (status = 'APPROVED' and used_at is null and lapses_at > $4))
            order by approval_id desc
            limit 1`,
    values: [organizationId, kind, subjectId, isoInstant(now)],
  })
  return result.rows[0] && toApproval(result.rows[0])
}

// When people approved it. Null if nobody was asked.
export async function approvedAt(
  db: Queryable,
  { organizationId, kind, subjectId }: SubjectAddress,
): Promise<Instant | null> {
  const result = await db.query<{ decided_at: Instant | null }>({
    name: 'approved-at',
    text: `select decided_at
             from approvals
            where organization_id = $1 and kind = $2 and subject_id = $3 and status = 'APPROVED'`,
    values: [organizationId, kind, subjectId],
  })
  return result.rows[0]?.decided_at ?? null
}

// False if somebody else has used it.
export async function useApproval(
  tx: Queryable,
  { organizationId, approvalId }: ApprovalAddress,
  now: Instant,
): Promise<boolean> {
  const result = await tx.query({
    name: 'use-approval',
    text: `update approvals
              set used_at = $3
            where organization_id = $1 and approval_id = $2 and status = 'APPROVED' and used_at is null`,
    values: [organizationId, approvalId, isoInstant(now)],
  })
  return result.rowCount === 1
}

// How many wait for this person: what others asked for, and they have not decided about.
export async function countWaitingFor(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<number> {
  const result = await db.query<{ waiting: number }>({
    name: 'count-approvals-waiting-for',
    text: `select count(*)::integer as waiting
             from approvals a
            where a.organization_id = $1 and a.status = 'WAITING'
              and not (a.maker_kind = 'person' and a.maker_id = $2)
              and not exists (select 1
                                from approval_decisions d
                               where d.organization_id = $1 and d.approval_id = a.approval_id and d.user_id = $2::uuid)`,
    values: [organizationId, userId],
  })
  return result.rows[0]?.waiting ?? 0
}

// Whose time is over, longest ago first.
export async function listLapsedApprovals(
  db: Queryable,
  now: Instant,
  limit: number,
): Promise<ApprovalAddress[]> {
  const result = await db.query<ApprovalAddress>({
    name: 'list-lapsed-approvals',
    text: `select organization_id as "organizationId", approval_id as "approvalId"
             from approvals
            where status = 'WAITING' and lapses_at <= $1
            order by lapses_at
            limit $2`,
    values: [isoInstant(now), limit],
  })
  return result.rows
}

export type ApprovalFilters = IdBounds & {
  readonly status?: ApprovalStatus
  readonly kind?: ApprovalKind
  readonly subjectId?: string
}

export const approvalList = listOf<ApprovalFilters, ApprovalRow, Approval>({
  table: 'approvals',
  idColumn: 'approval_id',
  columns: APPROVAL_COLUMNS,
  cases: ({ status, kind, subjectId }): ListCase[] => {
    const ofKind: ListCase['also'] = [['kind', kind]]
    if (subjectId !== undefined)
      return [{ key: [['subject_id', subjectId]], also: [...ofKind, ['status', status]] }]
    if (status === undefined && kind === undefined) return [{}]
    // Of a kind there are few among those that wait, and many among the others: each status has its own end of the index.
    return (status === undefined ? APPROVAL_STATUSES : [status]).map((one) => ({
      key: [['status', one]],
      also: ofKind,
    }))
  },
  read: toApproval,
})

export type ApprovalRow = {
  organization_id: string
  approval_id: string
  version: number
  kind: ApprovalKind
  subject_id: string
  status: ApprovalStatus
  amount_cents: bigint | null
  approvers: number
  maker_kind: ActorKind
  maker_id: string | null
  maker_name: string | null
  canonical_text: string
  digest: Buffer
  payload: string | null
  created_at: Instant
  updated_at: Instant
  lapses_at: Instant
  decided_at: Instant | null
  used_at: Instant | null
}

function toApproval(row: ApprovalRow): Approval {
  return {
    organizationId: row.organization_id,
    approvalId: row.approval_id,
    version: row.version,
    kind: row.kind,
    subjectId: row.subject_id,
    status: row.status,
    amountInCents: row.amount_cents,
    approvers: row.approvers,
    maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
    canonicalText: row.canonical_text,
    digest: row.digest,
    payload: row.payload,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lapsesAt: row.lapses_at,
    decidedAt: row.decided_at,
    usedAt: row.used_at,
  }
}
