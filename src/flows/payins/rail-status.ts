// What a network answers about a payin, and what that does to the payin. The network is called outside any transaction,
// and its answer is written under the lease of whoever asked.

import type { PayinUpdate } from '../../core/connections/notice.ts'
import { railReference } from '../../core/connections/reference.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Payin } from '../../core/payins/payin.ts'
import { atStage } from '../../core/payins/schedule.ts'
import { settlePayin } from '../../core/payins/settle.ts'
import type { RailPayinStatus } from '../../rails/rail.ts'
import type { PayinClaim } from '../../store/payins/payins.ts'
import type { PayinWrite } from '../../store/payins/write.ts'
import type { Needs } from '../context.ts'
import { linkOf, payinFacts, payinWrite } from './write.ts'

export async function callRail<Answer>(ctx: Needs<'signals'>, call: () => Promise<Answer>): Promise<Answer> {
  ctx.signals.crashPoint('payin-before-rail')
  const answer = await call()
  ctx.signals.crashPoint('payin-after-rail')
  return answer
}

export async function applyRailStatus(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>,
  claim: PayinClaim,
  organization: Organization,
  status: RailPayinStatus,
): Promise<boolean> {
  const update = updateOf(status) as PayinUpdate
  const written = await applyUpdate(ctx, claim, organization, update, networkCodeOf(status))
  if (written) await applyOtherPayments(ctx, claim.payin, organization, status)
  return written
}

// Payments beyond the one that decided the payin. A payment we already have is written only once.
export async function applyOtherPayments(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>,
  { organizationId, payinId }: Payin,
  organization: Organization,
  status: RailPayinStatus,
): Promise<void> {
  if (status.state !== 'paid') return
  for (const other of status.others ?? []) {
    const payin = await ctx.batched.getPayin({ organizationId, payinId })
    if (payin === undefined) return
    const link = await linkOf(ctx, payin)
    const update = { kind: 'payin.paid', ...other } as const
    const step = settlePayin(payin, update, payinFacts(payin, organization, link), ctx.clock.now())
    if (step.suspense !== undefined) await write(ctx, payinWrite(ctx, payin, step, { link }, 'keep'))
  }
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
  const step = settlePayin(payin, update, payinFacts(payin, organization, link), ctx.clock.now())
  const current = step.next === undefined ? atStage(payin, 'DONE') : payin
  return write(ctx, payinWrite(ctx, current, step, { leaseToken, networkCode, link }, null))
}

// False if someone else has moved the payin or taken the lease. Then we have nothing to write.
export async function write(ctx: Needs<'batched' | 'signals'>, step: PayinWrite): Promise<boolean> {
  ctx.signals.crashPoint('payin-before-commit')
  const written = await ctx.batched.writePayin(step)
  ctx.signals.crashPoint('payin-after-commit')
  return written
}

export function railOf(ctx: Needs<'networks'>, payin: Payin) {
  return ctx.networks.payins[payin.source.rail]
}

export function referenceOf(payin: Payin): string {
  return railReference('payin', payin.organizationId, payin.payinId)
}

export function updateOf(status: RailPayinStatus): PayinUpdate | undefined {
  if (status.state === 'open') return undefined
  if (status.state === 'paid') {
    return { kind: 'payin.paid', amountInCents: status.amountInCents, paymentId: status.paymentId }
  }
  return { kind: status.how === 'declined' ? 'payin.declined' : 'payin.canceled', reason: status.reason }
}

function networkCodeOf(status: RailPayinStatus): string {
  return status.state === 'open' ? '' : status.networkCode
}
