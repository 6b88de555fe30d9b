// What `recaudo migrate` would do now: the statements that are missing, with the locks that each takes on tables that are there
// already, and about how long it takes. Reads the catalog, and locks nothing.

import type { Queryable } from './db.ts'
import { hasDistributedTables } from './distribute.ts'
import {
  appliedMigrations,
  assertKnown,
  hasSchema,
  type Migration,
  partsOf,
  readMigrations,
} from './migrate.ts'
import { locksOf, type TableLock, type Work } from './migration-locks.ts'
import { readCatalog } from './patient-locks.ts'

export type PlannedStatement = {
  readonly migration: string
  readonly statement: string
  // Beside the service, by itself, or in one transaction with the others of its migration.
  readonly isOnline: boolean
  // Null if PostgreSQL has not counted the table's rows yet.
  readonly locks: readonly (TableLock & { readonly rows: number | null; readonly seconds: number | null })[]
}

// Guesses for two slow cores with a disk of their own: a larger machine takes less. `npm run bench -- migrations` measures yours.
const SECONDS_PER_GIGABYTE: Readonly<Record<Work, number>> = {
  'a moment': 0,
  'reads every row': 4,
  'changes rows': 60,
  'writes every row': 60,
}
const INDEX_SECONDS_PER_GIGABYTE = 12
const GIGABYTE = 2 ** 30

// Throws SchemaMismatch where `migrate` would.
export async function planMigrations(
  db: Queryable,
  migrations: Migration[] = readMigrations(),
): Promise<PlannedStatement[]> {
  const applied = (await hasSchema(db)) ? await appliedMigrations(db) : []
  assertKnown(applied, migrations)
  const isSpread = await hasDistributedTables(db)
  const left = migrations.flatMap(({ version, name, sql }) => {
    const { together, online } = partsOf(sql)
    const migration = `${String(version).padStart(4, '0')}_${name}`
    const row = applied.find((one) => one.version === version)
    const present = online.slice(row === undefined ? 0 : online.length - row.stepsLeft)
    return [
      ...(row === undefined ? together : []).map((text) => ({ migration, text, isOnline: false })),
      ...present.map((text) => ({ migration, text, isOnline: !isSpread })),
    ]
  })
  if (left.length === 0) return []
  const sizeOf = await countedRows(db)
  const catalog = await readCatalog(db)
  return left.map(({ migration, text, isOnline }) => ({
    migration,
    statement: text.replaceAll(/\s+/g, ' ').trim(),
    isOnline,
    locks: locksOf(text, catalog).flatMap((lock) => {
      const size = sizeOf.get(lock.table)
      return size === undefined
        ? []
        : [{ ...lock, rows: size.rows, seconds: secondsOf(text, lock.work, size) }]
    }),
  }))
}

type Size = { rows: number | null; bytes: number }

function secondsOf(statement: string, work: Work, { rows, bytes }: Size): number | null {
  if (work === 'a moment') return 0
  if (rows === null) return null
  const isIndex = /^\s*create (?:unique )?index/.test(statement)
  const seconds = ((isIndex ? INDEX_SECONDS_PER_GIGABYTE : SECONDS_PER_GIGABYTE[work]) * bytes) / GIGABYTE
  return Number(seconds.toPrecision(2))
}

// Tables that are there, with about how many rows and bytes they had when PostgreSQL last looked.
async function countedRows(db: Queryable): Promise<Map<string, Size>> {
  const { rows } = await db.query<Size & { table: string }>({
    text: `select c.relname as table,
                  nullif(coalesce(sum(p.reltuples) filter (where p.reltuples >= 0), c.reltuples), -1)::float8 as rows,
                  (coalesce(sum(p.relpages), c.relpages) * current_setting('block_size')::integer)::float8 as bytes
             from pg_class c
             left join pg_inherits i on i.inhparent = c.oid
             left join pg_class p on p.oid = i.inhrelid
            where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
            group by c.oid, c.relname, c.reltuples, c.relpages`,
  })
  return new Map(rows.map(({ table, ...size }) => [table, size]))
}
