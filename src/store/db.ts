// The only access to PostgreSQL: a pool, a transaction wrapper, and the classification of errors as retryable, unavailable or
// bugs. Nothing that takes a transaction may call a network.

import pg from 'pg'
import type { Instant } from '../core/instant.ts'
import { acquire, clientOf, type HostClient, type Hosts, NoServer, openHosts } from './hosts.ts'
import { sendTogether } from './sent-together.ts'
import { typeParser } from './type-parser.ts'

// Whoever holds the token may write until then.
export type Lease = { token: string; until: Instant }

export type Queryable = {
  query<Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>>
  // The database that a transaction is in.
  database?: Db
}

export type Db = Queryable & {
  // `timeoutMs` is for work that reads or changes a great deal, such as a migration. Zero means without end.
  inTransaction<Result>(
    work: (tx: Queryable) => Promise<Result>,
    options?: { timeoutMs: number },
  ): Promise<Result>
  // Sends statements that do not need each other's results as one transaction, in one round trip.
  sendTransaction(
    statements: readonly pg.QueryConfig[],
    options?: { timeoutMs: number },
  ): Promise<pg.QueryResult[]>
  // Sends statements that do not need each other's results in one write, each for itself: to wake the database costs more than
  // most of them.
  sendTogether(statements: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]>
  // For statements that no transaction may contain: one connection without a time limit, which is closed afterwards.
  onOneConnection<Result>(work: (session: Queryable) => Promise<Result>): Promise<Result>
  pool: { total: number; idle: number; waiting: number; size: number }
  close(): Promise<void>
}

// The database is unreachable or refuses us for now. The caller may retry later, and so may the merchant.
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

// The database, or the way to it, does not answer. Asking again at once would double the wait.
export class StoreSilent extends StoreUnavailable {
  override name = 'StoreSilent'
}

// More callers wait for a connection than we are willing to hold in memory.
export class StoreBusy extends Error {
  override name = 'StoreBusy'
}

// A statement that runs longer is a mistake. A longer wait for a lock is a conflict, reported to the caller. Whoever called us
// has an answer within three seconds, also if the database is frozen and cannot enforce its own limits.
export const STATEMENT_TIMEOUT_MS = 2_500
const LOCK_TIMEOUT_MS = 2_000
// Added to the statement timeout: what the answer may take on its way.
const READ_MARGIN_MS = 300
// Node's longest timer.
const NO_TIMEOUT_MS = 2 ** 31 - 1
// One forgotten transaction slows every queue on the same database.
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
export const CONNECT_TIMEOUT_MS = 2_000
// With more waiting callers, a result would come too late to be useful.
const MAX_WAITING_CALLERS = 1_000
const MAX_TRANSACTION_ATTEMPTS = 5

const RETRYABLE = new Set(['40001', '40P01'])
// Connection lost or refused, server starting or stopping, database closed to connections, out of connections, disk full,
// and 25006: the primary was demoted.
const UNAVAILABLE_STATES = /^(08...|28...|57P0.|53...|25006|3D000|55000)$/
const UNAVAILABLE_ERRNOS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
])

type Timeouts = { statementTimeoutMs: number; connectTimeoutMs: number }
export function openDb(options: { url: string; poolSize: number } & Partial<Timeouts>): Db {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options
  const hosts = openHosts(options.url, connectTimeoutMs)
  const pool = openPool(
    {
      connectionString: options.url,
      max: options.poolSize,
      query_timeout: readTimeoutMs(statementTimeoutMs),
      // A statement may be sent before the result of the one before it. Code that awaits each, as nearly all does, notices nothing.
      pipeline: true,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 30_000,
      types: { getTypeParser: typeParser },
      application_name: 'recaudo',
      options: sessionSettings(statementTimeoutMs),
    },
    hosts,
  )
  const connect: Connect = hosts === null ? () => pool.connect() : () => acquire(pool, hosts)

  const refuseWhenFull = (): void => {
    if (pool.waitingCount >= MAX_WAITING_CALLERS)
      throw new StoreBusy('too many callers wait for a connection')
  }

  // Retries after a conflict with another transaction.
  const withRetries = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    refuseWhenFull()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run()
      } catch (error) {
        if (attempt >= MAX_TRANSACTION_ATTEMPTS || !RETRYABLE.has(sqlState(error) ?? ''))
          throw classified(error)
      }
    }
  }

  const db: Db = {
    async query(config) {
      refuseWhenFull()
      try {
        return await (hosts === null ? pool.query(config) : queryOn(connect, config))
      } catch (error) {
        throw classified(error)
      }
    },
    inTransaction: (work, limits) => withRetries(() => runTransaction(db, connect, work, limits?.timeoutMs)),
    sendTransaction: (statements, limits) =>
      withRetries(() => sendTransaction(connect, statements, limits?.timeoutMs)),
    async sendTogether(statements) {
      refuseWhenFull()
      try {
        return await sendTogether(await connect(), statements)
      } catch (error) {
        throw classified(error)
      }
    },
    async onOneConnection(work) {
      const client = await connect()
      try {
        await client.query('set statement_timeout = 0')
        return await work({ query: (config) => client.query(withinOwnTime(config, 0)), database: db })
      } catch (error) {
        throw classified(error)
      } finally {
        client.release(true)
      }
    },
    get pool() {
      return {
        total: pool.totalCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
        size: options.poolSize,
      }
    },
    close: () => pool.end(),
  }
  return db
}

// Of a transaction, or itself.
export function databaseOf(db: Queryable): Db {
  return db.database ?? (db as Db)
}

type Connect = () => Promise<pg.PoolClient>

function openPool(config: pg.PoolConfig, hosts: Hosts | null): pg.Pool {
  const pool =
    hosts === null
      ? new pg.Pool(config)
      : new pg.Pool({
          ...config,
          connectionTimeoutMillis: hosts.connectTimeoutMs,
          Client: clientOf(hosts, config),
        })
  // The pool drops a connection that breaks while idle. The next caller gets a new one or StoreUnavailable.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  if (hosts !== null)
    pool.on('release', (error, client) => {
      if (isSilent(error) || sqlState(error) === READ_ONLY_TRANSACTION)
        hosts.leave((client as pg.PoolClient & HostClient).server)
    })
  return pool
}

// As the pool's own query: a connection on which a statement failed is not used again.
async function queryOn<Row extends pg.QueryResultRow>(
  connect: Connect,
  config: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const client = await connect()
  let failed: Error | undefined
  try {
    return await client.query<Row>(config)
  } catch (error) {
    failed = error as Error
    throw error
  } finally {
    client.release(failed)
  }
}

// What every session of the service asks for.
export const SESSION_SETTINGS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  synchronous_commit: 'on',
  // Every statement has its index. A plan that was cached while a table was empty must not scan all of it later.
  enable_seqscan: 'off',
  // That raises the planner's estimates, from which PostgreSQL as it comes decides to compile a statement: for a look that
  // takes a millisecond it would take three hundred.
  jit: 'off',
  timezone: 'UTC',
}

function sessionSettings(statementTimeoutMs: number): string {
  return Object.entries({ ...SESSION_SETTINGS, statement_timeout: statementTimeoutMs })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

async function runTransaction<Result>(
  database: Db,
  connect: Connect,
  work: (tx: Queryable) => Promise<Result>,
  timeoutMs: number | undefined,
): Promise<Result> {
  const client = await connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    if (timeoutMs !== undefined) await client.query(localTimeout(timeoutMs))
    const result = await work({
      query: (config) => client.query(timeoutMs === undefined ? config : withinOwnTime(config, timeoutMs)),
      database,
    })
    await client.query('commit')
    return result
  } catch (error) {
    try {
      await client.query('rollback')
    } catch (rollbackError) {
      broken = rollbackError as Error
    }
    if (isUnavailable(error)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

// The rest of the transaction may take as long as is said, here and in the database.
function localTimeout(timeoutMs: number): pg.QueryConfig {
  return { text: `set local statement_timeout = ${timeoutMs}` }
}

// The driver reads the field, and its types do not have it.
function withinOwnTime(
  statement: pg.QueryConfig,
  timeoutMs: number,
): pg.QueryConfig & { query_timeout: number } {
  return { ...statement, query_timeout: readTimeoutMs(timeoutMs) }
}

function readTimeoutMs(statementTimeoutMs: number): number {
  return statementTimeoutMs === 0 ? NO_TIMEOUT_MS : statementTimeoutMs + READ_MARGIN_MS
}

// All of it is on its way at once, so each statement waits for those before it.
const PIPELINE_TIMEOUT_MS = 30_000

async function sendTransaction(
  connect: Connect,
  statements: readonly pg.QueryConfig[],
  timeoutMs: number | undefined,
): Promise<pg.QueryResult[]> {
  const before = [{ text: 'begin' }, ...(timeoutMs === undefined ? [] : [localTimeout(timeoutMs)])]
  const sent = [...before, ...statements, { text: 'commit' }].map((one) =>
    withinOwnTime(one, timeoutMs ?? PIPELINE_TIMEOUT_MS),
  )
  return (await sendTogether(await connect(), sent)).slice(before.length, -1)
}

// Where Citus copies rows to its machines, it passes on the text of a machine's error, and calls each an internal one.
export function sqlState(error: unknown): string | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === INTERNAL_ERROR && String(message).startsWith('duplicate key value')) return UNIQUE_VIOLATION
  return typeof code === 'string' ? code : undefined
}

const INTERNAL_ERROR = 'XX000'

export const UNIQUE_VIOLATION = '23505'
export const CHECK_VIOLATION = '23514'
export const DIVISION_BY_ZERO = '22012'
export const LOCK_NOT_AVAILABLE = '55P03'
export const QUERY_CANCELED = '57014'
const DISK_FULL = '53100'
const READ_ONLY_TRANSACTION = '25006'

function isUnavailable(error: unknown): boolean {
  if (error instanceof NoServer) return true
  const code = sqlState(error)
  if (code !== undefined) return UNAVAILABLE_STATES.test(code) || UNAVAILABLE_ERRNOS.has(code)
  const message = error instanceof Error ? error.message : ''
  return (
    isSilent(error) ||
    /connection terminated|client has encountered a connection error|not queryable|pool after calling end/i.test(
      message,
    )
  )
}

// The driver's own words for a limit that passed without an answer.
function isSilent(error: unknown): boolean {
  if (error instanceof NoServer) return error.isSilent
  const message = error instanceof Error ? error.message : ''
  return /connection timeout|timeout exceeded when trying to connect|query read timeout/i.test(message)
}

export function classified(error: unknown): unknown {
  if (!isUnavailable(error)) return error
  const kind = isSilent(error) ? StoreSilent : StoreUnavailable
  return new kind((error as Error).message, { cause: error })
}

// The database can be read, and stores nothing until somebody makes room.
export function isDiskFull(error: unknown): boolean {
  return error instanceof StoreUnavailable && sqlState(error.cause) === DISK_FULL
}

// What a failure means for other statements. `unanswered`: the database was not reached, did not answer or ran out of time, and
// whatever else is sent has the same fate. `lock timeout`: somebody holds a row of one of them. `statement`: this one is at fault.
export type Failure = 'unanswered' | 'lock timeout' | 'statement'

export function failureOf(error: unknown): Failure {
  if (error instanceof StoreUnavailable || error instanceof StoreBusy) return 'unanswered'
  if (sqlState(error) === QUERY_CANCELED) return 'unanswered'
  return sqlState(error) === LOCK_NOT_AVAILABLE ? 'lock timeout' : 'statement'
}
