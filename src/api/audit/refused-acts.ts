// Writes down that somebody was refused what they wanted to do: for lack of a scope, from an address that is not allowed, or by a
// rule. What a key sent wrongly is in the request log alone, and so is what came at a bad moment: nobody decided against it.

import { type Act, isAuditedFor } from '../../core/audit/act.ts'
import type { Actor } from '../../core/audit/actor.ts'
import { isUuid } from '../../core/ids.ts'
import type { Refusal } from '../../core/refusal.ts'
import { createTokenBuckets } from '../../core/token-buckets.ts'
import type { Context } from '../../flows/context.ts'
import { recordRefusal } from '../../flows/record-act.ts'
import { STATUS_OF } from '../http/errors.ts'

export type Refused = {
  readonly act: Act | undefined
  readonly actor: Actor
  readonly organizationId: string
  readonly params: Readonly<Record<string, string>>
}

// Of an organization. Entries are kept for good, so whoever is refused again and again does not fill the disk with it: beyond
// these, refusals are in the request log alone.
const BUDGET = { perSecond: 1, burst: 120 } as const
const budgets = createTokenBuckets(BUDGET)

export async function recordRefused(ctx: Context, refused: Refused, refusal: Refusal): Promise<void> {
  const { act, actor, organizationId, params } = refused
  if (act === undefined || !isAuditedFor(act, actor.kind) || !isDecision(refusal, actor)) return
  if (!budgets.take(organizationId, performance.now()).allowed) return
  const objectId = objectIdIn(params)
  // The answer is the same, whether or not it can be written down.
  await recordRefusal({ ...ctx, actor }, { organizationId, act, objectId, refusal: refusal.refused }).catch(
    () => {},
  )
}

// Of a person a form with mistakes counts too: it shows what they tried.
function isDecision({ refused }: Refusal, { kind }: Actor): boolean {
  const status = STATUS_OF[refused]
  if (status === 400) return kind === 'person'
  return status < 500 && status !== 429 && refused !== 'IDEMPOTENCY_KEY_IN_USE'
}

const CLIENT_ID = /^rc_[a-z]+_[\w-]{1,40}$/

// Whatever else stands in a path may be a person's key.
export function objectIdIn(params: Readonly<Record<string, string>>): string | null {
  const id = Object.values(params).find((value) => isUuid(value) || CLIENT_ID.test(value))
  if (id === undefined) return null
  return isUuid(id) ? id.toLowerCase() : id
}
