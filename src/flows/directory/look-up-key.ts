// Finds who is behind a Bre-B key. Every lookup draws on a budget, a miss twenty times as much as a hit, so that nobody
// can read out the directory by guessing. The price of a miss is taken before the directory is asked, and a hit gets the
// difference back: otherwise many guesses at once would all be made on the same budget. A payout tells as much as a lookup:
// one that is paid returns some of the budget, one that ends for its key is charged as a miss.

import { isAuditedFor } from '../../core/audit/act.ts'
import { type BrebKey, maskName, maskNumber, parseBrebKey } from '../../core/directory/breb-key.ts'
import type { Instant } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { KeyHolder, KeyRefusal, RailAnswer } from '../../rails/rail.ts'
import type { Queryable } from '../../store/db.ts'
import {
  lastLookup,
  recordLookup,
  reserveLookupBudget,
  spendLookupBudget,
} from '../../store/directory/key-lookups.ts'
import type { Needs } from '../context.ts'
import { connectionOf, routeLookup } from '../payment-route.ts'
import type { Vault } from '../people/vault.ts'
import { directoryOf } from '../rails-of.ts'
import { recordAct } from '../record-act.ts'

export const LOOKUP_BUDGET = { capacity: 1_000, perSecond: 1 } as const
const COST = { hit: 1, miss: 20 } as const
const REWARD = 2
const RETRY_AFTER_SECONDS = 5

export type KeyLookup = { holder: KeyHolder; resolvedAt: Instant }

// Every answer carries the remaining budget, whether the key was found or not. In debt it is below zero.
export async function lookUpKey(
  ctx: LookingUp,
  organization: Organization,
  text: string,
): Promise<{ remaining: number; result: KeyLookup | Refusal }> {
  const { remaining, result } = await findHolder(ctx, organization, text)
  return { remaining, result: isRefusal(result) ? result : { ...result, holder: masked(result.holder) } }
}

type LookingUp = Needs<'actor' | 'clock' | 'ids' | 'db' | 'networks' | 'settings' | 'vault'>

// The holder as the directory names them: for whoever compares them with what they were told, and shows nobody the difference. It is
// remembered that the merchant has looked the key up.
export async function findHolder(
  ctx: LookingUp,
  organization: Organization,
  text: string,
): Promise<{ remaining: number; result: KeyLookup | Refusal }> {
  const { organizationId } = organization
  const { remaining, result } = await resolveKey(ctx, organization, text)
  if (isRefusal(result)) return { remaining, result }
  const { key, holder } = result
  const resolvedAt = ctx.clock.now()
  const vault = await ctx.vault(organizationId)
  const remember = (db: Queryable) =>
    recordLookup(db, organizationId, lookupName(vault, key.keyString), resolvedAt)
  if (isAuditedFor('brebkey.lookup', ctx.actor.kind))
    await ctx.db.inTransaction(async (tx) => {
      await remember(tx)
      await recordAct(ctx, tx, { organizationId, act: 'brebkey.lookup', objectId: null, ...lookedUp(key) })
    })
  else await remember(ctx.db)
  return { remaining, result: { holder, resolvedAt } }
}

// Whoever is behind the key, as the directory says it: nobody outside may see that.
export async function resolveKey(
  ctx: Needs<'clock' | 'db' | 'networks' | 'settings'>,
  organization: Organization,
  text: string,
): Promise<{ remaining: number; result: { key: BrebKey; holder: KeyHolder } | Refusal }> {
  const { organizationId } = organization
  const route = routeLookup(ctx, organization)
  const key = parseBrebKey(text)
  if (key === undefined) {
    const remaining = await drawBudget(ctx, organizationId, 0)
    return { remaining, result: refuse('KEY_INVALID', KEY_REFUSAL_DETAILS.KEY_INVALID) }
  }
  if (isRefusal(route)) return { remaining: await drawBudget(ctx, organizationId, 0), result: route }
  if (!(await reserveLookupBudget(ctx.db, organizationId, COST.miss, LOOKUP_BUDGET, ctx.clock.now()))) {
    const remaining = await drawBudget(ctx, organizationId, 0)
    return { remaining, result: refuseBudgetSpent(remaining) }
  }
  const directory = await directoryOf(ctx, organizationId, connectionOf(route))
  const answer = (await directory?.lookUp(key.keyString, key.keyType)) ?? NO_DIRECTORY
  const remaining = await drawBudget(ctx, organizationId, costOf(answer) - COST.miss)
  if (answer.outcome === 'unknown')
    return { remaining, result: refuseDirectoryFailure(answer.kind === 'timeout') }
  if (answer.outcome === 'rejected')
    return { remaining, result: refuse(answer.reason, KEY_REFUSAL_DETAILS[answer.reason]) }
  return { remaining, result: { key, holder: answer.value } }
}

// The entry is kept for good, and a key is mostly a person's: it tells enough to ask about, and no more.
function lookedUp({ keyString, keyType }: { keyString: string; keyType: string }) {
  return { before: null, after: { key: maskNumber(keyString), keyType } }
}

const NO_DIRECTORY = {
  outcome: 'unknown',
  kind: 'unavailable',
  why: 'the provider has no directory',
} as const

// A directory that cannot be asked, or says that it cannot tell, has told nobody anything. One that does not answer in time
// has been asked, and may count it: that costs as much as a hit, so that it cannot be repeated without end.
function costOf(answer: RailAnswer<KeyHolder, KeyRefusal>): number {
  if (answer.outcome === 'unknown') return answer.kind === 'timeout' ? COST.hit : 0
  return answer.outcome === 'accepted' ? COST.hit : COST.miss
}

const KEY_REFUSAL_DETAILS = {
  KEY_INVALID: 'This is not a Bre-B key of any form.',
  KEY_NOT_FOUND: 'No account is registered under this key.',
  KEY_SUSPENDED: 'The key is suspended.',
} as const

function drawBudget(ctx: Needs<'clock' | 'db'>, organizationId: string, cost: number): Promise<number> {
  return spendLookupBudget(ctx.db, organizationId, cost, LOOKUP_BUDGET, ctx.clock.now())
}

function refuseBudgetSpent(remaining: number): Refusal {
  return refuse('RATE_LIMITED', 'The budget for looking keys up is spent; it refills at one a second.', {
    // The remaining budget is rounded down. A second at least, since the next look-up may find it just refilled.
    retryAfterSeconds: Math.max(1, Math.ceil((COST.miss - remaining) / LOOKUP_BUDGET.perSecond)),
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
export function masked(found: KeyHolder): KeyHolder {
  if (found.holder.personType === 'BUSINESS' || found.isMasked) return found
  const { holder } = found
  return {
    ...found,
    holder: {
      ...holder,
      name: maskName(holder.name),
      idNumber: holder.idNumber && maskNumber(holder.idNumber),
    },
  }
}

// A payout that ended because of its key has told whether the key exists, so it costs what a look-up would have cost, even if the
// budget is spent: the debt is repaid before the next look-up.
export async function chargeMiss(ctx: Needs<'clock' | 'db'>, organizationId: string): Promise<void> {
  await drawBudget(ctx, organizationId, COST.miss)
}

// A key is mostly a person's document, phone or e-mail. That it was looked up is remembered by its digest alone.
export function lookupName(vault: Vault, keyString: string): string {
  return vault.digest({ by: 'key', keyString }).toString('hex')
}

export async function refundLookup(
  ctx: Needs<'clock' | 'db' | 'vault'>,
  payout: { organizationId: string; keyString: string },
): Promise<void> {
  const name = lookupName(await ctx.vault(payout.organizationId), payout.keyString)
  const lookedUpAt = await lastLookup(ctx.db, payout.organizationId, name)
  if (lookedUpAt !== undefined) await drawBudget(ctx, payout.organizationId, -REWARD)
}
