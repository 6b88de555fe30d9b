// What may have changed since a batch was looked at is judged once more when it is submitted: whether its people are paid the same by
// something else meanwhile, and where the organization asks for it, whether its keys were looked up lately.

import type { Organization } from '../../core/organizations/organization.ts'
import type { BatchRow, PayoutBatch } from '../../core/payout-batches/batch.ts'
import { MAX_BATCH_ROWS } from '../../core/payout-batches/columns.ts'
import type { RowProblem, RowProblemCode } from '../../core/payout-batches/row.ts'
import type { Queryable } from '../../store/db.ts'
import { namesLookedUpSince } from '../../store/directory/key-lookups.ts'
import { updateBatch } from '../../store/payout-batches/batches.ts'
import { lockRetriedPaidAfterDecline, type PaidAfterAll } from '../../store/payout-batches/retried.ts'
import { listBatchRows, updateBatchRows } from '../../store/payout-batches/rows.ts'
import type { Needs } from '../context.ts'
import { LOOKUP_VALIDITY_MS } from '../payouts/create.ts'
import type { Vault } from '../people/vault.ts'
import { findRepeated } from './duplicates.ts'

export type JudgedAgain = {
  readonly batch: PayoutBatch
  // Keys that were looked up too long ago.
  readonly keysOutdated: number
}

// Of a draft that the caller has locked, and nobody else submits a batch of the organization meanwhile. If a row has a problem that it
// did not have, the batch is another version: whoever accepted the warnings has not seen that one.
export async function judgeAgain(
  ctx: Needs<'clock'>,
  tx: Queryable,
  { organizationId, requireKeyLookup }: Pick<Organization, 'organizationId' | 'requireKeyLookup'>,
  vault: Vault,
  batch: PayoutBatch,
): Promise<JudgedAgain> {
  const rows = await listBatchRows(tx, organizationId, batch.batchId, { state: 'DRAFT' }, MAX_BATCH_ROWS)
  const repeatedBy = await findRepeated(ctx, tx, vault, batch, rows)
  const paid = await lockRetriedPaidAfterDecline(
    tx,
    batch,
    rows.map(({ rowNumber }) => rowNumber),
  )
  const isOutdated = requireKeyLookup ? await outdatedKeys(ctx, tx, organizationId, rows) : () => false
  const judged = rows.map((row): { row: BatchRow; added: RowProblem[]; isChanged: boolean } => {
    const earlier = paid.get(row.rowNumber)
    const found = earlier === undefined ? repeatedBy(row) : [paidAfterAll(earlier)]
    const kept = row.problems.filter((one) => !REPEATED.has(one.code) || found.some(isSameAs(one)))
    const outdated = isOutdated(row) ? [KEY_NOT_LOOKED_UP] : []
    const added = [...found, ...outdated].filter((one) => !kept.some(isSameAs(one)))
    const keyCheck = outdated.length > 0 ? 'UNCHECKED' : row.keyCheck
    const isChanged = added.length > 0 || kept.length < row.problems.length
    return { row: { ...row, keyCheck, problems: [...kept, ...added] }, added, isChanged }
  })
  const changed = judged.flatMap(({ row, isChanged }) => (isChanged ? [row] : []))
  if (changed.length > 0) await updateBatchRows(tx, changed)
  const keysOutdated = rows.filter(isOutdated).length
  if (judged.every(({ added }) => added.length === 0)) return { batch, keysOutdated }
  const next = { ...batch, version: batch.version + 1, updatedAt: ctx.clock.now() }
  await updateBatch(tx, next, null)
  return { batch: next, keysOutdated }
}

const KEY_NOT_LOOKED_UP: RowProblem = { column: 'key', code: 'KEY_NOT_LOOKED_UP' }
const REPEATED: ReadonlySet<RowProblemCode> = new Set([
  'DUPLICATE_PAYOUT',
  'DUPLICATE_IN_BATCH',
  'PAID_AFTER_ALL',
])

function paidAfterAll({ payoutId }: PaidAfterAll): RowProblem {
  return { column: 'key', code: 'PAID_AFTER_ALL', duplicateOf: payoutId }
}

function isSameAs(one: RowProblem): (other: RowProblem) => boolean {
  return ({ code, duplicateOf }) => code === one.code && duplicateOf === one.duplicateOf
}

async function outdatedKeys(
  { clock }: Needs<'clock'>,
  tx: Queryable,
  organizationId: string,
  rows: readonly BatchRow[],
): Promise<(row: BatchRow) => boolean> {
  // As lookupName names them.
  const nameOf = ({ keyDigest }: BatchRow): string => keyDigest?.toString('hex') ?? ''
  const since = clock.now() - LOOKUP_VALIDITY_MS
  const names = new Set(await namesLookedUpSince(tx, organizationId, rows.map(nameOf), since))
  return (row) => row.keyDigest !== null && !names.has(nameOf(row))
}
