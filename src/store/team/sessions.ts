// Sessions of people. The browser's cookie is stored as a digest only.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Session } from '../../core/team/user.ts'
import type { Queryable } from '../db.ts'

const SESSION_COLUMNS = `session_id as "sessionId", user_id as "userId", method, created_at as "createdAt", seen_at as "seenAt",
  expires_at as "expiresAt", proved_at as "provedAt", address, browser, ended_at as "endedAt"`

export async function insertSession(db: Queryable, digest: Buffer, session: Session): Promise<void> {
  await db.query({
    text: `insert into sessions (digest, session_id, user_id, method, created_at, seen_at, expires_at, proved_at, address, browser)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      digest,
      session.sessionId,
      session.userId,
      session.method,
      isoInstant(session.createdAt),
      isoInstant(session.seenAt),
      isoInstant(session.expiresAt),
      isoInstant(session.provedAt),
      session.address,
      session.browser,
    ],
  })
}

export async function findSession(db: Queryable, digest: Buffer): Promise<Session | undefined> {
  const result = await db.query<Session>({
    name: 'find-session',
    text: `select ${SESSION_COLUMNS} from sessions where digest = $1`,
    values: [digest],
  })
  return result.rows[0]
}

// Only forward, so that requests that overlap do not undo each other.
export async function markSeen(db: Queryable, sessionId: string, at: Instant): Promise<void> {
  await db.query({
    text: 'update sessions set seen_at = $2 where session_id = $1 and seen_at < $2',
    values: [sessionId, isoInstant(at)],
  })
}

// More than anybody has browsers.
const MAX_LISTED = 100

// Those that are alive, newest first.
export async function listSessions(
  db: Queryable,
  userId: string,
  now: Instant,
  seenAfter: Instant,
): Promise<Session[]> {
  const result = await db.query<Session>({
    text: `select ${SESSION_COLUMNS}
             from sessions
            where user_id = $1 and ended_at is null and expires_at > $2 and seen_at > $3
            order by created_at desc, session_id desc
            limit ${MAX_LISTED}`,
    values: [userId, isoInstant(now), isoInstant(seenAfter)],
  })
  return result.rows
}

// False if it is not this person's, or has ended.
export async function endSession(
  db: Queryable,
  userId: string,
  sessionId: string,
  at: Instant,
): Promise<boolean> {
  const result = await db.query({
    text: 'update sessions set ended_at = $3 where user_id = $1 and session_id = $2 and ended_at is null',
    values: [userId, sessionId, isoInstant(at)],
  })
  return result.rowCount === 1
}

// All of a person's but one, if it is named. How many there were.
export async function endSessions(
  db: Queryable,
  userId: string,
  exceptId: string | null,
  at: Instant,
): Promise<number> {
  const result = await db.query({
    text: `update sessions
              set ended_at = $3
            where user_id = $1 and session_id is distinct from $2 and ended_at is null and expires_at > $3`,
    values: [userId, exceptId, isoInstant(at)],
  })
  return result.rowCount ?? 0
}

// The person has shown again that it is them.
export async function proveSession(db: Queryable, sessionId: string, at: Instant): Promise<void> {
  await db.query({
    text: 'update sessions set proved_at = $2 where session_id = $1 and proved_at < $2',
    values: [sessionId, isoInstant(at)],
  })
}
