// Finds the database for a command: the one named by DATABASE_URL, the embedded one that a running server has started,
// or the embedded one, started for the length of the command.

import type { Config } from '../config.ts'
import { lockDataDir } from '../embedded/lock.ts'
import { findRunningEmbeddedPostgres, startEmbeddedPostgres } from '../embedded/postgres.ts'
import { type Db, openDb } from '../store/db.ts'
import { OperatorFailure } from './failure.ts'

const OLDEST_POSTGRESQL = 15

export type OpenDatabase = { db: Db; description: string; close: () => Promise<void> }

export async function openForCommand(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl === null) {
    const running = await findRunningEmbeddedPostgres(config.dataDir)
    if (running !== undefined) return connect(config, running.url, 'embedded PostgreSQL', async () => {})
  }
  return openForServer(config)
}

export async function openForServer(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    return connect(config, config.databaseUrl, `PostgreSQL at ${hostOf(config.databaseUrl)}`, async () => {})
  }
  const lock = await lockDataDir(config.dataDir)
  try {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir })
    return await connect(
      config,
      embedded.url,
      `embedded PostgreSQL ${embedded.version} in ${config.dataDir}`,
      async () => {
        await embedded[Symbol.asyncDispose]()
        await lock[Symbol.asyncDispose]()
      },
    )
  } catch (error) {
    await lock[Symbol.asyncDispose]()
    throw error
  }
}

async function connect(
  config: Config,
  url: string,
  description: string,
  release: () => Promise<void>,
): Promise<OpenDatabase> {
  const db = openDb({ url, poolSize: config.databasePool })
  const close = async (): Promise<void> => {
    await db.close()
    await release()
  }
  try {
    await assertUsable(db, description)
  } catch (error) {
    await close()
    throw error
  }
  return { db, description, close }
}

async function assertUsable(db: Db, description: string): Promise<void> {
  let version: number
  try {
    const result = await db.query<{ server_version_num: string }>({ text: 'show server_version_num' })
    version = Math.floor(Number(result.rows[0]?.server_version_num) / 10_000)
  } catch (error) {
    throw new OperatorFailure(
      `Cannot use the ${description}: ${(error as Error).message}. Check DATABASE_URL.`,
    )
  }
  if (version < OLDEST_POSTGRESQL) {
    throw new OperatorFailure(
      `The ${description} is version ${version}; Recaudo needs ${OLDEST_POSTGRESQL} or newer.`,
    )
  }
}

// The address without user and password: it is printed.
function hostOf(url: string): string {
  return url.replace(/^\w+:\/\/(?:[^@/]*@)?/, '').replace(/\?.*$/, '')
}
