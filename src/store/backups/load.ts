// Fills an empty database from a backup: the schema as it was then, and every row, in one transaction. Whatever fails, and whenever
// the process is killed, the database is as empty as it was.

import type { BackedUpTable, Manifest } from '../../core/backups/manifest.ts'
import type { Queryable } from '../db.ts'
import { applyMigrations, assertKnown, type Migration, partsOf, readMigrations } from '../migrate.ts'
import { makePartitions, PARTITION_GROUPS } from '../partitions.ts'
import { lockSchemaForSession } from '../schema-lock.ts'
import { copyIn } from './copy.ts'
import { openSession } from './session.ts'
import { quoted } from './snapshot.ts'

// The backup does not fit the schema that it names. Nothing was written.
export class BackupMismatch extends Error {
  override name = 'BackupMismatch'
}

// A restore never writes over anything.
export class DatabaseNotEmpty extends Error {
  override name = 'DatabaseNotEmpty'
  readonly tables: readonly string[]
  constructor(tables: readonly string[]) {
    super('the database is not empty')
    this.tables = tables
  }
}

export async function loadBackup(
  url: string,
  manifest: Manifest,
  rowsOf: (table: BackedUpTable) => AsyncIterable<Uint8Array>,
  // Before anybody else sees it.
  finish: (tx: Queryable) => Promise<void> = async () => {},
): Promise<void> {
  const known = readMigrations()
  assertKnown(manifest.schema, known)
  const migrations = known.filter(({ version }) => manifest.schema.some((one) => one.version === version))
  if (migrations.length !== manifest.schema.length)
    throw new BackupMismatch('it names migrations that this version of Recaudo does not have')

  await using session = await openSession(url)
  const { client, tx } = session
  await lockSchemaForSession(tx, Number.POSITIVE_INFINITY)
  await client.query('begin')
  const present = await tablesIn(tx)
  if (present.length > 0) throw new DatabaseNotEmpty(present)
  await applyMigrations(tx, migrations, stepsLeftIn(manifest, migrations))
  await assertColumns(tx, manifest)
  for (const group of PARTITION_GROUPS)
    for (const bounds of manifest.partitions[group.tables[0] ?? ''] ?? [])
      await makePartitions(tx, group, bounds)
  // What migrations have put in is in the backup too.
  await tx.query({ text: `truncate ${manifest.tables.map(({ table }) => quoted(table)).join(', ')}` })
  for (const table of manifest.tables) {
    const columns = table.columns.map(quoted).join(', ')
    const rows = await copyIn(client, `copy ${quoted(table.table)} (${columns}) from stdin`, rowsOf(table))
    if (rows !== table.rows)
      throw new BackupMismatch(`${table.table} has ${rows} rows, and its manifest says ${table.rows}`)
  }
  await tx.query({ text: `analyze ${manifest.tables.map(({ table }) => quoted(table)).join(', ')}` })
  await finish(tx)
  await client.query('commit')
}

// By the number of the migration. These steps are for rows that are not there yet: whoever migrates next does them.
function stepsLeftIn({ schema }: Manifest, migrations: readonly Migration[]): ReadonlyMap<number, number> {
  for (const { version, stepsLeft = 0 } of schema) {
    const { sql = '' } = migrations.find((one) => one.version === version) ?? {}
    if (stepsLeft > partsOf(sql).online.length)
      throw new BackupMismatch(`it names more steps of migration ${version} than there are`)
  }
  return new Map(schema.map(({ version, stepsLeft = 0 }) => [version, stepsLeft]))
}

// Before a row is written: a table or column that is missing on either side would be lost in silence.
async function assertColumns(tx: Queryable, manifest: Manifest): Promise<void> {
  const { rows } = await tx.query<{ place: string }>({
    text: `select concat(c.relname, '.', a.attname) as place
             from pg_class c
             join pg_attribute a on a.attrelid = c.oid
            where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
              and c.relname <> 'schema_migrations' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
  })
  const here = new Set(rows.map(({ place }) => place))
  const there = new Set(
    manifest.tables.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
  )
  const different = [...here.symmetricDifference(there)]
  if (different.length > 0)
    throw new BackupMismatch(`its tables are not those of its schema: ${different.sort().join(', ')}`)
}

// Anything at all that has rows in the schema.
async function tablesIn(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ table: string }>({
    text: `select c.relname as table
             from pg_class c
            where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
            order by c.relname`,
  })
  return rows.map(({ table }) => table)
}
