// Who would be paid the same twice: by a payout of the last day, or by a row of another batch that is to become one.

import { firstIdAt } from '../../core/ids.ts'
import { DAY_MS } from '../../core/instant.ts'
import type { BatchRow } from '../../core/payout-batches/batch.ts'
import type { RowProblem } from '../../core/payout-batches/row.ts'
import type { Queryable } from '../../store/db.ts'
import { findQueuedRows, type Paying } from '../../store/payout-batches/rows.ts'
import { listRecentPayouts } from '../../store/payouts/recent.ts'
import type { Needs } from '../context.ts'
import { openReceiver, type Vault } from '../people/vault.ts'

type Judged = Pick<BatchRow, 'keyDigest' | 'amountInCents'>

// Says of each of these rows whom it would pay again.
export async function findRepeated(
  { clock }: Needs<'clock'>,
  db: Queryable,
  vault: Vault,
  { organizationId, batchId }: Pick<BatchRow, 'organizationId' | 'batchId'>,
  rows: readonly Judged[],
): Promise<(row: Judged) => RowProblem[]> {
  const paying = rows.flatMap(({ keyDigest, amountInCents }) =>
    keyDigest === null || amountInCents === null ? [] : [{ keyDigest, amountInCents }],
  )
  const amounts = [...new Set(paying.map(({ amountInCents }) => amountInCents))]
  const sinceId = firstIdAt(clock.now() - DAY_MS)
  const recent = await listRecentPayouts(db, organizationId, sinceId, amounts, MAX_RECENT_PAYOUTS)
  const queued = await findQueuedRows(db, organizationId, batchId, paying)
  const found = new Map<string, RowProblem>()
  for (const one of queued)
    found.set(nameOf(one), { column: 'key', code: 'DUPLICATE_IN_BATCH', duplicateOf: one.batchId })
  // Keys are sealed, so payouts of the same amount are opened.
  for (const { payoutId, receiver, amountInCents } of recent) {
    const opened = openReceiver(vault, payoutId, receiver)
    if (typeof opened === 'string') continue
    const keyDigest = vault.digest({ by: 'key', keyString: opened.keyString })
    const repeats = { column: 'key', code: 'DUPLICATE_PAYOUT', duplicateOf: payoutId } as const
    found.set(nameOf({ keyDigest, amountInCents }), repeats)
  }
  return ({ keyDigest, amountInCents }) => {
    const repeats =
      keyDigest !== null && amountInCents !== null && found.get(nameOf({ keyDigest, amountInCents }))
    return repeats ? [repeats] : []
  }
}

function nameOf({ keyDigest, amountInCents }: Paying): string {
  return `${keyDigest.toString('hex')} ${amountInCents}`
}

// The newest: opening this many takes a quarter of a second.
const MAX_RECENT_PAYOUTS = 20_000
