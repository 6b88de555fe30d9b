// Passkeys: making them, signing in with them, and keeping them in order. Passkeys are found by themselves: nobody types who they
// are, so nobody learns who exists.

import { isPrintable } from '../../core/contact.ts'
import { MAX_PASSKEYS, PASSKEY_NAME_MAX_LENGTH, type Passkey, userHandleOf } from '../../core/team/passkey.ts'
import { countWaysIn, type SignInProblem } from '../../core/team/sign-in.ts'
import type { Site } from '../../core/team/site.ts'
import { ALGORITHMS, verifyRegistration } from '../../core/team/webauthn.ts'
import { readAssertion, readRegistration } from '../../core/team/webauthn-response.ts'
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  renamePasskey,
} from '../../store/team/passkeys.ts'
import { getWays, lockUser } from '../../store/team/sign-in-ways.ts'
import type { Needs } from '../context.ts'
import { type Challenge, newChallenge, takeChallenge, useSignedPasskey } from './challenges.ts'
import { noteFailedSignIn } from './failed-sign-ins.ts'
import { recordUserAct } from './record-user-act.ts'
import { type Origin, type SignedIn, type SignedInNow, startSession } from './sessions.ts'
import { mustProve, type StepUpProblem } from './step-up.ts'

// For navigator.credentials.get(), as PublicKeyCredential.parseRequestOptionsFromJSON() reads it. The browser shows the passkeys
// that it has for us.
export function beginPasskeySignIn(ctx: Needs<'db' | 'clock' | 'ids'>, site: Site): Promise<Challenge> {
  return newChallenge(ctx, site, 'passkey-sign-in', null)
}

export async function finishPasskeySignIn(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  site: Site,
  json: unknown,
  origin: Origin,
): Promise<SignedInNow | SignInProblem> {
  const assertion = readAssertion(json)
  if (assertion === undefined) return { problem: 'WRONG' }
  const expected = await takeChallenge(ctx, site, assertion.clientDataJson, 'passkey-sign-in', null)
  if (expected === undefined) return { problem: 'EXPIRED' }
  const finished = await ctx.db.inTransaction(async (tx): Promise<SignedInNow | SignInProblem> => {
    const passkey = await useSignedPasskey(ctx, tx, assertion, expected, null)
    if (passkey === undefined) return { problem: 'WRONG' }
    return startSession({ ...ctx, db: tx }, passkey.userId, 'passkey', origin)
  })
  if ('problem' in finished) noteWrongPasskey(ctx, assertion.credentialId, origin)
  return finished
}

// Of a passkey that we do not know nobody knows whose it would be.
function noteWrongPasskey(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  credentialId: Buffer,
  origin: Origin,
): void {
  findPasskey(ctx.db, credentialId).then(
    (known) =>
      known && noteFailedSignIn(ctx, { userId: known.userId, method: 'passkey', origin, attempt: null }),
    () => {},
  )
}

// For navigator.credentials.create(), as PublicKeyCredential.parseCreationOptionsFromJSON() reads it.
export type PasskeyCreation = {
  readonly challenge: string
  readonly timeout: number
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[]
  readonly excludeCredentials: readonly { readonly type: 'public-key'; readonly id: string }[]
  readonly authenticatorSelection: {
    readonly residentKey: 'required'
    readonly userVerification: 'required'
  }
  readonly attestation: 'none'
}

export type PasskeyProblem = StepUpProblem | { readonly problem: 'EXPIRED' | 'WRONG' | 'TOO_MANY' | 'KNOWN' }

export async function beginPasskeyRegistration(
  ctx: Needs<'db' | 'clock' | 'ids'>,
  site: Site,
  signedIn: SignedIn,
): Promise<PasskeyCreation | PasskeyProblem> {
  const { userId, email, name } = signedIn.user
  if (await mustProve(ctx, signedIn)) return { problem: 'STEP_UP' }
  const known = await listPasskeys(ctx.db, userId)
  if (known.length >= MAX_PASSKEYS) return { problem: 'TOO_MANY' }
  const { challenge, timeout, rpId } = await newChallenge(
    ctx,
    site,
    'passkey-registration',
    userId,
    signedIn.session.sessionId,
  )
  return {
    challenge,
    timeout,
    rp: { id: rpId, name: 'Recaudo' },
    user: { id: userHandleOf(userId).toString('base64url'), name: email, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known.map(({ credentialId }) => ({
      type: 'public-key',
      id: credentialId.toString('base64url'),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  }
}

export async function finishPasskeyRegistration(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  site: Site,
  { user, session }: SignedIn,
  json: unknown,
  name: string,
): Promise<Passkey | PasskeyProblem> {
  const registration = readRegistration(json)
  if (registration === undefined) return { problem: 'WRONG' }
  const { userId } = user
  const { clientDataJson } = registration
  const expected = await takeChallenge(
    ctx,
    site,
    clientDataJson,
    'passkey-registration',
    userId,
    session.sessionId,
  )
  if (expected === undefined) return { problem: 'EXPIRED' }
  const made = verifyRegistration(registration, expected)
  if (typeof made === 'string') return { problem: 'WRONG' }
  const createdAt = ctx.clock.wallClock()
  const passkey = { ...made, userId, name: passkeyName(name), createdAt, lastUsedAt: null }
  return ctx.db.inTransaction(async (tx) => {
    await lockUser(tx, userId)
    if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS) return { problem: 'TOO_MANY' }
    if (!(await insertPasskey(tx, passkey))) return { problem: 'KNOWN' }
    const after = { passkey: passkey.name }
    await recordUserAct(ctx, tx, userId, { act: 'user.passkey', before: null, after })
    return passkey
  })
}

export function ownPasskeys(ctx: Needs<'db'>, { user }: Pick<SignedIn, 'user'>): Promise<Passkey[]> {
  return listPasskeys(ctx.db, user.userId)
}

// False if it is none of theirs.
export async function renameOwnPasskey(
  ctx: Needs<'db'>,
  { user }: Pick<SignedIn, 'user'>,
  credentialId: string,
  name: string,
): Promise<boolean> {
  const id = Buffer.from(credentialId, 'base64url')
  return ctx.db.inTransaction((tx) => renamePasskey(tx, user.userId, id, passkeyName(name)))
}

// Never the last way in.
export async function deleteOwnPasskey(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  signedIn: SignedIn,
  credentialId: string,
): Promise<'deleted' | StepUpProblem | { readonly problem: 'LAST_WAY_IN' | 'NOT_FOUND' }> {
  if (await mustProve(ctx, signedIn)) return { problem: 'STEP_UP' }
  const { userId } = signedIn.user
  const id = Buffer.from(credentialId, 'base64url')
  return ctx.db.inTransaction(async (tx) => {
    await lockUser(tx, userId)
    const known = await listPasskeys(tx, userId)
    const deleted = known.find((one) => one.credentialId.equals(id))
    if (deleted === undefined) return { problem: 'NOT_FOUND' }
    const ways = await getWays(tx, userId)
    if (ways === undefined || countWaysIn(ways) <= 1) return { problem: 'LAST_WAY_IN' }
    await deletePasskey(tx, userId, id)
    const before = { passkey: deleted.name }
    await recordUserAct(ctx, tx, userId, { act: 'user.passkey', before, after: null })
    return 'deleted'
  })
}

// People call it what they like. What cannot be shown has no name.
function passkeyName(typed: string): string {
  const name = typed.trim().slice(0, PASSKEY_NAME_MAX_LENGTH)
  return name !== '' && isPrintable(name) ? name : 'Passkey'
}
