// What an operator does for people: makes the demo's owner, and lets somebody in again who lost what they sign in with.

import type { Instant } from '../../core/instant.ts'
import { accountEmail } from '../../core/team/email.ts'
import { SIGN_IN_LINK_MS } from '../../core/team/sign-in.ts'
import type { User } from '../../core/team/user.ts'
import type { Queryable } from '../../store/db.ts'
import { deletePasskeys } from '../../store/team/passkeys.ts'
import { endSessions } from '../../store/team/sessions.ts'
import { deleteTokensOf } from '../../store/team/sign-in-tokens.ts'
import { clearTotp, deleteExternalIdentities, lockUser, setPassword } from '../../store/team/sign-in-ways.ts'
import { findUserByEmail, insertMembership, insertUser } from '../../store/team/users.ts'
import type { Needs } from '../context.ts'
import { unlockAccount } from './attempts.ts'
import { recordUserAct } from './record-user-act.ts'
import { createSignInLink, type SignInLink } from './sign-in-links.ts'

// The person with this e-mail address, made if there is none, as an owner of the organization.
export async function ensureOwner(
  ctx: Needs<'db' | 'clock' | 'ids'>,
  organizationId: string,
  { email, name }: Pick<User, 'email' | 'name'>,
): Promise<User> {
  return ctx.db.inTransaction(async (tx) => {
    const now = ctx.clock.wallClock()
    const times = { createdAt: now, updatedAt: now }
    await insertUser(tx, { userId: ctx.ids.next(), email, name, language: 'es', singleKeys: true, ...times })
    const user = await findUserByEmail(tx, email)
    if (user === undefined) throw new Error('a user who was just made is not there')
    await insertMembership(tx, { organizationId, userId: user.userId, role: 'owner', at: now })
    return user
  })
}

// Everything that the person signs in with is taken away, their sessions end, and a link lets them in once to begin anew.
export async function resetUser(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids' | 'settings'>,
  { userId, email }: User,
): Promise<SignInLink> {
  return ctx.db.inTransaction(async (tx) => {
    const now = ctx.clock.wallClock()
    const endedSessions = await takeWaysIn(tx, userId, now)
    await deleteExternalIdentities(tx, userId)
    await unlockAccount(tx, email)
    const link = await createSignInLink({ ...ctx, db: tx }, userId, SIGN_IN_LINK_MS)
    const after = { endedSessions, expiresAt: link.expiresAt }
    await recordUserAct(ctx, tx, userId, { act: 'user.reset', before: null, after })
    return link
  })
}

// All that we know the person by, and whatever was begun with it. How many sessions ended.
export async function takeWaysIn(tx: Queryable, userId: string, now: Instant): Promise<number> {
  await lockUser(tx, userId)
  await setPassword(tx, userId, null, now)
  await clearTotp(tx, userId, now)
  await deletePasskeys(tx, userId)
  await deleteTokensOf(tx, userId)
  return endSessions(tx, userId, null, now)
}

// Lets somebody in once, with what they have.
export async function letInOnce(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids' | 'settings'>,
  { userId }: User,
): Promise<SignInLink> {
  return ctx.db.inTransaction(async (tx) => {
    const link = await createSignInLink({ ...ctx, db: tx }, userId, SIGN_IN_LINK_MS)
    const after = { expiresAt: link.expiresAt }
    await recordUserAct(ctx, tx, userId, { act: 'user.signinlink', before: null, after })
    return link
  })
}

export async function userNamed(ctx: Needs<'db'>, typed: string): Promise<User | undefined> {
  const email = accountEmail(typed)
  return email === undefined ? undefined : findUserByEmail(ctx.db, email)
}
