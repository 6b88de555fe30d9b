// Sessions of people. The browser's cookie is stored as a digest only.

import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import type { Role } from '../../core/team/role.ts'
import type { Membership, Session, User } from '../../core/team/user.ts'
import type { Queryable } from '../db.ts'
import { ORGANIZATION_COLUMNS, type OrganizationRow, toOrganization } from '../organizations/organizations.ts'

const SESSION_COLUMNS = `s.session_id as "sessionId", s.user_id as "userId", s.method, s.created_at as "createdAt",
  s.seen_at as "seenAt", s.expires_at as "expiresAt", s.proved_at as "provedAt", s.address, s.browser, s.ended_at as "endedAt"`

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

export type SessionWithMemberships = {
  readonly session: Session
  readonly user: User
  readonly memberships: readonly Membership[]
}

type SessionWithMembershipsRow = Session & {
  readonly userName: string
  readonly email: string
  readonly language: User['language']
  readonly singleKeys: boolean
  readonly userCreatedAt: Instant
  readonly userUpdatedAt: Instant
} & (
    | (OrganizationRow & { readonly role: Role })
    | { readonly [column in keyof OrganizationRow | 'role']: null }
  )

// The session with its person and the organizations that they belong to, in one statement: every page asks for them.
export async function findSession(
  db: Queryable,
  digest: Buffer,
): Promise<SessionWithMemberships | undefined> {
  const { rows } = await db.query<SessionWithMembershipsRow>({
    name: 'find-session',
    text: `select ${SESSION_COLUMNS}, u.name as "userName", u.email, u.language, u.single_keys as "singleKeys",
                  u.created_at as "userCreatedAt", u.updated_at as "userUpdatedAt", m.role, ${ORGANIZATION_COLUMNS}
             from sessions s
             join users u using (user_id)
             left join memberships m using (user_id)
             left join organizations o using (organization_id)
            where s.digest = $1
            order by o.name, o.organization_id`,
    values: [digest],
  })
  const [first] = rows
  if (first === undefined) return undefined
  return {
    session: sessionOf(first),
    user: {
      userId: first.userId,
      email: first.email,
      name: first.userName,
      language: first.language,
      singleKeys: first.singleKeys,
      createdAt: first.userCreatedAt,
      updatedAt: first.userUpdatedAt,
    },
    memberships: rows.flatMap((row) =>
      row.role === null ? [] : [{ role: row.role, organization: toOrganization(row) }],
    ),
  }
}

function sessionOf(row: Session): Session {
  const { sessionId, userId, method, createdAt, seenAt, expiresAt, provedAt, address, browser, endedAt } = row
  return { sessionId, userId, method, createdAt, seenAt, expiresAt, provedAt, address, browser, endedAt }
}

export type SessionRole = Session & { readonly role: Role }

// Each session with the role that its person has in an organization, in the order of what was asked for. Undefined where the person
// has none.
export async function rolesOfSessions(
  db: Queryable,
  asked: readonly { readonly sessionId: string; readonly organizationId: string }[],
): Promise<(SessionRole | undefined)[]> {
  const result = await db.query<SessionRole & { organizationId: string }>({
    name: 'roles-of-sessions',
    text: `select ${SESSION_COLUMNS}, m.role, m.organization_id as "organizationId"
             from sessions s
             join memberships m using (user_id)
            where (s.session_id, m.organization_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    values: [asked.map(({ sessionId }) => sessionId), asked.map(({ organizationId }) => organizationId)],
  })
  const found = new Map(result.rows.map((row) => [`${row.sessionId} ${row.organizationId}`, row]))
  return asked.map(({ sessionId, organizationId }) => found.get(`${sessionId} ${organizationId}`))
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
             from sessions s
            where s.user_id = $1 and s.ended_at is null and s.expires_at > $2 and s.seen_at > $3
            order by s.created_at desc, s.session_id desc
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
