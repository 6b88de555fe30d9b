// Sums and digests of transfers between two ids, by sets: what days are closed by, and balances as they stood.

import type { BookingSum, MovementDigest } from '../../core/ledger/daily-close.ts'
import type { Queryable } from '../db.ts'

// From (inclusive) and before (exclusive).
export type IdRange = { readonly fromId: string; readonly beforeId: string }

// In an order that does not depend on how they were found.
export async function sumsOfBookings(
  db: Queryable,
  organizationId: string,
  { fromId, beforeId }: IdRange,
): Promise<BookingSum[]> {
  const result = await db.query<Omit<BookingSum, 'movements' | 'amountInCents'> & { n: bigint; sum: string }>(
    {
      name: 'sums-of-bookings',
      text: `select booking, debit_account as debit, credit_account as credit, count(*) as n, sum(amount_cents)::text as sum
             from ledger_transfers
            where organization_id = $1 and transfer_id >= $2 and transfer_id < $3
            group by booking, debit_account, credit_account
            order by booking collate "C", debit_account collate "C", credit_account collate "C"`,
      values: [organizationId, fromId, beforeId],
    },
  )
  return result.rows.map(({ n, sum, ...row }) => ({
    ...row,
    movements: Number(n),
    amountInCents: BigInt(sum),
  }))
}

// Each part in the order of its ids, one transfer a line. A part is what begins with the same eight characters, so two ranges must not
// meet within one.
export async function digestsOfTransfers(
  db: Queryable,
  organizationId: string,
  { fromId, beforeId }: IdRange,
): Promise<MovementDigest[]> {
  const result = await db.query<{ part: string; digest: Buffer }>({
    name: 'digests-of-transfers',
    text: `select left(transfer_id::text, 8) as part,
                  sha256(convert_to(string_agg(concat_ws('|', transfer_id, booking, subject_id, debit_account, credit_account,
                                                         amount_cents, (date_part('epoch', created_at) * 1000)::bigint, part),
                                               e'\\n' order by transfer_id), 'UTF8')) as digest
             from ledger_transfers
            where organization_id = $1 and transfer_id >= $2 and transfer_id < $3
            group by 1
            order by 1`,
    values: [organizationId, fromId, beforeId],
  })
  return result.rows
}

// The id so many transfers behind the first of a range. Null if the range has no more.
export async function idAfterTransfers(
  db: Queryable,
  organizationId: string,
  { fromId, beforeId }: IdRange,
  count: number,
): Promise<string | null> {
  const result = await db.query<{ transfer_id: string }>({
    name: 'id-after-transfers',
    text: `select transfer_id
             from ledger_transfers
            where organization_id = $1 and transfer_id >= $2 and transfer_id < $3
            order by transfer_id
           offset $4
            limit 1`,
    values: [organizationId, fromId, beforeId, count],
  })
  return result.rows[0]?.transfer_id ?? null
}
