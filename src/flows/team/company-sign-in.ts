// Signing in by the company's own accounts. Whoever is known there signs in here as the person that they were linked to; the first
// time they are linked to the account that has their verified e-mail address. Nobody gets an account by it: people are invited.
// Whoever invites has the link too, and may have used it in the other's name. So what an account was signed in with before is taken
// away when it is linked, unless whoever links it is signed in to it.

import {
  COMPANY_RETURN_PATH,
  COMPANY_SIGN_IN_MS,
  type CompanyIdentity,
  type CompanyQuestion,
} from '../../core/team/company-sign-in.ts'
import { accountEmail } from '../../core/team/email.ts'
import { consoleUrl } from '../../core/team/site.ts'
import type { Queryable } from '../../store/db.ts'
import { insertToken, takeToken } from '../../store/team/sign-in-tokens.ts'
import { findByIdentity, insertExternalIdentity } from '../../store/team/sign-in-ways.ts'
import { findUserByEmail } from '../../store/team/users.ts'
import type { Needs } from '../context.ts'
import { takeWaysIn } from './let-in.ts'
import { recordUserAct } from './record-user-act.ts'
import { openFor, sealFor } from './sealed-secrets.ts'
import { newToken, type Origin, type SignedInNow, startSession, tokenDigest } from './sessions.ts'

// NOT_SET_UP: the installation has none. UNKNOWN: nobody here has this identity, nor its verified e-mail address.
export type CompanyProblem = {
  readonly problem: 'NOT_SET_UP' | 'UNAVAILABLE' | 'EXPIRED' | 'WRONG' | 'UNKNOWN'
}

type CompanyContext = Needs<'actor' | 'db' | 'clock' | 'ids' | 'settings' | 'networks'>

// The browser goes to `url`, and keeps `state`: only the browser that began may finish.
export async function beginCompanySignIn(
  ctx: CompanyContext,
): Promise<{ readonly url: string; readonly state: string } | CompanyProblem> {
  const { companySignIn } = ctx.networks
  if (companySignIn === null) return { problem: 'NOT_SET_UP' }
  const state = newToken(ctx)
  const question = { redirectUri: returnAddress(ctx), state, nonce: newToken(ctx), verifier: newToken(ctx) }
  const begun = await companySignIn.begin(question)
  if (begun === 'unavailable') return { problem: 'UNAVAILABLE' }
  const remembered = JSON.stringify([question.nonce, question.verifier])
  const note = sealFor(ctx, Buffer.from(remembered), labelOf(state)).toString('base64')
  const expiresAt = ctx.clock.wallClock() + COMPANY_SIGN_IN_MS
  await insertToken(ctx.db, tokenDigest(state), { purpose: 'oidc', userId: null, note, expiresAt })
  return { url: begun.url, state }
}

// `keptState` is what the browser kept; `parameters` is what it came back with. `signedInAs`: whom else the browser is signed in as.
export async function finishCompanySignIn(
  ctx: CompanyContext,
  keptState: string,
  parameters: URLSearchParams,
  origin: Origin,
  signedInAs: string | null = null,
): Promise<SignedInNow | CompanyProblem> {
  const { companySignIn } = ctx.networks
  if (companySignIn === null) return { problem: 'NOT_SET_UP' }
  const question = await takeQuestion(ctx, keptState, parameters)
  if (question === undefined) return { problem: 'EXPIRED' }
  const identity = await companySignIn.finish(question, parameters)
  if (identity === 'unavailable') return { problem: 'UNAVAILABLE' }
  if (identity === 'refused') return { problem: 'WRONG' }
  return ctx.db.inTransaction(async (tx) => {
    const userId = await personOf(ctx, tx, identity, signedInAs)
    return userId === undefined
      ? { problem: 'UNKNOWN' }
      : startSession({ ...ctx, db: tx }, userId, 'oidc', origin)
  })
}

async function takeQuestion(
  ctx: CompanyContext,
  keptState: string,
  parameters: URLSearchParams,
): Promise<CompanyQuestion | undefined> {
  if (parameters.get('state') !== keptState) return undefined
  const taken = await takeToken(ctx.db, tokenDigest(keptState), 'oidc', ctx.clock.wallClock())
  if (taken?.note == null) return undefined
  const opened = openFor(ctx, Buffer.from(taken.note, 'base64'), labelOf(keptState))
  const [nonce, verifier] = JSON.parse(opened.toString()) as [string, string]
  return { redirectUri: returnAddress(ctx), state: keptState, nonce, verifier }
}

async function personOf(
  ctx: CompanyContext,
  tx: Queryable,
  { issuer, subject, verifiedEmail }: CompanyIdentity,
  signedInAs: string | null,
): Promise<string | undefined> {
  const known = await findByIdentity(tx, issuer, subject)
  if (known !== undefined) return known
  const email = verifiedEmail === null ? undefined : accountEmail(verifiedEmail)
  const user = email === undefined ? undefined : await findUserByEmail(tx, email)
  if (user === undefined) return undefined
  const identity = { issuer, subject, userId: user.userId, at: ctx.clock.wallClock() }
  // Somebody else may just have linked it.
  if (!(await insertExternalIdentity(tx, identity))) return findByIdentity(tx, issuer, subject)
  const { userId } = user
  // Their own: the same browser has shown both.
  const endedSessions = signedInAs === userId ? 0 : await takeWaysIn(tx, userId, identity.at)
  const after = { issuer, endedSessions }
  await recordUserAct(ctx, tx, userId, { act: 'user.company', before: null, after })
  return userId
}

function returnAddress({ settings }: Needs<'settings'>): string {
  return consoleUrl(settings.publicUrl) + COMPANY_RETURN_PATH
}

function labelOf(state: string): string {
  return `company sign-in ${tokenDigest(state).toString('hex')}`
}
