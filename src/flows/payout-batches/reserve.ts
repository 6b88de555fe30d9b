// The money of a batch: set aside as a whole when it is submitted, with the fees of its payouts, and released if it is not sent.

import { spendable } from '../../core/connections/movement.ts'
import { type Booking, transfer } from '../../core/ledger/bookings.ts'
import { payoutFeeOf } from '../../core/ledger/charges.ts'
import { centsToDecimal } from '../../core/money.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { BatchTotals, PayoutBatch } from '../../core/payout-batches/batch.ts'
import { MAX_BATCH_ROWS } from '../../core/payout-batches/columns.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import { lockAvailable, PAYOUT_SLOT, postTransfers, readBalances } from '../../store/ledger/transfers.ts'
import { listBatchRows, moveBatchRows } from '../../store/payout-batches/rows.ts'
import type { Needs } from '../context.ts'
import { routePayment } from '../payment-route.ts'

export type BatchReservation = Pick<
  PayoutBatch,
  'reservedInCents' | 'reservedDepositInCents' | 'reservedFeesInCents'
>

// Refused if there is too little.
export async function reserveBatch(
  ctx: Needs<'clock' | 'ids' | 'networks' | 'settings'>,
  tx: Queryable,
  organization: Organization,
  batch: PayoutBatch,
  { sumInCents }: BatchTotals,
): Promise<BatchReservation | Refusal> {
  const { organizationId } = organization
  const route = routePayment(ctx, organization, 'BRE_B_OUT', 1n)
  const feesInCents = await feesOf(ctx, tx, organization, batch)
  await lockAvailable(tx, organizationId)
  const { AVAILABLE, DEPOSITED } = await readBalances(tx, organizationId)
  const isConnected = route !== null
  const heldInCents = spendable({ availableInCents: AVAILABLE, depositedInCents: DEPOSITED }, isConnected)
  const neededInCents = sumInCents + feesInCents
  if (heldInCents < neededInCents) return refuseMissing(neededInCents, heldInCents)
  const parts = [[isConnected ? 'batch reserved from deposits' : 'batch reserved', neededInCents]] as const
  await postBatchTransfers(ctx, tx, batch, parts, String(batch.version))
  return {
    reservedInCents: neededInCents,
    reservedDepositInCents: isConnected ? neededInCents : 0n,
    reservedFeesInCents: feesInCents,
  }
}

// What its payouts would cost now, each as the one that will be made of its row.
async function feesOf(
  ctx: Needs<'clock' | 'networks' | 'settings'>,
  tx: Queryable,
  organization: Organization,
  { organizationId, batchId }: PayoutBatch,
): Promise<bigint> {
  if (organization.charges.payoutFees.BRE_B === undefined) return 0n
  const rows = await listBatchRows(tx, organizationId, batchId, { state: 'DRAFT' }, MAX_BATCH_ROWS)
  return rows.reduce((sum, { amountInCents }) => {
    if (amountInCents === null || routePayment(ctx, organization, 'BRE_B_OUT', amountInCents) !== null)
      return sum
    const { feeInCents, feeTaxInCents } = payoutFeeOf(organization.charges, 'BRE_B', amountInCents)
    return sum + feeInCents + feeTaxInCents
  }, 0n)
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
      }),
    )
  await postTransfers(tx, transfers, PAYOUT_SLOT)
}

// What is set aside comes back, and the rows may be corrected or are left as they are.
export async function releaseBatch(
  ctx: Needs<'ids'>,
  tx: Queryable,
  batch: PayoutBatch,
): Promise<BatchReservation> {
  const { organizationId, batchId } = batch
  await moveBatchRows(tx, organizationId, batchId, 'QUEUED', 'DRAFT', 'all')
  return releaseMoney(ctx, tx, batch)
}

export async function releaseMoney(
  ctx: Needs<'ids'>,
  tx: Queryable,
  batch: PayoutBatch,
): Promise<BatchReservation> {
  const { reservedInCents, reservedDepositInCents, organizationId } = batch
  if (reservedInCents > 0n) {
    await lockAvailable(tx, organizationId)
    const parts = [
      ['batch released', reservedInCents - reservedDepositInCents],
      ['batch released to deposits', reservedDepositInCents],
    ] as const
    await postBatchTransfers(ctx, tx, batch, parts, String(batch.version))
  }
  return { reservedInCents: 0n, reservedDepositInCents: 0n, reservedFeesInCents: 0n }
}
