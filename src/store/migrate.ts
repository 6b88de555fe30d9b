// Brings the database to the schema this version knows. Forward only; one migration is one transaction. If several processes
// start at once, a lock lets one migrate while the others wait.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Db, Queryable } from './db.ts'
import { distribute, hasDistributedTables, spreadTable } from './distribute.ts'
import { addPartitions, isInterference, PARTITION_GROUPS } from './partitions.ts'
import { lockSchema } from './schema-lock.ts'

export type Migration = { version: number; name: string; sql: string; checksum: string }

// A schema this version cannot work with. The message is for the operator.
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch'
}

const MIGRATIONS_DIRECTORY = new URL('../../db/migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})_([a-z0-9-]+)\.sql$/

export function readMigrations(directory: URL = MIGRATIONS_DIRECTORY): Migration[] {
  const versions = new Set<string>()
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const [, version, name] = FILE_NAME.exec(file) ?? []
      // Skipping a file would leave the schema behind the code.
      if (version === undefined || name === undefined) throw new Error(`${file} is no name of a migration`)
      // The second of two would never be applied.
      if (versions.has(version)) throw new Error(`${file} has the number of another migration`)
      versions.add(version)
      const sql = readFileSync(new URL(file, directory), 'utf8')
      return {
        version: Number(version),
        name,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      }
    })
}

// Returns the names of the migrations that were applied now. On a distributed database, changes of tables reach every machine, and
// new tables are spread like the others.
export async function migrate(db: Db, migrations: Migration[] = readMigrations()): Promise<string[]> {
  const applied: string[] = []
  for (const migration of migrations) {
    const done = await db.inTransaction((tx) => applyOnce(tx, migration, migrations), { timeoutMs: 0 })
    if (done) applied.push(migration.name)
  }
  if (applied.length > 0 && (await hasDistributedTables(db))) await distribute(db)
  if (applied.length > 0) await addFirstPartitions(db)
  return applied
}

// Here there is time to read a table that was not split before. If others are in the way, a worker does it later.
async function addFirstPartitions(db: Db): Promise<void> {
  const { rows } = await db.query<{ now: number; is_split: boolean }>({
    text: `select extract(epoch from now())::float8 * 1000 as now, to_regclass('events_default') is not null as is_split`,
  })
  const [{ now, is_split }] = rows as [(typeof rows)[number]]
  if (!is_split) return
  try {
    for (const group of PARTITION_GROUPS) while (await addPartitions(db, group, Math.floor(now), 0)) {}
  } catch (error) {
    if (!isInterference(error)) throw error
  }
}

// All of them in the caller's transaction, on a database that nobody uses yet.
export async function applyMigrations(tx: Queryable, migrations: Migration[]): Promise<void> {
  for (const migration of migrations) await applyOnce(tx, migration, migrations)
}

async function applyOnce(tx: Queryable, migration: Migration, known: Migration[]): Promise<boolean> {
  await lockSchema(tx)
  // Also under the lock: "if not exists" does not stop two sessions from creating the table at the same moment.
  await tx.query({
    text: `create table if not exists schema_migrations (
             version    integer     primary key,
             name       text        not null,
             checksum   text        not null,
             applied_at timestamptz not null default now())`,
  })
  const rows = await appliedMigrations(tx)
  assertKnown(rows, known)
  if (rows.some((row) => row.version === migration.version)) return false
  // Machines are changed one after the other, so that one transaction may change directories and what refers to them.
  const isSpread = await hasDistributedTables(tx)
  if (isSpread) await tx.query({ text: `set local citus.multi_shard_modify_mode = 'sequential'` })
  for (const text of statementsOf(migration.sql)) {
    await tx.query({ text })
    // At once, because a table that is spread can be a partition only of one that is spread too.
    const [, split] = /^\s*create table (\w+)[\s\S]*\bpartition by\b/.exec(text) ?? []
    if (isSpread && split !== undefined) await spreadTable(tx, split)
  }
  await tx.query({
    text: 'insert into schema_migrations (version, name, checksum) values ($1, $2, $3)',
    values: [migration.version, migration.name, migration.checksum],
  })
  return true
}

// One by one, because Citus passes on to other machines whatever text a change of a table came in. A migration has no functions, so
// a semicolon ends a statement unless it is in a comment or between quotes.
export function statementsOf(sql: string): string[] {
  const statements = ['']
  for (const [token] of sql.matchAll(/--[^\n]*|'[^']*'|"[^"]*"|;|[^-'";]+|-/g)) {
    if (token === ';') statements.push('')
    else if (!token.startsWith('--')) statements.push((statements.pop() ?? '') + token)
  }
  return statements.filter((statement) => statement.trim() !== '')
}

type AppliedRow = { version: number; name: string; checksum: string }

export function assertKnown(rows: readonly AppliedRow[], known: Migration[]): void {
  const newest = known.at(-1)?.version ?? 0
  const tooNew = rows.find((row) => row.version > newest)
  if (tooNew !== undefined) {
    throw new SchemaMismatch(
      `The database has schema ${tooNew.version} (${tooNew.name}), this version of Recaudo knows up to ${newest}. ` +
        'Start the newer version, or restore a backup made before the upgrade.',
    )
  }
  for (const row of rows) {
    const migration = known.find((candidate) => candidate.version === row.version)
    if (migration !== undefined && migration.checksum !== row.checksum) {
      throw new SchemaMismatch(
        `Migration ${row.version} (${row.name}) was changed after it was applied to this database. ` +
          'Put the original file back; changes go into a new migration.',
      )
    }
  }
}

// True when the schema is exactly what this version knows; throws SchemaMismatch when it is newer or altered.
export async function isMigrated(db: Db, migrations: Migration[] = readMigrations()): Promise<boolean> {
  if (!(await hasSchema(db))) return false
  const rows = await appliedMigrations(db)
  assertKnown(rows, migrations)
  return rows.length === migrations.length
}

// Whether any migration was ever applied.
export async function hasSchema(db: Queryable): Promise<boolean> {
  const exists = await db.query<{ found: boolean }>({
    text: `select to_regclass('schema_migrations') is not null as found`,
  })
  return exists.rows[0]?.found === true
}

export async function appliedMigrations(queryable: Queryable): Promise<AppliedRow[]> {
  const result = await queryable.query<AppliedRow>({
    text: 'select version, name, checksum from schema_migrations order by version',
  })
  return result.rows
}
