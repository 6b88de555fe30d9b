// What shows that it is this person who decides. To approve: a passkey that has signed the digest, or a code of the authenticator
// app, each good for this once. To refuse, a session that was proved lately is enough, because nothing is sent by it.

import type { ApprovalDecision, Decision, SignedProof } from '../../core/approvals/approval.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { siteOf } from '../../core/team/site.ts'
import { originIn } from '../../core/team/webauthn.ts'
import { type Assertion, readAssertion } from '../../core/team/webauthn-response.ts'
import type { Queryable } from '../../store/db.ts'
import { getWays, lockUser } from '../../store/team/sign-in-ways.ts'
import type { Needs } from '../context.ts'
import { type Attempt, beginAttempt, forgive, giveBack } from '../team/attempts.ts'
import { useSignedPasskey } from '../team/challenges.ts'
import { useCode } from '../team/codes.ts'

export type GivenProof = {
  // The JSON of PublicKeyCredential.toJSON(), of an assertion whose challenge is the digest.
  readonly passkey?: unknown
  readonly code?: string
}

export type Proof =
  | { readonly kind: 'PASSKEY'; readonly assertion: Assertion }
  | { readonly kind: 'TOTP'; readonly code: string; readonly attempt: Attempt }
  | { readonly kind: 'SESSION' }

type Proved = Pick<ApprovalDecision, 'proof' | 'signed'>

const wrong = (detail: string): Refusal => refuse('APPROVAL_PROOF_WRONG', detail)

// Outside of any transaction: an attempt to guess a code is counted, however the rest ends.
export async function beginProof(
  ctx: Needs<'actor' | 'clock' | 'db'>,
  userId: string,
  { passkey, code = '' }: GivenProof,
): Promise<Proof | Refusal> {
  if (passkey !== undefined && passkey !== null) {
    const assertion = readAssertion(passkey)
    return assertion === undefined
      ? wrong('This is not the answer of a passkey.')
      : { kind: 'PASSKEY', assertion }
  }
  if (code === '') return { kind: 'SESSION' }
  const ways = await getWays(ctx.db, userId)
  if (ways === undefined) return wrong('Nobody signs in so.')
  const attempt = await beginAttempt(ctx, ways.email, { address: ctx.actor.address, browser: null })
  if ('problem' in attempt) {
    const waitMs = attempt.problem === 'LOCKED' ? attempt.retryAfterMs : 1_000
    return refuse('RATE_LIMITED', 'Too many wrong codes were typed.', {
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
    })
  }
  return { kind: 'TOTP', code, attempt }
}

// Uses the code or the passkey's signature up. Nothing was written if it is refused.
export async function provePerson(
  ctx: Needs<'clock' | 'settings'>,
  tx: Queryable,
  { userId, decision, digest }: { userId: string; decision: Decision; digest: Buffer },
  proof: Proof,
): Promise<Proved | Refusal> {
  if (proof.kind === 'PASSKEY') {
    const signed = await signedBy(ctx, tx, userId, digest, proof.assertion)
    return signed === undefined
      ? wrong('The passkey is not theirs, or has not signed this approval.')
      : { proof: 'PASSKEY', signed }
  }
  if (proof.kind === 'TOTP') {
    await lockUser(tx, userId)
    const ways = await getWays(tx, userId)
    const isCode = SIX_DIGITS.test(proof.code.replaceAll(/\s/g, ''))
    if (ways === undefined || !isCode || !(await useCode(ctx, tx, ways, proof.code)))
      return wrong('The code is wrong, was used before, or there is no authenticator app.')
    await forgive(tx, proof.attempt)
    return { proof: 'TOTP', signed: null }
  }
  return decision === 'REFUSED'
    ? { proof: 'SESSION', signed: null }
    : wrong('To approve takes a passkey, or a code of the authenticator app.')
}

// A recovery code lets somebody in, and approves nothing.
const SIX_DIGITS = /^\d{6}$/

// What was asked for something else is given back to the person's attempts.
export async function dropProof(db: Queryable, proof: Proof): Promise<void> {
  if (proof.kind === 'TOTP') await giveBack(db, proof.attempt)
}

async function signedBy(
  ctx: Needs<'clock' | 'settings'>,
  tx: Queryable,
  userId: string,
  digest: Buffer,
  assertion: Assertion,
): Promise<SignedProof | undefined> {
  const { clientDataJson, authenticatorData, signature } = assertion
  const site = siteOf(ctx.settings.publicUrl, originIn(clientDataJson) ?? '')
  if (site === undefined) return undefined
  const expected = { challenge: digest.toString('base64url'), ...site, userVerification: 'required' } as const
  const passkey = await useSignedPasskey(ctx, tx, assertion, expected, userId)
  if (passkey === undefined) return undefined
  const { credentialId, publicKey, algorithm } = passkey
  return { credentialId, publicKey, algorithm, clientData: clientDataJson, authenticatorData, signature }
}
