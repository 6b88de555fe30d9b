// The merchant cancels a payout. Possible until it is submitted to the network; then only the network can end it.

import type { Payout } from '../../core/payouts/payout.ts'
import { cancelPayout as cancel } from '../../core/payouts/settle.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { sqlState, UNIQUE_VIOLATION } from '../../store/db.ts'
import { insertRecord } from '../../store/idempotency.ts'
import { lockPayout, type PayoutAddress } from '../../store/payouts/payouts.ts'
import { writePayouts } from '../../store/payouts/write.ts'
import { voidApproval } from '../approvals/submit.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { payoutWrite } from './write.ts'

export async function cancelPayout(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals'>,
  address: PayoutAddress,
  idempotency: Idempotency<Payout> | null,
): Promise<Payout | Refusal> {
  const now = ctx.clock.now()
  try {
    const outcome = await ctx.db.inTransaction(async (tx) => {
      // Before the payout is locked, as whoever decides does.
      const { organizationId, payoutId } = address
      await voidApproval(ctx, tx, { organizationId, kind: 'payout', subjectId: payoutId })
      const payout = await lockPayout(tx, address)
      if (payout === undefined) return refuse('NOT_FOUND', `No payout has the id ${address.payoutId}.`)
      const step = cancel(payout, now)
      if (step?.next === undefined) {
        const why = payout.status === 'PROCESSING' ? 'is with the network already' : `is ${payout.status}`
        return refuse('PAYOUT_NOT_CANCELABLE', `The payout ${why}.`)
      }
      await writePayouts(tx, [payoutWrite(ctx, payout, step, {})])
      const act = { act: 'payout.cancel', before: payout, after: step.next } as const
      await recordAct(ctx, tx, { ...act, organizationId, objectId: payoutId })
      if (idempotency !== null)
        await insertRecord(tx, address.organizationId, idempotencyRecordOf(idempotency, step.next), now)
      return step.next
    })
    ctx.signals.workAdded('events', address.organizationId)
    return outcome
  } catch (error) {
    if (idempotency !== null && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}
