// A merchant asks us to send money. The payout is only written here; a worker reserves the money and sends it. One that people must
// approve first is reserved here, and waits.

import { approversFor } from '../../core/approvals/rule.ts'
import { MINUTE_MS } from '../../core/instant.ts'
import { payoutFeeOf } from '../../core/ledger/charges.ts'
import {
  type PayoutLimits,
  quietUntil,
  type ReachedLimit,
  refusePayoutLimit,
  refuseQuietHours,
} from '../../core/organizations/limits.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { newPayout, type Payout, type PayoutRequest } from '../../core/payouts/payout.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { lastLookup } from '../../store/directory/key-lookups.ts'
import { insertPayouts } from '../../store/payouts/payouts.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { lookupName } from '../directory/look-up-key.ts'
import { insertOnce } from '../insert-once.ts'
import { routePayment, withPresentRoutes } from '../payment-route.ts'
import { sealNote, sealReceiver } from '../people/vault.ts'
import { insertRecorded } from '../record-act.ts'
import {
  insertWithinLimits,
  isLimitedPayout,
  type LimitedInsert,
  type LimitedPayout,
} from './insert-limited.ts'

export const LOOKUP_VALIDITY_MS = 30 * MINUTE_MS

// The key or client that asks, and what it may.
export type PayoutCreator = { readonly credentialId: string; readonly limits: PayoutLimits }

type Creating = Needs<
  'actor' | 'clock' | 'ids' | 'db' | 'batched' | 'networks' | 'settings' | 'signals' | 'vault'
>

export function createPayout(
  ctx: Creating,
  organization: Organization,
  creator: PayoutCreator,
  request: PayoutRequest,
  idempotency: Idempotency<Payout> | null,
): Promise<Payout | Refusal> {
  return withPresentRoutes(ctx, organization, (known) =>
    createRouted(ctx, known, creator, request, idempotency),
  )
}

async function createRouted(
  ctx: Creating,
  organization: Organization,
  creator: PayoutCreator,
  request: PayoutRequest,
  idempotency: Idempotency<Payout> | null,
): Promise<Payout | Refusal> {
  const { organizationId, limits } = organization
  const quietEndsAt = quietUntil(limits.quietHours, ctx.clock.now())
  if (limits.quietHours !== null && quietEndsAt !== null)
    return refuseQuietHours(limits.quietHours, quietEndsAt, ctx.clock.now())
  const vault = await ctx.vault(organizationId)
  if (organization.requireKeyLookup) {
    const lookedUpAt = await lastLookup(ctx.db, organizationId, lookupName(vault, request.keyString))
    if (lookedUpAt === undefined || lookedUpAt < ctx.clock.now() - LOOKUP_VALIDITY_MS) {
      return refuse(
        'KEY_NOT_LOOKED_UP',
        'This organization pays only to keys it looked up in the last 30 minutes.',
      )
    }
  }
  const route = routePayment(ctx, organization, 'BRE_B_OUT', request.amountInCents)
  if (isRefusal(route)) return route
  const fee = payoutFeeOf(organization.charges, 'BRE_B', request.amountInCents)
  const made = newPayout(organizationId, ctx.ids.next(), { ...request, fee }, route)
  const payout = {
    ...made,
    receiver: sealReceiver(vault, made.payoutId, made.receiver),
    note: sealNote(vault, made.payoutId, made.note),
  }
  ctx.signals.crashPoint('creation-before-commit')
  const both = { credential: creator.limits, organization: limits }
  const { approvalRules: rules } = organization
  // If these are no longer the rules, nothing is written, and it is made anew by those that are.
  const one = { payout, credentialId: creator.credentialId, limits: both, rules }
  const isAsked = approversFor(rules, 'payout', payout.amountInCents) > 0
  let reached: ReachedLimit | undefined
  let created: Payout = payout
  const inserted = await insertOnce(idempotency !== null, async () => {
    if (isAsked) {
      const outcome = await ctx.batched.insertAwaitingPayout({ ...one, organization, idempotency, ctx })
      created = outcome.shown
      reached = outcome.reached
      return outcome
    }
    const record = idempotency && idempotencyRecordOf(idempotency, payout)
    const outcome = await insertPayout(ctx, { ...one, record })
    reached = outcome.reached
    return outcome
  })
  ctx.signals.crashPoint('creation-after-commit')
  // Whoever waits for approval waits for the balance first, before the key's record is met.
  if (isRefusal(inserted) && isAsked) return refuseBusy()
  if (isRefusal(inserted)) return inserted
  if (!inserted) {
    // The store repeats a commit whose answer was lost. The conflicting row is then our own. A worker may have moved it since, and the
    // answer is what it was when it was made, as it is kept for its key.
    const existing = await ctx.batched.getPayout(payout)
    if (existing !== undefined) return isAsked ? existing : payout
    if (reached !== undefined) return refusePayoutLimit(reached, payout.createdAt)
    throw new AnsweredBefore()
  }
  ctx.signals.workAdded(isAsked ? 'events' : 'payouts', organizationId)
  return created
}

function refuseBusy(): Refusal {
  return refuse(
    'OVERLOADED',
    'The balance is in use by other payouts of this organization. Nothing was done.',
    {
      retryAfterSeconds: 1,
    },
  )
}

function insertPayout(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'batched'>,
  one: LimitedPayout,
): Promise<LimitedInsert> {
  const isLimited = isLimitedPayout(one)
  const { organizationId, payoutId: objectId } = one.payout
  const made = { act: 'payout.create', before: null, after: one.payout } as const
  return insertRecorded(
    ctx,
    { ...made, organizationId, objectId },
    () => (isLimited ? ctx.batched.insertLimitedPayout(one) : ctx.batched.insertPayout(one)),
    async (tx) => {
      const insert = isLimited ? insertWithinLimits : insertPayouts
      return (await insert(tx, [one]))[0] as LimitedInsert
    },
  )
}
