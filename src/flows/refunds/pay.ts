// Makes the payout that pays a refund: an ordinary one, which takes over what was set aside for the refund, so that the refund waits for money
// and the payout never ends for the lack of it. From here on the payouts' own ways send it and find out what became of it.

import { bogotaDay, endOfDay } from '../../core/bogota-day.ts'
import type { PayoutFunds } from '../../core/connections/movement.ts'
import type { Instant } from '../../core/instant.ts'
import { hasPayoutLimits, type PayoutLimits, quietUntil } from '../../core/organizations/limits.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Payin } from '../../core/payins/payin.ts'
import { newPayout, type Payout } from '../../core/payouts/payout.ts'
import { reservePayout } from '../../core/payouts/settle.ts'
import type { Refund, WaitingCode } from '../../core/refunds/refund.ts'
import { awaitFunds, followPayout, payBy, type RefundStep } from '../../core/refunds/settle.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import { readBalances } from '../../store/ledger/transfers.ts'
import { lockPayoutsOfRefund } from '../../store/payouts/of-refund.ts'
import { insertPayouts } from '../../store/payouts/payouts.ts'
import { writePayouts } from '../../store/payouts/write.ts'
import type { Needs } from '../context.ts'
import { routePayment } from '../payment-route.ts'
import { insertWithinLimits } from '../payouts/insert-limited.ts'
import { payoutWrite } from '../payouts/write.ts'
import { openReceiver, sealReceiver } from '../people/vault.ts'
import { withMoneySetAside } from './reserve.ts'

export type PayoutMaking = Needs<'clock' | 'ids' | 'db' | 'networks' | 'settings' | 'vault'>

// `dueAt`: when it is worth another look, if that is known.
type Paid = { readonly step: RefundStep; readonly dueAt?: Instant }

const NO_LIMITS: PayoutLimits = { payoutsPerDay: null, payoutSumPerDay: null }

export async function payByPayout(
  ctx: PayoutMaking,
  tx: Queryable,
  refund: Refund,
  payin: Payin,
  organization: Organization,
): Promise<Paid> {
  const now = ctx.clock.now()
  const { amountInCents } = refund
  for (const earlier of await lockPayoutsOfRefund(tx, { ...refund, reference: payin.reference })) {
    const told = followPayout(refund, earlier, now)
    if (told.next !== undefined) return { step: told }
  }
  const funded = await withMoneySetAside(ctx, tx, organization, refund, payin)
  const wait = (why: WaitingCode): RefundStep => awaitFunds(refund, funded, why, now)
  const { limits } = organization
  const quietEndsAt = quietUntil(limits.quietHours, now)
  if (quietEndsAt !== null) return { step: wait('QUIET_HOURS'), dueAt: quietEndsAt }
  const route = routePayment(ctx, organization, 'BRE_B_OUT', amountInCents)
  if (isRefusal(route)) return { step: wait('NOT_CONNECTED') }
  const payout = await payoutOf(ctx, refund, payin, route)
  const { next: reserved, bookings } = reservePayout(payout, await fundsFor(tx, refund), now)
  if (reserved?.stage !== 'SENDING') return { step: wait('INSUFFICIENT_FUNDS') }
  const { credentialId } = refund
  const one = { payout, record: null, credentialId, limits: { credential: NO_LIMITS, organization: limits } }
  const insert = hasPayoutLimits(limits) ? insertWithinLimits : insertPayouts
  const [outcome] = await insert(tx, [one])
  if (outcome?.inserted !== true) {
    const isLimit = outcome !== undefined && 'reached' in outcome
    return isLimit
      ? { step: wait('PAYOUT_LIMIT_REACHED'), dueAt: endOfDay(bogotaDay(now)) }
      : { step: wait('NOT_CONNECTED') }
  }
  // Nothing was submitted yet: a worker of payouts does that.
  const set = { next: { ...reserved, stage: 'RESERVED' as const }, bookings }
  await writePayouts(tx, [payoutWrite(ctx, payout, set, { dueAt: now })])
  return { step: payBy(refund, payout.payoutId, now) }
}

// All that the payout may take, under the lock of the balance: what is there, and what the refund gives up for it in this transaction.
async function fundsFor(
  tx: Queryable,
  { organizationId, reservedInCents, depositInCents }: Refund,
): Promise<PayoutFunds> {
  const { AVAILABLE, DEPOSITED } = await readBalances(tx, organizationId)
  return {
    availableInCents: AVAILABLE + reservedInCents - depositInCents,
    depositedInCents: DEPOSITED + depositInCents,
  }
}

async function payoutOf(
  ctx: PayoutMaking,
  refund: Refund,
  payin: Payin,
  route: Parameters<typeof newPayout>[3],
): Promise<Payout> {
  const { organizationId, refundId, amountInCents, keyType } = refund
  const vault = await ctx.vault(organizationId)
  const receiver = refund.receiver && openReceiver(vault, refundId, refund.receiver)
  if (receiver === null || typeof receiver === 'string' || keyType === null)
    throw new Error(`the receiver of refund ${refundId} is ${receiver ?? 'missing'}`)
  const { customer, keyString, keyStringSent } = receiver
  const request = { amountInCents, reference: payin.reference, keyType, customer, keyString, keyStringSent }
  const payout = newPayout(organizationId, ctx.ids.next(), { ...request, refundId }, route)
  return { ...payout, receiver: sealReceiver(vault, payout.payoutId, payout.receiver) }
}
