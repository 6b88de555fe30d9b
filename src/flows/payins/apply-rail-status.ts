// What a network answers about a payin, and what that does to the payin. The network is called outside any transaction,
// and its answer is written under the lease of whoever asked.

import type { PayinUpdate } from '../../core/connections/notice.ts'
import { railReference } from '../../core/connections/reference.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { isOpen, type Payin } from '../../core/payins/payin.ts'
import { withStage } from '../../core/payins/schedule.ts'
import type { PayinStep } from '../../core/payins/settle.ts'
import type { PaymentHandle, RailPayinStatus, RailPayment } from '../../rails/rail.ts'
import type { PayinClaim } from '../../store/payins/payins.ts'
import type { PayinWrite } from '../../store/payins/write.ts'
import type { Needs } from '../context.ts'
import { writePayinStep } from './count-payment.ts'
import { decidePayin, linkOf, payinWrite, readPayinFacts } from './write.ts'

export async function callRail<Answer>(ctx: Needs<'signals'>, call: () => Promise<Answer>): Promise<Answer> {
  ctx.signals.crashPoint('payin-before-rail')
  const answer = await call()
  ctx.signals.crashPoint('payin-after-rail')
  return answer
}

// Compares the payments that the network lists with those we know, and writes down what is new. The payin has its outcome,
// so it does not change. False if someone else moved it meanwhile; then the network is asked again.
export async function recordPayments(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>,
  { organizationId, payinId, progress, confirmedAmountInCents }: Payin,
  organization: Organization,
  payments: readonly RailPayment[],
): Promise<boolean> {
  for (const payment of payments) {
    // Nearly always the only one, and known.
    if (payment.paymentId === progress.paymentId && payment.amountInCents === confirmedAmountInCents) continue
    const payin = await ctx.batched.getPayin({ organizationId, payinId })
    if (payin === undefined || isOpen(payin)) return false
    const update = { kind: 'payin.paid', ...payment } as const
    const facts = await readPayinFacts(ctx, payin, organization, undefined, update)
    const step = await decidePayin(ctx, payin, update, facts, false)
    const isNews = step.suspense !== undefined || step.alarm !== undefined
    if (isNews && !(await write(ctx, payinWrite(ctx, payin, step, {}, 'keep')))) return false
  }
  return true
}

export async function applyRailStatus(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>,
  claim: PayinClaim,
  organization: Organization,
  status: RailPayinStatus,
): Promise<boolean> {
  const update = updateOf(status) as PayinUpdate
  const written = await applyUpdate(ctx, claim, organization, update, networkCodeOf(status))
  // If we die here, the others are found before the payin is settled or closed.
  if (written && status.state === 'paid') {
    const payin = await ctx.batched.getPayin(claim.payin)
    if (payin !== undefined) await recordPayments(ctx, payin, organization, status.payments)
  }
  return written
}

// A network's answer counts like a notice.
export async function applyUpdate(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>,
  { payin, leaseToken }: PayinClaim,
  organization: Organization,
  update: PayinUpdate,
  networkCode: string,
): Promise<boolean> {
  const link = await linkOf(ctx, payin)
  // Nobody else applies this answer, so a lost write is tried once more: another payin may have the payment.
  for (const wasLost of [false, true]) {
    const facts = await readPayinFacts(ctx, payin, organization, link, update)
    const step = await decidePayin(ctx, payin, update, facts, wasLost)
    const current = step.next === undefined ? withStage(payin, 'DONE') : payin
    const change = payinWrite(ctx, current, step, { leaseToken, networkCode, link }, null)
    if (await write(ctx, change, step)) return true
  }
  return false
}

// False if someone else has moved the payin or taken the lease. Then we have nothing to write.
export async function write(
  ctx: Needs<'db' | 'batched' | 'signals'>,
  change: PayinWrite,
  step: PayinStep = {},
): Promise<boolean> {
  ctx.signals.crashPoint('payin-before-commit')
  const written = await writePayinStep(ctx, step, change)
  ctx.signals.crashPoint('payin-after-commit')
  return written
}

export function handleOf(payin: Payin): PaymentHandle {
  const { amountInCents, progress } = payin
  return { reference: referenceOf(payin), providerId: progress.providerId, amountInCents }
}

export function referenceOf(payin: Payin): string {
  return railReference('payin', payin.organizationId, payin.payinId)
}

export function updateOf(status: RailPayinStatus): PayinUpdate | undefined {
  if (status.state === 'open') return undefined
  if (status.state === 'paid') return { kind: 'payin.paid', ...status.payments[0] }
  return { kind: status.how === 'declined' ? 'payin.declined' : 'payin.canceled', reason: status.reason }
}

function networkCodeOf(status: RailPayinStatus): string {
  return status.state === 'open' ? '' : status.networkCode
}
