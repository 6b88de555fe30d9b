// The merchant no longer wants the money. Allowed until the payin has its outcome.

import { cancelPayin as cancel, type Payin } from '../core/payin.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import { sqlState, UNIQUE_VIOLATION } from '../store/db.ts'
import { insertRecord } from '../store/idempotency.ts'
import { lockPayin, movePayin, type PayinAddress } from '../store/payins.ts'
import { AnsweredBefore, type Context, type Remember, recordOf } from './context.ts'

export async function cancelPayin(
  ctx: Context,
  address: PayinAddress,
  remember: Remember<Payin> | null,
): Promise<Payin | Refusal> {
  const now = ctx.now()
  try {
    return await ctx.db.inTransaction(async (tx) => {
      const payin = await lockPayin(tx, address)
      if (payin === undefined) return refuse('NOT_FOUND', `No payin has the id ${address.payinId}.`)
      const canceled = cancel(payin, 'CANCELED_BY_MERCHANT', now)
      if (canceled === undefined) {
        return refuse('PAYIN_ALREADY_FINAL', `The payin is ${payin.status} and stays so.`)
      }
      await movePayin(tx, canceled)
      if (remember !== null) {
        await insertRecord(tx, address.organizationId, recordOf(remember, canceled), now)
      }
      return canceled
    })
  } catch (error) {
    if (remember !== null && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}
