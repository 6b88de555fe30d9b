// Looks up the keys of a new batch, as far as the organization's budget allows, and holds each holder against whom its row names. A
// worker does so outside any transaction, some keys at a time; what was written stays if it is interrupted.

import type { Organization } from '../../core/organizations/organization.ts'
import { type BatchRow, type KeyCheck, moveBatch } from '../../core/payout-batches/batch.ts'
import { holderProblems, isVerified } from '../../core/payout-batches/holder.ts'
import { isError, type RowProblem, type RowProblemCode } from '../../core/payout-batches/row.ts'
import type { Receiver } from '../../core/people/customer.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import {
  type BatchClaim,
  keepBatchLease,
  lockBatch,
  updateBatch,
} from '../../store/payout-batches/batches.ts'
import { listBatchRows, updateBatchRows } from '../../store/payout-batches/rows.ts'
import type { Needs } from '../context.ts'
import { findHolder, type KeyLookup } from '../directory/look-up-key.ts'
import { openReceiver } from '../people/vault.ts'

export const BATCH_LEASE_MS = 60_000
// Looked up at once. Each takes the price of a miss from the budget until it is answered.
const KEYS_AT_ONCE = 20

type Checking = Needs<'actor' | 'clock' | 'ids' | 'db' | 'networks' | 'settings' | 'signals' | 'vault'>

export async function checkKeys(ctx: Checking, claim: BatchClaim, organization: Organization): Promise<void> {
  const { organizationId, batchId } = claim.batch
  const pending = { state: 'DRAFT', keyCheck: 'PENDING' } as const
  for (;;) {
    const rows = await listBatchRows(ctx.db, organizationId, batchId, pending, KEYS_AT_ONCE)
    if (rows.length === 0) break
    const checked = await Promise.all(rows.map((row) => checkRow(ctx, organization, row)))
    const isSpent = checked.some(({ isBudgetSpent }) => isBudgetSpent)
    await ctx.db.inTransaction(async (tx) => {
      // Whoever cancels or corrects meanwhile has the lock, and what they wrote has another version.
      await lockBatch(tx, organizationId, batchId)
      await updateBatchRows(
        tx,
        checked.map(({ row }) => row),
      )
      if (isSpent) await leaveUnchecked(tx, organization, batchId)
    })
    if (!(await keepBatchLease(ctx.db, claim, ctx.clock.now() + BATCH_LEASE_MS))) return
  }
  await finish(ctx, organizationId, batchId)
  ctx.signals.workAdded('batches', organizationId)
}

async function finish(ctx: Needs<'clock' | 'db'>, organizationId: string, batchId: string): Promise<void> {
  await ctx.db.inTransaction(async (tx) => {
    const batch = await lockBatch(tx, organizationId, batchId)
    const next = batch && moveBatch(batch, 'checked', ctx.clock.now())
    if (next !== undefined) await updateBatch(tx, next, null)
  })
}

// The budget is spent: what is left is not looked up, and nobody has held its holder against the row.
async function leaveUnchecked(tx: Queryable, organization: Organization, batchId: string): Promise<void> {
  const pending = { state: 'DRAFT', keyCheck: 'PENDING' } as const
  const rows = await listBatchRows(tx, organization.organizationId, batchId, pending, MAX_ROWS)
  if (rows.length > 0)
    await updateBatchRows(
      tx,
      rows.map((row) => checkedRow(row, 'UNCHECKED', unlookedProblems(organization))),
    )
}

const MAX_ROWS = 5_000

function unlookedProblems({ requireKeyLookup }: Organization): RowProblem[] {
  return [{ column: 'key', code: requireKeyLookup ? 'KEY_NOT_LOOKED_UP' : 'HOLDER_NOT_CHECKED' }]
}

async function checkRow(
  ctx: Checking,
  organization: Organization,
  row: BatchRow,
): Promise<{ row: BatchRow; isBudgetSpent: boolean }> {
  const vault = await ctx.vault(row.organizationId)
  const receiver = openReceiver(vault, row.rowId, row.person)
  if (typeof receiver === 'string')
    return {
      row: checkedRow(row, 'UNCHECKED', [{ column: 'name', code: 'PERSON_ERASED' }]),
      isBudgetSpent: false,
    }
  const { result } = await findHolder(ctx, organization, receiver.keyString)
  if (!isRefusal(result)) return { row: compared(row, receiver, result), isBudgetSpent: false }
  const code = KEY_PROBLEMS[result.refused]
  const problems = code === undefined ? unlookedProblems(organization) : [{ column: 'key', code } as const]
  return {
    row: checkedRow(row, 'UNCHECKED', problems),
    isBudgetSpent: result.refused === 'RATE_LIMITED',
  }
}

const KEY_PROBLEMS: Readonly<Record<string, RowProblemCode | undefined>> = {
  KEY_INVALID: 'KEY_INVALID',
  KEY_NOT_FOUND: 'KEY_NOT_FOUND',
  KEY_SUSPENDED: 'KEY_SUSPENDED',
}

function compared(row: BatchRow, { customer }: Receiver, { holder: found }: KeyLookup): BatchRow {
  const keyCheck = isVerified(customer, found.holder) ? 'VERIFIED' : 'FOUND'
  return checkedRow(row, keyCheck, holderProblems(customer, found.holder))
}

function checkedRow(row: BatchRow, keyCheck: KeyCheck, problems: readonly RowProblem[]): BatchRow {
  // What a look-up said before is said anew.
  const others = row.problems.filter(({ code }) => !LOOKED_UP.has(code))
  return { ...row, keyCheck, problems: [...others, ...problems] }
}

const LOOKED_UP: ReadonlySet<RowProblemCode> = new Set([
  'KEY_INVALID',
  'KEY_NOT_FOUND',
  'KEY_SUSPENDED',
  'KEY_NOT_LOOKED_UP',
  'HOLDER_DOCUMENT_MISMATCH',
  'HOLDER_NAME_MISMATCH',
  'HOLDER_NOT_CHECKED',
])

// Whether a key is worth looking up: it has none, and nothing but a look-up is missing.
export function mayBeChecked({ keyDigest, keyCheck, problems }: BatchRow): boolean {
  if (keyDigest === null || keyCheck === 'VERIFIED' || keyCheck === 'FOUND') return false
  return !problems.some((problem) => isError(problem) && problem.code !== 'KEY_NOT_LOOKED_UP')
}
