// A payer abandons an attempt to pay another way. The network is notified; money that still arrives goes to suspense.

import { cancelPayin, type Payin, type PayinErrorCode } from '../../core/payins/payin.ts'
import { atStage } from '../../core/payins/schedule.ts'
import type { Queryable } from '../../store/db.ts'
import { lockPayin, type PayinAddress } from '../../store/payins/payins.ts'
import { writePayins } from '../../store/payins/write.ts'
import type { Needs } from '../context.ts'
import { payinEvent } from '../payins/write.ts'

// A cancellation books nothing; any slot will do.
const ANY_SLOT = 1

// False if the payin has already ended.
export async function abandonAttempt(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  address: PayinAddress,
  reason: PayinErrorCode,
): Promise<boolean> {
  const abandoned = await ctx.db.inTransaction(async (tx) => {
    const payin = await lockPayin(tx, address)
    return payin !== undefined && cancelAttempt(ctx, tx, payin, reason)
  })
  if (abandoned) {
    ctx.signals.workAdded('payins')
    ctx.signals.workAdded('events')
  }
  return abandoned
}

// Of an attempt that the transaction has locked. False if it has already ended.
export async function cancelAttempt(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  tx: Queryable,
  payin: Payin,
  reason: PayinErrorCode,
): Promise<boolean> {
  const now = ctx.clock.now()
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
  await writePayins(
    tx,
    [{ ...write, transfers: [], suspense: null, alarm: null, notice: null, link: null }],
    ANY_SLOT,
  )
  return true
}
