// Does what is due for one payin that a worker has claimed: submit it to its network, query it, end it at its expiry,
// withdraw it, or settle its money. The network is called outside any transaction. Its answer is written under the
// lease, so that a worker that was too slow writes nothing.

import type { Instant } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import {
  cancelPayin,
  isOpen,
  type Payin,
  type PayinErrorCode,
  TERMS_CHANGED,
  withProviderKey,
} from '../../core/payins/payin.ts'
import {
  afterFailedAttempt,
  askAgainAt,
  askWhetherReadyAt,
  dueWork,
  firstQueryAt,
  isPastGracePeriod,
  mayBeOnItsWay,
  mayHaveLanded,
  nextQueryAt,
  PAYIN_LEASE_MS,
  retryAt,
  settlementAt,
  unresolvedAt,
  wasNeverOrdered,
  withStage,
} from '../../core/payins/schedule.ts'
import { placeInWords, preparePayin, settleFunds } from '../../core/payins/settle.ts'
import type { OpenedPayin, PayinRail, Rejected } from '../../rails/rail.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import { placesOfPayment } from '../../store/ledger/suspense.ts'
import { type PayinClaim, withdrawPresence } from '../../store/payins/payins.ts'
import type { PayinWrite } from '../../store/payins/write.ts'
import type { Context, Needs } from '../context.ts'
import { releaseSuspense } from '../ledger/release-suspense.ts'
import { payinRailOf } from '../rails-of.ts'
import {
  applyRailStatus,
  applyUpdate,
  callRail,
  handleOf,
  recordPayments,
  updateOf,
  write,
} from './apply-rail-status.ts'
import { orderOf } from './order.ts'
import { reportChargebacks } from './report-chargebacks.ts'
import { payinEvent, payinWrite } from './write.ts'

export async function advancePayin(
  ctx: Context,
  claim: PayinClaim,
  organization: Organization,
): Promise<void> {
  try {
    await doDueWork(ctx, claim, organization)
  } catch (error) {
    await raiseFailing(ctx, claim.payin).catch(() => {})
    throw error
  }
}

// A fault of ours. The payin comes again when its lease is over, and may fail each time: then nobody else tells a person.
async function raiseFailing(ctx: Needs<'clock' | 'ids' | 'db' | 'settings'>, payin: Payin): Promise<void> {
  const now = ctx.clock.now()
  if (now < unresolvedAt(payin, ctx.settings.settlementDelayMs)) return
  const alarm = { alarmId: ctx.ids.next(), kind: 'payin-unresolved', detail: FAILING } as const
  await insertAlarm(ctx.db, payin.organizationId, payin.payinId, alarm, now)
}

const FAILING = 'what is due for this payin fails each time'

async function doDueWork(ctx: Context, claim: PayinClaim, organization: Organization): Promise<void> {
  const work = dueWork(claim.payin, ctx.clock.now())
  if (work === 'submit') await submit(ctx, claim, organization)
  else if (work === 'query') await query(ctx, claim, organization)
  else if (work === 'expire') await expire(ctx, claim, organization)
  else if (work === 'close') await close(ctx, claim, organization)
  else if (work === 'settle') await settle(ctx, claim, organization)
  else if (work === 'review') await review(ctx, claim, organization, null)
  // An open payin waits for its payer, at most until its expiry.
  else await reschedule(ctx, claim, claim.payin, isOpen(claim.payin) ? claim.payin.expiresAt : null)
}

async function submit(ctx: Context, claim: PayinClaim, organization: Organization): Promise<void> {
  const { payin } = claim
  const rail = await payinRailOf(ctx, payin)
  if (await wasFound(ctx, claim, organization, rail)) return
  const order = await orderOf(ctx, payin, organization)
  const answer = await callRail(ctx, () => rail.submit(order))
  if (answer.outcome === 'rejected') return refuseOrder(ctx, claim, organization, answer)
  const written =
    answer.outcome === 'unknown'
      ? await retryLater(ctx, claim)
      : await open(ctx, claim, organization, answer.value)
  if (!written) await reopenClosing(ctx, payin)
}

// Where the payer must accept other terms, a payin of the API waits until that is done. On a link the attempt ends, and the payer begins
// another with them.
async function refuseOrder(
  ctx: Context,
  claim: PayinClaim,
  organization: Organization,
  { reason, networkCode, hasNewTerms }: Rejected<PayinErrorCode>,
): Promise<void> {
  if (hasNewTerms && claim.payin.paymentLinkId === null)
    return void (await withdrawPresence(ctx.db, claim, TERMS_CHANGED, ctx.clock.now()))
  const update = { kind: 'payin.declined', reason } as const
  await applyUpdate(ctx, claim, organization, update, hasNewTerms ? TERMS_CHANGED : networkCode)
}

// A provider may make two payments of an order that comes twice, so an order that may have arrived is searched for first. The
// installation's networks know an order by its reference. True if it was found, or if nobody can say.
async function wasFound(
  ctx: Context,
  claim: PayinClaim,
  organization: Organization,
  rail: PayinRail,
): Promise<boolean> {
  const { payin } = claim
  if (payin.connection === null || !mayHaveLanded(payin, ctx.clock.now())) return false
  const answer = await callRail(ctx, () => rail.query(handleOf(payin)))
  if (answer.outcome !== 'accepted') {
    await retryLater(ctx, claim)
    return true
  }
  const status = answer.value
  if (status.state === 'ended' && status.how === 'not-found') return false
  if (status.state !== 'open') await applyRailStatus(ctx, claim, organization, status)
  else if (status.opened === undefined) await retryLater(ctx, claim)
  else if (!(await open(ctx, claim, organization, status.opened))) await reopenClosing(ctx, payin)
  return true
}

// The provider has the payin. It is OPENING until the payer can pay, and a payin without a key or bank page stays PENDING until then.
function open(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>,
  claim: PayinClaim,
  organization: Organization,
  { providerId, traceId, instructions }: OpenedPayin,
): Promise<boolean> {
  const now = ctx.clock.now()
  const { payin } = claim
  const { keyString, qrPayload, pageUrl, isReady } = instructions
  // Payers were told our key, so another one is nobody's to pay.
  if (keyString !== null && isOtherKey(payin, keyString)) return retryLater(ctx, claim)
  const named = keyString === null ? payin : withProviderKey(organization, payin, keyString, qrPayload)
  const isFirst = payin.progress.stage !== 'OPENING'
  const moved = isReady ? withStage(preparePayin(named, now) ?? named, 'OPEN') : named
  const opening = isFirst ? withStage(named, 'OPENING') : afterFailedAttempt(named)
  const next = isReady ? moved : opening
  const { progress } = next
  const known = {
    providerId: providerId ?? progress.providerId,
    bankUrl: pageUrl ?? progress.bankUrl,
    traceId: traceId ?? progress.traceId,
  }
  const dueAt = isReady ? firstQueryAt(payin, now) : askWhetherReadyAt(next, now)
  return reschedule(ctx, claim, { ...next, progress: { ...progress, ...known } }, dueAt)
}

function isOtherKey({ source }: Payin, keyString: string): boolean {
  if (source.rail !== 'BRE_B' || source.keyString === null) return false
  return source.keyString.toUpperCase() !== keyString.toUpperCase()
}

// Someone ended the payin while we submitted it, and may have withdrawn it before the network had it. The network has
// it now, so it must be withdrawn again.
async function reopenClosing(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>,
  { organizationId, payinId }: Payin,
): Promise<void> {
  const payin = await ctx.batched.getPayin({ organizationId, payinId })
  if (payin === undefined || isOpen(payin) || payin.progress.paymentId !== null) return
  await reschedule(ctx, { payin, leaseToken: null }, withStage(payin, 'TO_CLOSE'), ctx.clock.now())
  ctx.signals.workAdded('payins', organizationId)
}

async function query(ctx: Context, claim: PayinClaim, organization: Organization): Promise<boolean> {
  const { payin } = claim
  const rail = await payinRailOf(ctx, payin)
  const answer = await callRail(ctx, () => rail.query(handleOf(payin)))
  if (answer.outcome !== 'accepted') return retryLater(ctx, claim)
  const status = answer.value
  if (status.state === 'open' && payin.progress.stage === 'OPENING' && status.opened !== undefined)
    return open(ctx, claim, organization, status.opened)
  // The provider took the order, and its search does not show it yet. Nothing has ended.
  if (status.state === 'ended' && status.how === 'not-found' && payin.connection !== null)
    return retryLater(ctx, claim)
  const update = updateOf(status)
  if (update === undefined) return reschedule(ctx, claim, payin, nextQueryAt(payin, ctx.clock.now()))
  return applyRailStatus(ctx, claim, organization, answer.value)
}

// The network decides whether someone paid in time: a payment it has counted beats the clock. If it does not answer, the
// merchant waits no longer than the grace period, but we ask on: somebody may have been debited.
async function expire(ctx: Context, claim: PayinClaim, organization: Organization): Promise<boolean> {
  const { payin } = claim
  if (wasNeverOrdered(payin)) {
    const expired = cancelPayin(payin, 'EXPIRED', ctx.clock.now()) as Payin
    return reschedule(ctx, claim, withStage(expired, 'DONE'), null)
  }
  const rail = await payinRailOf(ctx, payin)
  const answer = await callRail(ctx, () => rail.cancel(handleOf(payin)))
  const now = ctx.clock.now()
  const status = answer.outcome === 'accepted' ? answer.value : undefined
  if (status?.state === 'paid' || (status?.state === 'ended' && status.how === 'declined')) {
    return applyRailStatus(ctx, claim, organization, status)
  }
  if (status?.state === 'ended' || isPastGracePeriod(payin, now)) {
    const expired = cancelPayin(payin, 'EXPIRED', now) as Payin
    if (status?.state === 'ended') return reschedule(ctx, claim, withStage(expired, 'DONE'), null)
    const closing = withStage(expired, 'TO_CLOSE')
    const { settlementDelayMs } = ctx.settings
    const dueAt = askAgainAt(closing, now, status?.state === 'open', settlementDelayMs)
    return reschedule(ctx, claim, closing, dueAt)
  }
  return retryLater(ctx, claim)
}

// We ask until the network says that the payment has ended or was paid. A payer who is at the bank may still be debited. A
// worker that was handing the payin over when it ended may have died: then nobody else comes back to it.
async function close(ctx: Context, claim: PayinClaim, organization: Organization): Promise<boolean> {
  const { payin } = claim
  const rail = await payinRailOf(ctx, payin)
  const answer = await callRail(ctx, () => rail.cancel(handleOf(payin)))
  const status = answer.outcome === 'accepted' ? answer.value : undefined
  const isRecorded =
    status?.state === 'paid' && (await recordPayments(ctx, payin, organization, status.payments))
  const now = ctx.clock.now()
  if (status?.state === 'ended' && status.how === 'not-found' && mayBeOnItsWay(payin, now))
    return reschedule(ctx, claim, payin, now + PAYIN_LEASE_MS)
  if (isRecorded || status?.state === 'ended') return reschedule(ctx, claim, withStage(payin, 'DONE'), null)
  return askAgain(ctx, claim, status?.state === 'open')
}

// Before the merchant may spend the money, the payment must be nowhere else in our books, and the network must say again that it
// came for this payin: a PSE payment has the id that its session was opened with, and Bre-B is asked. Nothing else detects a second
// payment on a paid key, whose notice may have been lost, or a payment that was reported for two merchants.
async function settle(ctx: Context, claim: PayinClaim, organization: Organization): Promise<void> {
  const { payin, leaseToken } = claim
  if (!(await releaseSuspense(ctx, payin))) return void (await askAgain(ctx, claim, false))
  const settlesAt = settlementAt(payin, ctx.settings.settlementDelayMs)
  // It was due only to have its payment released from suspense, or because its provider told us something.
  if (ctx.clock.now() < settlesAt) return review(ctx, claim, organization, settlesAt)
  if (
    payin.source.rail === 'BRE_B' ||
    payin.connection !== null ||
    payin.progress.traceId !== payin.progress.paymentId
  ) {
    const rail = await payinRailOf(ctx, payin)
    const answer = await callRail(ctx, () => rail.query(handleOf(payin)))
    const status = answer.outcome === 'accepted' ? answer.value : undefined
    if (status?.state === 'paid') await reportChargebacks(ctx, payin, status)
    const payments = status?.state === 'paid' ? status.payments : []
    const isRecorded = await recordPayments(ctx, payin, organization, payments)
    const isListed = payments.some(({ paymentId }) => paymentId === payin.progress.paymentId)
    if (status !== undefined && !isListed) await raiseIfElsewhere(ctx, payin)
    if (!isRecorded || !isListed) return void (await askAgain(ctx, claim, false))
  }
  await write(
    ctx,
    payinWrite(ctx, payin, settleFunds(payin, organization.charges, ctx.clock.now()), { leaseToken }, null),
  )
}

// The provider has told us something of a payin that has ended: another payment, or a chargeback. The installation's networks say
// themselves what it is.
async function review(
  ctx: Context,
  claim: PayinClaim,
  organization: Organization,
  nextAt: Instant | null,
): Promise<void> {
  const { payin } = claim
  if (payin.connection === null) return void (await reschedule(ctx, claim, payin, nextAt))
  const rail = await payinRailOf(ctx, payin)
  const answer = await callRail(ctx, () => rail.query(handleOf(payin)))
  const status = answer.outcome === 'accepted' ? answer.value : undefined
  if (status === undefined) return void (await askAgain(ctx, claim, false))
  if (status.state === 'paid') {
    await reportChargebacks(ctx, payin, status)
    if (!(await recordPayments(ctx, payin, organization, status.payments)))
      return void (await askAgain(ctx, claim, false))
  }
  await reschedule(ctx, claim, payin, nextAt)
}

// The network does not list the payment that confirmed the payin. It may be another payin's, of any merchant.
async function raiseIfElsewhere(ctx: Needs<'clock' | 'ids' | 'db'>, payin: Payin): Promise<void> {
  const { organizationId, payinId, source, progress } = payin
  const paymentId = progress.paymentId as string
  const places = await placesOfPayment(ctx.db, { rail: source.rail, paymentId })
  const elsewhere = places.find(({ id }) => id !== payinId)
  if (elsewhere === undefined) return
  const detail = `the network does not list payment ${paymentId} here, and ${placeInWords(elsewhere)}`
  const alarm = { alarmId: ctx.ids.next(), kind: 'payin-contradiction', detail } as const
  await insertAlarm(ctx.db, organizationId, payinId, alarm, ctx.clock.now())
}

// The payin has its outcome, and the network has not said whether it agrees. We ask on, and after a day tell a person.
function askAgain(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>,
  claim: PayinClaim,
  isOpenAtNetwork: boolean,
): Promise<boolean> {
  const { payin } = claim
  const now = ctx.clock.now()
  const { settlementDelayMs } = ctx.settings
  const dueAt = askAgainAt(payin, now, isOpenAtNetwork, settlementDelayMs)
  // It had ended, and is open again: its order came late.
  const next = isOpenAtNetwork && payin.progress.stage === 'DONE' ? withStage(payin, 'TO_CLOSE') : payin
  const isUnresolved = now >= unresolvedAt(payin, settlementDelayMs)
  const alarm = { alarmId: ctx.ids.next(), kind: 'payin-unresolved', detail: UNRESOLVED } as const
  return reschedule(ctx, claim, afterFailedAttempt(next), dueAt, isUnresolved ? alarm : null)
}

const UNRESOLVED = 'the network has not said for a day whether this payin was paid'

function retryLater(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>,
  claim: PayinClaim,
): Promise<boolean> {
  return reschedule(ctx, claim, afterFailedAttempt(claim.payin), retryAt(claim.payin, ctx.clock.now()))
}

function reschedule(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings'>,
  { payin, leaseToken }: { payin: Payin; leaseToken: string | null },
  next: Payin,
  dueAt: Instant | null,
  alarm: PayinWrite['alarm'] = null,
): Promise<boolean> {
  const nothingElse = {
    transfers: [],
    suspense: null,
    alarm,
    notice: null,
    link: null,
    event: payinEvent(ctx, payin, next),
  }
  const at = ctx.clock.now()
  return write(ctx, { payin: next, expectedVersion: payin.version, leaseToken, dueAt, at, ...nothingElse })
}
