// The members of an organization and their roles. A role is written under the lock of the organization, so that the last owner stays.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Role } from '../../core/team/role.ts'
import type { Member } from '../../core/team/user.ts'
import type { Queryable } from '../db.ts'

const MEMBER_COLUMNS = `u.user_id as "userId", u.email, u.name, m.role, u.password_hash is not null as "hasPassword",
  u.totp_enabled_at is not null as "hasTotp",
  (select count(*)::integer from passkeys p where p.user_id = u.user_id) as passkeys,
  (select max(s.seen_at) from sessions s where s.user_id = u.user_id) as "lastSeenAt",
  m.created_at as "createdAt", m.updated_at as "updatedAt"`

// Those who came first are first.
export async function listMembers(db: Queryable, organizationId: string): Promise<Member[]> {
  const result = await db.query<Member>({
    text: `select ${MEMBER_COLUMNS}
             from memberships m
             join users u using (user_id)
            where m.organization_id = $1
            order by m.created_at, u.user_id`,
    values: [organizationId],
  })
  return result.rows
}

export async function getMember(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<Member | undefined> {
  const result = await db.query<Member>({
    text: `select ${MEMBER_COLUMNS}
             from memberships m
             join users u using (user_id)
            where m.organization_id = $1 and m.user_id = $2`,
    values: [organizationId, userId],
  })
  return result.rows[0]
}

// Of those who are members.
export async function rolesOf(
  db: Queryable,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, Role>> {
  const result = await db.query<{ user_id: string; role: Role }>({
    name: 'roles-of-members',
    text: 'select user_id, role from memberships where organization_id = $1 and user_id = any($2::uuid[])',
    values: [organizationId, userIds],
  })
  return new Map(result.rows.map(({ user_id, role }) => [user_id, role]))
}

export async function updateRole(
  db: Queryable,
  organizationId: string,
  userId: string,
  role: Role,
  at: Instant,
): Promise<void> {
  await db.query({
    text: `update memberships set role = $3, updated_at = $4 where organization_id = $1 and user_id = $2`,
    values: [organizationId, userId, role, isoInstant(at)],
  })
}

export async function deleteMembership(db: Queryable, organizationId: string, userId: string): Promise<void> {
  await db.query({
    text: 'delete from memberships where organization_id = $1 and user_id = $2',
    values: [organizationId, userId],
  })
}

export async function countOwners(db: Queryable, organizationId: string): Promise<number> {
  const result = await db.query<{ owners: number }>({
    text: `select count(*)::integer as owners from memberships where organization_id = $1 and role = 'owner'`,
    values: [organizationId],
  })
  return result.rows[0]?.owners ?? 0
}
