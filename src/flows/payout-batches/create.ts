// A merchant hands in a file of payouts. It becomes a batch that can be looked at and corrected; nothing is reserved or sent.

import { createHash } from 'node:crypto'
import { firstIdAt, instantOfId } from '../../core/ids.ts'
import { DAY_MS } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { firstRowWith, type PayoutBatch } from '../../core/payout-batches/batch.ts'
import { readPayoutFile } from '../../core/payout-batches/read-file.ts'
import { isFileProblem } from '../../core/payout-batches/table.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import { findBatchOfFile, insertBatch } from '../../store/payout-batches/batches.ts'
import { insertBatchRows } from '../../store/payout-batches/rows.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import type { PayoutCreator } from '../payouts/create.ts'
import { recordAct } from '../record-act.ts'
import { judgeRows } from './judge-rows.ts'
import { type BatchView, viewOf } from './view.ts'

export type BatchFile = {
  readonly fileName: string
  readonly bytes: Buffer
  // The same file was handed in before, and is meant once more.
  readonly isRepeated: boolean
}

// A file that was handed in within this long is the same one by mistake.
const SAME_FILE_MS = 30 * DAY_MS

export async function createBatch(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'networks' | 'settings' | 'signals' | 'vault'>,
  organization: Organization,
  creator: PayoutCreator,
  { fileName, bytes, isRepeated }: BatchFile,
  idempotency: Idempotency<BatchView> | null,
): Promise<BatchView | Refusal> {
  const { organizationId } = organization
  const file = readPayoutFile(bytes)
  if (isFileProblem(file)) return refuseFile(`${file.fileProblem}: ${file.detail}`)
  const fileDigest = createHash('sha256').update(bytes).digest()
  // The first row has the newest id: lists are read from there.
  const [batchId = '', ...rowIds] = Array.from({ length: file.rows.length + 1 }, () => ctx.ids.next())
  const written = file.rows.map((row, at) => ({ ...row, rowId: rowIds.at(-1 - at) as string }))
  const judged = await judgeRows(ctx, organization, batchId, written, file.separators)
  const firstOf = firstRowWith(judged)
  const rows = judged.map((row) => ({ ...row, duplicateOf: firstOf(row) }))
  const writtenBy = [creator.credentialId]
  const batch = newBatch(organizationId, batchId, { fileName, fileDigest, creator, retryOf: null, writtenBy })
  const made = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    // One file after the other: of two that come at once, neither would see the other's batch.
    await lockOrganization(tx, organizationId)
    const sinceId = firstIdAt(ctx.clock.now() - SAME_FILE_MS)
    const before = isRepeated ? undefined : await findBatchOfFile(tx, organizationId, fileDigest, sinceId)
    if (before !== undefined) return refuseSameFile(before)
    await insertBatch(tx, batch, batch.createdAt)
    await insertBatchRows(tx, rows)
    const act = { act: 'payoutbatch.create', before: null, after: batch } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return viewOf(tx, batch)
  })
  ctx.signals.workAdded('batches', organizationId)
  return made
}

export function newBatch(
  organizationId: string,
  batchId: string,
  made: Pick<PayoutBatch, 'fileName' | 'fileDigest' | 'retryOf' | 'writtenBy'> & { creator: PayoutCreator },
): PayoutBatch {
  const { creator, ...rest } = made
  const createdAt = instantOfId(batchId)
  return {
    organizationId,
    batchId,
    version: 1,
    status: 'CHECKING',
    ...rest,
    credentialId: creator.credentialId,
    payoutsPerDay: creator.limits.payoutsPerDay,
    payoutSumPerDay: creator.limits.payoutSumPerDay,
    reservedInCents: 0n,
    reservedDepositInCents: 0n,
    reservedFeesInCents: 0n,
    createdAt,
    updatedAt: createdAt,
    submittedAt: null,
    completedAt: null,
  }
}

function refuseFile(detail: string): Refusal {
  const problem = { path: '/file', code: 'FILE_REFUSED', message: detail } as const
  return refuse('FILE_REFUSED', detail, { errors: [problem] })
}

function refuseSameFile(batchId: string): Refusal {
  return refuse(
    'BATCH_FILE_REPEATED',
    `The same file is the batch ${batchId}. Send it again only if its people are to be paid twice: with \`repeat\` true.`,
    {
      errors: [
        { path: '/repeat', code: 'NOT_ALLOWED', message: `must be true: the file is the batch ${batchId}` },
      ],
    },
  )
}
