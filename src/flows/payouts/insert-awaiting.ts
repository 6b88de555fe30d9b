// Writes a payout that people must approve first: the payout, the reservation of its money and the approval that waits for it, in one
// transaction. Without enough money it ends at once, as it would at dispatch, and nobody is asked.

import type { Organization } from '../../core/organizations/organization.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import { reserveForApproval } from '../../core/payouts/settle.ts'
import { lockAvailable, readBalances } from '../../store/ledger/transfers.ts'
import { insertPayouts } from '../../store/payouts/payouts.ts'
import { writePayouts } from '../../store/payouts/write.ts'
import { submitForApproval } from '../approvals/submit.ts'
import { type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { payoutDocument } from './approval.ts'
import {
  insertWithinLimits,
  isLimitedPayout,
  type LimitedInsert,
  type LimitedPayout,
} from './insert-limited.ts'
import { payoutWrite } from './write.ts'

// `shown` is what the merchant is answered. The outcome never is: one that has no funds is told by its event.
export type AwaitingInsert = LimitedInsert & { readonly shown: Payout }

export function insertForApproval(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db'>,
  organization: Organization,
  one: LimitedPayout,
  idempotency: Idempotency<Payout> | null,
): Promise<AwaitingInsert> {
  const { payout } = one
  const { organizationId, payoutId } = payout
  return ctx.db.inTransaction(async (tx) => {
    await lockAvailable(tx, organizationId)
    const { AVAILABLE, DEPOSITED } = await readBalances(tx, organizationId)
    const funds = { availableInCents: AVAILABLE, depositedInCents: DEPOSITED }
    const step = reserveForApproval(payout, funds, payout.createdAt)
    const waits = step.next?.status === 'PROCESSING' ? step.next : undefined
    const shown = waits ?? payout
    const record = idempotency && idempotencyRecordOf(idempotency, shown)
    const insert = isLimitedPayout(one) ? insertWithinLimits : insertPayouts
    const [outcome] = await insert(tx, [{ ...one, record }])
    if (outcome === undefined || !outcome.inserted) return { inserted: false, ...outcome, shown }
    await writePayouts(tx, [payoutWrite(ctx, payout, step, {})])
    const act = { act: 'payout.create', before: null, after: payout } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: payoutId })
    if (waits !== undefined)
      await submitForApproval(ctx, tx, {
        organization,
        kind: 'payout',
        subjectId: payoutId,
        amountInCents: payout.amountInCents,
        document: payoutDocument(waits),
      })
    return { ...outcome, shown }
  })
}
