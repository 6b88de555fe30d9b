// A merchant submits a batch: its money is set aside as a whole, in the transaction that makes it ready to be sent. From then on a
// worker makes its payouts. Submitting it once more changes nothing: the batch is no draft any more.

import { bogotaDay } from '../../core/bogota-day.ts'
import { ofDeposits, withdrawable } from '../../core/connections/movement.ts'
import type { Instant } from '../../core/instant.ts'
import { type Booking, transfer } from '../../core/ledger/bookings.ts'
import { centsToDecimal } from '../../core/money.ts'
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
import { lockAvailable, PAYOUT_SLOT, postTransfers, readBalances } from '../../store/ledger/transfers.ts'
import { lockBatch, updateBatch } from '../../store/payout-batches/batches.ts'
import { moveBatchRows, readBatchTotals } from '../../store/payout-batches/rows.ts'
import { lockPayoutUsage, WHOLE_ORGANIZATION } from '../../store/payouts/usage.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { routePayment } from '../payment-route.ts'
import type { PayoutCreator } from '../payouts/create.ts'
import { recordAct } from '../record-act.ts'
import { refuseNotEditable, refuseUnknownBatch } from './change-rows.ts'
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
  const submitted = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const batch = await lockBatch(tx, organizationId, batchId)
    if (batch === undefined) return refuseUnknownBatch(batchId)
    const totals = (await readBatchTotals(tx, organizationId, [batchId])).get(batchId)?.totals
    const refused =
      refuseUnready(batch, totals, submission) ??
      (await refuseBeyondLimits(ctx, tx, organization, submitter, totals as BatchTotals))
    if (refused !== undefined) return refused
    const reserved = await reserve(ctx, tx, organization, batch, totals as BatchTotals)
    if (isRefusal(reserved)) return reserved
    await moveBatchRows(tx, organizationId, batchId, 'DRAFT', 'QUEUED', 'all')
    const next = moveBatch(batch, 'start', now, {
      ...reserved,
      credentialId: submitter.credentialId,
      payoutsPerDay: submitter.limits.payoutsPerDay,
      payoutSumPerDay: submitter.limits.payoutSumPerDay,
      submittedAt: now,
    })
    if (next === undefined) return refuseNotEditable(batch)
    await updateBatch(tx, next, now)
    const act = {
      act: 'payoutbatch.submit',
      before: batch,
      after: { ...next, rows: totals?.toSend },
    } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: batchId })
    return viewOf(tx, next)
  })
  ctx.signals.workAdded('batches', organizationId)
  return submitted
}

function refuseUnready(
  batch: PayoutBatch,
  totals: BatchTotals | undefined,
  { version, acceptsWarnings }: Submission,
): Refusal | undefined {
  if (batch.status === 'CHECKING')
    return refuse('BATCH_NOT_READY', 'Its keys are still being looked up.', { retryAfterSeconds: 1 })
  if (batch.status !== 'DRAFT') return refuseNotEditable(batch)
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

type Reserved = Pick<PayoutBatch, 'reservedInCents' | 'reservedDepositInCents'>

async function reserve(
  ctx: Submitting,
  tx: Queryable,
  organization: Organization,
  batch: PayoutBatch,
  { sumInCents }: BatchTotals,
): Promise<Reserved | Refusal> {
  const { organizationId } = organization
  const route = routePayment(ctx, organization, 'BRE_B_OUT', 1n)
  await lockAvailable(tx, organizationId)
  const { AVAILABLE, DEPOSITED } = await readBalances(tx, organizationId)
  // Over the installation's own network deposits pay nothing: the money is not there.
  const hasDeposits = route !== null
  const funds = { availableInCents: AVAILABLE, depositedInCents: hasDeposits ? DEPOSITED : 0n }
  const depositInCents = ofDeposits(sumInCents, funds)
  if (sumInCents > withdrawable(funds) || sumInCents - depositInCents > AVAILABLE)
    return refuseMissing(sumInCents, withdrawable(funds))
  const parts = [
    ['batch reserved', sumInCents - depositInCents],
    ['batch reserved from deposits', depositInCents],
  ] as const
  await postBatchTransfers(ctx, tx, batch, parts, String(batch.version), ctx.clock.now())
  return { reservedInCents: sumInCents, reservedDepositInCents: depositInCents }
}

function refuseMissing(neededInCents: bigint, heldInCents: bigint): Refusal {
  return refuse(
    'BALANCE_TOO_LOW',
    `The batch needs ${centsToDecimal(neededInCents)} pesos, and ${centsToDecimal(heldInCents)} are available: ` +
      `${centsToDecimal(neededInCents - heldInCents)} are missing. Nothing was sent.`,
  )
}

// `part`: which of several bookings of the same kind it is.
export async function postBatchTransfers(
  ctx: Needs<'ids'>,
  tx: Queryable,
  { organizationId, batchId }: PayoutBatch,
  parts: readonly (readonly [Booking, bigint])[],
  part: string,
  createdAt: Instant,
): Promise<void> {
  const transfers = parts
    .filter(([, amountInCents]) => amountInCents > 0n)
    .map(([booking, amountInCents]) =>
      transfer(booking, 'BRE_B', {
        organizationId,
        transferId: ctx.ids.next(),
        subjectId: batchId,
        part,
        amountInCents,
        createdAt,
      }),
    )
  await postTransfers(tx, transfers, PAYOUT_SLOT)
}

// What is set aside comes back, and the rows may be corrected or are left as they are.
export async function releaseBatch(
  ctx: Needs<'clock' | 'ids'>,
  tx: Queryable,
  batch: PayoutBatch,
): Promise<Reserved> {
  const { reservedInCents, reservedDepositInCents, organizationId, batchId } = batch
  if (reservedInCents > 0n) {
    await lockAvailable(tx, organizationId)
    const parts = [
      ['batch released', reservedInCents - reservedDepositInCents],
      ['batch released to deposits', reservedDepositInCents],
    ] as const
    await postBatchTransfers(ctx, tx, batch, parts, String(batch.version), ctx.clock.now())
  }
  await moveBatchRows(tx, organizationId, batchId, 'QUEUED', 'DRAFT', 'all')
  return { reservedInCents: 0n, reservedDepositInCents: 0n }
}

// Possible until its payouts are made.
export async function cancelBatch(
  ctx: Submitting,
  organizationId: string,
  batchId: string,
  idempotency: Idempotency<BatchView> | null,
): Promise<BatchView | Refusal> {
  const canceled = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
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
  ctx.signals.workAdded('shown', organizationId)
  return canceled
}
