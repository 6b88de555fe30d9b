// Opens the database for a command: the one named by DATABASE_URL, the embedded one of a running server, or else the
// embedded one, started for as long as the command runs.

import type { Config } from '../config.ts'
import { findCluster } from '../embedded/location.ts'
import { lockDataDir } from '../embedded/lock.ts'
import { findRunningEmbeddedPostgres, startEmbeddedPostgres } from '../embedded/postgres.ts'
import { type Db, openDb, StoreUnavailable, sqlState } from '../store/db.ts'
import { distribute, type TableChange } from '../store/distribute.ts'
import { hasSchema, isMigrated, migrate, ServiceStillRunning } from '../store/migrate.ts'
import { TablesInUse } from '../store/patient-locks.ts'
import { ownsTables } from '../store/service-role.ts'
import { OperatorFailure } from './failure.ts'

const OLDEST_POSTGRESQL = 15
export const INSUFFICIENT_PRIVILEGE = '42501'

export type OpenDatabase = {
  db: Db
  url: string
  description: string
  // Resolves only if an embedded PostgreSQL ends on its own.
  lost: Promise<Error>
  close: () => Promise<void>
}

export async function openForCommand(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl === null) {
    const running = await findRunningEmbeddedPostgres(config.dataDir)
    if (running !== undefined) return connect(config, { ...running, description: 'embedded PostgreSQL' })
    await assertCluster(config.dataDir)
  }
  return openForServer(config)
}

// For the one command that begins a database.
export async function openToMigrate(config: Config): Promise<OpenDatabase> {
  const isNew = config.databaseUrl === null && (await findCluster(config.dataDir)) === undefined
  return isNew ? openForServer(config) : openForCommand(config)
}

// A mistyped DATA_DIR would otherwise make an empty database there, whose books hold.
async function assertCluster(dataDir: string): Promise<void> {
  if ((await findCluster(dataDir)) !== undefined) return
  throw new OperatorFailure(
    `There is no database in ${dataDir}: set DATA_DIR to the directory of the one you mean, or DATABASE_URL, or make one there with \`recaudo migrate\`. Nothing was changed.`,
  )
}

export async function openForServer(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    return connect(config, {
      url: config.databaseUrl,
      description: `PostgreSQL at ${withoutSecrets(config.databaseUrl)}`,
    })
  }
  const lock = await lockDataDir(config.dataDir)
  try {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir })
    return await connect(config, {
      url: embedded.url,
      description: `embedded PostgreSQL ${embedded.version} in ${embedded.cluster}`,
      lost: embedded.lost,
      release: async () => {
        await embedded[Symbol.asyncDispose]()
        await lock[Symbol.asyncDispose]()
      },
    })
  } catch (error) {
    await lock[Symbol.asyncDispose]()
    throw error
  }
}

// The service's own role may only add to what these commands change. They say so before they have done a part.
export async function requireOwner(db: Db, command: string): Promise<void> {
  if (await ownsTables(db)) return
  throw new OperatorFailure(`The tables are another role’s. Run \`recaudo ${command}\` as their owner.`)
}

// Returns the names of the migrations it applied. With nothing to apply, any role may start on it.
export async function migrateDatabase({ db, description }: OpenDatabase): Promise<string[]> {
  try {
    if (await isMigrated(db)) return []
    return await migrate(db)
  } catch (error) {
    if (error instanceof StoreUnavailable)
      throw new OperatorFailure(
        `The migration of the ${description} was interrupted: ${error.message}. What was under way is undone as a whole, and what was done before it stays. Run \`recaudo migrate\` again; \`recaudo migrate --plan\` shows what is left.`,
        1,
        { cause: error },
      )
    if (error instanceof TablesInUse)
      throw new OperatorFailure(
        `The migration of the ${description} stepped back, so that no payment waits for it: ${error.message}. What was done before it stays. End that transaction, or wait for it (\`select pg_terminate_backend(…)\` ends one), and run \`recaudo migrate\` again.`,
        1,
        { cause: error },
      )
    if (error instanceof ServiceStillRunning)
      throw new OperatorFailure(
        `The ${description} was not migrated: ${error.message}. What was done before it stays. Stop every process of the earlier version, and run \`recaudo migrate\` again.`,
        1,
        { cause: error },
      )
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error
    throw new OperatorFailure(
      `Cannot migrate the ${description}: ${(error as Error).message}. Its user must own the database or may create tables in it: run \`recaudo migrate\` as such a user.`,
    )
  }
}

// Says of each table what was done. The schema must be this version's: a table that is not known would stay where it is.
export async function distributeDatabase(database: OpenDatabase): Promise<TableChange[]> {
  if (!(await isMigrated(database.db)))
    throw new OperatorFailure(
      `The ${database.description} is not at this version’s schema: run \`recaudo migrate\` first.`,
    )
  return distribute(database.db)
}

// Only `start` and `migrate` migrate: whoever looks at the wrong database leaves no tables there, and whoever tries a new version's
// command does not upgrade with it.
export async function assertMigrated({ db, description }: OpenDatabase): Promise<void> {
  if (await isMigrated(db)) return
  throw new OperatorFailure(
    (await hasSchema(db))
      ? `The ${description} is not at this version’s schema: run \`recaudo migrate\` first; \`recaudo migrate --plan\` shows what it does. Nothing was changed.`
      : `The ${description} has no schema of Recaudo: check that it is the one you mean, and run \`recaudo migrate\` first. Nothing was changed.`,
  )
}

type Found = { url: string; description: string; lost?: Promise<Error>; release?: () => Promise<void> }

async function connect(config: Config, found: Found): Promise<OpenDatabase> {
  const db = openDb({ url: found.url, poolSize: config.databasePool })
  const close = async (): Promise<void> => {
    await db.close()
    await found.release?.()
  }
  try {
    await assertUsable(db, found.description)
  } catch (error) {
    await close()
    throw error
  }
  return {
    db,
    url: found.url,
    description: found.description,
    lost: found.lost ?? new Promise(() => {}),
    close,
  }
}

async function assertUsable(db: Db, description: string): Promise<void> {
  let version: number
  let encoding: string
  try {
    const result = await db.query<{ server_version_num: string }>({ text: 'show server_version_num' })
    version = Math.floor(Number(result.rows[0]?.server_version_num) / 10_000)
    const encoded = await db.query<{ server_encoding: string }>({ text: 'show server_encoding' })
    encoding = encoded.rows[0]?.server_encoding ?? ''
  } catch (error) {
    throw new OperatorFailure(`Cannot use the ${description}: ${reasonOf(error)}. Check DATABASE_URL.`)
  }
  if (version < OLDEST_POSTGRESQL) {
    throw new OperatorFailure(
      `The ${description} is version ${version}; Recaudo needs ${OLDEST_POSTGRESQL} or newer.`,
    )
  }
  if (encoding !== ENCODING) {
    throw new OperatorFailure(
      `The ${description} stores text as ${encoding}, and Recaudo needs ${ENCODING}: make another database (createdb --encoding=${ENCODING} --template=template0) and set DATABASE_URL to it. Nothing was changed.`,
    )
  }
}

// In another one, names would be refused or changed.
const ENCODING = 'UTF8'

// If every address of a host refuses the connection, the error has an empty message.
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return message || ((cause as NodeJS.ErrnoException | undefined)?.code ?? 'it does not answer')
}

// The result is printed, so it has no user, password or parameters. A password may itself contain an @.
function withoutSecrets(url: string): string {
  return url.replace(/^\w+:\/\/(?:[^/]*@)?/, '').replace(/\?.*$/, '')
}
