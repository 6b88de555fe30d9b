// What people approve of a return from suspense: this money, all that is left of it, back to whoever sent it. The network is called when
// somebody asks for the return again, because no transaction may; that it leaves once is held by the item, as ever.

import type { Refusal } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import { leftInCents, lockSuspenseItem, type SuspenseItem } from '../../store/ledger/suspense.ts'
import { refuseUnapproved } from '../approvals/authorize.ts'
import type { ApprovalEffect } from '../approvals/effect.ts'
import type { Needs } from '../context.ts'

// Of an item that is locked and open. Undefined: go on, nobody is asked or it was approved.
export function refuseUnapprovedReturn(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  item: SuspenseItem,
): Promise<Refusal | undefined> {
  const { organizationId, suspenseId: subjectId } = item
  const [amountInCents, document] = [leftInCents(item), returnDocument(item)]
  const asked = { kind: 'suspense-return', subjectId, amountInCents, document } as const
  return refuseUnapproved(ctx, tx, organizationId, asked)
}

function returnDocument(item: SuspenseItem): Readonly<Record<string, unknown>> {
  const { rail, paymentId, payinId, reason } = item
  return { act: 'suspense.return', amountInCents: leftInCents(item), rail, paymentId, payinId, reason }
}

const nothing = async (): Promise<void> => {}

export const suspenseApproval: ApprovalEffect = {
  current: async (tx, { organizationId, subjectId: suspenseId }) => {
    const item = await lockSuspenseItem(tx, { organizationId, suspenseId })
    return item?.state === 'OPEN' ? returnDocument(item) : undefined
  },
  approved: nothing,
  refused: nothing,
  lapsed: nothing,
  stale: nothing,
  wakes: ['shown'],
}
