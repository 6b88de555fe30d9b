// Writes down who does what, in the transaction of the act: both are committed, or neither. A refusal has no transaction, and is
// written by itself.

import { type Act, isAuditedFor, objectKindOf } from '../core/audit/act.ts'
import { type Changes, changesBetween } from '../core/audit/entry.ts'
import type { RefusalCode } from '../core/refusal.ts'
import { insertEntry } from '../store/audit/entries.ts'
import type { Queryable } from '../store/db.ts'
import type { Clock, Ids, Needs } from './context.ts'

export type Recording = Needs<'actor'> & {
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'next'>
}

export type RecordedAct = {
  readonly organizationId: string
  readonly act: Act
  readonly objectId: string | null
  // The thing as it was and as it is. Only the fields of core/audit/fields.ts are looked at. Null: it was made, or is gone.
  readonly before: object | null
  readonly after: object | null
}

export async function recordAct(ctx: Recording, tx: Queryable, recorded: RecordedAct): Promise<void> {
  const { organizationId, act, objectId, before, after } = recorded
  if (!isAuditedFor(act, ctx.actor.kind)) return
  const changes = changesBetween(objectKindOf(act), before, after)
  await insertEntry(tx, entryOf(ctx, { organizationId, act, objectId, changes, refusal: null }))
}

// What keys create thousands of times a second shares statements with others, and is not audited. What a person creates is
// written by itself, with its entry.
export function insertRecorded<Result extends { inserted: boolean }>(
  ctx: Recording & Needs<'db'>,
  recorded: RecordedAct,
  shared: () => Promise<Result>,
  alone: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  if (!isAuditedFor(recorded.act, ctx.actor.kind)) return shared()
  return ctx.db.inTransaction(async (tx) => {
    const outcome = await alone(tx)
    if (outcome.inserted) await recordAct(ctx, tx, recorded)
    return outcome
  })
}

export type RefusedAct = Pick<RecordedAct, 'organizationId' | 'act' | 'objectId'> & {
  readonly refusal: RefusalCode
  // What would have been. Only the fields of core/audit/fields.ts are looked at.
  readonly after?: object
}

export async function recordRefusal(ctx: Recording & Needs<'db'>, refused: RefusedAct): Promise<void> {
  if (!isAuditedFor(refused.act, ctx.actor.kind)) return
  const { after = null, ...rest } = refused
  const changes = changesBetween(objectKindOf(refused.act), null, after)
  await ctx.db.inTransaction((tx) => insertEntry(tx, entryOf(ctx, { ...rest, changes })))
}

function entryOf(
  ctx: Recording,
  acted: {
    organizationId: string
    act: Act
    objectId: string | null
    changes: Changes
    refusal: RefusalCode | null
  },
) {
  const { organizationId, act, objectId, refusal } = acted
  return {
    organizationId,
    entryId: ctx.ids.next(),
    at: ctx.clock.now(),
    actor: ctx.actor,
    act,
    objectKind: objectKindOf(act),
    objectId,
    changes: JSON.stringify(acted.changes),
    outcome: refusal === null ? ('done' as const) : ('refused' as const),
    refusal,
  }
}
