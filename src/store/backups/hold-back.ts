// What a restored database would pay anew: rows of batches, and refunds to a key, that are no payouts yet. The database that was lost
// may have made payouts of them since, under references that are gone with it, so that no network would know them again. They wait
// until a person has looked.

import type { Queryable } from '../db.ts'

// Says what is held back. In the transaction of the restore: workers may be waiting for its end.
export async function holdBackUnpaid(tx: Queryable): Promise<string[]> {
  const { rows } = await tx.query<{ has_refunds: boolean; has_batches: boolean }>({
    text: `select to_regclass('refunds') is not null as has_refunds, to_regclass('payout_batches') is not null as has_batches`,
  })
  const batches = rows[0]?.has_batches ? await holdBackBatches(tx) : []
  const refunds = rows[0]?.has_refunds ? await holdBackRefunds(tx) : []
  return [...batches.map((id) => `batch ${id}`), ...refunds.map((id) => `refund ${id}`)]
}

async function holdBackBatches(tx: Queryable): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    text: `update payout_batches b
              set due_at = null, lease_token = null
            where status = 'PROCESSING'
              and exists (select 1
                            from payout_batch_rows r
                           where r.organization_id = b.organization_id and r.batch_id = b.batch_id and r.state = 'QUEUED')
        returning batch_id as id`,
  })
  return rows.map(({ id }) => id)
}

async function holdBackRefunds(tx: Queryable): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    text: `update refunds
              set due_at = null, lease_token = null
            where stage in ('READY', 'AWAITING_FUNDS') and way <> 'RAIL'
        returning refund_id as id`,
  })
  return rows.map(({ id }) => id)
}
