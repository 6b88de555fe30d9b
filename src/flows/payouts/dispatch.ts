// Sends payouts. First, in one transaction for an organization: claim what is due, reserve money for the payouts that
// have none yet, and record that they are about to be sent. Then, outside any transaction, submit each to the network
// under its one reference. Whatever fails after the commit, the next worker finds the payout SENDING and queries before
// it submits.

import { backoffMs } from '../../core/backoff.ts'
import { railReference } from '../../core/connections/reference.ts'
import type { Instant } from '../../core/instant.ts'
import type { Payout, PayoutErrorCode } from '../../core/payouts/payout.ts'
import { askAgainAt, isUnresolved } from '../../core/payouts/schedule.ts'
import {
  cancelByNetwork,
  declinePayout,
  deferForKey,
  fundsAfter,
  isReserved,
  markSent,
  type PayoutStep,
  reservePayout,
  returnPayout,
  sendAgain,
  settlePayout,
} from '../../core/payouts/settle.ts'
import type { Receiver } from '../../core/people/customer.ts'
import type {
  PaymentHandle,
  PayoutOrder,
  PayoutRail,
  RailAnswer,
  RailPayoutStatus,
  Unknown,
} from '../../rails/rail.ts'
import { approvedAt } from '../../store/approvals/approvals.ts'
import { insertAlarm } from '../../store/ledger/alarms.ts'
import { lockAvailable, readBalances } from '../../store/ledger/transfers.ts'
import { claimDuePayouts, type PayoutClaim } from '../../store/payouts/payouts.ts'
import { writePayouts } from '../../store/payouts/write.ts'
import type { Needs } from '../context.ts'
import { directoryOf, payoutRailOf } from '../rails-of.ts'
import { countPayoutEnd, receiverOf } from './receiver.ts'
import { isOtherHolder } from './verified-holder.ts'
import { type PayoutCause, payoutWrite } from './write.ts'

export type DispatchClaim = PayoutClaim & { isNew: boolean }

// Longer than any answer of the network takes. While a lease holds, nobody else acts on the payout.
const LEASE_MS = 60_000

export async function claimPayouts(
  ctx: Needs<'clock' | 'ids' | 'db' | 'signals'>,
  organizationId: string,
  limit: number,
): Promise<DispatchClaim[]> {
  const now = ctx.clock.now()
  const lease = { token: ctx.ids.next(), until: now + LEASE_MS }
  const claimed = await ctx.db.inTransaction(async (tx) => {
    const claims = await claimDuePayouts(tx, organizationId, now, lease, limit)
    const isFresh = ({ payout }: PayoutClaim) => payout.stage === 'CREATED' || payout.stage === 'RESERVED'
    const fresh = claims.filter(isFresh)
    const others = claims.filter((claim) => !isFresh(claim))
    if (fresh.length === 0) return others.map((claim) => ({ ...claim, isNew: false }))
    await lockAvailable(tx, organizationId)
    const { AVAILABLE, DEPOSITED } = await readBalances(tx, organizationId)
    let funds = { availableInCents: AVAILABLE, depositedInCents: DEPOSITED }
    const steps = fresh.map((claim) => {
      const step = reservePayout(claim.payout, funds, now)
      funds = fundsAfter(funds, step)
      return { claim, step }
    })
    const isSending = ({ step }: { step: PayoutStep }): boolean => step.next?.stage === 'SENDING'
    await writePayouts(
      tx,
      steps.map((entry) =>
        payoutWrite(ctx, entry.claim.payout, entry.step, {
          leaseToken: lease.token,
          ...(isSending(entry) && { keepLease: true, dueAt: lease.until }),
        }),
      ),
    )
    ctx.signals.crashPoint('reservation-before-commit')
    const sending = steps
      .filter(isSending)
      .map(({ claim, step }) => ({ ...claim, payout: step.next as Payout, isNew: true }))
    return [...sending, ...others.map((claim) => ({ ...claim, isNew: false }))]
  })
  ctx.signals.crashPoint('reservation-after-commit')
  // Payouts without funds have ended here.
  ctx.signals.workAdded('events', organizationId)
  return claimed
}

export async function dispatchPayout(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'networks' | 'signals' | 'vault'>,
  claim: DispatchClaim,
): Promise<void> {
  try {
    await submitOrQuery(ctx, claim)
  } catch (error) {
    await raiseFailing(ctx, claim.payout).catch(() => {})
    throw error
  }
}

// A fault of ours. The payout comes again when its lease is over, and may fail each time: then nobody else tells a person.
async function raiseFailing(ctx: Needs<'clock' | 'ids' | 'db'>, payout: Payout): Promise<void> {
  const now = ctx.clock.now()
  if (!isUnresolved(payout, now)) return
  const alarm = { alarmId: ctx.ids.next(), kind: 'payout-unresolved', detail: FAILING } as const
  await insertAlarm(ctx.db, payout.organizationId, payout.payoutId, alarm, now)
}

const FAILING = 'what is due for this payout fails each time'

async function submitOrQuery(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'networks' | 'signals' | 'vault'>,
  claim: DispatchClaim,
): Promise<void> {
  const { payout } = claim
  const reference = railReference('payout', payout.organizationId, payout.payoutId)
  const rail = await payoutRailOf(ctx, payout)
  const handle = { reference, providerId: payout.providerId, amountInCents: payout.amountInCents }
  if (!isReserved(payout)) return review(ctx, claim, rail, handle)
  if (!claim.isNew) {
    const answer = await callRail(ctx, () => rail.query(handle))
    if (answer.outcome !== 'accepted' || answer.value.state !== 'absent')
      return applyAnswer(ctx, claim, answer)
    // The network has no record of it, so it may be submitted again, under the same reference.
    if (!(await isSendableAgain(ctx, claim, rail))) return
  }
  const receiver = await receiverOf(ctx, claim.payout)
  const keyProblem = await checkKey(ctx, claim.payout, receiver)
  if (keyProblem === 'unknown') return waitForKey(ctx, claim)
  // A payout that may have been submitted before is submitted again: only the network can reject it now.
  if (keyProblem !== undefined && claim.isNew) {
    await writeStep(ctx, claim, declinePayout(claim.payout, keyProblem, null, ctx.clock.now()), {})
    return
  }
  await applyAnswer(
    ctx,
    claim,
    await callRail(ctx, () => rail.submit(orderOf(claim.payout, receiver, reference))),
  )
}

// A provider that would pay an order twice may have the first one on its way. So it is given time, and the time of each order is
// written down before it is sent.
async function isSendableAgain(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'vault'>,
  claim: DispatchClaim,
  { resendAfterMs = 0 }: PayoutRail,
): Promise<boolean> {
  if (resendAfterMs === 0) return true
  const now = ctx.clock.now()
  const sentAt = claim.payout.updatedAt
  if (now < sentAt + resendAfterMs) {
    await writeStep(
      ctx,
      claim,
      { bookings: [] },
      { dueAt: sentAt + resendAfterMs, attempts: claim.attempts + 1 },
    )
    return false
  }
  const step = sendAgain(claim.payout, now)
  const isOurs = await writeStep(ctx, claim, step, {
    keepLease: true,
    dueAt: now + LEASE_MS,
    attempts: claim.attempts,
  })
  claim.payout = step.next as Payout
  return isOurs
}

// The provider has told us something of a payout that has ended: its money may have come back.
async function review(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'vault'>,
  claim: DispatchClaim,
  rail: PayoutRail,
  handle: PaymentHandle,
): Promise<void> {
  const { payout } = claim
  if (payout.connection === null || payout.status === 'PROCESSING')
    return void (await writeStep(ctx, claim, { bookings: [] }, {}))
  const answer = await callRail(ctx, () => rail.query(handle))
  if (answer.outcome === 'unknown') return queryLater(ctx, claim, false)
  const decide = decisionOf(answer, ctx.clock.now())
  await writeStep(ctx, claim, decide?.(payout) ?? { bookings: [] }, {})
}

// The key may have changed owners since the merchant's lookup, so we resolve it again just before the money leaves.
async function checkKey(
  ctx: Needs<'db' | 'networks'>,
  payout: Payout,
  { keyString, customer }: Receiver,
): Promise<PayoutErrorCode | 'unknown' | undefined> {
  const { organizationId, connection, keyType } = payout
  const directory = await directoryOf(ctx, organizationId, connection)
  if (directory === null) return undefined
  const found = await directory.lookUp(keyString, keyType)
  if (found.outcome === 'rejected') return found.reason
  if (found.outcome === 'unknown') return 'unknown'
  return (await isOtherHolder(ctx, payout, customer, found.value)) ? 'RECEIVER_ID_MISMATCH' : undefined
}

async function applyAnswer(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'vault'>,
  claim: DispatchClaim,
  answer: RailAnswer<RailPayoutStatus, PayoutErrorCode>,
): Promise<void> {
  const now = ctx.clock.now()
  if (answer.outcome === 'unknown') return queryLater(ctx, claim, false)
  const decide = decisionOf(answer, now)
  if (decide !== undefined) {
    // Paid and returned are two steps, and the second is taken when it is asked about again.
    const comesBack = answer.outcome === 'accepted' && answer.value.state === 'returned' ? { dueAt: now } : {}
    return settleByAnswer(ctx, claim, (payout) => decide(withProviderId(payout, answer)), comesBack)
  }
  const payout = withProviderId(claim.payout, answer)
  if (payout.stage === 'SENT') return queryLater(ctx, { ...claim, payout }, true)
  // The network has it now, and is given time anew.
  const next = markSent(payout, now)
  const dueAt = askAgainAt(next, 0, true, now)
  await writeStep(ctx, claim, { bookings: [], next }, { dueAt, attempts: 1 })
}

function withProviderId(payout: Payout, answer: RailAnswer<RailPayoutStatus, PayoutErrorCode>): Payout {
  const providerId = answer.outcome === 'accepted' ? answer.value.providerId : undefined
  return providerId === undefined || payout.providerId !== null ? payout : { ...payout, providerId }
}

type Decision = (payout: Payout) => PayoutStep

// What an answer that ends the payout does to it. Undefined: the network has not decided.
function decisionOf(
  answer: Exclude<RailAnswer<RailPayoutStatus, PayoutErrorCode>, Unknown>,
  now: Instant,
): Decision | undefined {
  if (answer.outcome === 'rejected')
    return (payout) => declinePayout(payout, answer.reason, answer.networkCode, now)
  const status = answer.value
  if (status.state === 'completed') {
    const { state, providerId: _, ...completed } = status
    const update = { kind: `payout.${state}`, ...completed } as const
    return (payout) => settlePayout(payout, update, '', now)
  }
  if (status.state === 'rejected')
    return (payout) => declinePayout(payout, status.reason, status.networkCode, now)
  if (status.state === 'returned') return (payout) => returnedStep(payout, status, now)
  if (status.state === 'canceled')
    return (payout) => cancelByNetwork(payout, status.reason, status.networkCode, now)
  return undefined
}

// We may not have heard that it was paid. Then it is confirmed first, and asked about once more.
function returnedStep(
  payout: Payout,
  { traceId, networkCode }: Extract<RailPayoutStatus, { state: 'returned' }>,
  now: Instant,
): PayoutStep {
  return isReserved(payout)
    ? settlePayout(payout, { kind: 'payout.completed', traceId }, networkCode, now)
    : returnPayout(payout, networkCode, now)
}

// A notice may have been faster. Then the answer is held against what the notice made of the payout: it may name the transfer, or
// another one. A payout that is still open has another worker, which asks the network itself.
async function settleByAnswer(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'vault'>,
  claim: DispatchClaim,
  decide: Decision,
  cause: PayoutCause,
): Promise<void> {
  if (await writeStep(ctx, claim, decide(claim.payout), cause)) return
  for (let race = 0; race < MAX_RACES; race += 1) {
    const payout = await ctx.batched.getPayout(claim.payout)
    if (payout === undefined || payout.status === 'PROCESSING') return
    const step = decide(payout)
    if (step.next === undefined && step.alarm === undefined) return
    if (await ctx.batched.writePayout(payoutWrite(ctx, payout, step, {}))) return
  }
}

// Each lost race means that someone else has moved the payout, which is final by then.
const MAX_RACES = 20

// A payout that may have been submitted once is not ours to end, nor to make cancelable: the network may still report it,
// although it has no record of it now.
async function waitForKey(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'vault'>,
  claim: DispatchClaim,
): Promise<void> {
  if (!claim.isNew) return queryLater(ctx, claim, false)
  const now = ctx.clock.now()
  const { organizationId, payoutId: subjectId } = claim.payout
  const subject = { organizationId, kind: 'payout', subjectId } as const
  const step = deferForKey(claim.payout, now, (await approvedAt(ctx.db, subject)) ?? undefined)
  await writeStep(ctx, claim, step, {
    ...(step.next?.status === 'PROCESSING' && { dueAt: now + backoffMs(claim.attempts) }),
    attempts: claim.attempts + 1,
  })
}

// The network has not decided, or has not answered. The money stays reserved, and we ask until it decides, ever more seldom.
async function queryLater(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'vault'>,
  claim: DispatchClaim,
  isAtNetwork: boolean,
): Promise<void> {
  const { payout, attempts } = claim
  const dueAt = askAgainAt(payout, attempts, isAtNetwork, ctx.clock.now())
  await writeStep(ctx, claim, { bookings: [] }, { dueAt, attempts: attempts + 1 })
}

// False if a notice was faster or the lease went to another worker. Then nothing is written.
async function writeStep(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals' | 'vault'>,
  { payout, leaseToken }: DispatchClaim,
  step: PayoutStep,
  cause: PayoutCause,
): Promise<boolean> {
  ctx.signals.crashPoint('payout-before-commit')
  const written = await ctx.batched.writePayout(payoutWrite(ctx, payout, step, { ...cause, leaseToken }))
  ctx.signals.crashPoint('payout-after-commit')
  if (written) await countPayoutEnd(ctx, payout, step.next)
  return written
}

async function callRail<Answer>(ctx: Needs<'signals'>, call: () => Promise<Answer>): Promise<Answer> {
  ctx.signals.crashPoint('payout-before-rail')
  const answer = await call()
  ctx.signals.crashPoint('payout-after-rail')
  return answer
}

function orderOf(
  { amountInCents, keyType }: Payout,
  { customer, keyString }: Receiver,
  reference: string,
): PayoutOrder {
  return { reference, amountInCents, keyString, keyType, customer }
}
