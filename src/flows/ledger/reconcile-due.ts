// Which day is reconciled next, and who does it: every closed day since the first payment, each by one worker.

import { bogotaDay, type Day, daysAfter } from '../../core/bogota-day.ts'
import { RAILS, type Rail } from '../../core/connections/rail.ts'
import { dueAfterDay, lastClosedDay, lateDays } from '../../core/ledger/reconciliation.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { raiseLateAlarms } from '../../store/ledger/late-statements.ts'
import {
  claimRun,
  firstOrganizationAt,
  firstPaymentAt,
  hasRun,
  insertRuns,
  requestRun,
  type StatementClaim,
} from '../../store/ledger/statement-runs.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { PAGE_LEASE_MS, type ReconcileOutcome, reconcile } from './reconcile.ts'

export type Reconciled = { claim: StatementClaim; result: ReconcileOutcome }

// The networks that tell us their own record.
export function reconcilableRails(ctx: Needs<'networks'>): Rail[] {
  return RAILS.filter((rail) => ctx.networks.statement[rail] !== undefined)
}

// Reconciles the oldest day that is due. Undefined if none is.
export async function reconcileNextDue(
  ctx: Needs<'clock' | 'ids' | 'db' | 'networks' | 'signals'>,
): Promise<Reconciled | undefined> {
  const rails = reconcilableRails(ctx)
  for (const rail of rails) await planDays(ctx, rail)
  const now = ctx.clock.now()
  await raiseLateAlarms(ctx.db, rails, lateDays(now), now)
  return claimAndReconcile(ctx, rails, null)
}

// Reconciles this day now, again if it was reconciled before. Undefined if another process is at it.
export async function reconcileNow(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'networks' | 'signals'>,
  rail: Rail,
  day: Day,
): Promise<Reconciled | undefined> {
  await planDays(ctx, rail)
  await ctx.db.inTransaction(async (tx) => {
    await requestRun(tx, rail, day, ctx.clock.now())
    const act = { act: 'reconciliation.run', before: null, after: { rail, day } } as const
    await recordAct(ctx, tx, { ...act, organizationId: UNATTRIBUTED_ORGANIZATION, objectId: null })
  })
  return claimAndReconcile(ctx, [rail], day)
}

async function claimAndReconcile(
  ctx: Needs<'clock' | 'ids' | 'db' | 'networks' | 'signals'>,
  rails: readonly Rail[],
  day: Day | null,
): Promise<Reconciled | undefined> {
  const now = ctx.clock.now()
  const lease = { token: ctx.ids.next(), until: now + PAGE_LEASE_MS }
  const claim = await claimRun(ctx.db, rails, day, now, lease)
  return claim && { claim, result: await reconcile(ctx, claim) }
}

// The day on which something could first be paid here. Null if there is no organization yet.
export async function firstDay(ctx: Needs<'db'>): Promise<Day | null> {
  const instants = [await firstOrganizationAt(ctx.db), await firstPaymentAt(ctx.db)]
  const known = instants.filter((instant) => instant !== null)
  return known.length === 0 ? null : bogotaDay(Math.min(...known))
}

// Adds every day up to yesterday that is not there yet. Today is never added: it is not over. Yesterday is only ever added here,
// together with all days before it, so if it is there, none is missing.
async function planDays(ctx: Needs<'clock' | 'db'>, rail: Rail): Promise<void> {
  const last = lastClosedDay(ctx.clock.now())
  if (await hasRun(ctx.db, rail, last)) return
  const firstAt = await firstPaymentAt(ctx.db)
  const first = firstAt === null ? last : bogotaDay(firstAt)
  const days: Day[] = [last]
  for (let day = first; day < last; day = daysAfter(day, 1)) days.push(day)
  await insertRuns(
    ctx.db,
    rail,
    days.map((day) => ({ day, dueAt: dueAfterDay(day) })),
  )
}
