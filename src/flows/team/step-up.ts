// Showing again that it is them, for what a stolen session must not do: money, credentials, and how the person signs in. By
// passkey, by a code of the authenticator app, or by the password of somebody who has no app.

import { canProve, type SignInProblem } from '../../core/team/sign-in.ts'
import type { Site } from '../../core/team/site.ts'
import { isProvedLately } from '../../core/team/user.ts'
import { readAssertion } from '../../core/team/webauthn-response.ts'
import { listPasskeys } from '../../store/team/passkeys.ts'
import { proveSession } from '../../store/team/sessions.ts'
import { getWays, lockUser } from '../../store/team/sign-in-ways.ts'
import type { Needs } from '../context.ts'
import { beginAttempt, forgive, giveBack } from './attempts.ts'
import { type Challenge, newChallenge, takeChallenge, useSignedPasskey } from './challenges.ts'
import { useCode } from './codes.ts'
import { checkPassword } from './passwords.ts'
import type { Origin, SignedIn } from './sessions.ts'

export type StepUpProblem = { readonly problem: 'STEP_UP' }

// Whoever has nothing to show yet need not: they came by a link. Whoever has only their company's sign-in shows that again.
export async function mustProve(ctx: Needs<'db' | 'clock'>, { session, user }: SignedIn): Promise<boolean> {
  if (isProvedLately(session, ctx.clock.wallClock())) return false
  const ways = await getWays(ctx.db, user.userId)
  return ways === undefined || canProve(ways) || ways.externalIdentities > 0
}

export type PasskeyQuestion = Challenge & {
  readonly allowCredentials: readonly { readonly type: 'public-key'; readonly id: string }[]
}

// The answer counts for this session alone.
export async function beginStepUp(
  ctx: Needs<'db' | 'clock' | 'ids'>,
  site: Site,
  { session, user }: SignedIn,
): Promise<PasskeyQuestion> {
  const [challenge, known] = await Promise.all([
    newChallenge(ctx, site, 'step-up', user.userId, session.sessionId),
    listPasskeys(ctx.db, user.userId),
  ])
  const allowCredentials = known.map(({ credentialId }) => ({
    type: 'public-key' as const,
    id: credentialId.toString('base64url'),
  }))
  return { ...challenge, allowCredentials }
}

export async function stepUpByPasskey(
  ctx: Needs<'db' | 'clock'>,
  site: Site,
  { session, user }: SignedIn,
  json: unknown,
): Promise<'proved' | SignInProblem> {
  const assertion = readAssertion(json)
  if (assertion === undefined) return { problem: 'WRONG' }
  const { clientDataJson } = assertion
  const expected = await takeChallenge(ctx, site, clientDataJson, 'step-up', user.userId, session.sessionId)
  if (expected === undefined) return { problem: 'EXPIRED' }
  return ctx.db.inTransaction(async (tx) => {
    const passkey = await useSignedPasskey(ctx, tx, assertion, expected, user.userId)
    if (passkey === undefined) return { problem: 'WRONG' }
    await proveSession(tx, session.sessionId, ctx.clock.wallClock())
    return 'proved'
  })
}

// `typed` is a code, or the password of somebody who has no app.
export async function stepUpByTyping(
  ctx: Needs<'db' | 'clock' | 'settings'>,
  { session, user }: SignedIn,
  typed: string,
  origin: Origin,
): Promise<'proved' | SignInProblem> {
  const attempt = await beginAttempt(ctx, user.email, origin)
  if ('problem' in attempt) return attempt
  const ways = await getWays(ctx.db, user.userId)
  const byPassword = ways?.totpEnabledAt === null
  const isRight = byPassword && (await checkPassword(typed, ways.passwordHash))
  if (isRight === 'busy') {
    await giveBack(ctx.db, attempt)
    return { problem: 'BUSY' }
  }
  return ctx.db.inTransaction(async (tx) => {
    await lockUser(tx, user.userId)
    const current = await getWays(tx, user.userId)
    if (current === undefined) return { problem: 'WRONG' }
    const isProved =
      current.totpEnabledAt === null
        ? isRight && current.passwordHash === ways?.passwordHash
        : await useCode(ctx, tx, current, typed)
    if (!isProved) return { problem: 'WRONG' }
    await forgive(tx, attempt)
    await proveSession(tx, session.sessionId, ctx.clock.wallClock())
    return 'proved'
  })
}
