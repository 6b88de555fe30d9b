// A person looks at somebody's data that their role sees masked. Nothing changes, and that it was seen is written down.

import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'

// `objectId`: the payin, payout or link whose payer or receiver it is.
export async function recordShownPerson(
  ctx: Needs<'db' | 'actor' | 'clock' | 'ids'>,
  organizationId: string,
  objectId: string,
): Promise<void> {
  const act = { organizationId, act: 'customer.show', objectId, before: null, after: null } as const
  await ctx.db.inTransaction((tx) => recordAct(ctx, tx, act))
}
