// What a payer's page may ask of a payin: fill in who pays, where its merchant did not know, and have the network asked
// now instead of later.

import type { Customer, Payin } from '../../core/payins/payin.ts'
import { setPayinCustomer, wakePayin } from '../../store/payins/payins.ts'
import type { Needs } from '../context.ts'

// "I have paid": the worker asks at once. A payin that somebody is at work on is left to them.
export async function requestStatusCheck(
  ctx: Needs<'clock' | 'db' | 'signals'>,
  payin: Payin,
): Promise<void> {
  if (payin.progress.stage !== 'OPEN') return
  await wakePayin(ctx.db, payin, ctx.clock.now())
  ctx.signals.workAdded('payins')
}

export async function setPayer(
  ctx: Needs<'db' | 'signals'>,
  payin: Payin,
  customer: Customer,
): Promise<void> {
  await setPayinCustomer(ctx.db, payin, customer)
  ctx.signals.workAdded('payins')
}
