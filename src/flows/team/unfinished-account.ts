// An account that an invitation made, of somebody who left before they had a way to sign in. Its invitation works once more:
// otherwise there would be no way in for them.

import { type Invitation, isOpen } from '../../core/team/invitation.ts'
import { countWaysIn } from '../../core/team/sign-in.ts'
import type { User } from '../../core/team/user.ts'
import type { Queryable } from '../../store/db.ts'
import { getMember } from '../../store/team/members.ts'
import { getWays } from '../../store/team/sign-in-ways.ts'
import { findUserByEmail } from '../../store/team/users.ts'
import type { Clock } from '../context.ts'

// Whom the invitation made, if they cannot sign in yet and nothing has happened to their account since. Whoever made the invitation
// has its link too, so it opens nothing that it did not grant.
export async function userWithoutWayIn(
  { clock }: { readonly clock: Pick<Clock, 'wallClock'> },
  db: Queryable,
  { usedAt, revokedAt, expiresAt, email, organizationId, role }: Invitation,
): Promise<User | undefined> {
  if (usedAt === null || revokedAt !== null || clock.wallClock() >= expiresAt) return undefined
  const user = await findUserByEmail(db, email)
  if (user === undefined || user.createdAt !== usedAt || user.updatedAt !== usedAt) return undefined
  const [ways, member] = await Promise.all([
    getWays(db, user.userId),
    getMember(db, organizationId, user.userId),
  ])
  const canSignIn = ways === undefined || countWaysIn(ways) > 0
  return canSignIn || member?.role !== role ? undefined : user
}

// Whether its link opens something.
export async function isUsableInvitation(
  ctx: { readonly clock: Pick<Clock, 'wallClock'> },
  db: Queryable,
  invitation: Invitation,
): Promise<boolean> {
  return (
    isOpen(invitation, ctx.clock.wallClock()) || (await userWithoutWayIn(ctx, db, invitation)) !== undefined
  )
}
