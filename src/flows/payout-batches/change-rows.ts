// A merchant corrects a row of a batch, leaves rows out or takes them back in. A batch that waits for an approval is a draft again then:
// what was to be approved is no longer what it is.

import type { Organization } from '../../core/organizations/organization.ts'
import { type BatchRow, isEditable, moveBatch, type PayoutBatch } from '../../core/payout-batches/batch.ts'
import { BATCH_COLUMNS, type RowCells } from '../../core/payout-batches/columns.ts'
import { cellsOfPerson, NO_PERSON } from '../../core/payout-batches/person.ts'
import { textCells } from '../../core/payout-batches/row.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import { lockBatch, updateBatch } from '../../store/payout-batches/batches.ts'
import {
  getBatchRow,
  listBatchRows,
  markDuplicateRows,
  moveBatchRows,
  updateBatchRows,
} from '../../store/payout-batches/rows.ts'
import { insertDigests } from '../../store/people/digests.ts'
import { voidApproval } from '../approvals/submit.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { digestsOf } from '../people/seal-stored.ts'
import type { Vault } from '../people/vault.ts'
import { recordAct } from '../record-act.ts'
import { mayBeChecked } from './check-keys.ts'
import { judgeRows } from './judge-rows.ts'
import { refuseNotEditable, refuseUnknownBatch, refuseUnknownRow } from './refusals.ts'
import { releaseBatch } from './reserve.ts'
import { type BatchView, viewOf } from './view.ts'

type Changing = Needs<'actor' | 'clock' | 'ids' | 'db' | 'networks' | 'settings' | 'signals' | 'vault'>

export type RowChanges = Partial<RowCells> & { readonly isLeftOut?: boolean }

export async function changeBatchRow(
  ctx: Changing,
  organization: Organization,
  batchId: string,
  rowNumber: number,
  changes: RowChanges,
): Promise<BatchRow | Refusal> {
  const { organizationId } = organization
  const vault = await ctx.vault(organizationId)
  await reopenWaiting(ctx, organizationId, batchId)
  const before = await getBatchRow(ctx.db, organizationId, batchId, rowNumber)
  if (before === undefined) return refuseUnknownRow(batchId, rowNumber)
  const next = await changedRow(ctx, organization, vault, before, changes)
  const changed = await ctx.db.inTransaction(async (tx) => {
    const batch = await lockBatch(tx, organizationId, batchId)
    if (batch === undefined) return refuseUnknownBatch(batchId)
    if (!isEditable(batch)) return refuseNotEditable(batch)
    if ((await updateBatchRows(tx, [next])) === 0)
      return refuse('BATCH_CHANGED', 'Somebody else has changed the row meanwhile. Read it again.')
    await insertDigests(tx, organizationId, 'batchrow', digestsOf(vault, storedPerson(next)))
    await rewriteBatch(ctx, tx, batch, next.keyCheck === 'PENDING' && next.state === 'DRAFT')
    const act = { act: 'payoutbatch.change', before: batch, after: { rowNumber, state: next.state } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return (await getBatchRow(tx, organizationId, batchId, rowNumber)) ?? next
  })
  ctx.signals.workAdded('batches', organizationId)
  return changed
}

async function changedRow(
  ctx: Changing,
  organization: Organization,
  vault: Vault,
  before: BatchRow,
  { isLeftOut, ...cells }: RowChanges,
): Promise<BatchRow> {
  const state = isLeftOut === undefined ? before.state : isLeftOut ? 'LEFT_OUT' : 'DRAFT'
  if (BATCH_COLUMNS.every((column) => cells[column] === undefined)) return { ...before, state }
  const fields = vault.open(before.person, before.rowId)
  const known = typeof fields === 'string' ? NO_PERSON : cellsOfPerson(fields)
  const row = { ...before, cells: textCells({ ...known, ...cells }) }
  const [judged] = await judgeRows(ctx, organization, before.batchId, [row])
  return {
    ...(judged as BatchRow),
    version: before.version,
    state: isLeftOut === true ? 'LEFT_OUT' : 'DRAFT',
  }
}

function storedPerson({ rowId, person }: BatchRow) {
  return {
    objectId: rowId,
    isOpen: false,
    customer: person,
    customerText: null,
    keyString: null,
    keyStringSent: null,
  }
}

// `which`: the numbers of the rows, or all that have errors.
export async function leaveOutRows(
  ctx: Changing,
  organizationId: string,
  batchId: string,
  which: readonly number[] | 'errors',
  idempotency: Idempotency<BatchView> | null,
): Promise<BatchView | Refusal> {
  return changeBatch(ctx, organizationId, batchId, idempotency, async (tx, batch) => {
    const leftOut = await moveBatchRows(tx, organizationId, batchId, 'DRAFT', 'LEFT_OUT', which)
    const act = { act: 'payoutbatch.leaveout', before: batch, after: { leftOut } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return rewriteBatch(ctx, tx, batch, batch.status === 'CHECKING')
  })
}

// Looks up what the budget or the directory did not allow before.
export async function checkAgain(
  ctx: Changing,
  organizationId: string,
  batchId: string,
  idempotency: Idempotency<BatchView> | null,
): Promise<BatchView | Refusal> {
  return changeBatch(ctx, organizationId, batchId, idempotency, async (tx, batch) => {
    const unchecked = { state: 'DRAFT', keyCheck: 'UNCHECKED' } as const
    const rows = (await listBatchRows(tx, organizationId, batchId, unchecked, MAX_ROWS)).filter(mayBeChecked)
    if (rows.length > 0)
      await updateBatchRows(
        tx,
        rows.map((row) => ({ ...row, keyCheck: 'PENDING' })),
      )
    const act = { act: 'payoutbatch.check', before: batch, after: { rows: rows.length } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return rewriteBatch(ctx, tx, batch, rows.length > 0 || batch.status === 'CHECKING')
  })
}

const MAX_ROWS = 5_000

async function changeBatch(
  ctx: Changing,
  organizationId: string,
  batchId: string,
  idempotency: Idempotency<BatchView> | null,
  change: (tx: Queryable, batch: PayoutBatch) => Promise<PayoutBatch>,
): Promise<BatchView | Refusal> {
  await reopenWaiting(ctx, organizationId, batchId)
  const changed = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const batch = await lockBatch(tx, organizationId, batchId)
    if (batch === undefined) return refuseUnknownBatch(batchId)
    return isEditable(batch) ? viewOf(tx, await change(tx, batch)) : refuseNotEditable(batch)
  })
  ctx.signals.workAdded('batches', organizationId)
  return changed
}

// The batch after its rows have changed. `hasPending`: keys are to be looked up.
async function rewriteBatch(
  ctx: Needs<'clock'>,
  tx: Queryable,
  batch: PayoutBatch,
  hasPending: boolean,
): Promise<PayoutBatch> {
  const now = ctx.clock.now()
  await markDuplicateRows(tx, batch.organizationId, batch.batchId)
  const isChecking = batch.status === 'CHECKING'
  const next =
    (hasPending && !isChecking ? moveBatch(batch, 'check', now) : undefined) ??
    ({ ...batch, version: batch.version + 1, updatedAt: now } satisfies PayoutBatch)
  await updateBatch(tx, next, next.status === 'CHECKING' ? now : null)
  return next
}

// An edit voids the approval: what is set aside comes back, and the batch is submitted anew.
async function reopenWaiting(ctx: Changing, organizationId: string, batchId: string): Promise<void> {
  const voided = await ctx.db.inTransaction(async (tx) => {
    const approval = await voidApproval(ctx, tx, { organizationId, kind: 'payout-batch', subjectId: batchId })
    const batch = await lockBatch(tx, organizationId, batchId)
    if (batch?.status !== 'WAITING') return approval
    const released = await releaseBatch(ctx, tx, batch)
    await updateBatch(tx, moveBatch(batch, 'reopen', ctx.clock.now(), released) as PayoutBatch, null)
    return approval
  })
  if (voided !== null) ctx.signals.workAdded('events', organizationId)
}
