// Databases on a Citus cluster, for TEST_CITUS_URL: the address of a coordinator that knows its workers. A database has to be made
// on every machine, and so has the extension in it. The first one is distributed and cloned for each test, machine by machine:
// what Citus knows of tables and machines is in the database, and names no database.

import pg from 'pg'
import { openDb } from '../src/store/db.ts'
import { distribute } from '../src/store/distribute.ts'
import { migrate } from '../src/store/migrate.ts'

const TEMPLATE = 'recaudo_test_template'
// A test has few rows, and each part of a table costs time to make. A session of ours says on the coordinator how long it waits for a
// lock. On a worker the machine has to know.
const settingsOf = (database: string): string[] => [
  `alter database ${database} set citus.shard_count = 4`,
  `alter database ${database} set lock_timeout = '2s'`,
]

export function citusUrl(): string | undefined {
  return process.env.TEST_CITUS_URL || undefined
}

function coordinatorUrl(): string {
  const url = citusUrl()
  if (url === undefined) throw new Error('TEST_CITUS_URL is not set')
  return url
}

function urlOf(database: string, host?: string): string {
  const url = new URL(coordinatorUrl())
  url.pathname = database
  if (host !== undefined) url.host = host
  return url.href
}

async function query<Row extends pg.QueryResultRow>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

type Machine = { host: string; url: string }

let found: Promise<Machine[]> | undefined

// The coordinator comes first.
function machines(): Promise<Machine[]> {
  found ??= query<{ host: string }>(
    coordinatorUrl(),
    `select nodename || ':' || nodeport as host from pg_dist_node where noderole = 'primary' order by groupid`,
  ).then((rows) => rows.map(({ host }) => ({ host, url: urlOf('postgres', host) })))
  return found
}

async function onEachMachine(...statements: string[]): Promise<void> {
  await Promise.all((await machines()).map(({ url }) => query(url, ...statements)))
}

// An empty database on every machine, with the extension and the workers.
export async function createEmptyCitusDatabase(name: string): Promise<string> {
  await onEachMachine(`create database ${name}`, ...settingsOf(name))
  const all = await machines()
  await Promise.all(all.map(({ host }) => query(urlOf(name, host), 'create extension citus')))
  const [coordinator, ...workers] = all.map(({ host }) => new URL(`http://${host}`))
  await query(
    urlOf(name),
    `select citus_set_coordinator_host('${coordinator?.hostname}', ${coordinator?.port})`,
    ...workers.map(({ hostname, port }) => `select citus_add_node('${hostname}', ${port})`),
  )
  return urlOf(name)
}

export async function makeCitusTemplate(): Promise<void> {
  await dropCitusDatabase(TEMPLATE)
  const db = openDb({
    url: await createEmptyCitusDatabase(TEMPLATE),
    poolSize: 3,
    statementTimeoutMs: 60_000,
  })
  await migrate(db)
  await distribute(db)
  await db.close()
  // Citus keeps a process in every database, and one that is in use cannot be cloned.
  await onEachMachine(
    `alter database ${TEMPLATE} with allow_connections false`,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${TEMPLATE}'`,
  )
}

export async function cloneCitusTemplate(name: string): Promise<string> {
  await onEachMachine(`create database ${name} template ${TEMPLATE}`, ...settingsOf(name))
  return urlOf(name)
}

export async function dropCitusDatabase(name: string): Promise<void> {
  await onEachMachine(`drop database if exists ${name} with (force)`)
}
