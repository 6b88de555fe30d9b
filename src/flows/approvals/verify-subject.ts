// Holds what was sent against what was approved: a payout, the rows of a batch and their payouts, a refund and its payout. Of somebody
// who was erased only the digest is left, and what it was of cannot be compared.

import { hash } from 'node:crypto'
import { type Approval, documentOf } from '../../core/approvals/approval.ts'
import type { ApprovalKind } from '../../core/approvals/rule.ts'
import type { BatchRow, RowState } from '../../core/payout-batches/batch.ts'
import { MAX_BATCH_ROWS } from '../../core/payout-batches/columns.ts'
import { rowsDigest } from '../../core/payout-batches/rows-digest.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import type { Receiver } from '../../core/people/customer.ts'
import { ERASED, isSealed, receiverFields, type Sealed } from '../../core/people/sealed.ts'
import type { Refund } from '../../core/refunds/refund.ts'
import { getBatch } from '../../store/payout-batches/batches.ts'
import { listBatchRows } from '../../store/payout-batches/rows.ts'
import { getPayouts } from '../../store/payouts/payouts.ts'
import { getRefund } from '../../store/refunds/refunds.ts'
import type { Needs } from '../context.ts'
import { payoutDocument } from '../payouts/approval.ts'
import { openReceiver, type Vault } from '../people/vault.ts'

type Verifying = Needs<'db' | 'vault'>
type Verify = (ctx: Verifying, approval: Approval) => Promise<string[]>

export async function subjectProblems(ctx: Verifying, approval: Approval): Promise<string[]> {
  const verify = approval.status === 'APPROVED' ? VERIFY[approval.kind] : undefined
  return verify === undefined ? [] : verify(ctx, approval)
}

const VERIFY: Readonly<Partial<Record<ApprovalKind, Verify>>> = {
  payout: payoutProblems,
  'payout-batch': batchProblems,
  refund: refundProblems,
}

type Document = Readonly<Record<string, unknown>>

function changedFields(what: string, bound: Document, current: Document): string[] {
  const changed = Object.keys(current).filter((field) => String(bound[field]) !== String(current[field]))
  return changed.map((field) => `the ${what}’s ${field} is not what was approved`)
}

function isErased(person: Receiver | Sealed): boolean {
  return isSealed(person) && person.sealed === ERASED
}

async function payoutProblems(ctx: Verifying, approval: Approval): Promise<string[]> {
  const { organizationId, subjectId: payoutId } = approval
  const [payout] = await getPayouts(ctx.db, [{ organizationId, payoutId }])
  if (payout === undefined) return ['the payout that was approved is gone']
  const { receiverSha256, noteSha256, ...facts } = payoutDocument(payout)
  const current = isErased(payout.receiver) ? facts : { ...facts, receiverSha256, noteSha256 }
  return changedFields('payout', documentOf(approval), current)
}

// Those that were submitted, whatever became of them.
const SUBMITTED: readonly RowState[] = ['QUEUED', 'SENT', 'REFUSED']

async function batchProblems(ctx: Verifying, approval: Approval): Promise<string[]> {
  const { organizationId, subjectId: batchId } = approval
  const batch = await getBatch(ctx.db, organizationId, batchId)
  if (batch === undefined) return ['the batch that was approved is gone']
  const rows: BatchRow[] = []
  for (const state of SUBMITTED)
    rows.push(...(await listBatchRows(ctx.db, organizationId, batchId, { state }, MAX_BATCH_ROWS)))
  rows.sort((one, other) => one.rowNumber - other.rowNumber)
  const current = {
    fileName: batch.fileName,
    rows: rows.length,
    totalInCents: rows.reduce((sum, { amountInCents }) => sum + (amountInCents ?? 0n), 0n),
    ...(!rows.some(({ person }) => isErased(person)) && { rowsSha256: rowsDigest(rows) }),
  }
  const paid = await paidProblems(ctx, organizationId, rows)
  return [...changedFields('batch', documentOf(approval), current), ...paid]
}

async function paidProblems(
  ctx: Verifying,
  organizationId: string,
  rows: readonly BatchRow[],
): Promise<string[]> {
  const sent = rows.flatMap((row) => (row.payoutId === null ? [] : [{ row, payoutId: row.payoutId }]))
  if (sent.length === 0) return []
  const addresses = sent.map(({ payoutId }) => ({ organizationId, payoutId }))
  const payouts = await getPayouts(ctx.db, addresses)
  const vault = await ctx.vault(organizationId)
  return sent.flatMap(({ row }, at) => {
    const payout = payouts[at]
    const its = `the payout of row ${row.rowNumber}`
    if (payout === undefined) return [`${its} is gone`]
    const problems: string[] = []
    if (payout.amountInCents !== row.amountInCents) problems.push(`${its} has another amount`)
    if (!isSameReceiver(vault, row, payout)) problems.push(`${its} went to another receiver`)
    return problems
  })
}

// One whom nobody can open any more proves nothing.
function isSameReceiver(vault: Vault, { rowId, person }: BatchRow, { payoutId, receiver }: Payout): boolean {
  const [wanted, paid] = [openReceiver(vault, rowId, person), openReceiver(vault, payoutId, receiver)]
  if (typeof wanted === 'string' || typeof paid === 'string') return true
  return JSON.stringify(receiverFields(wanted)) === JSON.stringify(receiverFields(paid))
}

async function refundProblems(ctx: Verifying, approval: Approval): Promise<string[]> {
  const { organizationId, subjectId: refundId } = approval
  const refund = await getRefund(ctx.db, { organizationId, refundId })
  if (refund === undefined) return ['the refund that was approved is gone']
  const { payinId, amountInCents, currency, reason, way, payoutId } = refund
  const bound = documentOf(approval)
  const facts = { payinId, amountInCents, currency, reason, way, ...keyOf(refund, approval) }
  const problems = changedFields('refund', flatKey(bound), facts)
  if (payoutId === null) return problems
  const [payout] = await getPayouts(ctx.db, [{ organizationId, payoutId }])
  if (payout === undefined) return [...problems, 'the payout of the refund is gone']
  const paid = { amountInCents: payout.amountInCents, refundId: payout.refundId }
  return [...problems, ...changedFields('refund’s payout', { amountInCents, refundId }, paid)]
}

// A key that the payer has named since went before others, or is their own. The receiver is kept until a payout has it.
function keyOf({ claim, receiver }: Refund, { decidedAt }: Approval): Document {
  if (claim === null || claim.claimedAt > (decidedAt ?? 0)) return {}
  const { match, holderName, participant, lastFour } = claim
  return {
    ...{ match, holderName, participant, lastFour },
    ...(receiver !== null &&
      !isErased(receiver) && { receiverSha256: hash('sha256', JSON.stringify(receiver), 'hex') }),
  }
}

function flatKey({ claim, ...fields }: Document): Document {
  return { ...fields, ...(claim as Document | null) }
}
