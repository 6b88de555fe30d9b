// Finds who is behind a Bre-B key. Every lookup draws on a budget, a miss twenty times as much as a hit, so that nobody
// can read out the directory by guessing. A payout that follows a lookup returns some of it.

import { maskName, maskNumber, parseBrebKey } from '../../core/directory/breb-key.ts'
import type { Instant } from '../../core/instant.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { KeyHolder } from '../../rails/rail.ts'
import { lastLookup, recordLookup, spendLookupBudget } from '../../store/directory/key-lookups.ts'
import type { Needs } from '../context.ts'

export const LOOKUP_BUDGET = { capacity: 1_000, perSecond: 1 } as const
const COST = { hit: 1, miss: 20 } as const
const REWARD = 2
const RETRY_AFTER_SECONDS = 5

export type KeyLookup = { holder: KeyHolder; resolvedAt: Instant }

// Every answer carries the remaining budget, whether the key was found or not.
export async function lookUpKey(
  ctx: Needs<'clock' | 'db' | 'networks'>,
  organizationId: string,
  text: string,
): Promise<{ remaining: number; result: KeyLookup | Refusal }> {
  const key = parseBrebKey(text)
  if (key === undefined) {
    const remaining = await drawBudget(ctx, organizationId, 0)
    return { remaining, result: refuse('KEY_INVALID', 'This is not a Bre-B key of any form.') }
  }
  const remainingBefore = await drawBudget(ctx, organizationId, 0)
  if (remainingBefore < COST.hit) return { remaining: remainingBefore, result: refuseBudgetSpent() }
  const answer = await ctx.networks.directory.lookUp(key.keyString, key.keyType)
  if (answer.outcome === 'unknown')
    return { remaining: remainingBefore, result: refuseDirectoryFailure(answer.kind === 'timeout') }
  const found = answer.outcome === 'accepted'
  const remaining = await drawBudget(ctx, organizationId, found ? COST.hit : COST.miss)
  if (!found) return { remaining, result: refuse(answer.reason, KEY_REFUSAL_DETAILS[answer.reason]) }
  const resolvedAt = ctx.clock.now()
  await recordLookup(ctx.db, organizationId, key.keyString, resolvedAt)
  return { remaining, result: { holder: masked(answer.value), resolvedAt } }
}

const KEY_REFUSAL_DETAILS = {
  KEY_INVALID: 'This is not a Bre-B key of any form.',
  KEY_NOT_FOUND: 'No account is registered under this key.',
  KEY_SUSPENDED: 'The key is suspended.',
} as const

function drawBudget(ctx: Needs<'clock' | 'db'>, organizationId: string, cost: number): Promise<number> {
  return spendLookupBudget(ctx.db, organizationId, cost, LOOKUP_BUDGET, ctx.clock.now())
}

function refuseBudgetSpent(): Refusal {
  return refuse('RATE_LIMITED', 'The budget for looking keys up is spent; it refills at one a second.', {
    retryAfterSeconds: 1,
  })
}

function refuseDirectoryFailure(timedOut: boolean): Refusal {
  return timedOut
    ? refuse('DIRECTORY_TIMEOUT', 'The directory did not answer in time.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    : refuse('DIRECTORY_UNAVAILABLE', 'The directory cannot be reached.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
}

// People are recognizable only to those who know them; businesses are public.
function masked(found: KeyHolder): KeyHolder {
  if (found.holder.personType === 'BUSINESS') return found
  const { holder } = found
  return {
    ...found,
    holder: { ...holder, name: maskName(holder.name), idNumber: maskNumber(holder.idNumber) },
  }
}

export async function refundLookup(
  ctx: Needs<'clock' | 'db'>,
  payout: { organizationId: string; keyString: string },
): Promise<void> {
  const lookedUpAt = await lastLookup(ctx.db, payout.organizationId, payout.keyString)
  if (lookedUpAt !== undefined) await drawBudget(ctx, payout.organizationId, -REWARD)
}
