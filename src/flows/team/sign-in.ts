// Signing in by password, and by a code of the authenticator app where the person has one. An unknown account, one without a
// password and a wrong password take the same work and get the same answer.

import { accountEmail } from '../../core/team/email.ts'
import { SECOND_STEP_MS, type SignInProblem } from '../../core/team/sign-in.ts'
import { findToken, insertToken, takeToken } from '../../store/team/sign-in-tokens.ts'
import { findWaysByEmail, getWays, lockUser } from '../../store/team/sign-in-ways.ts'
import type { Needs } from '../context.ts'
import { beginAttempt, forgive, giveBack } from './attempts.ts'
import { useCode } from './codes.ts'
import { noteFailedSignIn } from './failed-sign-ins.ts'
import { checkPassword } from './passwords.ts'
import { newToken, type Origin, type SignedInNow, startSession, tokenDigest } from './sessions.ts'

// Goes with the code to `finishSignIn`.
export type SecondStep = { readonly secondStep: string }

export async function signInWithPassword(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  { email, password }: { readonly email: string; readonly password: string },
  origin: Origin,
): Promise<SignedInNow | SecondStep | SignInProblem> {
  const attempt = await beginAttempt(ctx, email, origin)
  if ('problem' in attempt) return attempt
  const account = accountEmail(email)
  const ways = await findWaysByEmail(ctx.db, account ?? '')
  const isRight = await checkPassword(password, ways?.passwordHash ?? null)
  if (isRight === 'busy') {
    await giveBack(ctx.db, attempt)
    return { problem: 'BUSY' }
  }
  if (ways === undefined) return { problem: 'WRONG' }
  if (!isRight) {
    noteFailedSignIn(ctx, { userId: ways.userId, method: 'password', origin, attempt })
    return { problem: 'WRONG' }
  }
  return ctx.db.inTransaction(async (tx) => {
    await lockUser(tx, ways.userId)
    const current = await getWays(tx, ways.userId)
    // Changed while we compared.
    if (current?.passwordHash !== ways.passwordHash) return { problem: 'WRONG' }
    if (current?.totpEnabledAt === null) {
      await forgive(tx, attempt)
      return startSession({ ...ctx, db: tx }, ways.userId, 'password', origin)
    }
    // Whoever knows the password alone may not guess codes for ever: what failed before stays counted.
    await giveBack(tx, attempt)
    const token = newToken(ctx)
    const expiresAt = ctx.clock.wallClock() + SECOND_STEP_MS
    const step = { purpose: 'second-step', userId: ways.userId, note: null, expiresAt } as const
    await insertToken(tx, tokenDigest(token), step)
    return { secondStep: token }
  })
}

// `code` is one of the app, or a recovery code. A wrong one may be typed again, until the account is locked.
export async function finishSignIn(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids' | 'settings'>,
  { secondStep, code }: { readonly secondStep: string; readonly code: string },
  origin: Origin,
): Promise<SignedInNow | SignInProblem> {
  const digest = tokenDigest(secondStep)
  const find = (db: Parameters<typeof findToken>[0]) =>
    findToken(db, digest, 'second-step', ctx.clock.wallClock())
  const { userId } = (await find(ctx.db)) ?? {}
  const ways = userId == null ? undefined : await getWays(ctx.db, userId)
  if (ways === undefined) return { problem: 'EXPIRED' }
  const attempt = await beginAttempt(ctx, ways.email, origin)
  if ('problem' in attempt) return attempt
  const finished = await ctx.db.inTransaction(async (tx): Promise<SignedInNow | SignInProblem> => {
    await lockUser(tx, ways.userId)
    const current = await getWays(tx, ways.userId)
    if (current === undefined || (await find(tx)) === undefined) {
      await giveBack(tx, attempt)
      return { problem: 'EXPIRED' }
    }
    if (!(await useCode(ctx, tx, current, code))) return { problem: 'WRONG' }
    await takeToken(tx, digest, 'second-step', ctx.clock.wallClock())
    await forgive(tx, attempt)
    return startSession({ ...ctx, db: tx }, ways.userId, 'password', origin)
  })
  if ('problem' in finished && finished.problem === 'WRONG')
    noteFailedSignIn(ctx, { userId: ways.userId, method: 'code', origin, attempt })
  return finished
}
