// A payin is confirmed by a payment that is in suspense of its own organization: the item is counted in the transaction that
// confirms the payin, and its money moves from suspense. An item of nobody is released afterwards, see ../ledger/release-suspense.ts:
// a transaction is one organization's.

import type { PayinStep } from '../../core/payins/settle.ts'
import { isFree, lockSuspenseOfPayment, moveSuspenseItem } from '../../store/ledger/suspense.ts'
import { PAYOUT_SLOT } from '../../store/ledger/transfers.ts'
import { type PayinWrite, writePayins } from '../../store/payins/write.ts'
import type { Needs } from '../context.ts'

// False if someone else has moved the payin, taken the lease, or decided about the item. Then nothing is written.
export async function writePayinStep(
  ctx: Needs<'db' | 'batched' | 'signals'>,
  { counted, paymentId }: PayinStep,
  write: PayinWrite,
): Promise<boolean> {
  if (counted === undefined || paymentId === undefined) return ctx.batched.writePayin(write)
  if (!counted.isOwn) {
    const isWritten = await ctx.batched.writePayin(write)
    // The payin is due, to have the item released.
    if (isWritten) ctx.signals.workAdded('payins', write.payin.organizationId)
    return isWritten
  }
  const { payinId, organizationId, source } = write.payin
  const isWritten = await ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseOfPayment(tx, { organizationId, rail: source.rail, paymentId })
    if (item === undefined || !isFree(item)) return false
    const [isMoved = false] = await writePayins(tx, [write], PAYOUT_SLOT)
    if (isMoved) await moveSuspenseItem(tx, item, 'COUNTED', payinId, write.at)
    return isMoved
  })
  if (isWritten) ctx.signals.workAdded('events', organizationId)
  return isWritten
}
