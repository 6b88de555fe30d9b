// The payer claims a refund on our page: types a key, sees whose it is, and says that the money goes there. A key whose holder is the payer is
// paid at once; any other waits for a person of the merchant.

import type { Organization } from '../../core/organizations/organization.ts'
import type { Payin } from '../../core/payins/payin.ts'
import type { Customer } from '../../core/people/customer.ts'
import type { RefundAddress } from '../../core/refunds/claim-token.ts'
import { MAX_CLAIM_ATTEMPTS, type Refund, refundApprovers } from '../../core/refunds/refund.ts'
import { claimRefund, isClaimable } from '../../core/refunds/settle.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { getOrganization } from '../../store/organizations/organizations.ts'
import { countClaimAttempt, getRefund, lockRefund } from '../../store/refunds/refunds.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { submitRefund } from './approval.ts'
import { type FoundKey, findNamedKey, type KeyNaming, namedKey, payerOf } from './named-key.ts'
import { writeRefundStep } from './write.ts'

export type Claimable = {
  readonly refund: Refund
  readonly payin: Payin
  readonly organization: Organization
  // As the payin has them. Null: the page asks.
  readonly payer: Customer | null
}

export async function findClaimable(
  ctx: Needs<'db' | 'batched' | 'vault'>,
  address: RefundAddress,
): Promise<Claimable | undefined> {
  const refund = await getRefund(ctx.db, address)
  const payin = refund && (await ctx.batched.getPayin(refund))
  const organization = refund && (await getOrganization(ctx.db, address.organizationId))
  if (refund === undefined || payin === undefined || organization === undefined) return undefined
  return { refund, payin, organization, payer: await payerOf(ctx, payin) }
}

// 'not-waiting': somebody was faster, perhaps the payer with a second click, or its time is over.
export async function lookUpClaimedKey(
  ctx: KeyNaming,
  { refund, organization, payer }: Claimable,
  typed: string,
): Promise<FoundKey | Refusal | 'not-waiting'> {
  if (!isClaimable(refund, ctx.clock.now())) return 'not-waiting'
  if (!(await countClaimAttempt(ctx.db, refund, MAX_CLAIM_ATTEMPTS))) {
    const isOpen = (await getRefund(ctx.db, refund))?.stage === 'AWAITING_CLAIM'
    return isOpen ? refuseTooMany() : 'not-waiting'
  }
  return findNamedKey(ctx, organization, payer, typed)
}

// `customer`: whom the payout names. It is the payin's own payer where there is one.
export async function claimWithKey(
  ctx: KeyNaming & Needs<'actor' | 'ids' | 'signals'>,
  claimable: Claimable,
  typed: string,
  customer: Customer,
): Promise<Refund | Refusal | 'not-waiting'> {
  const found = await lookUpClaimedKey(ctx, claimable, typed)
  if (found === 'not-waiting' || isRefusal(found)) return found
  const { organizationId, refundId } = claimable.refund
  const named = await namedKey(ctx, claimable.refund, found, claimable.payer ?? customer, typed)
  // Its amount was approved before the payer was asked. Only the key may need somebody's eyes now.
  const rules = found.claim.match === 'SAME' ? [] : claimable.organization.approvalRules
  const approvers = refundApprovers(rules, { ...claimable.refund, claim: found.claim })
  const claimed = await ctx.db.inTransaction(async (tx) => {
    const refund = await lockRefund(tx, claimable.refund)
    const step = refund && claimRefund(refund, named, approvers > 0, ctx.clock.now())
    if (refund === undefined || step?.next === undefined) return 'not-waiting'
    await writeRefundStep(ctx, tx, refund, step, {})
    await submitRefund(ctx, tx, step.next, approvers)
    const act = { act: 'refund.claim', before: refund, after: step.next } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: refundId })
    return step.next
  })
  ctx.signals.workAdded('refunds', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return claimed
}

function refuseTooMany(): Refusal {
  return refuse('RATE_LIMITED', 'Too many keys were tried for this refund. Ask the merchant for another one.')
}
