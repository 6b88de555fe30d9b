// Sends payouts. First, in one transaction for an organization: claim what is due, reserve money for the payouts that
// have none yet, and record that they are about to be sent. Then, outside any transaction, submit each to the network
// under its one reference. Whatever fails after the commit, the next worker finds the payout SENDING and queries before
// it submits.

import { backoffMs } from '../../core/backoff.ts'
import { railReference } from '../../core/connections/reference.ts'
import type { Payout, PayoutErrorCode } from '../../core/payouts/payout.ts'
import { askAgainAt } from '../../core/payouts/schedule.ts'
import {
  cancelByNetwork,
  declinePayout,
  deferForKey,
  isReserved,
  markSent,
  type PayoutStep,
  reservePayout,
  settlePayout,
} from '../../core/payouts/settle.ts'
import type { PayoutOrder, RailAnswer, RailPayoutStatus } from '../../rails/rail.ts'
import { lockAvailable, readBalances } from '../../store/ledger/transfers.ts'
import { claimDuePayouts, type PayoutClaim } from '../../store/payouts/payouts.ts'
import { writePayouts } from '../../store/payouts/write.ts'
import type { Needs } from '../context.ts'
import { refundLookup } from '../directory/look-up-key.ts'
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
    let available = (await readBalances(tx, organizationId)).AVAILABLE
    const steps = fresh.map((claim) => {
      const step = reservePayout(claim.payout, available, now)
      if (step.bookings.includes('payout reserved')) available -= claim.payout.amountInCents
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
  ctx.signals.workAdded('events')
  return claimed
}

export async function dispatchPayout(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'networks' | 'signals'>,
  claim: DispatchClaim,
): Promise<void> {
  const reference = railReference('payout', claim.payout.organizationId, claim.payout.payoutId)
  if (!isReserved(claim.payout)) return writeStep(ctx, claim, { bookings: [] }, {})
  if (!claim.isNew) {
    const answer = await callRail(ctx, () => ctx.networks.payouts.query(reference))
    if (answer.outcome !== 'accepted' || answer.value.state !== 'absent')
      return applyAnswer(ctx, claim, answer)
    // The network has no record of it, so it is safe to submit it again, under the same reference.
  }
  const keyProblem = await checkKey(ctx, claim.payout)
  if (keyProblem === 'unknown') return waitForKey(ctx, claim)
  // A payout that may have been submitted before is submitted again: only the network can reject it now.
  if (keyProblem !== undefined && claim.isNew)
    return writeStep(ctx, claim, declinePayout(claim.payout, keyProblem, null, ctx.clock.now()), {})
  await applyAnswer(
    ctx,
    claim,
    await callRail(ctx, () => ctx.networks.payouts.submit(orderOf(claim.payout, reference))),
  )
}

// The key may have changed owners since the merchant's lookup, so we resolve it again just before the money leaves.
async function checkKey(
  ctx: Needs<'networks'>,
  payout: Payout,
): Promise<PayoutErrorCode | 'unknown' | undefined> {
  const found = await ctx.networks.directory.lookUp(payout.keyString, payout.keyType)
  if (found.outcome === 'rejected') return found.reason
  return found.outcome === 'unknown' ? 'unknown' : undefined
}

async function applyAnswer(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals'>,
  claim: DispatchClaim,
  answer: RailAnswer<RailPayoutStatus, PayoutErrorCode>,
): Promise<void> {
  const now = ctx.clock.now()
  if (answer.outcome === 'unknown') return queryLater(ctx, claim, false)
  if (answer.outcome === 'rejected') {
    return writeStep(ctx, claim, declinePayout(claim.payout, answer.reason, answer.networkCode, now), {})
  }
  const status = answer.value
  if (status.state === 'completed') {
    const { state, ...completed } = status
    const update = { kind: `payout.${state}`, ...completed } as const
    return writeStep(ctx, claim, settlePayout(claim.payout, update, '', now), {})
  }
  if (status.state === 'rejected') {
    return writeStep(ctx, claim, declinePayout(claim.payout, status.reason, status.networkCode, now), {})
  }
  if (status.state === 'canceled') {
    return writeStep(ctx, claim, cancelByNetwork(claim.payout, status.reason, status.networkCode, now), {})
  }
  if (claim.payout.stage === 'SENT') return queryLater(ctx, claim, true)
  // The network has it now, and is given time anew.
  const next = markSent(claim.payout, now)
  return writeStep(ctx, claim, { bookings: [], next }, { dueAt: askAgainAt(next, 0, true, now), attempts: 1 })
}

// A payout that may have been submitted once is not ours to end, nor to make cancelable: the network may still report it,
// although it has no record of it now.
function waitForKey(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals'>,
  claim: DispatchClaim,
): Promise<void> {
  if (!claim.isNew) return queryLater(ctx, claim, false)
  const now = ctx.clock.now()
  const step = deferForKey(claim.payout, now)
  return writeStep(ctx, claim, step, {
    ...(step.next?.status === 'PROCESSING' && { dueAt: now + backoffMs(claim.attempts) }),
    attempts: claim.attempts + 1,
  })
}

// The network has not decided, or has not answered. The money stays reserved, and we ask until it decides, ever more seldom.
function queryLater(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals'>,
  claim: DispatchClaim,
  isAtNetwork: boolean,
): Promise<void> {
  const { payout, attempts } = claim
  const dueAt = askAgainAt(payout, attempts, isAtNetwork, ctx.clock.now())
  return writeStep(ctx, claim, { bookings: [] }, { dueAt, attempts: attempts + 1 })
}

async function writeStep(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'signals'>,
  { payout, leaseToken }: DispatchClaim,
  step: PayoutStep,
  cause: PayoutCause,
): Promise<void> {
  // Not written if a notice was faster or the lease went to another worker. Then we have nothing to write.
  ctx.signals.crashPoint('payout-before-commit')
  const written = await ctx.batched.writePayout(payoutWrite(ctx, payout, step, { ...cause, leaseToken }))
  ctx.signals.crashPoint('payout-after-commit')
  if (written && step.next?.status === 'CONFIRMED') await refundLookup(ctx, payout)
}

async function callRail<Answer>(ctx: Needs<'signals'>, call: () => Promise<Answer>): Promise<Answer> {
  ctx.signals.crashPoint('payout-before-rail')
  const answer = await call()
  ctx.signals.crashPoint('payout-after-rail')
  return answer
}

function orderOf(payout: Payout, reference: string): PayoutOrder {
  const { amountInCents, keyString, keyType, customer } = payout
  return { reference, amountInCents, keyString, keyType, customer }
}
