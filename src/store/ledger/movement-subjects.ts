// What transfers are about, for an accountant: whose money it was, under which reference, and when it began.

import type { Day } from '../../core/bogota-day.ts'
import type { Rail } from '../../core/connections/rail.ts'
import type { Instant } from '../../core/instant.ts'
import type { Customer } from '../../core/people/customer.ts'
import type { Sealed } from '../../core/people/sealed.ts'
import type { Queryable } from '../db.ts'

export type MovementSubject = {
  readonly kind: 'payin' | 'payout' | 'refund' | 'payout-batch' | 'suspense'
  readonly subjectId: string
  readonly rail: Rail
  readonly reference: string | null
  readonly customer: Customer | Sealed | null
  // Whose person it is: of a refund, the payin's.
  readonly personId: string
  // The network's id of the payment: the CUS of PSE, the end-to-end id of Bre-B.
  readonly networkId: string | null
  readonly createdAt: Instant
}

export async function subjectsOfMovements(
  db: Queryable,
  organizationId: string,
  subjectIds: readonly string[],
): Promise<Map<string, MovementSubject>> {
  const result = await db.query<MovementSubject>({
    name: 'subjects-of-movements',
    text: `select 'payin' as kind, payin_id as "subjectId", rail, reference, customer, payin_id as "personId",
                  coalesce(payment_id, trace_id) as "networkId", created_at as "createdAt"
             from payins
            where organization_id = $1 and payin_id = any($2::uuid[])
            union all
           select 'payout', payout_id, 'BRE_B', reference, customer, payout_id, trace_id, created_at
             from payouts
            where organization_id = $1 and payout_id = any($2::uuid[])
            union all
           select 'refund', r.refund_id, r.rail, p.reference, p.customer, p.payin_id, r.trace_id, r.created_at
             from refunds r
             join payins p on p.organization_id = r.organization_id and p.payin_id = r.payin_id
            where r.organization_id = $1 and r.refund_id = any($2::uuid[])
            union all
           select 'payout-batch', batch_id, 'BRE_B', file_name, null, batch_id, null, created_at
             from payout_batches
            where organization_id = $1 and batch_id = any($2::uuid[])
            union all
           select 'suspense', suspense_id, rail, null, null, suspense_id, payment_id, created_at
             from suspense_items
            where organization_id = $1 and suspense_id = any($2::uuid[])`,
    values: [organizationId, [...new Set(subjectIds)]],
  })
  return new Map(result.rows.map((row) => [row.subjectId, row]))
}

// Of those that the network lists under another day than we booked them on.
export async function networkDaysOf(
  db: Queryable,
  organizationId: string,
  transferIds: readonly string[],
): Promise<Map<string, Day>> {
  const result = await db.query<{ transfer_id: string; listed_on: Day }>({
    name: 'network-days-of-transfers',
    text: `select transfer_id, listed_on
             from bookings_of_other_days
            where organization_id = $1 and transfer_id = any($2::uuid[])`,
    values: [organizationId, [...transferIds]],
  })
  return new Map(result.rows.map((row) => [row.transfer_id, row.listed_on]))
}
