// Sessions: begun after a sign-in, found by their cookie at every request. They live by real time, which nobody moves: staging's
// clock may jump by days, and nobody is signed out by that.

import { hash } from 'node:crypto'
import { isUuid } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import {
  isSessionAlive,
  type Membership,
  SESSION_IDLE_MS,
  SESSION_LIFETIME_MS,
  type Session,
  type SignInMethod,
  type User,
} from '../../core/team/user.ts'
import type { Queryable } from '../../store/db.ts'
import {
  endSession,
  endSessions,
  findSession,
  insertSession,
  listSessions,
  markSeen,
} from '../../store/team/sessions.ts'
import type { Needs } from '../context.ts'
import { recordUserAct } from './record-user-act.ts'

const TOKEN_BYTES = 32
// A page may ask often. Being seen is written at most this often.
const SEEN_EVERY_MS = 60_000

export type SignedIn = {
  readonly session: Session
  readonly user: User
  readonly memberships: readonly Membership[]
}

// What the browser keeps, and what we do.
export type SignedInNow = { readonly token: string; readonly session: Session }

// Where the sign-in came from, for the list of sessions.
export type Origin = { readonly address: string | null; readonly browser: string | null }

export async function startSession(
  ctx: Needs<'actor' | 'clock' | 'ids'> & { readonly db: Queryable },
  userId: string,
  method: SignInMethod,
  { address, browser }: Origin,
): Promise<SignedInNow> {
  const now = ctx.clock.wallClock()
  const token = newToken(ctx)
  const session: Session = {
    sessionId: ctx.ids.next(),
    userId,
    method,
    createdAt: now,
    seenAt: now,
    expiresAt: now + SESSION_LIFETIME_MS,
    provedAt: now,
    address,
    browser: browser?.slice(0, 300) ?? null,
    endedAt: null,
  }
  await insertSession(ctx.db, tokenDigest(token), session)
  const begun = { act: 'user.signin', before: null, after: { method }, session } as const
  await recordUserAct(ctx, ctx.db, userId, begun)
  return { token, session }
}

// Undefined if the cookie is nobody's, or its session has ended. Roles are read every time: one that was taken away is gone at
// the next request. What a page asks for by itself, while nobody may sit before it, is no use of the session.
export async function signedInBy(
  ctx: Needs<'db' | 'clock'>,
  token: string,
  isUse = true,
): Promise<SignedIn | undefined> {
  const found = await findSession(ctx.db, tokenDigest(token))
  const now = ctx.clock.wallClock()
  if (found === undefined || !isSessionAlive(found.session, now)) return undefined
  if (isUse) await seenAgain(ctx, found.session, now)
  return found
}

async function seenAgain(ctx: Needs<'db'>, session: Session, now: Instant): Promise<void> {
  if (now - session.seenAt >= SEEN_EVERY_MS) await markSeen(ctx.db, session.sessionId, now)
}

// The person's own, newest first.
export function ownSessions(
  ctx: Needs<'db' | 'clock'>,
  { user }: { readonly user: Pick<User, 'userId'> },
): Promise<Session[]> {
  const now = ctx.clock.wallClock()
  return listSessions(ctx.db, user.userId, now, now - SESSION_IDLE_MS)
}

// One of the person's own, this one too. False if it is none of theirs, or over.
export async function endOwnSession(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  { user }: Pick<SignedIn, 'user'>,
  sessionId: string,
): Promise<boolean> {
  if (!isUuid(sessionId)) return false
  return ctx.db.inTransaction(async (tx) => {
    const isEnded = await endSession(tx, user.userId, sessionId, ctx.clock.wallClock())
    if (isEnded) await recordSignOut(ctx, tx, user.userId, 1)
    return isEnded
  })
}

// All but this one. How many there were.
export async function endOtherSessions(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  { user, session }: Pick<SignedIn, 'user' | 'session'>,
): Promise<number> {
  return ctx.db.inTransaction(async (tx) => {
    const ended = await endSessions(tx, user.userId, session.sessionId, ctx.clock.wallClock())
    if (ended > 0) await recordSignOut(ctx, tx, user.userId, ended)
    return ended
  })
}

function recordSignOut(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  userId: string,
  endedSessions: number,
): Promise<void> {
  return recordUserAct(ctx, tx, userId, { act: 'user.signout', before: null, after: { endedSessions } })
}

export function newToken(ctx: Needs<'ids'>): string {
  return ctx.ids.randomBytes(TOKEN_BYTES).toString('base64url')
}

export function tokenDigest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
