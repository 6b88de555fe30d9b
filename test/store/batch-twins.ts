// The batch, its rows and the beneficiary that both organizations have under the same ids (twins.ts).

import type { Beneficiary } from '../../src/core/beneficiaries/beneficiary.ts'
import type { NewEvent } from '../../src/core/events/event.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { BatchRow, PayoutBatch } from '../../src/core/payout-batches/batch.ts'
import { writeBeneficiary } from '../../src/store/beneficiaries/beneficiaries.ts'
import type { Db } from '../../src/store/db.ts'
import { claimDueBatches, insertBatch } from '../../src/store/payout-batches/batches.ts'
import { insertBatchRows } from '../../src/store/payout-batches/rows.ts'

type Mine = { readonly organizationId: string }

export type BatchIds = {
  readonly batch: string
  readonly batchRow: string
  readonly refusedRow: string
  readonly beneficiary: string
  readonly fresh: string
  readonly lease: string
}

export const FILE_DIGEST = Buffer.alloc(32, 7)
export const DOCUMENT_DIGEST = Buffer.alloc(16, 7)
export const KEY_DIGEST = Buffer.alloc(16, 8)

export function batchOf({ organizationId }: Mine, ids: BatchIds, mark: number, at: Instant): PayoutBatch {
  return {
    organizationId,
    batchId: ids.batch,
    version: 1,
    status: 'CHECKING',
    fileName: `file ${mark}`,
    fileDigest: FILE_DIGEST,
    credentialId: `key-${mark}`,
    payoutsPerDay: null,
    payoutSumPerDay: null,
    retryOf: null,
    reservedInCents: 0n,
    reservedDepositInCents: 0n,
    reservedFeesInCents: 0n,
    writtenBy: ['writer'],
    createdAt: at,
    updatedAt: at,
    submittedAt: null,
    completedAt: null,
  }
}

export function batchRowOf({ organizationId }: Mine, ids: BatchIds, mark: number): BatchRow {
  return {
    organizationId,
    batchId: ids.batch,
    rowId: ids.batchRow,
    rowNumber: 3,
    version: 1,
    state: 'DRAFT',
    person: { sealed: `row ${mark}` },
    amountInCents: BigInt(mark),
    keyDigest: KEY_DIGEST,
    isKeyFromBook: false,
    keyCheck: 'PENDING',
    problems: [{ column: 'name', code: 'REQUIRED' }],
    duplicateOf: null,
    payoutId: null,
    refusal: null,
  }
}

export function beneficiaryOf(
  { organizationId }: Mine,
  ids: BatchIds,
  mark: number,
  at: Instant,
): Beneficiary {
  return {
    organizationId,
    beneficiaryId: ids.beneficiary,
    version: mark,
    documentDigest: DOCUMENT_DIGEST,
    person: { sealed: `beneficiary ${mark}` },
    verifiedAt: null,
    verifiedBy: null,
    createdAt: at,
    updatedAt: at,
  }
}

export function batchEventOf({ organizationId }: Mine, ids: BatchIds, at: Instant): NewEvent {
  const event = { type: 'payoutbatch.completed', resource: 'payoutbatch' } as const
  return {
    organizationId,
    eventId: ids.fresh,
    ...event,
    objectId: ids.batch,
    version: 2,
    data: '{}',
    createdAt: at,
  }
}

export async function insertBatchTwins(
  db: Db,
  mine: Mine,
  ids: BatchIds,
  mark: number,
  at: Instant,
): Promise<void> {
  await insertBatch(db, batchOf(mine, ids, mark, at), at)
  const row = batchRowOf(mine, ids, mark)
  // The first of two to the same key, so that the other repeats it.
  const first = { ...row, rowId: ids.refusedRow, rowNumber: 2 }
  await insertBatchRows(db, [row, first])
  await db.query({
    text: `update payout_batch_rows set state = 'REFUSED' where organization_id = $1 and row_id = $2`,
    values: [mine.organizationId, ids.refusedRow],
  })
  await claimDueBatches(db, mine.organizationId, at, { token: ids.lease, until: at + 60_000 }, 10)
  await writeBeneficiary(db, beneficiaryOf(mine, ids, mark, at))
}
