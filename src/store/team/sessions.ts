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
