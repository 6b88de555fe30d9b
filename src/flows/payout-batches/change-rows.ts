// A merchant corrects a row of a batch, leaves rows out or takes them back in. A batch that waits for an approval is a draft again then:
// what was to be approved is no longer what it is.

import type { Approval } from '../../core/approvals/approval.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import {
  type BatchRow,
  isEditable,
  moveBatch,
  type PayoutBatch,
  type RowState,
  writtenAlsoBy,
} from '../../core/payout-batches/batch.ts'
import {
  BATCH_COLUMNS,
  type BatchColumn,
  MAX_BATCH_ROWS,
  type RowCells,
} from '../../core/payout-batches/columns.ts'
import { cellsOfPerson, NO_PERSON } from '../../core/payout-batches/person.ts'
import { textCells } from '../../core/payout-batches/row.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { lockWaitingApproval } from '../../store/approvals/approvals.ts'
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
import { voidLocked } from '../approvals/submit.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { digestsOf } from '../people/seal-stored.ts'
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
  const before = await getBatchRow(ctx.db, organizationId, batchId, rowNumber)
  if (before === undefined) return refuseUnknownRow(batchId, rowNumber)
  const fields = vault.open(before.person, before.rowId)
  const known = typeof fields === 'string' ? NO_PERSON : cellsOfPerson(fields)
  const next = await changedRow(ctx, organization, before, known, changes)
  let isVoided = false
  const changed = await ctx.db.inTransaction(async (tx) => {
    const locked = await lockToChange(tx, organizationId, batchId)
    if (isRefusal(locked)) return locked
    if (locked.batch.status === 'WAITING' && saysTheSame(before, known, changes)) return before
    if ((await updateBatchRows(tx, [next])) === 0)
      return refuse('BATCH_CHANGED', 'Somebody else has changed the row meanwhile. Read it again.')
    await insertDigests(tx, organizationId, 'batchrow', digestsOf(vault, storedPerson(next)))
    const batch = await reopened(ctx, tx, locked)
    isVoided = batch !== locked.batch
    const written = writtenAlsoBy(batch, ctx.actor.id)
    const rewritten = await rewriteBatch(
      ctx,
      tx,
      written,
      next.keyCheck === 'PENDING' && next.state === 'DRAFT',
    )
    const after = { ...rewritten, rowNumber, state: next.state }
    const act = { act: 'payoutbatch.change', before: locked.batch, after } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return (await getBatchRow(tx, organizationId, batchId, rowNumber)) ?? next
  })
  ctx.signals.workAdded('batches', organizationId)
  if (isVoided) ctx.signals.workAdded('events', organizationId)
  return changed
}

async function changedRow(
  ctx: Changing,
  organization: Organization,
  before: BatchRow,
  known: RowCells,
  { isLeftOut, ...written }: RowChanges,
): Promise<BatchRow> {
  const state = isLeftOut === undefined ? before.state : isLeftOut ? 'LEFT_OUT' : 'DRAFT'
  if (BATCH_COLUMNS.every((column) => written[column] === undefined)) return { ...before, state }
  const cells = textCells({ ...known, ...written })
  // A cell that nobody has written anew is what the file said it is.
  for (const { column, code } of before.problems)
    if (code === 'FORMULA' && isKept(known, written, column))
      cells[column] = { ...cells[column], kind: 'formula' }
  const row = { ...before, cells, ...(isKept(known, written, 'amount') && { readBefore: before }) }
  const [judged] = await judgeRows(ctx, organization, before.batchId, [row])
  return {
    ...(judged as BatchRow),
    version: before.version,
    state: isLeftOut === true ? 'LEFT_OUT' : 'DRAFT',
  }
}

function isKept(known: RowCells, written: Partial<RowCells>, column: BatchColumn): boolean {
  const text = written[column]
  return text === undefined || text.trim() === known[column]
}

function saysTheSame(before: BatchRow, known: RowCells, { isLeftOut, ...written }: RowChanges): boolean {
  const staysWhereItIs = isLeftOut === undefined || isLeftOut === (before.state === 'LEFT_OUT')
  return staysWhereItIs && BATCH_COLUMNS.every((column) => isKept(known, written, column))
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
  return changeBatch(ctx, organizationId, batchId, idempotency, async (tx, locked) => {
    const leftOut = await moveBatchRows(tx, organizationId, batchId, toSendIn(locked), 'LEFT_OUT', which)
    if (leftOut === 0 && locked.batch.status === 'WAITING') return locked.batch
    const batch = writtenAlsoBy(await reopened(ctx, tx, locked), ctx.actor.id)
    const next = await rewriteBatch(ctx, tx, batch, batch.status === 'CHECKING')
    const act = { act: 'payoutbatch.leaveout', before: locked.batch, after: { ...next, leftOut } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return next
  })
}

// Looks up what the budget or the directory did not allow before.
export async function checkAgain(
  ctx: Changing,
  organizationId: string,
  batchId: string,
  idempotency: Idempotency<BatchView> | null,
): Promise<BatchView | Refusal> {
  return changeBatch(ctx, organizationId, batchId, idempotency, async (tx, locked) => {
    const unchecked = { state: toSendIn(locked), keyCheck: 'UNCHECKED' } as const
    const found = await listBatchRows(tx, organizationId, batchId, unchecked, MAX_BATCH_ROWS)
    const rows = found.filter(mayBeChecked)
    if (rows.length === 0 && locked.batch.status === 'WAITING') return locked.batch
    if (rows.length > 0)
      await updateBatchRows(
        tx,
        rows.map((row) => ({ ...row, state: 'DRAFT', keyCheck: 'PENDING' })),
      )
    const batch = await reopened(ctx, tx, locked)
    const next = await rewriteBatch(ctx, tx, batch, rows.length > 0 || batch.status === 'CHECKING')
    const after = { ...next, rows: rows.length }
    const act = { act: 'payoutbatch.check', before: locked.batch, after } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return next
  })
}

function toSendIn({ batch }: Locked): RowState {
  return batch.status === 'WAITING' ? 'QUEUED' : 'DRAFT'
}

async function changeBatch(
  ctx: Changing,
  organizationId: string,
  batchId: string,
  idempotency: Idempotency<BatchView> | null,
  change: (tx: Queryable, locked: Locked) => Promise<PayoutBatch>,
): Promise<BatchView | Refusal> {
  let isVoided = false
  const changed = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const locked = await lockToChange(tx, organizationId, batchId)
    if (isRefusal(locked)) return locked
    const next = await change(tx, locked)
    isVoided = locked.batch.status === 'WAITING' && next.status !== 'WAITING'
    return viewOf(tx, next)
  })
  ctx.signals.workAdded('batches', organizationId)
  if (isVoided) ctx.signals.workAdded('events', organizationId)
  return changed
}

// A batch that may be changed, and the approval that it waits for.
type Locked = { readonly batch: PayoutBatch; readonly approval: Approval | undefined }

async function lockToChange(
  tx: Queryable,
  organizationId: string,
  batchId: string,
): Promise<Locked | Refusal> {
  // Before the batch is locked: whoever decides locks in that order too.
  const subject = { organizationId, kind: 'payout-batch', subjectId: batchId } as const
  const approval = await lockWaitingApproval(tx, subject)
  const batch = await lockBatch(tx, organizationId, batchId)
  if (batch === undefined) return refuseUnknownBatch(batchId)
  // Without an approval it was submitted between our two looks.
  const isWaiting = batch.status === 'WAITING' && approval !== undefined
  return isWaiting || isEditable(batch) ? { batch, approval } : refuseNotEditable(batch)
}

// An edit voids the approval: what is set aside comes back, and the batch is submitted anew. Call it once the edit is certain.
async function reopened(ctx: Changing, tx: Queryable, { batch, approval }: Locked): Promise<PayoutBatch> {
  if (batch.status !== 'WAITING' || approval === undefined) return batch
  await voidLocked(ctx, tx, approval)
  const released = await releaseBatch(ctx, tx, batch)
  return moveBatch(batch, 'reopen', ctx.clock.now(), released) as PayoutBatch
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
