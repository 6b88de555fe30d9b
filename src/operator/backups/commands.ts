// recaudo backup create | verify | restore: all rows at one moment, in files; the proof that they can be restored; and the restore,
// into an empty database only.

import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { forgetfulProviders, type HeldSubject } from '../../core/backups/held-back.ts'
import { createIdSource } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { startEmbeddedPostgres } from '../../embedded/postgres.ts'
import { recordAct } from '../../flows/record-act.ts'
import { holdBackUnpaid, type NewHold } from '../../store/backups/hold-back.ts'
import { BackupMismatch, DatabaseNotEmpty, loadBackup } from '../../store/backups/load.ts'
import { SchemaBusy, withSnapshot } from '../../store/backups/snapshot.ts'
import { classified, openDb, type Queryable, StoreUnavailable } from '../../store/db.ts'
import { hasDistributedTables } from '../../store/distribute.ts'
import { hasSchema, isMigrated, migrate } from '../../store/migrate.ts'
import { migrateDatabase, type OpenDatabase, openForCommand, openForServer } from '../database.ts'
import { OperatorFailure } from '../failure.ts'
import type { Flags, Row } from '../flags.ts'
import { assertFree, type Backup, openBackup, writeBackup } from './files.ts'
import { assertSecretsKey, proveRestored, withRestored } from './prove.ts'

export async function createBackup(config: Config, _flags: Flags, directory: string): Promise<Row> {
  await assertFree(directory)
  const database = await openForCommand(config)
  try {
    await assertBackupable(database)
    return await withSnapshot(database.url, async (snapshot) => {
      const { manifest, digest } = await writeBackup(directory, snapshot)
      return {
        backup: directory,
        takenAt: manifest.takenAt,
        tables: manifest.tables.length,
        rows: sumOf(manifest.tables.map(({ rows }) => rows)),
        bytes: sumOf(manifest.tables.map(({ bytes }) => bytes)),
        leftOut: snapshot.leftOut,
        digest,
      }
    })
  } catch (error) {
    if (error instanceof SchemaBusy)
      throw new OperatorFailure(
        `The schema of the ${database.description} is being changed, by \`recaudo migrate\` or another backup. Try again when that has ended; nothing was written.`,
      )
    throw interrupted(`backup of the ${database.description}`, 'nothing was left behind', error)
  } finally {
    await database.close()
  }
}

async function assertBackupable({ db, description }: OpenDatabase): Promise<void> {
  // Machines of a cluster have no moment in common that a reader could see.
  if (await hasDistributedTables(db))
    throw new OperatorFailure(
      `The ${description} is spread over several machines, which \`recaudo backup\` cannot read as of one moment: back up each machine with its own tools, to one restore point (\`select citus_create_restore_point('…')\`).`,
    )
  if (!(await hasSchema(db)))
    throw new OperatorFailure(`The ${description} has no schema of Recaudo: there is nothing to back up.`)
}

// Restores into a PostgreSQL that is made for it and removed again, or into an empty database that is named.
export async function verifyBackup(config: Config, flags: Flags, directory: string): Promise<Row[]> {
  const backup = await openBackup(directory)
  const opensSecrets = flags['without-secrets-key'] !== true
  if (opensSecrets) assertSecretsKey(config, backup.manifest)
  await using scratch = await openScratch(flags.scratch)
  await load(scratch.url, scratch.description, backup)
  const db = openDb({ url: scratch.url, poolSize: 1 })
  await migrate(db).finally(() => db.close())
  const proofs = await withRestored(config, scratch.url, (ctx) =>
    proveRestored(ctx, backup.manifest, opensSecrets),
  )
  return [{ proof: 'every file is as it was written', found: `digest ${backup.digest}` }, ...proofs]
}

type Scratch = AsyncDisposable & { url: string; description: string }

async function openScratch(given: unknown): Promise<Scratch> {
  if (typeof given === 'string')
    return { url: given, description: 'database of --scratch', async [Symbol.asyncDispose]() {} }
  await using opened = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'recaudo-verify-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true }))
  // As root, PostgreSQL runs under another account, which must be able to enter.
  await chmod(dataDir, 0o711)
  // It is thrown away, so nothing has to survive a power cut.
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
  const server = opened.use(await startEmbeddedPostgres({ dataDir, settings }))
  const onEnd = opened.move()
  return {
    url: server.url,
    description: `scratch PostgreSQL in ${dataDir}`,
    [Symbol.asyncDispose]: () => onEnd.disposeAsync(),
  }
}

// Into the database that the settings name. A server that runs on it, or anything that is in it, is left alone.
export async function restoreBackup(config: Config, flags: Flags, directory: string): Promise<Row> {
  const backup = await openBackup(directory)
  const { manifest } = backup
  assertSecretsKey(config, manifest)
  const database = await openForServer(config)
  try {
    let held: readonly HeldSubject[] = []
    await load(database.url, database.description, backup, async (tx) => {
      if (flags.stopped !== true) held = await holdBackUnpaid(tx, holdSince(Date.parse(manifest.takenAt)))
    })
    if (!(await isMigrated(database.db))) await migrateDatabase(database)
    return await withRestored(config, database.url, async (ctx) => {
      await proveRestored(ctx, manifest, true).catch((error: Error) => {
        throw new OperatorFailure(
          `The backup was restored, and does not hold. Keep the service stopped, and use another backup.\n${error.message}`,
        )
      })
      await ctx.db.inTransaction((tx) =>
        recordAct(ctx, tx, {
          organizationId: UNATTRIBUTED_ORGANIZATION,
          act: 'database.restore',
          objectId: null,
          before: null,
          after: { takenAt: manifest.takenAt, heldBack: held.length },
        }),
      )
      return {
        restored: directory,
        takenAt: manifest.takenAt,
        rows: sumOf(manifest.tables.map(({ rows }) => rows)),
        heldBack: held.map(({ kind, id }) => `${kind} ${id}`),
        lastEvents: manifest.organizations
          .filter(({ lastEvent }) => lastEvent > 0)
          .map(({ organizationId, lastEvent }) => `${organizationId} ${lastEvent}`),
      }
    })
  } finally {
    await database.close()
  }
}

// There is no context yet: it needs the database that is being filled.
function holdSince(takenAt: Instant): NewHold {
  const now = Date.now()
  return { leaseToken: createIdSource(randomBytes)(now), providers: forgetfulProviders(takenAt, now) }
}

async function load(
  url: string,
  description: string,
  backup: Backup,
  finish?: (tx: Queryable) => Promise<void>,
): Promise<void> {
  try {
    await loadBackup(url, backup.manifest, backup.rowsOf, finish)
  } catch (error) {
    if (error instanceof DatabaseNotEmpty)
      throw new OperatorFailure(
        `The ${description} is not empty: it has ${error.tables.length} tables, such as ${error.tables.slice(0, 3).join(', ')}. ` +
          'A restore writes over nothing. Make an empty database (createdb) and set DATABASE_URL to it, or name a new DATA_DIR for the embedded PostgreSQL; do not migrate it first. Nothing was changed.',
      )
    if (error instanceof BackupMismatch)
      throw new OperatorFailure(
        `The backup in ${backup.directory} cannot be used: ${error.message}. Nothing was written.`,
      )
    throw interrupted(
      `restore into the ${description}`,
      'it is one transaction, so nothing was written',
      error,
    )
  }
}

// The database went away, or has no room. Anything else is what it is.
function interrupted(what: string, soThat: string, error: unknown): unknown {
  const failure = classified(error)
  if (!(failure instanceof StoreUnavailable)) return error
  return new OperatorFailure(
    `The ${what} was interrupted: ${failure.message}. Remove the cause, and run it again: ${soThat}.`,
    1,
    { cause: error },
  )
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
