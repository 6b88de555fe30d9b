// People who sign in, and the organizations that they belong to. Neither is found by organization first: a person signs in before
// choosing one.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Role } from '../../core/team/role.ts'
import type { Membership, User } from '../../core/team/user.ts'
import type { Queryable } from '../db.ts'
import { ORGANIZATION_COLUMNS, type OrganizationRow, toOrganization } from '../organizations/organizations.ts'

const USER_COLUMNS = `u.user_id as "userId", u.email, u.name, u.language, u.single_keys as "singleKeys",
  u.created_at as "createdAt", u.updated_at as "updatedAt"`

// False if the e-mail address has a user already.
export async function insertUser(db: Queryable, user: User): Promise<boolean> {
  const result = await db.query({
    text: `insert into users (user_id, email, name, language, single_keys, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7)
               on conflict (email) do nothing`,
    values: [
      user.userId,
      user.email,
      user.name,
      user.language,
      user.singleKeys,
      isoInstant(user.createdAt),
      isoInstant(user.updatedAt),
    ],
  })
  return result.rowCount === 1
}

export async function getUser(db: Queryable, userId: string): Promise<User | undefined> {
  const result = await db.query<User>({
    name: 'get-user',
    text: `select ${USER_COLUMNS} from users u where u.user_id = $1`,
    values: [userId],
  })
  return result.rows[0]
}

export async function findUserByEmail(db: Queryable, email: string): Promise<User | undefined> {
  const result = await db.query<User>({
    text: `select ${USER_COLUMNS} from users u where u.email = $1`,
    values: [email],
  })
  return result.rows[0]
}

// False if the person belongs to it already.
export async function insertMembership(
  db: Queryable,
  membership: { organizationId: string; userId: string; role: Role; at: Instant },
): Promise<boolean> {
  const { organizationId, userId, role, at } = membership
  const result = await db.query({
    text: `insert into memberships (organization_id, user_id, role, created_at, updated_at)
           values ($1, $2, $3, $4, $4)
               on conflict (organization_id, user_id) do nothing`,
    values: [organizationId, userId, role, isoInstant(at)],
  })
  return result.rowCount === 1
}

export async function membershipsOf(db: Queryable, userId: string): Promise<Membership[]> {
  const result = await db.query<OrganizationRow & { role: Role }>({
    name: 'memberships-of-user',
    text: `select m.role, ${ORGANIZATION_COLUMNS}
             from memberships m
             join organizations o using (organization_id)
            where m.user_id = $1
            order by o.name, o.organization_id`,
    values: [userId],
  })
  return result.rows.map(({ role, ...organization }) => ({
    role,
    organization: toOrganization(organization),
  }))
}

export type UserSettings = Pick<User, 'name' | 'language' | 'singleKeys'>

export async function updateUser(
  db: Queryable,
  userId: string,
  { name, language, singleKeys }: UserSettings,
  at: Instant,
): Promise<void> {
  await db.query({
    text: `update users set name = $2, language = $3, single_keys = $4, updated_at = $5 where user_id = $1`,
    values: [userId, name, language, singleKeys, isoInstant(at)],
  })
}

// All of them, with the organizations that they belong to. For an operator.
export async function listUsers(db: Queryable): Promise<(User & { roles: readonly string[] })[]> {
  const result = await db.query<User & { roles: string[] }>({
    text: `select ${USER_COLUMNS},
                  array(select o.name || ': ' || m.role
                          from memberships m
                          join organizations o using (organization_id)
                         where m.user_id = u.user_id
                         order by 1) as roles
             from users u
            order by u.email`,
  })
  return result.rows
}
