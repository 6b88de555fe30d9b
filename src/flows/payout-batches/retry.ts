// The rows of a batch that failed are tried again, as a batch of their own with payouts of their own. A row is in one retry at most.

import { createHash } from 'node:crypto'
import { centsToDecimal } from '../../core/money.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { writtenAlsoBy } from '../../core/payout-batches/batch.ts'
import { cellsOfPerson, NO_PERSON } from '../../core/payout-batches/person.ts'
import { textCells } from '../../core/payout-batches/row.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { insertBatch, lockBatch } from '../../store/payout-batches/batches.ts'
import { insertBatchRows, markDuplicateRows, takeFailedRows } from '../../store/payout-batches/rows.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import type { PayoutCreator } from '../payouts/create.ts'
import { recordAct } from '../record-act.ts'
import { newBatch } from './create.ts'
import { judgeRows } from './judge-rows.ts'
import { refuseUnknownBatch } from './refusals.ts'
import { type BatchView, viewOf } from './view.ts'

export async function retryBatch(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'networks' | 'settings' | 'signals' | 'vault'>,
  organization: Organization,
  creator: PayoutCreator,
  batchId: string,
  idempotency: Idempotency<BatchView> | null,
): Promise<BatchView | Refusal> {
  const { organizationId } = organization
  const vault = await ctx.vault(organizationId)
  const made = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const before = await lockBatch(tx, organizationId, batchId)
    if (before === undefined) return refuseUnknownBatch(batchId)
    if (before.status !== 'COMPLETED')
      return refuse(
        'BATCH_NOT_READY',
        `The batch is ${before.status}: it can be tried again when it is COMPLETED.`,
      )
    const retryId = ctx.ids.next()
    const failed = await takeFailedRows(tx, organizationId, batchId, retryId)
    if (failed.length === 0)
      return refuse('BATCH_NOT_READY', 'None of its rows has failed and was not tried again.')
    const rowIds = failed.map(() => ctx.ids.next())
    const written = failed.map((row, at) => {
      const fields = vault.open(row.person, row.rowId)
      const cells = typeof fields === 'string' ? NO_PERSON : cellsOfPerson(fields)
      const amount = row.amountInCents === null ? cells.amount : centsToDecimal(row.amountInCents)
      const rowId = rowIds.at(-1 - at) as string
      return { rowNumber: row.rowNumber, rowId, cells: textCells({ ...cells, amount }) }
    })
    const rows = await judgeRows(ctx, organization, retryId, written)
    const { writtenBy } = writtenAlsoBy(before, creator.credentialId)
    const batch = newBatch(organizationId, retryId, {
      fileName: before.fileName,
      fileDigest: createHash('sha256').update(retryId).digest(),
      creator,
      retryOf: batchId,
      // Its rows are theirs still.
      writtenBy,
    })
    await insertBatch(tx, batch, batch.createdAt)
    await insertBatchRows(tx, rows)
    await markDuplicateRows(tx, organizationId, retryId)
    const act = {
      act: 'payoutbatch.retry',
      before: null,
      after: { retriedIn: retryId, rows: rows.length },
    } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return viewOf(tx, batch)
  })
  ctx.signals.workAdded('batches', organizationId)
  return made
}
