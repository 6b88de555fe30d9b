// Who is behind a Bre-B key. Every look-up draws on a budget, a miss twenty times as much as a hit, so that the directory
// cannot be read out by guessing; a payout that follows a look-up gives some back.

import { maskName, maskNumber, parseBrebKey } from '../../core/directory/breb-key.ts'
import type { Instant } from '../../core/instant.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { KeyHolder } from '../../rails/rail.ts'
import { drawOnBudget, lastLookup, recordLookup } from '../../store/directory/key-lookups.ts'
import type { Needs } from '../context.ts'

export const LOOKUP_BUDGET = { capacity: 1_000, perSecond: 1 } as const
const COST = { hit: 1, miss: 20 } as const
const REWARD = 2
const RETRY_AFTER_SECONDS = 5

export type KeyLookup = { holder: KeyHolder; resolvedAt: Instant }

// The budget left goes with every answer, found or not.
export async function lookUpKey(
  ctx: Needs<'clock' | 'db' | 'networks'>,
  organizationId: string,
  text: string,
): Promise<{ remaining: number; result: KeyLookup | Refusal }> {
  const key = parseBrebKey(text)
  if (key === undefined) {
    const remaining = await draw(ctx, organizationId, 0)
    return { remaining, result: refuse('KEY_INVALID', 'This is not a Bre-B key of any form.') }
  }
  const before = await draw(ctx, organizationId, 0)
  if (before < COST.hit) return { remaining: before, result: refuseSpent() }
  const answer = await ctx.networks.directory.lookUp(key.keyString, key.keyType)
  if (answer.outcome === 'unknown')
    return { remaining: before, result: refuseAway(answer.kind === 'timeout') }
  const found = answer.outcome === 'accepted'
  const remaining = await draw(ctx, organizationId, found ? COST.hit : COST.miss)
  if (!found) return { remaining, result: refuse(answer.reason, REASONS[answer.reason]) }
  const resolvedAt = ctx.clock.now()
  await recordLookup(ctx.db, organizationId, key.keyString, resolvedAt)
  return { remaining, result: { holder: masked(answer.value), resolvedAt } }
}

const REASONS = {
  KEY_INVALID: 'This is not a Bre-B key of any form.',
  KEY_NOT_FOUND: 'No account is registered under this key.',
  KEY_SUSPENDED: 'The key is suspended.',
} as const

function draw(ctx: Needs<'clock' | 'db'>, organizationId: string, cost: number): Promise<number> {
  return drawOnBudget(ctx.db, organizationId, cost, LOOKUP_BUDGET, ctx.clock.now())
}

function refuseSpent(): Refusal {
  return refuse('RATE_LIMITED', 'The budget for looking keys up is spent; it refills at one a second.', {
    retryAfterSeconds: 1,
  })
}

function refuseAway(timedOut: boolean): Refusal {
  return timedOut
    ? refuse('DIRECTORY_TIMEOUT', 'The directory did not answer in time.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    : refuse('DIRECTORY_UNAVAILABLE', 'The directory cannot be reached.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
}

// People are recognizable to who knows them, and to nobody else; businesses are public.
function masked(found: KeyHolder): KeyHolder {
  if (found.holder.personType === 'BUSINESS') return found
  const { holder } = found
  return {
    ...found,
    holder: { ...holder, name: maskName(holder.name), idNumber: maskNumber(holder.idNumber) },
  }
}

export async function rewardLookup(
  ctx: Needs<'clock' | 'db'>,
  payout: { organizationId: string; keyString: string },
): Promise<void> {
  const at = await lastLookup(ctx.db, payout.organizationId, payout.keyString)
  if (at !== undefined) await draw(ctx, payout.organizationId, -REWARD)
}
