// Writes a step of a refund: the row, what it holds of its payin, and its event. The bookings are posted beside it, in the same
// transaction.

import type { NewEvent } from '../../core/events/event.ts'
import { type Instant, isoInstant, isoOrNull } from '../../core/instant.ts'
import type { PayinAddress } from '../../core/payins/payin.ts'
import type { Refund } from '../../core/refunds/refund.ts'
import type { Queryable } from '../db.ts'

export type RefundWrite = {
  refund: Refund
  expectedVersion: number
  // Set if a worker acts under a lease. If the lease is lost, nothing is written.
  leaseToken: string | null
  // Keeps the lease, because the writer goes on to act under it.
  keepLease: boolean
  dueAt: Instant | null
  attempts: number
}

// False if somebody else has moved the refund, or has its lease.
export async function updateRefund(tx: Queryable, write: RefundWrite): Promise<boolean> {
  const { refund } = write
  const result = await tx.query({
    name: 'update-refund',
    text: `update refunds
              set version = $5, status = $6, stage = $7, way = $8, error_code = $9, network_code = $10, trace_id = $11,
                  receiver = $12, key_type = $13, claim = $14, claim_expires_at = $15, payout_id = $16, updated_at = $17,
                  result_at = $18, returned_at = $19, due_at = $20, attempts = $21, lease_token = $22,
                  reserved_cents = $23, deposit_cents = $24
            where organization_id = $1 and refund_id = $2 and version = $3 and ($4::uuid is null or lease_token = $4)`,
    values: [
      refund.organizationId,
      refund.refundId,
      write.expectedVersion,
      write.leaseToken,
      refund.version,
      refund.status,
      refund.stage,
      refund.way,
      refund.errorCode,
      refund.networkCode,
      refund.traceId,
      refund.receiver && JSON.stringify(refund.receiver),
      refund.keyType,
      refund.claim && JSON.stringify(refund.claim),
      isoOrNull(refund.claimExpiresAt),
      refund.payoutId,
      isoInstant(refund.updatedAt),
      isoOrNull(refund.resultAt),
      isoOrNull(refund.returnedAt),
      isoOrNull(write.dueAt),
      write.attempts,
      write.keepLease ? write.leaseToken : null,
      refund.reservedInCents.toString(),
      refund.depositInCents.toString(),
    ],
  })
  return result.rowCount === 1
}

// The payin gets a new version: whoever decides about it by what refunds had given back decides again. More is held only while that much is
// left of what arrived; otherwise nothing is written, and the answer is false. The amounts name their type: beside a zero they would be
// integers, which end at 21 million pesos.
export async function holdOfPayin(
  tx: Queryable,
  { organizationId, payinId }: PayinAddress,
  change: { heldInCents: bigint; refundedInCents: bigint },
  now: Instant,
): Promise<boolean> {
  const result = await tx.query({
    name: 'hold-of-payin',
    text: `update payins
              set refund_cents = refund_cents + $3::bigint, refunded_cents = refunded_cents + $4::bigint, version = version + 1,
                  updated_at = case when $4::bigint = 0 then updated_at else $5 end
            where organization_id = $1 and payin_id = $2
              and ($3::bigint <= 0
                   or (status = 'CONFIRMED' and confirmed_amount_cents - charged_back_cents - refund_cents >= $3::bigint))`,
    values: [
      organizationId,
      payinId,
      change.heldInCents.toString(),
      change.refundedInCents.toString(),
      isoInstant(now),
    ],
  })
  return result.rowCount === 1
}

export async function insertRefundEvent(tx: Queryable, event: NewEvent): Promise<void> {
  await tx.query({
    name: 'insert-refund-event',
    text: `insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
           values ($1, $2, $3, 'refund', $4, $5, $6, $7)`,
    values: [
      event.organizationId,
      event.eventId,
      event.type,
      event.objectId,
      event.version,
      event.data,
      isoInstant(event.createdAt),
    ],
  })
}
