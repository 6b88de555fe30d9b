// The merchant no longer wants the money. Allowed until the payin has its outcome. A network that may know the payin is
// notified afterwards, and money that still arrives goes to suspense.

import { cancelPayin as cancel, type Payin, type PayinAddress } from '../../core/payins/payin.ts'
import { isUnknownToNetwork, withStage } from '../../core/payins/schedule.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { sqlState, UNIQUE_VIOLATION } from '../../store/db.ts'
import { insertRecord } from '../../store/idempotency.ts'
import { lockPayin } from '../../store/payins/payins.ts'
import { writePayins } from '../../store/payins/write.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { payinEvent } from './write.ts'

// A cancellation books nothing; any slot will do.
const ANY_SLOT = 1

export async function cancelPayin(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals' | 'settings'>,
  address: PayinAddress,
  idempotency: Idempotency<Payin> | null,
): Promise<Payin | Refusal> {
  const now = ctx.clock.now()
  try {
    const outcome = await ctx.db.inTransaction(async (tx) => {
      const locked = await lockPayin(tx, address)
      if (locked === undefined) return refuse('NOT_FOUND', `No payin has the id ${address.payinId}.`)
      const { payin, wasClaimed } = locked
      const canceled = cancel(payin, 'CANCELED_BY_MERCHANT', now)
      if (canceled === undefined) {
        return refuse('PAYIN_ALREADY_FINAL', `The payin is ${payin.status} and stays so.`)
      }
      const isOver = isUnknownToNetwork(payin, wasClaimed)
      const next = withStage(canceled, isOver ? 'DONE' : 'TO_CLOSE')
      const dueAt = isOver ? null : now
      const write = { payin: next, expectedVersion: payin.version, leaseToken: null, dueAt, at: now }
      await writePayins(
        tx,
        [
          {
            ...write,
            transfers: [],
            suspense: null,
            alarm: null,
            notice: null,
            link: null,
            event: payinEvent(ctx, payin, next),
          },
        ],
        ANY_SLOT,
      )
      const { organizationId, payinId } = address
      const act = { act: 'payin.cancel', before: payin, after: next } as const
      await recordAct(ctx, tx, { ...act, organizationId, objectId: payinId })
      if (idempotency !== null) {
        await insertRecord(tx, address.organizationId, idempotencyRecordOf(idempotency, next), now)
      }
      return next
    })
    ctx.signals.workAdded('payins', address.organizationId)
    ctx.signals.workAdded('events', address.organizationId)
    return outcome
  } catch (error) {
    if (idempotency !== null && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}
