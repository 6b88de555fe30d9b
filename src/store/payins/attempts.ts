// Payins that are attempts on a payment link's page. An open attempt is found by its state. The order of ids says nothing:
// each process makes them by its own clock, and clocks differ.

import { type Instant, isoInstant, isoOrNull } from '../../core/instant.ts'
import type { Payin, PayinAddress } from '../../core/payins/payin.ts'
import type { Queryable } from '../db.ts'
import { COLUMNS, type PayinRow, toPayin } from './payin-row.ts'
import type { PayinClaim } from './payins.ts'

// The condition of the index that allows one open attempt for each link.
const IS_OPEN = `status in ('PENDING', 'PROCESSING')`

export async function openAttempt(
  db: Queryable,
  organizationId: string,
  paymentLinkId: string,
): Promise<Payin | undefined> {
  const result = await db.query<PayinRow>({
    name: 'open-attempt-of-link',
    text: `select ${COLUMNS} from payins where organization_id = $1 and payment_link_id = $2 and ${IS_OPEN}`,
    values: [organizationId, paymentLinkId],
  })
  return result.rows[0] && toPayin(result.rows[0])
}

// The attempt that keeps a link from taking another: the open one, or one that has its outcome and may still be paid at its
// network.
export async function unendedAttempt(
  db: Queryable,
  organizationId: string,
  paymentLinkId: string,
): Promise<Payin | undefined> {
  const result = await db.query<PayinRow>({
    name: 'unended-attempt-of-link',
    text: `select ${COLUMNS}
             from payins
            where organization_id = $1 and payment_link_id = $2 and (${IS_OPEN} or rail_stage = 'TO_CLOSE')
            order by (${IS_OPEN}) desc
            limit 1`,
    values: [organizationId, paymentLinkId],
  })
  return result.rows[0] && toPayin(result.rows[0])
}

// The attempt as it is now. Undefined if somebody else has locked it: this never waits.
export async function lockAttemptIfFree(tx: Queryable, address: PayinAddress): Promise<Payin | undefined> {
  const result = await tx.query<PayinRow>({
    name: 'lock-attempt-if-free',
    text: `select ${COLUMNS} from payins where organization_id = $1 and payin_id = $2 for update skip locked`,
    values: [address.organizationId, address.payinId],
  })
  return result.rows[0] && toPayin(result.rows[0])
}

// What the claim replaced. A lease that had run out says that a worker has had the payin, and may have died after it called
// the network.
export type AttemptClaim = PayinClaim & {
  readonly earlier: { readonly dueAt: Instant | null; readonly leaseToken: string | null }
}

// Takes the lease of one open attempt, so that no worker calls its network meanwhile. Undefined if the attempt has ended or
// somebody holds a lease that has not run out.
export async function claimAttempt(
  db: Queryable,
  address: PayinAddress,
  now: Instant,
  lease: { token: string; until: Instant },
): Promise<AttemptClaim | undefined> {
  const result = await db.query<PayinRow & { was_due_at: Instant | null; was_lease_token: string | null }>({
    name: 'claim-attempt',
    text: `with free as (
             select payin_id as attempt_id, due_at as was_due_at, lease_token as was_lease_token
               from payins
              where organization_id = $1 and payin_id = $2 and ${IS_OPEN} and (lease_token is null or due_at <= $3)
                for update
           )
           update payins
              set due_at = $4, lease_token = $5
             from free
            where organization_id = $1 and payin_id = attempt_id
        returning ${COLUMNS}, was_due_at, was_lease_token`,
    values: [address.organizationId, address.payinId, isoInstant(now), isoInstant(lease.until), lease.token],
  })
  const row = result.rows[0]
  return (
    row && {
      payin: toPayin(row),
      leaseToken: lease.token,
      earlier: { dueAt: row.was_due_at, leaseToken: row.was_lease_token },
    }
  )
}

// Gives the attempt back as it was, with a lease that had run out: it is the only trace of a worker that died. Whoever has
// changed the attempt since has taken our lease away.
export async function releaseAttempt(
  db: Queryable,
  { payin, leaseToken, earlier }: AttemptClaim,
): Promise<void> {
  await db.query({
    name: 'release-attempt',
    text: `update payins
              set due_at = $4, lease_token = $5
            where organization_id = $1 and payin_id = $2 and lease_token = $3`,
    values: [payin.organizationId, payin.payinId, leaseToken, isoOrNull(earlier.dueAt), earlier.leaseToken],
  })
}

// The attempt that a page shows: the open one, else the one that paid, else one that may still be paid, else
// the latest.
export async function attemptToShow(
  db: Queryable,
  organizationId: string,
  paymentLinkId: string,
): Promise<Payin | undefined> {
  const result = await db.query<PayinRow>({
    name: 'attempt-to-show-of-link',
    text: `select ${COLUMNS}
             from payins
            where organization_id = $1 and payment_link_id = $2
            order by (${IS_OPEN}) desc, (status = 'CONFIRMED') desc, (rail_stage = 'TO_CLOSE') desc, payin_id desc
            limit 1`,
    values: [organizationId, paymentLinkId],
  })
  return result.rows[0] && toPayin(result.rows[0])
}
