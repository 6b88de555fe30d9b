// A batch and its rows as merchants see them. People are opened when the text is sent (people/shown.ts).

import { isoInstant, isoOrNull } from '../instant.ts'
import { centsToNumber } from '../money.ts'
import type { PayoutErrorCode, PayoutStatus } from '../payouts/payout.ts'
import type { BatchResults, BatchRow, BatchTotals, PayoutBatch } from './batch.ts'
import type { RowCells } from './columns.ts'
import { ROW_PROBLEMS, type RowProblem } from './row.ts'

export function presentBatch(
  batch: PayoutBatch,
  totals: BatchTotals,
  results: BatchResults,
): Record<string, unknown> {
  return {
    id: batch.batchId,
    status: batch.status,
    fileName: batch.fileName,
    version: batch.version,
    currency: 'COP',
    retryOf: batch.retryOf,
    rows: totals.rows,
    rowsLeftOut: totals.leftOut,
    rowsToSend: totals.toSend,
    totalInCents: centsToNumber(totals.sumInCents),
    rowsWithErrors: totals.withErrors,
    rowsWithWarnings: totals.withWarnings,
    keysPending: totals.keysPending,
    keysUnchecked: totals.keysUnchecked,
    reservedInCents: centsToNumber(batch.reservedInCents),
    reservedFeesInCents: centsToNumber(batch.reservedFeesInCents),
    payoutsQueued: results.queued,
    payoutsProcessing: results.processing,
    payoutsConfirmed: results.confirmed,
    payoutsFailed: results.failed,
    confirmedInCents: centsToNumber(results.confirmedInCents),
    createdAt: isoInstant(batch.createdAt),
    updatedAt: isoInstant(batch.updatedAt),
    submittedAt: isoOrNull(batch.submittedAt),
    completedAt: isoOrNull(batch.completedAt),
    organizationId: batch.organizationId,
  }
}

export type PayoutOutcome = { readonly status: PayoutStatus; readonly errorCode: PayoutErrorCode | null }

export function presentRow(
  row: BatchRow,
  cells: RowCells,
  paidKey: string | null,
  outcome: PayoutOutcome | null,
): Record<string, unknown> {
  return {
    row: row.rowNumber,
    state: row.state,
    ...cells,
    amountInCents: row.amountInCents === null ? null : centsToNumber(row.amountInCents),
    paidKey,
    keyFromBook: row.isKeyFromBook,
    keyCheck: row.keyCheck,
    problems: problemsOf(row).map(({ column, code, duplicateOf = null }) => ({
      column,
      code,
      severity: ROW_PROBLEMS[code],
      duplicateOf,
    })),
    payoutId: row.payoutId,
    payoutStatus: outcome?.status ?? null,
    errorCode: row.refusal ?? outcome?.errorCode ?? null,
  }
}

// Which row it repeats changes with others, so it is stored beside the problems of the row itself.
export function problemsOf({ problems, duplicateOf }: BatchRow): RowProblem[] {
  if (duplicateOf === null) return [...problems]
  return [...problems, { column: 'key', code: 'DUPLICATE_IN_FILE', duplicateOf: String(duplicateOf) }]
}
