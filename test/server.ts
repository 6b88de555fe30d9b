// The PostgreSQL that the tests share, with a migrated template in it: the embedded one, or that of TEST_DATABASE_URL.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts'
import { openDb } from '../src/store/db.ts'
import { migrate } from '../src/store/migrate.ts'
import { citusUrl, makeCitusTemplate } from './citus.ts'
import { memoryDirectory } from './memory.ts'
import { databaseUrl, onServer, TEMPLATE_DATABASE, testServerUrl } from './world.ts'

export type TestServer = AsyncDisposable & {
  // Drops what tests that were ended had no time to drop. Only while none runs, and never on a server that is not ours.
  dropLeftDatabases: () => Promise<void>
}

export async function startTestServer(): Promise<TestServer> {
  const directory = mkdtempSync(join(memoryDirectory() ?? tmpdir(), 'recaudo-test-'))
  await using onFailure = new AsyncDisposableStack()
  onFailure.defer(() => rmSync(directory, { recursive: true, force: true }))
  const isOurs = process.env.TEST_DATABASE_URL === undefined
  if (isOurs) process.env.TEST_DATABASE_URL = onFailure.use(await startForTests(directory)).url
  await makeTemplate()
  if (citusUrl() !== undefined) await makeCitusTemplate()
  const onStop = onFailure.move()
  return {
    dropLeftDatabases: async () => {
      if (isOurs) await dropTestDatabases()
    },
    [Symbol.asyncDispose]: () => onStop.disposeAsync(),
  }
}

// Durability is tested where it is meant, on servers of their own; here it would only cost time. Each test's database is a copy of
// the template that goes through the log: a new file for each part of the log makes copying cheaper. PostgreSQL plans a statement anew
// each of the first five times that a connection runs it, and then keeps a plan for any values: connections of tests, which rarely
// live that long, have that plan from the first time. Planning was a third of what such tests cost.
function startForTests(directory: string) {
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    wal_init_zero: 'off',
    wal_recycle: 'off',
    max_wal_size: '256MB',
    // It would look through hundreds of databases that live for a second.
    autovacuum: 'off',
    update_process_title: 'off',
    max_connections: '300',
    plan_cache_mode: 'force_generic_plan',
  }
  return startEmbeddedPostgres({ dataDir: directory, settings })
}

async function makeTemplate(): Promise<void> {
  await onServer(`drop database if exists ${TEMPLATE_DATABASE}`)
  await onServer(`create database ${TEMPLATE_DATABASE}`)
  const db = openDb({ url: databaseUrl(TEMPLATE_DATABASE), poolSize: 3 })
  await migrate(db)
  await db.close()
}

async function dropTestDatabases(): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl() })
  await client.connect()
  try {
    const found = await client.query<{ datname: string }>(
      `select datname from pg_database where datname ~ '^test_[0-9a-f]{32}$'`,
    )
    for (const { datname } of found.rows)
      await client.query(`drop database if exists ${datname} with (force)`)
  } finally {
    await client.end()
  }
}
