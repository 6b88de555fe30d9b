// Makes the payouts of a submitted batch, some rows in one transaction: the rows, their payouts, and the money that moves from the
// batch to each of them. Whatever is pressed, repeated or killed, a row is QUEUED or it is a payout, and never both. Then it waits
// until all of them have ended, and tells the merchant once.

import { parseBrebKey } from '../../core/directory/breb-key.ts'
import type { NewEvent } from '../../core/events/event.ts'
import type { Instant } from '../../core/instant.ts'
import { payoutFeeOf } from '../../core/ledger/charges.ts'
import { hasPayoutLimits, quietUntil } from '../../core/organizations/limits.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { type BatchRow, lookAgainAt, moveBatch, type PayoutBatch } from '../../core/payout-batches/batch.ts'
import { presentBatch } from '../../core/payout-batches/object.ts'
import { cellsOfPerson } from '../../core/payout-batches/person.ts'
import { newPayout, type Payout } from '../../core/payouts/payout.ts'
import { fundsAfter, reserveAhead } from '../../core/payouts/settle.ts'
import { receiverOf } from '../../core/people/sealed.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import { lockAvailable, readBalances } from '../../store/ledger/transfers.ts'
import { type BatchClaim, lockBatch, updateBatch } from '../../store/payout-batches/batches.ts'
import { lockRetriedPaidAfterDecline, type PaidAfterAll } from '../../store/payout-batches/retried.ts'
import { listBatchRows, readBatchTotals, updateBatchRows } from '../../store/payout-batches/rows.ts'
import { insertPayouts } from '../../store/payouts/payouts.ts'
import { writePayouts } from '../../store/payouts/write.ts'
import type { Needs } from '../context.ts'
import { ConnectionGone, routePayment, withPresentRoutes } from '../payment-route.ts'
import { insertWithinLimits, type LimitedInsert, type LimitedPayout } from '../payouts/insert-limited.ts'
import { payoutWrite } from '../payouts/write.ts'
import type { Vault } from '../people/vault.ts'
import { isAsApproved } from './approval.ts'
import { postBatchTransfers, releaseMoney } from './reserve.ts'

type Sending = Needs<'clock' | 'ids' | 'db' | 'networks' | 'settings' | 'signals' | 'vault'>

// So few that nobody waits long for the lock of the balance, and so many that the transaction is worth it.
const ROWS_AT_ONCE = 200

// Returns true if there is more to send.
export async function sendBatch(
  ctx: Sending,
  claim: BatchClaim,
  organization: Organization,
): Promise<boolean> {
  const { organizationId, batchId } = claim.batch
  const sent = await withPresentRoutes(ctx, organization, (known) => sendRows(ctx, known, batchId))
  if (sent === 'altered') return false
  if (isRefusal(sent) || sent > 0) {
    ctx.signals.workAdded('payouts', organizationId)
    return true
  }
  await completeBatch(ctx, organization, batchId)
  return false
}

// How many became payouts or could not. 'altered': it is not what people approved, and nothing is sent.
async function sendRows(
  ctx: Sending,
  organization: Organization,
  batchId: string,
): Promise<number | 'altered'> {
  const { organizationId } = organization
  const vault = await ctx.vault(organizationId)
  ctx.signals.crashPoint('creation-before-commit')
  const sent = await ctx.db.inTransaction(async (tx) => {
    const batch = await lockBatch(tx, organizationId, batchId)
    const now = ctx.clock.now()
    if (batch?.status !== 'PROCESSING' || quietUntil(organization.limits.quietHours, now) !== null) return 0
    const rows = await listBatchRows(tx, organizationId, batchId, { state: 'QUEUED' }, ROWS_AT_ONCE)
    if (rows.length === 0) return 0
    if (!(await isAsApproved(tx, batch))) return holdBack(ctx, tx, batch)
    const paid = await lockRetriedPaidAfterDecline(
      tx,
      batch,
      rows.map(({ rowNumber }) => rowNumber),
    )
    const made = rows.map((row) =>
      isPaidSince(batch, paid.get(row.rowNumber))
        ? { row, payout: null, refusal: 'PAID_AFTER_ALL' }
        : madeOf(ctx, organization, vault, row),
    )
    const inserted = await insertMade(tx, organization, batch, made)
    const next = await moveMoney(ctx, tx, batch, made, inserted, now)
    const written = await updateBatchRows(
      tx,
      made.map((one) => sentRow(one, inserted.get(one))),
    )
    // Erased between our look and our lock: its payout must not be made.
    if (written !== rows.length) throw new Error('a row of the batch was changed without its lock')
    await updateBatch(tx, next, now)
    return rows.length
  })
  ctx.signals.crashPoint('creation-after-commit')
  return sent
}

// Somebody wrote to the database past us. Its money stays set aside; it is sent if it is again what was approved.
async function holdBack(ctx: Sending, tx: Queryable, batch: PayoutBatch): Promise<'altered'> {
  const detail = 'Its rows are not the ones that were approved. Nothing of it was sent.'
  const alarm = { alarmId: ctx.ids.next(), kind: 'batch-altered', detail } as const
  const now = ctx.clock.now()
  await insertAlarm(tx, batch.organizationId, batch.batchId, alarm, now)
  await updateBatch(tx, batch, lookAgainAt(batch, now))
  return 'altered'
}

// Before it was submitted, whoever did so has accepted it.
function isPaidSince({ submittedAt }: PayoutBatch, paid: PaidAfterAll | undefined): boolean {
  return paid !== undefined && paid.paidAt > (submittedAt ?? 0)
}

type Made = { readonly row: BatchRow; readonly payout: Payout | null; readonly refusal: string | null }

function madeOf(ctx: Sending, organization: Organization, vault: Vault, row: BatchRow): Made {
  const fields = vault.open(row.person, row.rowId)
  if (typeof fields === 'string') return { row, payout: null, refusal: 'PERSON_ERASED' }
  const receiver = receiverOf(fields)
  const key = parseBrebKey(receiver.keyString)
  const { amountInCents } = row
  if (key === undefined || amountInCents === null) return { row, payout: null, refusal: 'KEY_INVALID' }
  const route = routePayment(ctx, organization, 'BRE_B_OUT', amountInCents)
  if (isRefusal(route)) return { row, payout: null, refusal: route.refused }
  const { reference } = cellsOfPerson(fields)
  const payoutId = ctx.ids.next()
  const fee = payoutFeeOf(organization.charges, 'BRE_B', amountInCents)
  const request = { ...receiver, ...key, amountInCents, reference, fee }
  const payout = newPayout(organization.organizationId, payoutId, request, route)
  const sealed = vault.seal(payoutId, fields.slice(0, RECEIVER_FIELDS))
  return { row, payout: { ...payout, receiver: sealed }, refusal: null }
}

const RECEIVER_FIELDS = 7

async function insertMade(
  tx: Queryable,
  organization: Organization,
  batch: PayoutBatch,
  made: readonly Made[],
): Promise<Map<Made, LimitedInsert>> {
  const credential = { payoutsPerDay: batch.payoutsPerDay, payoutSumPerDay: batch.payoutSumPerDay }
  const limits = { credential, organization: organization.limits }
  const isLimited = hasPayoutLimits(credential) || hasPayoutLimits(organization.limits)
  const sendable = made.filter(({ payout }) => payout !== null)
  const inserts: LimitedPayout[] = sendable.map(({ payout }) => ({
    payout: payout as Payout,
    record: null,
    credentialId: batch.credentialId,
    limits,
  }))
  const outcomes = await (isLimited ? insertWithinLimits : insertPayouts)(tx, inserts)
  if (outcomes.some(({ isConnectionGone }) => isConnectionGone)) throw new ConnectionGone()
  return new Map(sendable.map((one, at) => [one, outcomes[at] as LimitedInsert]))
}

// What was set aside for these rows leaves the batch, and each payout that was made takes its own.
async function moveMoney(
  ctx: Needs<'clock' | 'ids'>,
  tx: Queryable,
  batch: PayoutBatch,
  made: readonly Made[],
  inserted: ReadonlyMap<Made, LimitedInsert>,
  now: Instant,
): Promise<PayoutBatch> {
  const sum = made.reduce((total, { row }) => total + (row.amountInCents ?? 0n), 0n)
  const deposit = least(batch.reservedDepositInCents, sum)
  // Refused rows cost nothing, and the tariff may have changed since. What is left of it is released after the last row.
  const fees = least(
    batch.reservedFeesInCents,
    made.reduce((total, one) => total + (inserted.get(one)?.inserted === true ? feeOf(one.payout) : 0n), 0n),
  )
  await lockAvailable(tx, batch.organizationId)
  const parts = [
    ['batch released', sum + fees - deposit],
    ['batch released to deposits', deposit],
  ] as const
  await postBatchTransfers(ctx, tx, batch, parts, String(batch.version))
  const { AVAILABLE, DEPOSITED } = await readBalances(tx, batch.organizationId)
  let funds = { availableInCents: AVAILABLE, depositedInCents: DEPOSITED }
  const writes = made.flatMap((one) => {
    if (one.payout === null || inserted.get(one)?.inserted !== true) return []
    const step = reserveAhead(one.payout, funds, now)
    funds = fundsAfter(funds, step)
    const isOpen = step.next?.status === 'PROCESSING'
    return [payoutWrite(ctx, one.payout, step, isOpen ? { dueAt: now } : {})]
  })
  const written = await writePayouts(tx, writes)
  if (!written.every(Boolean)) throw new Error('a payout that was just made has another version')
  return {
    ...batch,
    version: batch.version + 1,
    reservedInCents: batch.reservedInCents - sum - fees,
    reservedDepositInCents: batch.reservedDepositInCents - deposit,
    reservedFeesInCents: batch.reservedFeesInCents - fees,
    updatedAt: now,
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

const feeOf = (payout: Payout | null): bigint =>
  payout === null ? 0n : payout.feeInCents + payout.feeTaxInCents

function sentRow({ row, payout, refusal }: Made, insert: LimitedInsert | undefined): BatchRow {
  if (payout !== null && insert?.inserted === true)
    return { ...row, state: 'SENT', payoutId: payout.payoutId }
  return { ...row, state: 'REFUSED', refusal: refusal ?? 'PAYOUT_LIMIT_REACHED' }
}

async function completeBatch(ctx: Sending, organization: Organization, batchId: string): Promise<void> {
  const { organizationId } = organization
  await ctx.db.inTransaction(async (tx) => {
    const locked = await lockBatch(tx, organizationId, batchId)
    const now = ctx.clock.now()
    if (locked?.status !== 'PROCESSING') return
    const read = (await readBatchTotals(tx, organizationId, [batchId])).get(batchId)
    if (read === undefined) throw new Error(`the batch ${batchId} has no rows`)
    const { totals, results } = read
    const quietEndsAt = quietUntil(organization.limits.quietHours, now)
    if (results.queued > 0) return updateBatch(tx, locked, quietEndsAt ?? now)
    // What was set aside for fees of rows that became no payouts.
    const batch = { ...locked, ...(await releaseMoney(ctx, tx, locked)) }
    if (results.processing > 0) return updateBatch(tx, batch, lookAgainAt(batch, now))
    const next = moveBatch(batch, 'complete', now, { completedAt: now }) as PayoutBatch
    const data = JSON.stringify(presentBatch(next, totals, results))
    await updateBatch(tx, next, null, completedEvent(ctx, next, data))
  })
  ctx.signals.workAdded('events', organizationId)
}

function completedEvent(ctx: Needs<'ids'>, batch: PayoutBatch, data: string): NewEvent {
  return {
    organizationId: batch.organizationId,
    eventId: ctx.ids.next(),
    type: 'payoutbatch.completed',
    resource: 'payoutbatch',
    objectId: batch.batchId,
    version: batch.version,
    data,
    createdAt: batch.updatedAt,
  }
}
