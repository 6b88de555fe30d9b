// What is not done with the approval itself, but by somebody who comes back for it: they must be there to take a secret, or a network
// must be called, which no transaction may. The approval authorises exactly what was submitted, once, until it lapses.

import { isBoundTo } from '../../core/approvals/approval.ts'
import type { Refusal } from '../../core/refusal.ts'
import { getOpenApproval, useApproval } from '../../store/approvals/approvals.ts'
import type { Queryable } from '../../store/db.ts'
import { getOrganization } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { refuseUntilApproved, type Submitted, submitForApproval } from './submit.ts'

// Undefined: go on. The rules ask nobody, or this very thing was approved; that approval is used up with it. Else it is submitted, or
// waits already. Call it in the transaction of the act, which holds the lock of the subject.
export async function refuseUnapproved(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  organizationId: string,
  asked: Omit<Submitted, 'organization' | 'payload'>,
): Promise<Refusal | undefined> {
  const organization = await getOrganization(tx, organizationId)
  if (organization === undefined) return undefined
  const now = ctx.clock.now()
  // Read without a lock: whoever decides has the approval's, and then wants the subject's, which is ours.
  const open = await getOpenApproval(tx, { organizationId, ...asked }, now)
  if (open?.status === 'WAITING') return refuseUntilApproved(open)
  if (open !== undefined && isBoundTo(open, asked.document) && (await useApproval(tx, open, now)))
    return undefined
  const submitted = await submitForApproval(ctx, tx, { organization, ...asked })
  return submitted === null ? undefined : refuseUntilApproved(submitted)
}
