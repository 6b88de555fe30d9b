// A payer gives a try up, to choose another way. The network is told, and money that still arrives goes to suspense.

import { cancelPayin, isOpen, type PayinErrorCode } from '../../core/payins/payin.ts'
import { atStage } from '../../core/payins/schedule.ts'
import type { Queryable } from '../../store/db.ts'
import { lockPayin, type PayinAddress } from '../../store/payins/payins.ts'
import { writePayinSteps } from '../../store/payins/write.ts'
import type { Context } from '../context.ts'
import { payinEvent } from '../payins/write.ts'

// Nothing is booked by a cancellation; any slot will do.
const NO_SLOT = 1

// False where the payin has ended already.
export async function leaveTry(
  ctx: Context,
  address: PayinAddress,
  reason: PayinErrorCode,
): Promise<boolean> {
  const left = await ctx.db.inTransaction((tx) => withdraw(ctx, tx, address, reason))
  if (left) {
    ctx.hint('payins')
    ctx.hint('events')
  }
  return left
}

export async function withdraw(
  ctx: Context,
  tx: Queryable,
  address: PayinAddress,
  reason: PayinErrorCode,
): Promise<boolean> {
  const payin = await lockPayin(tx, address)
  if (payin === undefined || !isOpen(payin)) return false
  const now = ctx.now()
  const canceled = cancelPayin(payin, reason, now)
  if (canceled === undefined) return false
  const next = atStage(canceled, 'TO_CLOSE')
  const write = {
    payin: next,
    expectedVersion: payin.version,
    leaseToken: null,
    dueAt: now,
    at: now,
    event: payinEvent(ctx, payin, next),
  }
  await writePayinSteps(
    tx,
    [{ ...write, transfers: [], suspense: null, alarm: null, notice: null, link: null }],
    NO_SLOT,
  )
  return true
}
