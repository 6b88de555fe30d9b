// How many sessions of a database wait for a lock now, on whichever machine.

import type { Queryable } from '../src/store/db.ts'
import { citusUrl } from './citus.ts'

const WAITING = `select count(*)::integer as count
                   from pg_stat_activity
                  where datname = current_database() and wait_event_type = 'Lock'`

export async function waitingForLocks(db: Queryable): Promise<number> {
  const text =
    citusUrl() === undefined
      ? WAITING
      : `select sum(result::integer)::integer as count from run_command_on_all_nodes($$${WAITING}$$)`
  const { rows } = await db.query<{ count: number }>({ text })
  return rows[0]?.count ?? 0
}
