// Time is up: open payins past their expiry end as canceled. One small transaction an organization, so that a large one
// holds up nobody else.

import { cancelPayin } from '../core/payin.ts'
import { lockExpiredPayins, movePayin } from '../store/payins.ts'
import type { Context } from './context.ts'

// Enough to drain quickly, few enough to hold their locks for milliseconds only.
const EXPIRE_AT_ONCE = 100

// Answers how many ended; fewer than asked for means there are no more.
export async function expirePayins(ctx: Context, organizationId: string): Promise<number> {
  const now = ctx.now()
  return ctx.db.inTransaction(async (tx) => {
    const payins = await lockExpiredPayins(tx, organizationId, now, EXPIRE_AT_ONCE)
    for (const payin of payins) {
      const expired = cancelPayin(payin, 'EXPIRED', now)
      if (expired !== undefined) await movePayin(tx, expired)
    }
    return payins.length
  })
}
