// Attempts to sign in by something that can be guessed. Each is counted for its account and its network address before it is
// checked; those that were right are given back. Nothing here tells whether an account exists.

import type { Instant } from '../../core/instant.ts'
import { isThisMachine, plainAddress } from '../../core/network-address.ts'
import { accountEmail } from '../../core/team/email.ts'
import { accountSubject, addressSubject, LOCK_AFTER, LOCK_MS, LOCK_WINDOW_MS } from '../../core/team/lock.ts'
import type { SignInProblem } from '../../core/team/sign-in.ts'
import type { Queryable } from '../../store/db.ts'
import {
  countAttempt,
  forgetAttempts,
  giveBackAttempt,
  lockedUntil,
} from '../../store/team/sign-in-failures.ts'
import type { Needs } from '../context.ts'
import type { Origin } from './sessions.ts'

export type Attempt = { readonly account: Buffer; readonly address: Buffer | null }

const RULE = { after: LOCK_AFTER, windowMs: LOCK_WINDOW_MS, lockMs: LOCK_MS }

export async function beginAttempt(
  ctx: Needs<'db' | 'clock'>,
  email: string,
  origin: Origin,
): Promise<Attempt | SignInProblem> {
  const attempt = attemptOf(email, origin)
  const now = ctx.clock.wallClock()
  // A locked address costs no account an attempt, and a locked account no address.
  if (attempt.address !== null && !(await countAttempt(ctx.db, attempt.address, now, RULE)))
    return locked(ctx.db, attempt.address, now)
  if (await countAttempt(ctx.db, attempt.account, now, RULE)) return attempt
  if (attempt.address !== null) await giveBackAttempt(ctx.db, attempt.address)
  return locked(ctx.db, attempt.account, now)
}

// For as long as it still is. A lock that was lifted between two looks lets the next attempt in.
async function locked(db: Queryable, subject: Buffer, now: Instant): Promise<SignInProblem> {
  const until = (await lockedUntil(db, subject)) ?? now
  return { problem: 'LOCKED', retryAfterMs: Math.max(1_000, until - now) }
}

function attemptOf(email: string, { address }: Origin): Attempt {
  const known = address === null ? null : plainAddress(address)
  // Behind a proxy on this machine that names nobody, everybody would share it.
  const network = known === null || isThisMachine(known) ? null : known
  return {
    // What is no address at all is counted as it was typed.
    account: accountSubject(accountEmail(email) ?? email.slice(0, 400)),
    address: network === null ? null : addressSubject(network),
  }
}

// It was right, and there is another step; or it was not looked at.
export async function giveBack(db: Queryable, { account, address }: Attempt): Promise<void> {
  if (address !== null) await giveBackAttempt(db, address)
  await giveBackAttempt(db, account)
}

// The person has shown all that was asked. The address keeps what others failed: somebody with an account of their own must not
// guess at others' for ever.
export async function forgive(db: Queryable, { account, address }: Attempt): Promise<void> {
  if (address !== null) await giveBackAttempt(db, address)
  await forgetAttempts(db, account)
}

export async function unlockAccount(db: Queryable, email: string): Promise<void> {
  await forgetAttempts(db, accountSubject(email))
}
