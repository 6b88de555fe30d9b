// The days of a connection that are compared with its provider's list.

import { type Day, endOfDay } from '../../core/bogota-day.ts'
import type { Provider } from '../../core/connections/provider.ts'
import type { Rail } from '../../core/connections/rail.ts'
import { firstIdAt } from '../../core/ids.ts'
import { DAY_MS, type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import type { ConnectionAddress } from './connections.ts'

export type ConnectionDays = ConnectionAddress & {
  readonly provider: Provider
  readonly createdAt: Instant
  readonly reconciledDay: Day | null
  readonly reconcileAfter: Instant
}

// Connections of these providers whose last closed day was not compared yet.
export async function connectionsToReconcile(
  db: Queryable,
  providers: readonly Provider[],
  lastClosedDay: Day,
  now: Instant,
  limit: number,
): Promise<ConnectionDays[]> {
  const result = await db.query<ConnectionDays>({
    name: 'connections-to-reconcile',
    text: `select organization_id as "organizationId", connection_id as "connectionId", provider, created_at as "createdAt",
                  reconciled_day::text as "reconciledDay", reconcile_after as "reconcileAfter"
             from connections
            where provider = any($1) and reconcile_after <= $3
              and (reconciled_day < $2 or (reconciled_day is null and created_at < $5))
            order by reconcile_after, connection_id
            limit $4`,
    values: [providers, lastClosedDay, isoInstant(now), limit, isoInstant(endOfDay(lastClosedDay))],
  })
  return result.rows
}

// False if another worker took it since it was read.
export async function claimConnectionDay(
  db: Queryable,
  { organizationId, connectionId, reconcileAfter }: ConnectionDays,
  until: Instant,
): Promise<boolean> {
  const result = await db.query({
    text: `update connections set reconcile_after = $4
            where organization_id = $1 and connection_id = $2 and reconcile_after = $3`,
    values: [organizationId, connectionId, isoInstant(reconcileAfter), isoInstant(until)],
  })
  return result.rowCount === 1
}

// Whoever took it, and still has it, writes down how far it came.
export async function finishConnectionDay(
  db: Queryable,
  { organizationId, connectionId }: ConnectionAddress,
  until: Instant,
  day: Day,
  now: Instant,
): Promise<void> {
  await db.query({
    text: `update connections set reconciled_day = $4, reconcile_after = $5
            where organization_id = $1 and connection_id = $2 and reconcile_after = $3`,
    values: [organizationId, connectionId, isoInstant(until), day, isoInstant(now)],
  })
}

// What our books hold of a connection: each payment under the provider's id.
export type BookedPayment = {
  readonly id: string
  readonly networkId: string
  readonly amountInCents: bigint
}

export async function bookedPayins(
  db: Queryable,
  { organizationId, connectionId }: ConnectionAddress,
  from: Instant,
  to: Instant,
): Promise<BookedPayment[]> {
  const result = await db.query<BookedPayment>({
    text: `select payin_id as id, payment_id as "networkId", confirmed_amount_cents as "amountInCents"
             from payins
            where organization_id = $1 and connection_id = $2 and status = 'CONFIRMED' and result_at >= $3 and result_at < $4
              and payin_id >= $5 and payin_id < $6`,
    values: [
      organizationId,
      connectionId,
      isoInstant(from),
      isoInstant(to),
      firstIdAt(from - PAYIN_LIFE_MS),
      firstIdAt(to),
    ],
  })
  return result.rows
}

// Ids hold the time of creation, and the key is in their order. A payin is open for a day and its grace at most, and a payout that has
// not ended after a month has long had a person look at it.
const PAYIN_LIFE_MS = 2 * DAY_MS
const PAYOUT_LIFE_MS = 31 * DAY_MS

export async function bookedPayouts(
  db: Queryable,
  { organizationId, connectionId }: ConnectionAddress,
  from: Instant,
  to: Instant,
): Promise<BookedPayment[]> {
  const result = await db.query<BookedPayment>({
    text: `select payout_id as id, coalesce(trace_id, '') as "networkId", amount_cents as "amountInCents"
             from payouts
            where organization_id = $1 and connection_id = $2 and status = 'CONFIRMED' and result_at >= $3 and result_at < $4
              and payout_id >= $5 and payout_id < $6`,
    values: [
      organizationId,
      connectionId,
      isoInstant(from),
      isoInstant(to),
      firstIdAt(from - PAYOUT_LIFE_MS),
      firstIdAt(to),
    ],
  })
  return result.rows
}

// Where a payment of a connection stands in our books: the amount of the payin it confirmed, or that is in suspense.
export async function bookedAmount(
  db: Queryable,
  organizationId: string,
  rail: Rail,
  paymentId: string,
): Promise<bigint | undefined> {
  const result = await db.query<{ amount: bigint }>({
    name: 'booked-amount-of-payment',
    text: `select confirmed_amount_cents as amount from payins
            where organization_id = $1 and rail = $2 and payment_id = $3 and status = 'CONFIRMED'
            union all
           select amount_cents from suspense_items where organization_id = $1 and rail = $2 and payment_id = $3
            limit 1`,
    values: [organizationId, rail, paymentId],
  })
  return result.rows[0]?.amount
}
