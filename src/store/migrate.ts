// Brings the database to the schema this version knows, while the service runs on it. Forward only. A migration is one transaction,
// which may be followed by statements that are run beside the service. If several processes start at once, a lock lets one migrate
// while the others wait.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Db, Queryable } from './db.ts'
import { distribute, hasDistributedTables, spreadTable, statementsForCluster } from './distribute.ts'
import { applyInTransaction, applyOnline, isRepeated } from './online-steps.ts'
import { addPartitions, isInterference, PARTITION_GROUPS } from './partitions.ts'
import { lockTables, PATIENCE_MS, patiently } from './patient-locks.ts'
import { withSchemaLock } from './schema-lock.ts'
import { countListeners } from './work-signals.ts'

export type Migration = { version: number; name: string; sql: string; checksum: string }

// A schema this version cannot work with. The message is for the operator.
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch'
}

// Processes that serve would go on as the earlier schema wants it, and nobody would prove what they write.
export class ServiceStillRunning extends Error {
  override name = 'ServiceStillRunning'
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
export async function migrate(
  db: Db,
  migrations: Migration[] = readMigrations(),
  patienceMs: number = PATIENCE_MS,
): Promise<string[]> {
  const applied: string[] = []
  for (const migration of migrations) {
    if (await isApplied(db, migration, migrations)) continue
    if (/^-- works with none$/m.test(migration.sql)) await assertNobodyServes(db, migration)
    const apply = () => withSchemaLock(db, (tx) => applyOnce(tx, migration, migrations), { timeoutMs: 0 })
    const { together, online } = partsOf(migration.sql)
    const isWhole = await patiently(db, together, patienceMs, apply)
    const isEnded = await applyOnline(db, migration.version, online, patienceMs)
    // The next migration may read its tables beside others.
    if (await hasDistributedTables(db)) await distribute(db)
    if (isWhole || isEnded) applied.push(migration.name)
  }
  if (applied.length > 0) await addFirstPartitions(db)
  return applied
}

async function assertNobodyServes(db: Db, { version, name }: Migration): Promise<void> {
  const serving = await countListeners(db)
  if (serving === 0) return
  const processes =
    serving === 1 ? 'one process of the service uses' : `${serving} processes of the service use`
  throw new ServiceStillRunning(
    `${processes} the database, and migration ${String(version).padStart(4, '0')}_${name} works with no version before`,
  )
}

// Without the lock, which others may have for long.
async function isApplied(db: Db, { version }: Migration, known: Migration[]): Promise<boolean> {
  const rows = (await hasSchema(db)) ? await appliedMigrations(db) : []
  assertKnown(rows, known)
  return rows.some((row) => row.version === version && row.stepsLeft === 0)
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

// All of them in the caller's transaction, on a database that nobody uses yet, but for the last steps of those that say how many
// are left. The caller has the schema's lock.
export async function applyMigrations(
  tx: Queryable,
  migrations: Migration[],
  stepsLeft: ReadonlyMap<number, number>,
): Promise<void> {
  for (const migration of migrations)
    await applyOnce(tx, migration, migrations, {
      isInUse: false,
      stepsLeft: stepsLeft.get(migration.version) ?? 0,
    })
}

// True if that was all of it.
async function applyOnce(
  tx: Queryable,
  migration: Migration,
  known: Migration[],
  { isInUse, stepsLeft } = { isInUse: true, stepsLeft: 0 },
): Promise<boolean> {
  await createMigrationsTable(tx)
  const rows = await appliedMigrations(tx)
  assertKnown(rows, known)
  if (rows.some((row) => row.version === migration.version)) return false
  const { together, online } = partsOf(migration.sql)
  // Machines are changed one after the other, so that one transaction may change directories and what refers to them.
  const isSpread = await hasDistributedTables(tx)
  if (isSpread) await tx.query({ text: `set local citus.multi_shard_modify_mode = 'sequential'` })
  const isOnline = isInUse && !isSpread
  const left = isOnline ? online.length : stepsLeft
  await tx.query({ text: 'set local lock_timeout = 0' })
  if (isOnline) await lockTables(tx, together)
  for (const text of together) {
    for (const part of isSpread ? statementsForCluster(text) : [text]) await tx.query({ text: part })
    // At once, because a table that is spread can be a partition only of one that is spread too.
    const [, split] = /^\s*create table (\w+)[\s\S]*\bpartition by\b/.exec(text) ?? []
    if (isSpread && split !== undefined) await spreadTable(tx, split)
  }
  for (const text of online.slice(0, online.length - left)) await applyInTransaction(tx, text)
  const newest = known.at(-1)?.version ?? 0
  // No earlier version has used a database that began with one that knows this migration, so none is let in: what is written there it
  // could not read (events/text-packer.ts).
  const isFromTheStart = ((await firstAppliedBy(tx)) ?? newest) >= migration.version
  await tx.query({
    text: `insert into schema_migrations (version, name, checksum, works_with, steps_left, applied_by)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [
      migration.version,
      migration.name,
      migration.checksum,
      isFromTheStart ? null : worksWith(migration.sql),
      left,
      newest,
    ],
  })
  return left === 0
}

// Undefined in an empty database, and zero where nobody wrote it down.
async function firstAppliedBy(tx: Queryable): Promise<number | undefined> {
  const { rows } = await tx.query<{ applied_by: number }>({
    text: 'select coalesce(applied_by, 0) as applied_by from schema_migrations order by version limit 1',
  })
  return rows[0]?.applied_by
}

// Also under the lock: "if not exists" does not stop two sessions from creating the table at the same moment.
async function createMigrationsTable(tx: Queryable): Promise<void> {
  await tx.query({
    text: `create table if not exists schema_migrations (
             version    integer     primary key,
             name       text        not null,
             checksum   text        not null,
             applied_at timestamptz not null default now())`,
  })
  const { rows } = await tx.query<{ complete: boolean }>({
    text: `select count(*) = 3 as complete
             from pg_attribute
            where attrelid = 'schema_migrations'::regclass and attname in ('works_with', 'steps_left', 'applied_by')`,
  })
  // The oldest schema whose code works with this one too, how many statements are still to be run beside the service, and the newest
  // schema that whoever applied it knew.
  if (rows[0]?.complete !== true)
    await tx.query({
      text: `alter table schema_migrations add column if not exists works_with integer,
                                           add column if not exists steps_left integer not null default 0,
                                           add column if not exists applied_by integer`,
    })
}

export type MigrationParts = { readonly together: readonly string[]; readonly online: readonly string[] }

// What stands before the line "-- online" is one transaction, and changes tables in a moment. What stands after it takes as long as
// there are rows, and stops nobody: each statement is run by itself.
export function partsOf(sql: string): MigrationParts {
  const [together = '', online = ''] = sql.split(/^-- online$/m)
  const parts = { together: statementsOf(together), online: statementsOf(online) }
  for (const statement of parts.online) {
    // Without one it would change all rows at once, and never come to an end if it always finds some.
    if (isRepeated(statement) && !/\blimit \d+\b/.test(statement))
      throw new Error(`what changes rows online is repeated, and needs a limit: ${statement.trim()}`)
  }
  return parts
}

// "-- works with 0055": code that knows schemas up to that one works with this one too. Without the line, only code that knows this.
function worksWith(sql: string): number | null {
  const [, version] = /^-- works with (\d{4})$/m.exec(sql) ?? []
  return version === undefined ? null : Number(version)
}

// "-- replaces" and a checksum: what the file was before, which came to the same schema by a way that stopped others for longer.
function isChecksumOf(checksum: string, migration: Migration): boolean {
  return checksum === migration.checksum || migration.sql.includes(`-- replaces ${checksum}\n`)
}

// One by one, because Citus passes on to other machines whatever text a change of a table came in. A migration has no functions, so
// a semicolon ends a statement unless it is in a comment or between quotes.
export function statementsOf(sql: string): string[] {
  const statements = ['']
  for (const [token] of sql.matchAll(/--[^\n]*|'[^']*'|"[^"]*"|;|[^-'";]+|-/g)) {
    if (token === ';') statements.push('')
    else if (!token.startsWith('--')) statements[statements.length - 1] += token
  }
  return statements.filter((statement) => statement.trim() !== '')
}

export type AppliedMigration = {
  version: number
  name: string
  checksum: string
  worksWith?: number | null
  stepsLeft?: number
}

// Throws SchemaMismatch when the schema is newer and does not work with this version, or was altered.
export function assertKnown(rows: readonly AppliedMigration[], known: readonly Migration[]): void {
  const newest = known.at(-1)?.version ?? 0
  const tooNew = rows.find((row) => row.version > newest && (row.worksWith ?? row.version) > newest)
  if (tooNew !== undefined) {
    throw new SchemaMismatch(
      `The database has schema ${tooNew.version} (${tooNew.name}), this version of Recaudo knows up to ${newest}. ` +
        'Start the newer version, or restore a backup made before the upgrade.',
    )
  }
  for (const row of rows) {
    const migration = known.find((candidate) => candidate.version === row.version)
    if (migration !== undefined && !isChecksumOf(row.checksum, migration)) {
      throw new SchemaMismatch(
        `Migration ${row.version} (${row.name}) was changed after it was applied to this database. ` +
          'Put the original file back; changes go into a new migration.',
      )
    }
  }
}

// True when the schema is what this version knows, or a newer one that works with it; throws SchemaMismatch as assertKnown does.
export async function isMigrated(db: Db, migrations: Migration[] = readMigrations()): Promise<boolean> {
  if (!(await hasSchema(db))) return false
  const rows = await appliedMigrations(db)
  assertKnown(rows, migrations)
  return migrations.every(({ version }) => rows.some((row) => row.version === version && row.stepsLeft === 0))
}

// The newest schema that another version has brought, if any.
export async function newerSchema(
  db: Db,
  migrations: Migration[] = readMigrations(),
): Promise<number | null> {
  const rows = await appliedMigrations(db)
  return rows.findLast((row) => migrations.every(({ version }) => version < row.version))?.version ?? null
}

// Whether any migration was ever applied.
export async function hasSchema(db: Queryable): Promise<boolean> {
  const exists = await db.query<{ found: boolean }>({
    text: `select to_regclass('schema_migrations') is not null as found`,
  })
  return exists.rows[0]?.found === true
}

// Databases of earlier versions do not have every column.
export async function appliedMigrations(
  queryable: Queryable,
): Promise<(AppliedMigration & { stepsLeft: number })[]> {
  const result = await queryable.query<AppliedMigration & { stepsLeft: number }>({
    text: `select version, name, checksum, (to_json(m) ->> 'works_with')::integer as "worksWith",
                  coalesce((to_json(m) ->> 'steps_left')::integer, 0) as "stepsLeft"
             from schema_migrations m
            order by version`,
  })
  return result.rows
}
