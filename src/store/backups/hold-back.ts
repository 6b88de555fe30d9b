// What a restored database would pay anew. Rows of batches, and refunds to a key, are no payouts yet: the database that was lost may
// have made payouts of them since, under references that are gone with it, so that no network would know them again. A payout has its
// reference, but some providers forget it. All of these wait until a person has looked: they are due at infinity, under a lease that
// nobody has. Its id says since when.

import type { HeldKind, HeldSubject } from '../../core/backups/held-back.ts'
import type { Provider } from '../../core/connections/provider.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'

// `providers` are those that would pay an order again. `leaseToken` is new.
export type NewHold = { readonly leaseToken: string; readonly providers: readonly Provider[] }

// Says what is held back now and was not before. In the transaction of the restore: workers may be waiting for its end. The schema may
// be an older one.
export async function holdBackUnpaid(tx: Queryable, hold: NewHold): Promise<HeldSubject[]> {
  const { rows } = await tx.query<{ has_refunds: boolean; has_batches: boolean; has_providers: boolean }>({
    text: `select to_regclass('refunds') is not null as has_refunds, to_regclass('payout_batches') is not null as has_batches,
                  exists (select 1
                            from pg_attribute
                           where attrelid = to_regclass('payouts') and attname = 'provider') as has_providers`,
  })
  return [
    ...(rows[0]?.has_batches ? await holdBackBatches(tx, hold) : []),
    ...(rows[0]?.has_refunds ? await holdBackRefunds(tx, hold) : []),
    ...(rows[0]?.has_providers ? await holdBackPayouts(tx, hold) : []),
  ]
}

async function holdBackBatches(tx: Queryable, { leaseToken }: NewHold): Promise<HeldSubject[]> {
  const { rows } = await tx.query<HeldSubject>({
    text: `update payout_batches b
              set due_at = 'infinity', lease_token = $1
            where status = 'PROCESSING' and due_at is distinct from 'infinity'
              and exists (select 1
                            from payout_batch_rows r
                           where r.organization_id = b.organization_id and r.batch_id = b.batch_id and r.state = 'QUEUED')
        returning 'batch' as kind, batch_id as id, organization_id as "organizationId"`,
    values: [leaseToken],
  })
  return rows
}

async function holdBackRefunds(tx: Queryable, { leaseToken }: NewHold): Promise<HeldSubject[]> {
  const { rows } = await tx.query<HeldSubject>({
    text: `update refunds
              set due_at = 'infinity', lease_token = $1
            where stage in ('READY', 'AWAITING_FUNDS') and way <> 'RAIL' and due_at is distinct from 'infinity'
        returning 'refund' as kind, refund_id as id, organization_id as "organizationId"`,
    values: [leaseToken],
  })
  return rows
}

// Those that were not handed over yet. About any other its provider is asked before anything is sent again.
async function holdBackPayouts(tx: Queryable, { leaseToken, providers }: NewHold): Promise<HeldSubject[]> {
  const { rows } = await tx.query<HeldSubject>({
    text: `update payouts
              set due_at = 'infinity', lease_token = $1
            where status = 'PROCESSING' and stage in ('CREATED', 'RESERVED') and provider = any($2)
              and due_at is distinct from 'infinity'
        returning 'payout' as kind, payout_id as id, organization_id as "organizationId"`,
    values: [leaseToken, providers],
  })
  return rows
}

export type HeldBack = HeldSubject & {
  readonly leaseToken: string
  readonly amountInCents: bigint
  // How many payments it would be.
  readonly payments: number
}

export async function listHeldBatches(db: Queryable): Promise<HeldBack[]> {
  const { rows } = await db.query<HeldBack>({
    text: `select 'batch' as kind, b.batch_id as id, b.organization_id as "organizationId", b.lease_token as "leaseToken",
                  coalesce(sum(r.amount_cents), 0)::bigint as "amountInCents", count(r.row_id)::integer as payments
             from payout_batches b
             left join payout_batch_rows r
               on r.organization_id = b.organization_id and r.batch_id = b.batch_id and r.state = 'QUEUED'
            where b.due_at = 'infinity'
            group by b.organization_id, b.batch_id, b.lease_token
            order by b.batch_id`,
  })
  return rows
}

export async function listHeldRefunds(db: Queryable): Promise<HeldBack[]> {
  const { rows } = await db.query<HeldBack>({
    text: `select 'refund' as kind, refund_id as id, organization_id as "organizationId", lease_token as "leaseToken",
                  amount_cents as "amountInCents", 1 as payments
             from refunds
            where due_at = 'infinity'
            order by refund_id`,
  })
  return rows
}

export async function listHeldPayouts(db: Queryable): Promise<HeldBack[]> {
  const { rows } = await db.query<HeldBack>({
    text: `select 'payout' as kind, payout_id as id, organization_id as "organizationId", lease_token as "leaseToken",
                  amount_cents as "amountInCents", 1 as payments
             from payouts
            where due_at = 'infinity'
            order by payout_id`,
  })
  return rows
}

// `state` is its stage while it is open, else how it has ended. `leaseToken` is null if it is not held back.
export type HoldState = { readonly state: string; readonly leaseToken: string | null }

const STATE_OF: Readonly<Record<HeldKind, string>> = {
  batch: `select status as state, case when due_at = 'infinity' then lease_token end as "leaseToken"
            from payout_batches
           where organization_id = $1 and batch_id = $2`,
  refund: `select case status when 'PROCESSING' then stage else status end as state,
                  case when due_at = 'infinity' then lease_token end as "leaseToken"
             from refunds
            where organization_id = $1 and refund_id = $2`,
  payout: `select case status when 'PROCESSING' then stage else status end as state,
                  case when due_at = 'infinity' then lease_token end as "leaseToken"
             from payouts
            where organization_id = $1 and payout_id = $2`,
}

// Undefined if the organization has no such thing.
export async function readHoldState(
  db: Queryable,
  { kind, organizationId, id }: HeldSubject,
): Promise<HoldState | undefined> {
  const { rows } = await db.query<HoldState>({ text: STATE_OF[kind], values: [organizationId, id] })
  return rows[0]
}

// Whether it was held back, and goes on now. Each statement is written out: that is how its guard is found and tested.
export async function releaseHeldBatch(
  tx: Queryable,
  { organizationId, id }: HeldSubject,
  now: Instant,
): Promise<boolean> {
  const result = await tx.query({
    text: `update payout_batches
              set due_at = $3, lease_token = null
            where organization_id = $1 and batch_id = $2 and due_at = 'infinity'`,
    values: [organizationId, id, isoInstant(now)],
  })
  return result.rowCount === 1
}

export async function releaseHeldRefund(
  tx: Queryable,
  { organizationId, id }: HeldSubject,
  now: Instant,
): Promise<boolean> {
  const result = await tx.query({
    text: `update refunds
              set due_at = $3, lease_token = null
            where organization_id = $1 and refund_id = $2 and due_at = 'infinity'`,
    values: [organizationId, id, isoInstant(now)],
  })
  return result.rowCount === 1
}

export async function releaseHeldPayout(
  tx: Queryable,
  { organizationId, id }: HeldSubject,
  now: Instant,
): Promise<boolean> {
  const result = await tx.query({
    text: `update payouts
              set due_at = $3, lease_token = null
            where organization_id = $1 and payout_id = $2 and due_at = 'infinity'`,
    values: [organizationId, id, isoInstant(now)],
  })
  return result.rowCount === 1
}
