// A payer abandons an attempt to pay another way. Two attempts must never be open at the bank, so the network is asked to
// end this one first. While the payer is at the bank, or if the network does not answer, the attempt stays as it is.

import type { Instant } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import {
  cancelPayin,
  isOpen,
  mayStillBePaid,
  type Payin,
  type PayinAddress,
  type PayinErrorCode,
} from '../../core/payins/payin.ts'
import { isUnknownToNetwork, PAYIN_LEASE_MS, withStage } from '../../core/payins/schedule.ts'
import type { Queryable } from '../../store/db.ts'
import { type AttemptClaim, claimAttempt, releaseAttempt } from '../../store/payins/attempts.ts'
import { type PayinWrite, writePayins } from '../../store/payins/write.ts'
import type { Context, Needs } from '../context.ts'
import { applyRailStatus, callRail, handleOf, write } from '../payins/apply-rail-status.ts'
import { payinEvent } from '../payins/write.ts'
import { payinRailOf } from '../rails-of.ts'

// A worker may have sent the order to the network and died, and the order may arrive after our cancellation. After this long it
// has arrived, and a second cancellation ends it.
const CLOSE_AGAIN_AFTER_MS = PAYIN_LEASE_MS
// A cancellation books nothing; any slot will do.
const ANY_SLOT = 1

// 'left' if the attempt has ended without money, so that the payer may start another.
export async function abandonAttempt(
  ctx: Context,
  organization: Organization,
  address: PayinAddress,
): Promise<'left' | 'too-late'> {
  const now = ctx.clock.now()
  const lease = { token: ctx.ids.next(), until: now + PAYIN_LEASE_MS }
  const claim = await claimAttempt(ctx.db, address, now, lease)
  if (claim !== undefined) {
    const isOver = isUnknownToNetwork(claim.payin, claim.earlier.leaseToken !== null)
    if (isOver) await write(ctx, cancellation(ctx, claim, null))
    else await endAtNetwork(ctx, claim, organization)
    ctx.signals.workAdded('payins', organization.organizationId)
    ctx.signals.workAdded('events', organization.organizationId)
  }
  // Somebody else may have ended it before us, or while we asked.
  const payin = await ctx.batched.getPayin(address)
  if (payin === undefined || isOpen(payin) || mayStillBePaid(payin)) return 'too-late'
  return payin.status === 'CONFIRMED' ? 'too-late' : 'left'
}

async function endAtNetwork(ctx: Context, claim: AttemptClaim, organization: Organization): Promise<void> {
  const { payin } = claim
  const rail = await payinRailOf(ctx, payin)
  const answer = await callRail(ctx, () => rail.cancel(handleOf(payin)))
  const status = answer.outcome === 'accepted' ? answer.value : undefined
  if (status === undefined || status.state === 'open') await releaseAttempt(ctx.db, claim)
  else if (status.state === 'paid' || status.how === 'declined')
    await applyRailStatus(ctx, claim, organization, status)
  else await write(ctx, cancellation(ctx, claim, ctx.clock.now() + CLOSE_AGAIN_AFTER_MS))
}

// The network has ended it or never heard of it, so the payer may begin another at once.
function cancellation(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  { payin, leaseToken }: AttemptClaim,
  dueAt: Instant | null,
): PayinWrite {
  const canceled = cancelPayin(payin, 'CANCELED_BY_PAYER', ctx.clock.now()) as Payin
  return withoutMoney(ctx, payin, withStage(canceled, 'DONE'), { leaseToken, dueAt })
}

// Cancels the open attempt of a link that the merchant ends, unless it has ended already. The caller's transaction has locked the
// attempt. The network is told afterwards, and money that still arrives goes to suspense.
export async function cancelAttempt(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  tx: Queryable,
  payin: Payin,
  reason: PayinErrorCode,
): Promise<void> {
  const now = ctx.clock.now()
  const canceled = cancelPayin(payin, reason, now)
  if (canceled === undefined) return
  const step = withoutMoney(ctx, payin, withStage(canceled, 'TO_CLOSE'), { leaseToken: null, dueAt: now })
  await writePayins(tx, [step], ANY_SLOT)
}

function withoutMoney(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  before: Payin,
  next: Payin,
  schedule: Pick<PayinWrite, 'leaseToken' | 'dueAt'>,
): PayinWrite {
  return {
    payin: next,
    expectedVersion: before.version,
    ...schedule,
    at: ctx.clock.now(),
    transfers: [],
    suspense: null,
    alarm: null,
    notice: null,
    link: null,
    event: payinEvent(ctx, before, next),
  }
}
