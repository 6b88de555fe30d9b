// Applies a stored notice to its payin or payout. Notices may come in any order and any number of times: the version
// guard lets each subject move once, and the loser of a race starts again from what the winner wrote.

import type { PayinUpdate, PayoutUpdate } from '../../core/connections/notice.ts'
import { HOUR_MS, type Instant } from '../../core/instant.ts'
import { type Organization, UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import { isReserved, settlePayout } from '../../core/payouts/settle.ts'
import { deferNotice, finishNotice, type StoredNotice } from '../../store/connections/notices.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import type { Needs } from '../context.ts'
import { suspendUnknownPayment } from '../ledger/suspend-unknown-payment.ts'
import { writePayinStep } from '../payins/count-payment.ts'
import { decidePayin, linkOf, payinWrite, readPayinFacts } from '../payins/write.ts'
import { countPayoutEnd } from '../payouts/receiver.ts'
import { payoutWrite } from '../payouts/write.ts'
import { type ApplyOutcome, applyChargeback } from './apply-chargeback.ts'
import { applyHint } from './receive-hint.ts'

// A notice about an unknown subject may have arrived before our own commit. After this long, there is no such subject.
const WAIT_FOR_SUBJECT_MS = HOUR_MS
// A failure that lasts this long does not go away by itself.
const FAILING_AFTER_MS = HOUR_MS
const RETRY_AFTER_MS = 1_000
const MAX_RETRY_AFTER_MS = HOUR_MS
// Each lost race means that someone else has moved the subject, and that cannot go on forever.
const MAX_RACES = 20

export async function applyNotice(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings' | 'vault'>,
  notice: StoredNotice,
  organization: Organization,
): Promise<void> {
  try {
    await applyUntilWritten(ctx, notice, organization)
  } catch (error) {
    await raiseFailing(ctx, notice).catch(() => {})
    throw error
  }
}

// A fault of ours. The notice comes again when its lease is over, and may fail each time: a person must know of it.
async function raiseFailing(ctx: Needs<'clock' | 'ids' | 'db'>, notice: StoredNotice): Promise<void> {
  const { organizationId, rail, noticeId, subjectKind, subjectId, update, receivedAt } = notice
  const now = ctx.clock.now()
  if (now < receivedAt + FAILING_AFTER_MS) return
  const detail = `${rail} sent notice ${noticeId} (${update.kind}), and applying it fails each time`
  const alarm = { alarmId: ctx.ids.next(), kind: `${subjectKind}-unresolved`, detail } as const
  await insertAlarm(ctx.db, organizationId, subjectId, alarm, now)
}

async function applyUntilWritten(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings' | 'vault'>,
  notice: StoredNotice,
  organization: Organization,
): Promise<void> {
  const { update } = notice
  if ('connectionId' in update) return applyHint(ctx, notice, update.connectionId)
  for (let race = 0; race < MAX_RACES; race += 1) {
    const outcome =
      notice.subjectKind === 'payin'
        ? await applyToPayin(ctx, notice, organization, race > 0)
        : await applyToPayout(ctx, notice)
    if (outcome === 'written') return
    if (outcome === 'absent') return waitForSubject(ctx, notice)
  }
  await deferNotice(ctx.db, notice, ctx.clock.now() + RETRY_AFTER_MS)
}

async function applyToPayin(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'settings' | 'vault'>,
  notice: StoredNotice,
  organization: Organization,
  wasLost: boolean,
): Promise<ApplyOutcome> {
  const update = notice.update as PayinUpdate
  if (update.kind === 'payin.chargeback') return applyChargeback(ctx, notice, update)
  const payin = await ctx.batched.getPayin({
    organizationId: notice.organizationId,
    payinId: notice.subjectId,
  })
  if (payin === undefined) return 'absent'
  if (payin.source.rail !== notice.rail || payin.connection !== null)
    return applyOfOtherNetwork(ctx, notice, update)
  const link = await linkOf(ctx, payin)
  const facts = await readPayinFacts(ctx, payin, organization, link, update)
  const step = await decidePayin(ctx, payin, update, facts, wasLost)
  if (step.next === undefined && step.suspense === undefined && step.alarm === undefined) {
    await finishNotice(ctx.db, notice)
    return 'written'
  }
  const cause = {
    notice: { rail: notice.rail, noticeId: notice.noticeId },
    networkCode: notice.networkCode,
    link,
  }
  // If the payin does not change, neither does its schedule: the network may still have to be notified of a merchant's
  // cancellation.
  ctx.signals.crashPoint('notice-before-commit')
  const written = await writePayinStep(ctx, step, payinWrite(ctx, payin, step, cause, 'keep'))
  ctx.signals.crashPoint('notice-after-commit')
  return written ? 'written' : 'lost'
}

// A network knows nothing of another network's payments, nor of a provider's, and what it owes us is its own. So it speaks of money that
// we do not know.
async function applyOfOtherNetwork(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'vault'>,
  notice: StoredNotice,
  update: PayinUpdate,
): Promise<ApplyOutcome> {
  if (update.kind === 'payin.paid') await suspendUnknownPayment(ctx, notice, update)
  else await giveUp(ctx, notice, ofOtherNetwork(notice), null)
  return 'written'
}

function ofOtherNetwork(notice: StoredNotice): string {
  return `${notice.rail} reported ${inWords(notice)} of a ${notice.subjectKind} of another network`
}

async function applyToPayout(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'vault'>,
  notice: StoredNotice,
): Promise<ApplyOutcome> {
  const payout = await ctx.batched.getPayout({
    organizationId: notice.organizationId,
    payoutId: notice.subjectId,
  })
  if (payout === undefined) return 'absent'
  if (payout.connection !== null) {
    await giveUp(ctx, notice, ofOtherNetwork(notice), null)
    return 'written'
  }
  if (notice.update.kind === 'payout.rejected' && isReserved(payout))
    return queryBeforeDeclining(ctx, notice, payout)
  const step = settlePayout(payout, notice.update as PayoutUpdate, notice.networkCode, ctx.clock.now())
  if (step.next === undefined && step.alarm === undefined) {
    await finishNotice(ctx.db, notice)
    return 'written'
  }
  const write = payoutWrite(ctx, payout, step, { noticeId: notice.noticeId })
  ctx.signals.crashPoint('notice-before-commit')
  const written = await ctx.batched.writePayout(write)
  ctx.signals.crashPoint('notice-after-commit')
  if (!written) return 'lost'
  await countPayoutEnd(ctx, payout, step.next)
  return 'written'
}

// A rejection would release money that may have left anyway, so we query the network before we believe it.
async function queryBeforeDeclining(
  ctx: Needs<'clock' | 'ids' | 'batched' | 'signals'>,
  notice: StoredNotice,
  payout: Payout,
): Promise<ApplyOutcome> {
  const cause = { noticeId: notice.noticeId, dueAt: ctx.clock.now() }
  ctx.signals.crashPoint('notice-before-commit')
  const written = await ctx.batched.writePayout(payoutWrite(ctx, payout, { bookings: [] }, cause))
  ctx.signals.crashPoint('notice-after-commit')
  ctx.signals.workAdded('payouts', payout.organizationId)
  return written ? 'written' : 'lost'
}

async function waitForSubject(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'vault'>,
  notice: StoredNotice,
): Promise<void> {
  const now = ctx.clock.now()
  const { update } = notice
  const givesUpAt = waitsUntil(notice)
  if (now < givesUpAt) return deferNotice(ctx.db, notice, Math.min(givesUpAt, retryAt(notice, now)))
  if (update.kind === 'payin.paid') return suspendUnknownPayment(ctx, notice, update)
  const name = notice.reference || `a ${notice.subjectKind}`
  const detail = `${notice.rail} reported ${inWords(notice)} of ${name} that does not exist or was never paid`
  // A chargeback may be days ahead of its payment, and the payment must not be settled as if nothing had been said.
  await giveUp(ctx, notice, detail, update.kind === 'payin.chargeback' ? retryAt(notice, now) : null)
}

// Each report of money needs an alarm of its own, with its amount and the network's id of it. A transfer without an id is known by
// its notice.
function inWords({ update, noticeId }: StoredNotice): string {
  if (update.kind === 'payout.completed') {
    const amount = update.amountInCents === undefined ? '' : `${update.amountInCents} cents, `
    const name = update.traceId === null ? `notice ${noticeId}` : `transfer ${update.traceId}`
    return `${update.kind} (${amount}${name})`
  }
  if (!('amountInCents' in update)) return update.kind
  return `${update.kind} (${update.amountInCents} cents, payment ${update.paymentId}, notice ${noticeId})`
}

async function giveUp(
  ctx: Needs<'clock' | 'ids' | 'db'>,
  notice: StoredNotice,
  detail: string,
  dueAt: Instant | null,
): Promise<void> {
  const alarm = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail } as const
  await insertAlarm(ctx.db, notice.organizationId, notice.subjectId, alarm, ctx.clock.now())
  await deferNotice(ctx.db, notice, dueAt)
}

// Waiting does not make an organization. But a payment under a wrong name may be that of an open payin, which learns of it
// when it asks its network, and a payment must not be in suspense by then.
function waitsUntil({ organizationId, update, occurredAt, receivedAt }: StoredNotice): Instant {
  if (organizationId !== UNATTRIBUTED_ORGANIZATION) return receivedAt + WAIT_FOR_SUBJECT_MS
  return update.kind === 'payin.paid' ? Math.min(occurredAt, receivedAt) + WAIT_FOR_SUBJECT_MS : receivedAt
}

// The pause is as long as the notice is old, from a second up to an hour, so it doubles with each try.
function retryAt(notice: StoredNotice, now: Instant): Instant {
  return now + Math.min(Math.max(now - notice.receivedAt, RETRY_AFTER_MS), MAX_RETRY_AFTER_MS)
}
