// A merchant submits a batch: its money is set aside as a whole, in the transaction that makes it ready to be sent or puts it before
// other people. From then on a worker makes its payouts. Submitting it once more changes nothing: the batch is no draft any more.

import { bogotaDay } from '../../core/bogota-day.ts'
import {
  type PayoutLimits,
  quietUntil,
  reachedLimit,
  refusePayoutLimit,
  refuseQuietHours,
} from '../../core/organizations/limits.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { type BatchTotals, moveBatch, type PayoutBatch } from '../../core/payout-batches/batch.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import { lockOrganization } from '../../store/organizations/organizations.ts'
import { lockBatch, updateBatch } from '../../store/payout-batches/batches.ts'
import { moveBatchRows, readBatchTotals } from '../../store/payout-batches/rows.ts'
import { lockPayoutUsage, WHOLE_ORGANIZATION } from '../../store/payouts/usage.ts'
import { submitForApproval, voidApproval } from '../approvals/submit.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import type { PayoutCreator } from '../payouts/create.ts'
import { recordAct } from '../record-act.ts'
import { batchDocument, batchRules } from './approval.ts'
import { judgeAgain } from './judge-again.ts'
import { refuseNotEditable, refuseUnknownBatch } from './refusals.ts'
import { releaseBatch, reserveBatch } from './reserve.ts'
import { type BatchView, viewOf } from './view.ts'

type Submitting = Needs<'actor' | 'clock' | 'ids' | 'db' | 'networks' | 'settings' | 'signals' | 'vault'>

export type Submission = {
  // As it was when whoever submits it looked at it. Null: as it is.
  readonly version: number | null
  readonly acceptsWarnings: boolean
}

export async function submitBatch(
  ctx: Submitting,
  organization: Organization,
  submitter: PayoutCreator,
  batchId: string,
  submission: Submission,
  idempotency: Idempotency<BatchView> | null,
): Promise<BatchView | Refusal> {
  const { organizationId, limits } = organization
  const now = ctx.clock.now()
  const quietEndsAt = quietUntil(limits.quietHours, now)
  if (limits.quietHours !== null && quietEndsAt !== null)
    return refuseQuietHours(limits.quietHours, quietEndsAt, now)
  const vault = await ctx.vault(organizationId)
  const submitted = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const locked = await lockBatch(tx, organizationId, batchId)
    if (locked === undefined) return refuseUnknownBatch(batchId)
    if (locked.status !== 'DRAFT') return refuseNoDraft(locked)
    // One batch after the other: of two that are submitted at once, neither would see whom the other pays.
    const present = (await lockOrganization(tx, organizationId)) ?? organization
    const { batch, keysOutdated } = await judgeAgain(ctx, tx, present, vault, locked)
    const totals = (await readBatchTotals(tx, organizationId, [batchId])).get(batchId)?.totals
    const refused =
      refuseOutdated(keysOutdated) ??
      refuseUnready(batch, totals, submission) ??
      (await refuseBeyondLimits(ctx, tx, organization, submitter, totals as BatchTotals))
    if (refused !== undefined) return refused
    const reserved = await reserveBatch(ctx, tx, organization, batch, totals as BatchTotals)
    if (isRefusal(reserved)) return reserved
    await moveBatchRows(tx, organizationId, batchId, 'DRAFT', 'QUEUED', 'all')
    const reservedBatch = { ...batch, ...reserved }
    const approval = await submitForApproval(ctx, tx, {
      organization: { organizationId, approvalRules: batchRules(present, totals as BatchTotals) },
      kind: 'payout-batch',
      subjectId: batchId,
      amountInCents: (totals as BatchTotals).sumInCents,
      document: await batchDocument(tx, reservedBatch),
    })
    const next = moveBatch(reservedBatch, approval === null ? 'start' : 'submit', now, {
      credentialId: submitter.credentialId,
      payoutsPerDay: submitter.limits.payoutsPerDay,
      payoutSumPerDay: submitter.limits.payoutSumPerDay,
      submittedAt: now,
    })
    if (next === undefined) return refuseNotEditable(batch)
    await updateBatch(tx, next, approval === null ? now : null)
    const act = {
      act: 'payoutbatch.submit',
      before: batch,
      after: { ...next, rows: totals?.toSend },
    } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return viewOf(tx, next)
  })
  ctx.signals.workAdded('batches', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return submitted
}

function refuseNoDraft(batch: PayoutBatch): Refusal {
  if (batch.status !== 'CHECKING') return refuseNotEditable(batch)
  return refuse('BATCH_NOT_READY', 'Its keys are still being looked up.', { retryAfterSeconds: 1 })
}

function refuseOutdated(keys: number): Refusal | undefined {
  if (keys === 0) return undefined
  return refuse(
    'BATCH_NOT_READY',
    `This organization pays only to keys it looked up in the last 30 minutes, and ${keys} were not: look them up again with \`check\`, and submit it then.`,
  )
}

function refuseUnready(
  batch: PayoutBatch,
  totals: BatchTotals | undefined,
  { version, acceptsWarnings }: Submission,
): Refusal | undefined {
  if (version !== null && version !== batch.version)
    return refuse('BATCH_CHANGED', `The batch is at version ${batch.version} now: look at it again.`)
  if (totals === undefined || totals.toSend === 0)
    return refuse('BATCH_NOT_READY', 'All of its rows are left out.')
  if (totals.withErrors > 0)
    return refuse(
      'BATCH_NOT_READY',
      `${totals.withErrors} rows have errors: correct them, or leave them out.`,
    )
  if (totals.withWarnings > 0 && !acceptsWarnings)
    return refuse(
      'BATCH_NOT_READY',
      `${totals.withWarnings} rows have warnings: read them, and submit with \`acceptWarnings\` true.`,
    )
  return undefined
}

// What the day has left for this credential and the organization. Each payout is counted when it is made.
async function refuseBeyondLimits(
  ctx: Needs<'clock'>,
  tx: Queryable,
  { organizationId, limits }: Organization,
  { credentialId, limits: own }: PayoutCreator,
  { toSend, sumInCents }: BatchTotals,
): Promise<Refusal | undefined> {
  const now = ctx.clock.now()
  const address = { organizationId, day: bogotaDay(now) }
  const used = await lockPayoutUsage(tx, [
    { ...address, credentialId: WHOLE_ORGANIZATION },
    { ...address, credentialId },
  ])
  const reachedBy = (owner: 'credential' | 'organization', allowed: PayoutLimits, id: string) => {
    const share = used.find((one) => one.credentialId === id)
    if (share === undefined) throw new Error('what was locked is not there')
    // All but the last of them, and then that one.
    const others = { payouts: share.payouts + toSend - 1, sumInCents: share.sumInCents }
    return reachedLimit(owner, allowed, others, sumInCents)
  }
  const reached =
    reachedBy('credential', own, credentialId) ?? reachedBy('organization', limits, WHOLE_ORGANIZATION)
  return reached && refusePayoutLimit(reached, now)
}

// Possible until its payouts are made.
export async function cancelBatch(
  ctx: Submitting,
  organizationId: string,
  batchId: string,
  idempotency: Idempotency<BatchView> | null,
): Promise<BatchView | Refusal> {
  const canceled = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    // Before the batch is locked: whoever decides locks in that order too.
    await voidApproval(ctx, tx, { organizationId, kind: 'payout-batch', subjectId: batchId })
    const batch = await lockBatch(tx, organizationId, batchId)
    if (batch === undefined) return refuseUnknownBatch(batchId)
    const next = moveBatch(batch, 'cancel', ctx.clock.now())
    if (next === undefined) return refuseNotEditable(batch)
    const released = { ...next, ...(await releaseBatch(ctx, tx, batch)) }
    await updateBatch(tx, released, null)
    const act = { act: 'payoutbatch.cancel', before: batch, after: released } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return viewOf(tx, released)
  })
  ctx.signals.workAdded('batches', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return canceled
}
