// Writes payouts that people must approve first: the payout, the reservation of its money and the approval that waits for it, in one
// transaction. Without enough money one ends at once, as it would at dispatch, and nobody is asked. Reservations of an organization go
// one after the other, so those that arrive together share a transaction: a hundred of them wait for the balance once.

import type { Payout } from '../../core/payouts/payout.ts'
import { fundsAfter, type PayoutStep, reserveForApproval } from '../../core/payouts/settle.ts'
import type { Db, Queryable } from '../../store/db.ts'
import { lockAvailable, readBalances } from '../../store/ledger/transfers.ts'
import { insertPayouts } from '../../store/payouts/payouts.ts'
import { writePayouts } from '../../store/payouts/write.ts'
import { submitForApproval } from '../approvals/submit.ts'
import { type AwaitingInsert, type AwaitingPayout, idempotencyRecordOf } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { payoutDocument } from './approval.ts'
import { insertWithinLimits, isLimitedPayout, type LimitedInsert } from './insert-limited.ts'
import { payoutWrite } from './write.ts'

// Those of each organization are a transaction of their own.
export async function insertAwaitingPayouts(db: Db, batch: AwaitingPayout[]): Promise<AwaitingInsert[]> {
  const outcomes = new Map<AwaitingPayout, AwaitingInsert>()
  const groups = Map.groupBy(batch, ({ organization }) => organization.organizationId)
  await Promise.all(
    [...groups].map(async ([organizationId, group]) => {
      const written = await db.inTransaction((tx) => insertOf(tx, organizationId, group))
      for (const [index, one] of group.entries()) outcomes.set(one, written[index] as AwaitingInsert)
    }),
  )
  return batch.map((one) => outcomes.get(one) as AwaitingInsert)
}

type Reserved = { readonly one: AwaitingPayout; readonly step: PayoutStep; readonly shown: Payout }

async function insertOf(
  tx: Queryable,
  organizationId: string,
  group: readonly AwaitingPayout[],
): Promise<AwaitingInsert[]> {
  await lockAvailable(tx, organizationId)
  const reserved = reserveAll(group, await readBalances(tx, organizationId))
  const rows = reserved.map(({ one, shown }) => ({
    ...one,
    record: one.idempotency && idempotencyRecordOf(one.idempotency, shown),
  }))
  const inserted: LimitedInsert[] = await (rows.some(isLimitedPayout) ? insertWithinLimits : insertPayouts)(
    tx,
    rows,
  )
  const written = reserved.filter((_, index) => inserted[index]?.inserted === true)
  // What was not written has taken nothing, and another may have lacked it. Then they are tried one by one.
  const isAllTaken = written.length === reserved.length
  if (!isAllTaken && written.some(({ one, shown }) => shown === one.payout))
    throw new Error('a payout lacks what another has not taken')
  if (written.length > 0)
    await writePayouts(
      tx,
      written.map(({ one, step }) => payoutWrite(one.ctx, one.payout, step, {})),
    )
  // None needs the answer of another, so they are sent together.
  await Promise.all(written.map((one) => tell(tx, one)))
  return reserved.map(({ shown }, index) => ({ inserted: false, ...inserted[index], shown }))
}

// One after the other: what each leaves is there for the next.
function reserveAll(
  group: readonly AwaitingPayout[],
  { AVAILABLE, DEPOSITED }: { readonly AVAILABLE: bigint; readonly DEPOSITED: bigint },
): Reserved[] {
  let funds = { availableInCents: AVAILABLE, depositedInCents: DEPOSITED }
  return group.map((one) => {
    const step = reserveForApproval(one.payout, funds, one.payout.createdAt)
    funds = fundsAfter(funds, step)
    return { one, step, shown: step.next?.status === 'PROCESSING' ? step.next : one.payout }
  })
}

async function tell(tx: Queryable, { one, shown }: Reserved): Promise<void> {
  const { ctx, organization, payout } = one
  const { organizationId, payoutId } = payout
  const act = { act: 'payout.create', before: null, after: payout } as const
  await recordAct(ctx, tx, { ...act, organizationId, objectId: payoutId })
  if (shown === payout) return
  await submitForApproval(ctx, tx, {
    organization,
    kind: 'payout',
    subjectId: payoutId,
    amountInCents: payout.amountInCents,
    document: payoutDocument(shown),
  })
}
