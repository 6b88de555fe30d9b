// How a migration takes the locks of its tables: so that nobody who pays waits behind it. A lock that stops others is asked for over and
// over, each time for a moment only. Whoever came meanwhile is let through before the next time.

import { setTimeout as delay } from 'node:timers/promises'
import { LOCK_NOT_AVAILABLE, type Queryable, sqlState } from './db.ts'
import { type Catalog, isStronger, locksOf, strongest } from './migration-locks.ts'

// All locks of one transaction together. With what the statements then do, which is a moment, others are stopped for less than 200 ms.
const STOPPING_WAIT_MS = 100
// Nobody who reads or writes rows waits behind a lock of this kind. PostgreSQL ends an automatic vacuum that is in its way after a
// second, which it would not for a lock that is given up earlier.
const QUIET_LOCK = 'SHARE UPDATE EXCLUSIVE'
const QUIET_WAIT_MS = 5_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 4_000
export const PATIENCE_MS = 120_000

const DEADLOCK_DETECTED = '40P01'

// Somebody does not let go of a table. The message is for the operator.
export class TablesInUse extends Error {
  override name = 'TablesInUse'
}

// Takes the locks of all statements, before the first of them runs. Fails with `lock not available` where that takes too long.
export async function lockTables(tx: Queryable, statements: readonly string[]): Promise<void> {
  const locks = await locksOnPresentTables(tx, statements)
  const quiet = locks.filter(({ mode }) => mode !== 'ROW EXCLUSIVE')
  if (quiet.length > 0) {
    await waitForLocks(tx, QUIET_WAIT_MS)
    await tx.query({ text: `lock table ${quiet.map(({ table }) => table).join(', ')} in ${QUIET_LOCK} mode` })
  }
  const endMs = performance.now() + STOPPING_WAIT_MS
  for (const { table, mode } of quiet.filter((one) => isStronger(one.mode, QUIET_LOCK))) {
    await waitForLocks(tx, Math.max(1, Math.ceil(endMs - performance.now())))
    await tx.query({ text: `lock table ${table} in ${mode} mode` })
  }
  // What is locked besides: rows.
  await waitForLocks(tx, STOPPING_WAIT_MS)
}

async function waitForLocks(tx: Queryable, waitMs: number): Promise<void> {
  await tx.query({ text: `set local lock_timeout = ${waitMs}` })
}

// Tries again for as long as others have locks that the statements need.
export async function patiently<Result>(
  db: Queryable,
  statements: readonly string[],
  patienceMs: number,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const endMs = performance.now() + patienceMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (![LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED].includes(sqlState(error) ?? '')) throw error
      if (performance.now() >= endMs)
        throw new TablesInUse(await describeHolders(db, statements), { cause: error })
    }
    await delay(pauseMs)
  }
}

async function describeHolders(db: Queryable, statements: readonly string[]): Promise<string> {
  const tables = (await locksOnPresentTables(db, statements)).map(({ table }) => table)
  const { rows } = await db.query<{ pid: number; tables: string; who: string; since: string }>({
    text: `select a.pid, string_agg(distinct c.relname, ', ') as tables,
                  concat_ws(', ', nullif(a.application_name, ''), a.usename, a.state) as who,
                  to_char(a.xact_start, 'HH24:MI:SS') as since
             from pg_locks l
             join pg_class c on c.oid = l.relation
             join pg_stat_activity a on a.pid = l.pid
            where l.granted and a.pid <> pg_backend_pid() and c.relname = any($1)
            group by a.pid, who, a.xact_start
            order by a.xact_start
            limit 3`,
    values: [tables],
  })
  const holders = rows.map(
    (row) => `process ${row.pid} (${row.who}) has ${row.tables} since ${row.since} UTC`,
  )
  return holders.length === 0 ? `others use ${tables.join(', ')} without a pause` : holders.join('; ')
}

async function locksOnPresentTables(db: Queryable, statements: readonly string[]) {
  const catalog = await readCatalog(db)
  const locks = strongest(statements.flatMap((statement) => locksOf(statement, catalog)))
  const { rows } = await db.query<{ table: string }>({
    text: `select relname as table
             from pg_class
            where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname = any($1)`,
    values: [locks.map(({ table }) => table)],
  })
  return locks.filter(({ table }) => rows.some((row) => row.table === table))
}

export async function readCatalog(db: Queryable): Promise<Catalog> {
  const indexes = await db.query<{ name: string; table: string }>({
    text: `select i.relname as name, t.relname as table
             from pg_index x
             join pg_class i on i.oid = x.indexrelid
             join pg_class t on t.oid = x.indrelid
            where t.relnamespace = current_schema()::regnamespace`,
  })
  const keys = await db.query<{ table: string; name: string; refersTo: string }>({
    text: `select t.relname as table, c.conname as name, r.relname as "refersTo"
             from pg_constraint c
             join pg_class t on t.oid = c.conrelid
             join pg_class r on r.oid = c.confrelid
            where c.contype = 'f' and t.relnamespace = current_schema()::regnamespace`,
  })
  return {
    tableOfIndex: Object.fromEntries(indexes.rows.map(({ name, table }) => [name, table])),
    foreignKeys: keys.rows,
  }
}
