// Challenges for passkeys: random, kept for five minutes, each answered once. Whoever answers a challenge uses it up, rightly or
// wrongly.

import {
  CHALLENGE_BYTES,
  CHALLENGE_LIFETIME_MS,
  type Passkey,
  userHandleOf,
} from '../../core/team/passkey.ts'
import type { TokenPurpose } from '../../core/team/sign-in.ts'
import type { Site } from '../../core/team/site.ts'
import { challengeIn, type Expected, verifyAssertion } from '../../core/team/webauthn.ts'
import type { Assertion } from '../../core/team/webauthn-response.ts'
import type { Queryable } from '../../store/db.ts'
import { findPasskey, usePasskey } from '../../store/team/passkeys.ts'
import { insertToken, takeToken } from '../../store/team/sign-in-tokens.ts'
import type { Needs } from '../context.ts'
import { tokenDigest } from './sessions.ts'

export type ChallengePurpose = Extract<TokenPurpose, 'passkey-registration' | 'passkey-sign-in' | 'step-up'>

// What every question to a passkey says.
export type Challenge = {
  readonly challenge: string
  readonly timeout: number
  readonly rpId: string
  readonly userVerification: 'required'
}

// `userId` may answer it, or anybody if it is null. `note` must be the same then.
export async function newChallenge(
  ctx: Needs<'db' | 'clock' | 'ids'>,
  { rpId }: Site,
  purpose: ChallengePurpose,
  userId: string | null,
  note: string | null = null,
): Promise<Challenge> {
  const challenge = ctx.ids.randomBytes(CHALLENGE_BYTES).toString('base64url')
  const expiresAt = ctx.clock.wallClock() + CHALLENGE_LIFETIME_MS
  await insertToken(ctx.db, tokenDigest(challenge), { purpose, userId, note, expiresAt })
  return { challenge, timeout: CHALLENGE_LIFETIME_MS, rpId, userVerification: 'required' }
}

// What the answer must match. Undefined if the challenge is none of ours, was answered, is too old, or is another person's.
export async function takeChallenge(
  ctx: Needs<'db' | 'clock'>,
  site: Site,
  clientDataJson: Buffer,
  purpose: ChallengePurpose,
  userId: string | null,
  note: string | null = null,
): Promise<Expected | undefined> {
  const challenge = challengeIn(clientDataJson)
  if (challenge === undefined) return undefined
  const taken = await takeToken(ctx.db, tokenDigest(challenge), purpose, ctx.clock.wallClock())
  if (taken === undefined || taken.userId !== userId || taken.note !== note) return undefined
  return { challenge, ...site, userVerification: 'required' }
}

// The passkey that signed, or undefined. `userId` must be its owner, if it is not null. Call it in the transaction that its
// signature is for.
export async function useSignedPasskey(
  ctx: Needs<'clock'>,
  tx: Queryable,
  assertion: Assertion,
  expected: Expected,
  userId: string | null,
): Promise<Passkey | undefined> {
  const passkey = await findPasskey(tx, assertion.credentialId)
  if (passkey === undefined || (userId !== null && passkey.userId !== userId)) return undefined
  const { userHandle } = assertion
  if (userHandle !== null && !userHandle.equals(userHandleOf(passkey.userId))) return undefined
  const verified = verifyAssertion(assertion, expected, passkey)
  if (typeof verified === 'string') return undefined
  const isUsed = await usePasskey(tx, passkey.credentialId, verified.signCount, ctx.clock.wallClock())
  return isUsed ? passkey : undefined
}
