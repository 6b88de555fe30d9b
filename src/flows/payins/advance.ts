// Does what is due for one payin that a worker has claimed: submit it to its network, query it, end it at its expiry,
// withdraw it, or settle its money. The network is called outside any transaction. Its answer is written under the
// lease, so that a worker that was too slow writes nothing.

import type { PayinUpdate } from '../../core/connections/notice.ts'
import { railReference } from '../../core/connections/reference.ts'
import type { Instant } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { cancelPayin, isOpen, type Payin } from '../../core/payins/payin.ts'
import {
  afterFailedAttempt,
  atStage,
  dueWork,
  firstQueryAt,
  givesUpClosing,
  isPastGracePeriod,
  nextQueryAt,
  retryAt,
} from '../../core/payins/schedule.ts'
import { preparePayin, settleFunds, settlePayin } from '../../core/payins/settle.ts'
import type { PayinOrder, RailPayinStatus } from '../../rails/rail.ts'
import type { PayinClaim } from '../../store/payins/payins.ts'
import type { PayinWrite } from '../../store/payins/write.ts'
import type { Context, Needs } from '../context.ts'
import { returnUrlOf } from './return-url.ts'
import { linkOf, payinEvent, payinFacts, payinWrite } from './write.ts'

export async function advancePayin(
  ctx: Context,
  claim: PayinClaim,
  organization: Organization,
): Promise<void> {
  const work = dueWork(claim.payin, ctx.clock.now())
  if (work === 'submit') await submit(ctx, claim, organization)
  else if (work === 'query') await query(ctx, claim, organization)
  else if (work === 'expire') await expire(ctx, claim, organization)
  else if (work === 'close') await close(ctx, claim, organization)
  else if (work === 'settle') await settle(ctx, claim, organization)
  // An open payin waits for its payer, at most until its expiry.
  else await reschedule(ctx, claim, claim.payin, isOpen(claim.payin) ? claim.payin.expiresAt : null)
}

async function submit(ctx: Context, claim: PayinClaim, organization: Organization): Promise<void> {
  const { payin } = claim
  const order = await orderOf(ctx, payin, organization)
  const answer = await callRail(ctx, () => railOf(ctx, payin).submit(order))
  if (answer.outcome === 'rejected') {
    const update = { kind: 'payin.declined', reason: answer.reason } as const
    await applyUpdate(ctx, claim, organization, update, answer.networkCode)
    return
  }
  const written =
    answer.outcome === 'unknown' ? await retryLater(ctx, claim) : await open(ctx, claim, answer.value)
  if (!written) await reopenClosing(ctx, payin)
}

function open(
  ctx: Needs<'clock' | 'ids' | 'batched' | 'signals' | 'settings'>,
  claim: PayinClaim,
  { pageUrl, traceId }: { pageUrl: string | null; traceId: string | null },
): Promise<boolean> {
  const now = ctx.clock.now()
  const opened = atStage(preparePayin(claim.payin, now) ?? claim.payin, 'OPEN')
  const next = { ...opened, progress: { ...opened.progress, bankUrl: pageUrl, traceId } }
  return reschedule(ctx, claim, next, firstQueryAt(claim.payin, now))
}

// Someone ended the payin while we submitted it, and may have withdrawn it before the network had it. The network has
// it now, so it must be withdrawn again.
async function reopenClosing(
  ctx: Needs<'clock' | 'ids' | 'batched' | 'signals' | 'settings'>,
  { organizationId, payinId }: Payin,
): Promise<void> {
  const payin = await ctx.batched.getPayin({ organizationId, payinId })
  if (payin === undefined || isOpen(payin) || payin.progress.paymentId !== null) return
  await reschedule(ctx, { payin, leaseToken: null }, atStage(payin, 'TO_CLOSE'), ctx.clock.now())
  ctx.signals.workAdded('payins')
}

async function query(ctx: Context, claim: PayinClaim, organization: Organization): Promise<boolean> {
  const { payin } = claim
  const answer = await callRail(ctx, () => railOf(ctx, payin).query(referenceOf(payin)))
  if (answer.outcome !== 'accepted') return retryLater(ctx, claim)
  const update = updateOf(answer.value)
  if (update === undefined) return reschedule(ctx, claim, payin, nextQueryAt(payin, ctx.clock.now()))
  return applyRailStatus(ctx, claim, organization, answer.value)
}

// The network decides whether someone paid in time: a payment it has counted beats the clock. If it does not answer, we
// wait no longer than the grace period.
async function expire(ctx: Context, claim: PayinClaim, organization: Organization): Promise<boolean> {
  const { payin } = claim
  const answer = await callRail(ctx, () => railOf(ctx, payin).cancel(referenceOf(payin)))
  const now = ctx.clock.now()
  const status = answer.outcome === 'accepted' ? answer.value : undefined
  if (status?.state === 'paid' || (status?.state === 'ended' && status.how === 'declined')) {
    return applyRailStatus(ctx, claim, organization, status)
  }
  if (status?.state === 'ended' || isPastGracePeriod(payin, now)) {
    const expired = cancelPayin(payin, 'EXPIRED', now) as Payin
    return reschedule(ctx, claim, atStage(expired, 'DONE'), null)
  }
  return retryLater(ctx, claim)
}

async function close(ctx: Context, claim: PayinClaim, organization: Organization): Promise<boolean> {
  const { payin } = claim
  const answer = await callRail(ctx, () => railOf(ctx, payin).cancel(referenceOf(payin)))
  if (answer.outcome === 'accepted' && answer.value.state === 'paid') {
    return applyRailStatus(ctx, claim, organization, answer.value)
  }
  const closed = answer.outcome === 'accepted' && answer.value.state === 'ended'
  if (closed || givesUpClosing(payin)) return reschedule(ctx, claim, atStage(payin, 'DONE'), null)
  return retryLater(ctx, claim)
}

// Before the merchant may spend the money, we query the network once more. Nothing else detects a second payment on a
// paid key, and its notice may have been lost.
async function settle(ctx: Context, claim: PayinClaim, organization: Organization): Promise<void> {
  const { payin, leaseToken } = claim
  if (payin.source.rail === 'BRE_B') {
    const answer = await callRail(ctx, () => railOf(ctx, payin).query(referenceOf(payin)))
    if (answer.outcome === 'accepted') await applyOtherPayments(ctx, payin, organization, answer.value)
  }
  await write(ctx, payinWrite(ctx, payin, settleFunds(payin, ctx.clock.now()), { leaseToken }, null))
}

// Payments beyond the one that decided the payin. A payment we already have is written only once.
async function applyOtherPayments(
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

async function applyRailStatus(
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

// A network's answer counts like a notice.
async function applyUpdate(
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

function retryLater(
  ctx: Needs<'clock' | 'ids' | 'batched' | 'signals' | 'settings'>,
  claim: PayinClaim,
): Promise<boolean> {
  return reschedule(ctx, claim, afterFailedAttempt(claim.payin), retryAt(claim.payin, ctx.clock.now()))
}

function reschedule(
  ctx: Needs<'clock' | 'ids' | 'batched' | 'signals' | 'settings'>,
  { payin, leaseToken }: { payin: Payin; leaseToken: string | null },
  next: Payin,
  dueAt: Instant | null,
): Promise<boolean> {
  const nothingElse = {
    transfers: [],
    suspense: null,
    alarm: null,
    notice: null,
    link: null,
    event: payinEvent(ctx, payin, next),
  }
  const at = ctx.clock.now()
  return write(ctx, { payin: next, expectedVersion: payin.version, leaseToken, dueAt, at, ...nothingElse })
}

async function callRail<Answer>(ctx: Needs<'signals'>, call: () => Promise<Answer>): Promise<Answer> {
  ctx.signals.crashPoint('payin-before-rail')
  const answer = await call()
  ctx.signals.crashPoint('payin-after-rail')
  return answer
}

// False if someone else has moved the payin or taken the lease. Then we have nothing to write.
async function write(ctx: Needs<'batched' | 'signals'>, step: PayinWrite): Promise<boolean> {
  ctx.signals.crashPoint('payin-before-commit')
  const written = await ctx.batched.writePayin(step)
  ctx.signals.crashPoint('payin-after-commit')
  return written
}

function railOf(ctx: Needs<'networks'>, payin: Payin) {
  return ctx.networks.payins[payin.source.rail]
}

export function referenceOf(payin: Payin): string {
  return railReference('payin', payin.organizationId, payin.payinId)
}

// Sent again exactly as first sent: a network refuses a reference that comes again with other content. Payins from before
// the order was kept use the settings of the day.
async function orderOf(
  ctx: Needs<'db' | 'settings'>,
  payin: Payin,
  organization: Organization,
): Promise<PayinOrder> {
  const { source, frozenOrder } = payin
  return {
    reference: referenceOf(payin),
    amountInCents: payin.amountInCents,
    merchantName: frozenOrder.merchantName ?? organization.name,
    expiresAt: payin.expiresAt,
    customer: payin.customer,
    returnUrl: frozenOrder.returnUrl ?? returnUrlOf(ctx, payin, await linkOf(ctx, payin)),
    source: source.rail === 'BRE_B' ? { rail: 'BRE_B', keyString: source.keyString } : source,
  }
}

function updateOf(status: RailPayinStatus): PayinUpdate | undefined {
  if (status.state === 'open') return undefined
  if (status.state === 'paid') {
    return { kind: 'payin.paid', amountInCents: status.amountInCents, paymentId: status.paymentId }
  }
  return { kind: status.how === 'declined' ? 'payin.declined' : 'payin.canceled', reason: status.reason }
}

function networkCodeOf(status: RailPayinStatus): string {
  return status.state === 'open' ? '' : status.networkCode
}
