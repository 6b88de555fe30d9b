// What a person changes about themselves: how they are shown, their password, and their authenticator app.

import { isPrintable, NAME_MAX_LENGTH } from '../../core/contact.ts'
import { type PasswordProblem, passwordProblem } from '../../core/team/password.ts'
import { RECOVERY_RANDOM_BYTES, recoveryCodes, recoveryDigest } from '../../core/team/recovery-codes.ts'
import type { SignInProblem, SignInWays } from '../../core/team/sign-in.ts'
import { stepOfCode, TOTP_SECRET_BYTES, totpEnrollment } from '../../core/team/totp.ts'
import type { User } from '../../core/team/user.ts'
import { endSessions } from '../../store/team/sessions.ts'
import { deleteTokensOf } from '../../store/team/sign-in-tokens.ts'
import {
  clearTotp,
  enableTotp,
  getWays,
  lockUser,
  setPassword,
  setRecoveryDigests,
  setTotp,
  useTotpStep,
} from '../../store/team/sign-in-ways.ts'
import { getUser, type UserSettings, updateUser } from '../../store/team/users.ts'
import type { Needs } from '../context.ts'
import { beginAttempt, forgive, giveBack } from './attempts.ts'
import { checkPassword, newPasswordHash } from './passwords.ts'
import { recordUserAct } from './record-user-act.ts'
import { openFor, sealFor, totpLabel } from './sealed-secrets.ts'
import type { Origin, SignedIn } from './sessions.ts'
import { mustProve, type StepUpProblem } from './step-up.ts'

export type NameProblem = { readonly problem: 'NAME' }

export async function changeSettings(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  { user }: Pick<SignedIn, 'user'>,
  changes: Partial<UserSettings>,
): Promise<User | NameProblem> {
  if (changes.name !== undefined && !isPersonName(changes.name)) return { problem: 'NAME' }
  return ctx.db.inTransaction(async (tx) => {
    await lockUser(tx, user.userId)
    const current = (await getUser(tx, user.userId)) ?? user
    const changed = { ...current, ...changes, updatedAt: ctx.clock.wallClock() }
    if (changed.name !== current.name)
      await recordUserAct(ctx, tx, user.userId, { act: 'user.name', before: current, after: changed })
    await updateUser(tx, user.userId, changed, changed.updatedAt)
    return changed
  })
}

export function isPersonName(name: string): boolean {
  return name.trim() !== '' && name.length <= NAME_MAX_LENGTH && isPrintable(name)
}

export type NewPasswordProblem =
  | SignInProblem
  | StepUpProblem
  | { readonly problem: 'PASSWORD'; readonly reason: PasswordProblem }

// Whoever has a password must know it; whoever has none must have shown lately that it is them. Ends every other session, and
// whatever was begun elsewhere.
export async function changePassword(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  signedIn: SignedIn,
  { current, next }: { readonly current: string; readonly next: string },
  origin: Origin,
): Promise<'changed' | NewPasswordProblem> {
  const { user, session } = signedIn
  const reason = passwordProblem(next, user.email)
  if (reason !== undefined) return { problem: 'PASSWORD', reason }
  const ways = await getWays(ctx.db, user.userId)
  const known = ways?.passwordHash ?? null
  if (known === null && (await mustProve(ctx, signedIn))) return { problem: 'STEP_UP' }
  const attempt = await beginAttempt(ctx, user.email, origin)
  if ('problem' in attempt) return attempt
  const isRight = known === null || (await checkPassword(current, known))
  const hash = isRight === true ? await newPasswordHash(ctx, next) : isRight
  if (hash === 'busy') {
    await giveBack(ctx.db, attempt)
    return { problem: 'BUSY' }
  }
  if (hash === false) return { problem: 'WRONG' }
  return ctx.db.inTransaction(async (tx) => {
    await lockUser(tx, user.userId)
    // Changed while we compared.
    if ((await getWays(tx, user.userId))?.passwordHash !== known) return { problem: 'WRONG' }
    const now = ctx.clock.wallClock()
    await setPassword(tx, user.userId, hash, now)
    await endSessions(tx, user.userId, session.sessionId, now)
    await deleteTokensOf(tx, user.userId)
    await forgive(tx, attempt)
    const change = { before: { passwordHash: known }, after: { passwordHash: hash } }
    await recordUserAct(ctx, tx, user.userId, { act: 'user.password', ...change })
    return 'changed'
  })
}

export type AppProblem =
  | StepUpProblem
  | { readonly problem: 'WRONG' | 'NOT_BEGUN' | 'ENABLED' | 'NOT_ENABLED' }

// The app gets its secret, as an address for a QR code and as letters to type. It counts once it has shown a code.
export async function beginTotp(
  ctx: Needs<'db' | 'clock' | 'ids' | 'settings'>,
  signedIn: SignedIn,
): Promise<{ readonly uri: string; readonly typed: string } | AppProblem> {
  const { userId, email } = signedIn.user
  if (await mustProve(ctx, signedIn)) return { problem: 'STEP_UP' }
  const secret = ctx.ids.randomBytes(TOTP_SECRET_BYTES)
  return withWays(ctx, userId, async (tx, ways) => {
    if (ways.totpEnabledAt !== null) return { problem: 'ENABLED' }
    await setTotp(tx, userId, sealFor(ctx, secret, totpLabel(userId)), ctx.clock.wallClock())
    return totpEnrollment(secret, email)
  })
}

// The recovery codes are shown this once.
export async function finishTotp(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids' | 'settings'>,
  { user }: SignedIn,
  code: string,
): Promise<{ readonly recoveryCodes: readonly string[] } | AppProblem> {
  const { userId } = user
  const codes = recoveryCodes(ctx.ids.randomBytes(RECOVERY_RANDOM_BYTES))
  return withWays(ctx, userId, async (tx, { sealedTotp, totpEnabledAt, totpLastStep }) => {
    if (totpEnabledAt !== null) return { problem: 'ENABLED' }
    if (sealedTotp === null) return { problem: 'NOT_BEGUN' }
    const now = ctx.clock.wallClock()
    const step = stepOfCode(openFor(ctx, sealedTotp, totpLabel(userId)), code, now, totpLastStep)
    if (step === undefined) return { problem: 'WRONG' }
    await useTotpStep(tx, userId, step)
    await enableTotp(tx, userId, codes.map(recoveryDigest), now)
    const change = { before: { totpEnabledAt }, after: { totpEnabledAt: now, recoveryCodes: codes.length } }
    await recordUserAct(ctx, tx, userId, { act: 'user.app', ...change })
    return { recoveryCodes: codes }
  })
}

export async function disableTotp(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  signedIn: SignedIn,
): Promise<'disabled' | AppProblem> {
  const { userId } = signedIn.user
  if (await mustProve(ctx, signedIn)) return { problem: 'STEP_UP' }
  return withWays(ctx, userId, async (tx, { totpEnabledAt }) => {
    if (totpEnabledAt === null) return { problem: 'NOT_ENABLED' }
    await clearTotp(tx, userId, ctx.clock.wallClock())
    const change = { before: { totpEnabledAt }, after: { totpEnabledAt: null } }
    await recordUserAct(ctx, tx, userId, { act: 'user.app', ...change })
    return 'disabled'
  })
}

// Ten new ones. Those that were left work no more.
export async function renewRecoveryCodes(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  signedIn: SignedIn,
): Promise<{ readonly recoveryCodes: readonly string[] } | AppProblem> {
  const { userId } = signedIn.user
  if (await mustProve(ctx, signedIn)) return { problem: 'STEP_UP' }
  const codes = recoveryCodes(ctx.ids.randomBytes(RECOVERY_RANDOM_BYTES))
  return withWays(ctx, userId, async (tx, { totpEnabledAt }) => {
    if (totpEnabledAt === null) return { problem: 'NOT_ENABLED' }
    await setRecoveryDigests(tx, userId, codes.map(recoveryDigest), ctx.clock.wallClock())
    const after = { recoveryCodes: codes.length }
    await recordUserAct(ctx, tx, userId, { act: 'user.codes', before: null, after })
    return { recoveryCodes: codes }
  })
}

// Under the lock of the person's row.
function withWays<Result>(
  ctx: Needs<'db'>,
  userId: string,
  work: (tx: Parameters<typeof getWays>[0], ways: SignInWays) => Promise<Result>,
): Promise<Result> {
  return ctx.db.inTransaction(async (tx) => {
    await lockUser(tx, userId)
    const ways = await getWays(tx, userId)
    if (ways === undefined) throw new Error('somebody is signed in who does not exist')
    return work(tx, ways)
  })
}
