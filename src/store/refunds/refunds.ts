// Refunds as rows: made with what they hold of their payin, listed, claimed when due, and written only as their version was read.

import type { Rail } from '../../core/connections/rail.ts'
import type { KeyType } from '../../core/directory/breb-key.ts'
import { type Instant, isoInstant, isoOrNull } from '../../core/instant.ts'
import type { PayinAddress } from '../../core/payins/payin.ts'
import type { GivenBack } from '../../core/payins/settle.ts'
import type { Sealed } from '../../core/people/sealed.ts'
import type { RefundAddress } from '../../core/refunds/claim-token.ts'
import {
  REFUND_STATUSES,
  type Refund,
  type RefundClaim,
  type RefundErrorCode,
  type RefundReason,
  type RefundStage,
  type RefundStatus,
  type RefundWay,
} from '../../core/refunds/refund.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, type ListCase, listOf } from '../keyset-list.ts'

export const REFUND_COLUMNS = `organization_id, refund_id, payin_id, version, status, stage, way, amount_cents, currency, reason, rail,
  error_code, network_code, trace_id, receiver, key_type, claim, claim_attempts, claim_expires_at, payout_id, reserved_cents,
  deposit_cents, credential_id, created_at, updated_at, result_at, returned_at, attempts`

export async function insertRefund(tx: Queryable, refund: Refund, dueAt: Instant | null): Promise<void> {
  await tx.query({
    text: `insert into refunds (organization_id, refund_id, payin_id, version, status, stage, way, amount_cents, currency, reason,
                                rail, receiver, key_type, claim, claim_expires_at, credential_id, created_at, updated_at, due_at,
                                reserved_cents, deposit_cents)
           values ($1, $2, $3, $4, $5, $6, $7, $8, 'COP', $9, $10, $11, $12, $13, $14, $15, $16, $16, $17, $18, $19)`,
    values: [
      refund.organizationId,
      refund.refundId,
      refund.payinId,
      refund.version,
      refund.status,
      refund.stage,
      refund.way,
      refund.amountInCents.toString(),
      refund.reason,
      refund.rail,
      refund.receiver && JSON.stringify(refund.receiver),
      refund.keyType,
      refund.claim && JSON.stringify(refund.claim),
      isoOrNull(refund.claimExpiresAt),
      refund.credentialId,
      isoInstant(refund.createdAt),
      isoOrNull(dueAt),
      refund.reservedInCents.toString(),
      refund.depositInCents.toString(),
    ],
  })
}

export async function getRefund(db: Queryable, address: RefundAddress): Promise<Refund | undefined> {
  const result = await db.query<RefundRow>({
    name: 'get-refund',
    text: `select ${REFUND_COLUMNS} from refunds where organization_id = $1 and refund_id = $2`,
    values: [address.organizationId, address.refundId],
  })
  return result.rows[0] && toRefund(result.rows[0])
}

export async function lockRefund(tx: Queryable, address: RefundAddress): Promise<Refund | undefined> {
  const result = await tx.query<RefundRow>({
    name: 'lock-refund',
    text: `select ${REFUND_COLUMNS} from refunds where organization_id = $1 and refund_id = $2 for update`,
    values: [address.organizationId, address.refundId],
  })
  return result.rows[0] && toRefund(result.rows[0])
}

export type RefundFilters = IdBounds & { status?: RefundStatus; payinId?: string; reason?: RefundReason }

export const refundList = listOf<RefundFilters, RefundRow, Refund>({
  table: 'refunds',
  idColumn: 'refund_id',
  columns: REFUND_COLUMNS,
  cases: ({ status, payinId, reason }): ListCase[] => {
    const also = [['reason', reason]] as const
    // A payin has few refunds.
    if (payinId !== undefined) return [{ key: [['payin_id', payinId]], also: [...also, ['status', status]] }]
    if (reason === undefined) return [{ key: status === undefined ? [] : [['status', status]] }]
    return (status === undefined ? REFUND_STATUSES : [status]).map((one) => ({
      key: [['status', one]],
      also,
    }))
  },
  read: toRefund,
})

// Those of one payin, the oldest first.
export async function refundsOfPayin(
  db: Queryable,
  { organizationId, payinId }: PayinAddress,
): Promise<Refund[]> {
  const result = await db.query<RefundRow>({
    name: 'refunds-of-payin',
    text: `select ${REFUND_COLUMNS} from refunds where organization_id = $1 and payin_id = $2 order by refund_id`,
    values: [organizationId, payinId],
  })
  return result.rows.map(toRefund)
}

// What has left, also by a payout that was declined and then paid, and whether the rail has been asked for more and has not answered.
export async function givenBackOf(
  db: Queryable,
  { organizationId, payinId }: PayinAddress,
): Promise<GivenBack & { isUnderWay: boolean }> {
  const result = await db.query<GivenBack & { isUnderWay: boolean }>({
    name: 'given-back-of-payin',
    text: `select coalesce(sum(amount_cents) filter (where status = 'CONFIRMED' and way = 'RAIL'), 0)::bigint as "byRailInCents",
                  coalesce(sum(amount_cents) filter (where status = 'CONFIRMED' and way <> 'RAIL' and returned_at is null
                                                             or status in ('DECLINED', 'CANCELED') and error_code = 'RAIL_ERROR' and payout_id is not null),
                           0)::bigint as "byPayoutInCents",
                  coalesce(bool_or(stage = 'SENDING'), false) as "isUnderWay"
             from refunds
            where organization_id = $1 and payin_id = $2`,
    values: [organizationId, payinId],
  })
  return result.rows[0] ?? { byRailInCents: 0n, byPayoutInCents: 0n, isUnderWay: false }
}

export type RefundClaimed = { refund: Refund; attempts: number; leaseToken: string }

// Skips refunds that another worker is claiming.
export async function claimDueRefunds(
  db: Queryable,
  organizationId: string,
  now: Instant,
  lease: { token: string; until: Instant },
  limit: number,
): Promise<RefundClaimed[]> {
  const result = await db.query<RefundRow>({
    name: 'claim-due-refunds',
    text: `update refunds
              set due_at = $3, lease_token = $4
            where organization_id = $1
              and refund_id = any(array(select refund_id
                                          from refunds
                                         where organization_id = $1 and due_at <= $2
                                         order by due_at
                                         limit $5
                                           for update skip locked))
        returning ${REFUND_COLUMNS}`,
    values: [organizationId, isoInstant(now), isoInstant(lease.until), lease.token, limit],
  })
  return result.rows
    .map((row) => ({ refund: toRefund(row), attempts: row.attempts, leaseToken: lease.token }))
    .sort((a, b) => (a.refund.refundId < b.refund.refundId ? -1 : 1))
}

// The open refunds of a payin are due now. A worker that has one is not disturbed.
export async function wakeRefundsOf(
  db: Queryable,
  { organizationId, payinId }: PayinAddress,
  now: Instant,
): Promise<void> {
  await db.query({
    name: 'wake-refunds-of-payin',
    text: `update refunds
              set due_at = $3
            where organization_id = $1 and payin_id = $2 and status = 'PROCESSING' and lease_token is null`,
    values: [organizationId, payinId, isoInstant(now)],
  })
}

// One more key was looked up for it. False if it has been claimed meanwhile, or too often.
export async function countClaimAttempt(
  db: Queryable,
  { organizationId, refundId }: RefundAddress,
  most: number,
): Promise<boolean> {
  const result = await db.query({
    name: 'count-claim-attempt',
    text: `update refunds
              set claim_attempts = claim_attempts + 1
            where organization_id = $1 and refund_id = $2 and stage = 'AWAITING_CLAIM' and claim_attempts < $3`,
    values: [organizationId, refundId, most],
  })
  return result.rowCount === 1
}

export type RefundRow = {
  organization_id: string
  refund_id: string
  payin_id: string
  version: number
  status: RefundStatus
  stage: RefundStage
  way: RefundWay
  amount_cents: bigint
  currency: 'COP'
  reason: RefundReason
  rail: Rail
  error_code: RefundErrorCode | null
  network_code: string | null
  trace_id: string | null
  receiver: Sealed | null
  key_type: KeyType | null
  claim: RefundClaim | null
  claim_attempts: number
  claim_expires_at: Instant | null
  payout_id: string | null
  reserved_cents: bigint
  deposit_cents: bigint
  credential_id: string
  created_at: Instant
  updated_at: Instant
  result_at: Instant | null
  returned_at: Instant | null
  attempts: number
}

export function toRefund(row: RefundRow): Refund {
  return {
    organizationId: row.organization_id,
    refundId: row.refund_id,
    payinId: row.payin_id,
    version: row.version,
    status: row.status,
    stage: row.stage,
    way: row.way,
    amountInCents: row.amount_cents,
    currency: row.currency,
    reason: row.reason,
    rail: row.rail,
    errorCode: row.error_code,
    networkCode: row.network_code,
    traceId: row.trace_id,
    receiver: row.receiver,
    keyType: row.key_type,
    claim: row.claim,
    claimAttempts: row.claim_attempts,
    claimExpiresAt: row.claim_expires_at,
    payoutId: row.payout_id,
    reservedInCents: row.reserved_cents,
    depositInCents: row.deposit_cents,
    credentialId: row.credential_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    resultAt: row.result_at,
    returnedAt: row.returned_at,
  }
}
