// What people approve of a batch, and what follows. Its money is set aside when it is submitted, and it waits. Once it is approved its
// payouts are made; if it is refused, lapses or was changed, the money is released and it is a draft again.

import { type Approval, isBoundTo } from '../../core/approvals/approval.ts'
import { type ApprovalRule, type Approvers, approversFor } from '../../core/approvals/rule.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import {
  type BatchStep,
  type BatchTotals,
  moveBatch,
  type PayoutBatch,
} from '../../core/payout-batches/batch.ts'
import { MAX_BATCH_ROWS } from '../../core/payout-batches/columns.ts'
import { rowsDigest } from '../../core/payout-batches/rows-digest.ts'
import { approvalList } from '../../store/approvals/approvals.ts'
import type { Queryable } from '../../store/db.ts'
import { getBatch, lockBatch, updateBatch } from '../../store/payout-batches/batches.ts'
import { listBatchRows } from '../../store/payout-batches/rows.ts'
import type { ApprovalEffect, EffectContext } from '../approvals/effect.ts'
import { releaseBatch } from './reserve.ts'

// Nobody escapes the rule of a single payout by putting it into a file: the largest row asks as many people as it would alone.
export function batchRules(
  { approvalRules }: Pick<Organization, 'approvalRules'>,
  { sumInCents, largestInCents }: BatchTotals,
): readonly ApprovalRule[] {
  const approvers = Math.max(
    approversFor(approvalRules, 'payout-batch', sumInCents),
    approversFor(approvalRules, 'payout', largestInCents),
  ) as Approvers
  return [{ kind: 'payout-batch', tiers: [{ fromInCents: 0n, approvers }] }]
}

// Every row is bound by its number, its amount and the digest of its sealed text: nobody can read it from here, and another receiver is
// another text.
export async function batchDocument(
  tx: Queryable,
  { organizationId, batchId, fileName, reservedInCents, reservedFeesInCents: feesInCents }: PayoutBatch,
): Promise<Readonly<Record<string, unknown>>> {
  const rows = await listBatchRows(tx, organizationId, batchId, { state: 'QUEUED' }, MAX_BATCH_ROWS)
  return {
    fileName,
    rows: rows.length,
    totalInCents: reservedInCents - feesInCents,
    ...(feesInCents > 0n && { feesInCents }),
    rowsSha256: rowsDigest(rows),
  }
}

// Whether a batch of which nothing was sent yet is what people approved. One that nobody was asked about is, and so is one that is
// being sent: its rows are payouts.
export async function isAsApproved(tx: Queryable, batch: PayoutBatch): Promise<boolean> {
  const { organizationId, batchId: subjectId } = batch
  const filters = { kind: 'payout-batch', subjectId, status: 'APPROVED' } as const
  const [approval] = await approvalList(tx, organizationId, filters).seek(
    { direction: 'older', from: null },
    1,
  )
  if (approval === undefined) return true
  for (const state of ['SENT', 'REFUSED'] as const)
    if ((await listBatchRows(tx, organizationId, subjectId, { state }, 1)).length > 0) return true
  return isBoundTo(approval, await batchDocument(tx, batch))
}

export const batchApproval: ApprovalEffect = {
  current: async (tx, approval) => {
    const batch = await waitingBatch(tx, approval)
    return batch && batchDocument(tx, batch)
  },
  approved: (ctx, tx, approval) => move(ctx, tx, approval, 'start'),
  refused: (ctx, tx, approval) => move(ctx, tx, approval, 'reopen'),
  lapsed: (ctx, tx, approval) => move(ctx, tx, approval, 'reopen'),
  stale: (ctx, tx, approval) => move(ctx, tx, approval, 'reopen'),
  // Whoever wrote what is paid is a maker of it, whoever else pressed submit.
  askedBy: async (db, { organizationId, subjectId }) =>
    (await getBatch(db, organizationId, subjectId))?.writtenBy ?? null,
  wakes: ['batches'],
}

async function waitingBatch(
  tx: Queryable,
  { organizationId, subjectId }: Pick<Approval, 'organizationId' | 'subjectId'>,
): Promise<PayoutBatch | undefined> {
  const batch = await lockBatch(tx, organizationId, subjectId)
  return batch?.status === 'WAITING' ? batch : undefined
}

// A batch that no longer waits was canceled, and stays as it is.
async function move(
  ctx: EffectContext,
  tx: Queryable,
  approval: Approval,
  step: BatchStep & ('start' | 'reopen'),
): Promise<void> {
  const batch = await waitingBatch(tx, approval)
  if (batch === undefined) return
  const now = ctx.clock.now()
  const released = step === 'reopen' ? await releaseBatch(ctx, tx, batch) : {}
  const next = moveBatch(batch, step, now, released) as PayoutBatch
  await updateBatch(tx, next, step === 'start' ? now : null)
}
