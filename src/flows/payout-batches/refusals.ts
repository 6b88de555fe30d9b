// Why a batch or a row of it is not changed.

import type { PayoutBatch } from '../../core/payout-batches/batch.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'

export function refuseUnknownBatch(batchId: string): Refusal {
  return refuse('NOT_FOUND', `No payout batch has the id ${batchId}.`)
}

export function refuseUnknownRow(batchId: string, rowNumber: number): Refusal {
  return refuse('NOT_FOUND', `No payout batch has the id ${batchId} and a row ${rowNumber}.`)
}

export function refuseNotEditable({ status }: PayoutBatch): Refusal {
  return refuse('BATCH_NOT_EDITABLE', `The batch is ${status}.`)
}
