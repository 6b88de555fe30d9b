// Links that sign somebody in once, without a password: for the demo owner at every start in staging, and for whoever an operator
// lets in again. Looking at a link does not use it up: mail programs look at links, too.

import type { Instant } from '../../core/instant.ts'
import type { SignInProblem } from '../../core/team/sign-in.ts'
import { signInLink } from '../../core/team/site.ts'
import type { User } from '../../core/team/user.ts'
import type { Queryable } from '../../store/db.ts'
import { findToken, insertToken, takeToken } from '../../store/team/sign-in-tokens.ts'
import { getUser } from '../../store/team/users.ts'
import type { Needs } from '../context.ts'
import { newToken, type Origin, type SignedInNow, startSession, tokenDigest } from './sessions.ts'

export type SignInLink = { readonly url: string; readonly expiresAt: Instant }

export async function createSignInLink(
  ctx: Needs<'clock' | 'ids' | 'settings'> & { readonly db: Queryable },
  userId: string,
  lifetimeMs: number,
): Promise<SignInLink> {
  const token = newToken(ctx)
  const expiresAt = ctx.clock.wallClock() + lifetimeMs
  await insertToken(ctx.db, tokenDigest(token), { purpose: 'sign-in-link', userId, note: null, expiresAt })
  return { url: signInLink(ctx.settings.publicUrl, token), expiresAt }
}

// Whom it would sign in. Undefined if it is none, was used, or is too old.
export async function ownerOfLink(ctx: Needs<'db' | 'clock'>, token: string): Promise<User | undefined> {
  const found = await findToken(ctx.db, tokenDigest(token), 'sign-in-link', ctx.clock.wallClock())
  return found?.userId == null ? undefined : getUser(ctx.db, found.userId)
}

export async function signInByLink(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  token: string,
  origin: Origin,
): Promise<SignedInNow | SignInProblem> {
  return ctx.db.inTransaction(async (tx) => {
    const taken = await takeToken(tx, tokenDigest(token), 'sign-in-link', ctx.clock.wallClock())
    if (taken?.userId == null) return { problem: 'EXPIRED' }
    return startSession({ ...ctx, db: tx }, taken.userId, 'link', origin)
  })
}
