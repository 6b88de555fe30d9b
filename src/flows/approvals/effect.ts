// What an effect of an approval is. The table of all of them is in effects.ts.

import type { Approval } from '../../core/approvals/approval.ts'
import type { Queryable } from '../../store/db.ts'
import type { Context, WorkKind } from '../context.ts'

// Nothing talks to a network inside a transaction.
export type EffectContext = Pick<Context, 'actor' | 'clock' | 'ids' | 'settings'>

type Effect = (ctx: EffectContext, tx: Queryable, approval: Approval) => Promise<void>

export type ApprovalEffect = {
  // Locks the subject, and says what it is now. Undefined: it is gone or has ended, and nothing is left to be approved.
  readonly current: (
    tx: Queryable,
    approval: Approval,
    ctx: EffectContext,
  ) => Promise<Readonly<Record<string, unknown>> | undefined>
  readonly approved: Effect
  readonly refused: Effect
  readonly lapsed: Effect
  // Somebody wanted to decide, and the subject is not what was submitted.
  readonly stale: Effect
  // The persons, keys or clients that asked for the subject, where that is not the maker of the approval: what a payer changes of it
  // goes before others than whoever began it.
  readonly askedBy?: (db: Queryable, approval: Approval) => Promise<string | readonly string[] | null>
  // Who has work after the commit, besides those who tell of events.
  readonly wakes: readonly WorkKind[]
}
