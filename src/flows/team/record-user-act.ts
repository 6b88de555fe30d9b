// Writes down what concerns how a person signs in: what they do themselves, and what an operator does for them. Each organization
// that they belong to has an entry, because each lets them in.

import type { Actor } from '../../core/audit/actor.ts'
import type { Queryable } from '../../store/db.ts'
import { getUser, membershipsOf } from '../../store/team/users.ts'
import { type RecordedAct, type Recording, recordAct } from '../record-act.ts'

type UserAct = Pick<RecordedAct, 'before' | 'after'> & {
  readonly act: Extract<RecordedAct['act'], `user.${string}`>
  // Of a session that begins with the act: the request had none yet.
  readonly session?: Pick<Actor, 'sessionId' | 'address'>
}

export async function recordUserAct(
  ctx: Recording,
  tx: Queryable,
  userId: string,
  { session, ...recorded }: UserAct,
): Promise<void> {
  const [user, memberships] = [await getUser(tx, userId), await membershipsOf(tx, userId)]
  if (user === undefined) throw new Error('an act of somebody who does not exist')
  const person = { ...ctx.actor, ...session, kind: 'person' as const, id: userId, name: user.name }
  const actor = ctx.actor.kind === 'operator' ? ctx.actor : person
  for (const { organization } of memberships)
    await recordAct({ ...ctx, actor }, tx, {
      ...recorded,
      organizationId: organization.organizationId,
      objectId: userId,
    })
}
