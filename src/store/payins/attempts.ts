// Payins that are attempts on a payment link's page. An open attempt is found by its state. The order of ids says nothing:
// each process makes them by its own clock, and clocks differ.

import type { Payin } from '../../core/payins/payin.ts'
import type { Queryable } from '../db.ts'
import { COLUMNS, type PayinAddress, type PayinRow, toPayin } from './payins.ts'

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

// The attempt as it is now. Undefined if somebody else has locked it: this never waits.
export async function lockAttemptIfFree(tx: Queryable, address: PayinAddress): Promise<Payin | undefined> {
  const result = await tx.query<PayinRow>({
    name: 'lock-attempt-if-free',
    text: `select ${COLUMNS} from payins where organization_id = $1 and payin_id = $2 for update skip locked`,
    values: [address.organizationId, address.payinId],
  })
  return result.rows[0] && toPayin(result.rows[0])
}

// The attempt that a page shows: the open one, else the one that paid, else the latest.
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
            order by (${IS_OPEN}) desc, (status = 'CONFIRMED') desc, payin_id desc
            limit 1`,
    values: [organizationId, paymentLinkId],
  })
  return result.rows[0] && toPayin(result.rows[0])
}
