// Ends approvals that nobody decided in time, each in a transaction of its own: what was reserved for it is released with it.

import { endApproval, isLapsed } from '../../core/approvals/approval.ts'
import {
  type ApprovalAddress,
  listLapsedApprovals,
  lockApproval,
  writeApproval,
} from '../../store/approvals/approvals.ts'
import { listDecisions } from '../../store/approvals/decisions.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { effectOf } from './effects.ts'
import { approvalEvent, auditedApproval } from './event.ts'

type Lapsing = Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>

const BATCH = 50

// Returns how many have lapsed. One that fails does not keep the others; its failure is told when all were tried.
export async function lapseDueApprovals(ctx: Lapsing): Promise<number> {
  const due = await listLapsedApprovals(ctx.db, ctx.clock.now(), BATCH)
  const failures: unknown[] = []
  let lapsed = 0
  for (const address of due) {
    const isDone = await lapseApproval(ctx, address).catch((error: unknown) => failures.push(error) < 0)
    if (isDone) lapsed += 1
  }
  if (failures.length > 0) throw failures[0]
  return lapsed
}

// False if somebody decided meanwhile.
export async function lapseApproval(ctx: Lapsing, address: ApprovalAddress): Promise<boolean> {
  const kind = await ctx.db.inTransaction(async (tx) => {
    const approval = await lockApproval(tx, address)
    const now = ctx.clock.now()
    if (approval === undefined || !isLapsed(approval, now)) return undefined
    const next = endApproval(approval, 'lapse', now)
    if (next === undefined) return undefined
    const decisions = await listDecisions(tx, approval)
    await writeApproval(tx, next, approvalEvent(ctx, next, decisions))
    await effectOf(approval.kind).lapsed(ctx, tx, approval)
    const { organizationId, approvalId: objectId } = approval
    const act = {
      act: 'approval.lapse',
      before: auditedApproval(approval),
      after: auditedApproval(next),
    } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId })
    return approval.kind
  })
  if (kind === undefined) return false
  for (const work of effectOf(kind).wakes) ctx.signals.workAdded(work, address.organizationId)
  ctx.signals.workAdded('events', address.organizationId)
  return true
}
