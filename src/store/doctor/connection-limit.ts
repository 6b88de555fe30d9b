// How many connections the server allows its users. A role or a database may have a lower limit of its own.

import type { Queryable } from '../db.ts'

export type ConnectionLimit = { max: number; reserved: number }

// Those reserved for superusers, and since PostgreSQL 16 for other chosen roles, are not ours to use.
export async function readConnectionLimit(db: Queryable): Promise<ConnectionLimit> {
  const { rows } = await db.query<{ max: number; reserved: number }>({
    text: `select current_setting('max_connections')::int as max,
                  current_setting('superuser_reserved_connections')::int
                    + coalesce(current_setting('reserved_connections', true), '0')::int as reserved`,
  })
  return rows[0] as ConnectionLimit
}
