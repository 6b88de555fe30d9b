// Tells an organization's staff when less is available than it wants to have: once each time that the balance falls below, not while it
// stays there.

import { centsToDecimal } from '../../core/money.ts'
import {
  changedMinimums,
  insertMinimumAlarm,
  markBelowMinimum,
  type WatchedBalance,
} from '../../store/ledger/minimum-balances.ts'
import type { Needs } from '../context.ts'

const AT_ONCE = 100

// Returns how many balances have crossed their minimum.
export async function watchMinimums(ctx: Needs<'clock' | 'ids' | 'db'>): Promise<number> {
  const changed = await changedMinimums(ctx.db, AT_ONCE)
  for (const balance of changed) await tell(ctx, balance)
  return changed.length
}

async function tell(ctx: Needs<'clock' | 'ids' | 'db'>, balance: WatchedBalance): Promise<void> {
  const { organizationId, minimumInCents, availableInCents } = balance
  const now = ctx.clock.now()
  const isBelow = availableInCents < minimumInCents
  await ctx.db.inTransaction(async (tx) => {
    if (!(await markBelowMinimum(tx, balance, isBelow ? now : null)) || !isBelow) return
    const detail = `${centsToDecimal(availableInCents)} COP can be paid out, and the minimum is ${centsToDecimal(minimumInCents)} COP`
    await insertMinimumAlarm(tx, { organizationId, alarmId: ctx.ids.next(), detail }, now)
  })
}
