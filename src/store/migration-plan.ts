// What `recaudo migrate` would do now: the migrations that are missing, statement by statement, with the locks that each takes on
// tables that are there already. Reads the catalog, and locks nothing.

import type { Queryable } from './db.ts'
import {
  appliedMigrations,
  assertKnown,
  hasSchema,
  type Migration,
  readMigrations,
  statementsOf,
} from './migrate.ts'
import { type Catalog, locksOf, type TableLock } from './migration-locks.ts'

export type PlannedStatement = {
  readonly migration: string
  readonly statement: string
  // Null if PostgreSQL has not counted the table's rows yet.
  readonly locks: readonly (TableLock & { readonly rows: number | null })[]
}

// Throws SchemaMismatch where `migrate` would.
export async function planMigrations(
  db: Queryable,
  migrations: Migration[] = readMigrations(),
): Promise<PlannedStatement[]> {
  const applied = (await hasSchema(db)) ? await appliedMigrations(db) : []
  assertKnown(applied, migrations)
  const missing = migrations.filter(({ version }) => !applied.some((row) => row.version === version))
  if (missing.length === 0) return []
  const rowsOf = await countedRows(db)
  const catalog = await readCatalog(db)
  return missing.flatMap((migration) =>
    statementsOf(migration.sql).map((sql) => ({
      migration: `${String(migration.version).padStart(4, '0')}_${migration.name}`,
      statement: sql.replaceAll(/\s+/g, ' ').trim(),
      locks: locksOf(sql, catalog).flatMap((lock) => {
        const rows = rowsOf.get(lock.table)
        return rows === undefined ? [] : [{ ...lock, rows }]
      }),
    })),
  )
}

// Tables that are there, with about how many rows they had when PostgreSQL last looked.
async function countedRows(db: Queryable): Promise<Map<string, number | null>> {
  const { rows } = await db.query<{ table: string; rows: number | null }>({
    text: `select c.relname as table,
                  nullif(coalesce(sum(p.reltuples) filter (where p.reltuples >= 0), c.reltuples), -1)::float8 as rows
             from pg_class c
             left join pg_inherits i on i.inhparent = c.oid
             left join pg_class p on p.oid = i.inhrelid
            where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
            group by c.oid, c.relname, c.reltuples`,
  })
  return new Map(rows.map((row) => [row.table, row.rows]))
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
