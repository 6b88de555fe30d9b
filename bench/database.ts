// The PostgreSQL that is measured: the embedded one, new for each run, or the server that a setting names (BENCH_DATABASE_URL for
// the bench), in a database of its own that is dropped at the end.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts'

export type BenchDatabase = AsyncDisposable & { url: string; version: string }

export function openBenchDatabase(directory: string): Promise<BenchDatabase> {
  return openDatabaseFor('BENCH_DATABASE_URL', directory)
}

export async function openDatabaseFor(setting: string, directory: string): Promise<BenchDatabase> {
  const server = process.env[setting]
  if (server === undefined || server === '') return startEmbeddedPostgres({ dataDir: directory })
  const url = URL.parse(server)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    throw new Error(
      `${setting} must be the address of a server, such as postgres://user:password@127.0.0.1:5432/postgres, whose user may create databases.`,
    )
  const name = `recaudo_bench_${randomBytes(6).toString('hex')}`
  const version = await onServer(server, `create database ${name}`)
  url.pathname = `/${name}`
  return {
    url: url.href,
    version,
    [Symbol.asyncDispose]: async () => void (await onServer(server, `drop database ${name} with (force)`)),
  }
}

async function onServer(url: string, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version ?? ''
  } finally {
    await client.end()
  }
}
