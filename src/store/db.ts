// The one door to PostgreSQL: a pool, a transaction wrapper, and the sorting of its errors into those worth another try,
// those that mean "away", and bugs. Nothing that takes a transaction may talk to a network.

import pg from 'pg'
import type { Instant } from '../core/instant.ts'

export type Queryable = {
  query<Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>>
}

export type Db = Queryable & {
  inTransaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  // Statements that need nothing of each other's answers, as one transaction and one way there and back.
  sendTransaction(statements: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]>
  pool: { total: number; idle: number; waiting: number; size: number }
  close(): Promise<void>
}

// The database is away or refuses us for now: the caller may try again later, and so may the merchant.
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

// More callers wait for a connection than we are ready to hold in memory.
export class StoreBusy extends Error {
  override name = 'StoreBusy'
}

// A statement that runs longer is a mistake; a lock waited for longer is a conflict to be told to the caller.
const STATEMENT_TIMEOUT_MS = 5_000
const LOCK_TIMEOUT_MS = 2_000
// One forgotten transaction makes every queue on the same database crawl.
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 2_000
// Beyond this many waiting callers an answer would come too late to be of use.
const MAX_WAITING_CALLERS = 1_000
const TRANSACTION_TRIES = 5

const RETRYABLE = new Set(['40001', '40P01'])
// Connection lost or refused, server starting or stopping, database closed to connections, out of connections, disk full, and 25006: a primary that was demoted under us.
const AWAY = /^(08...|28...|57P0.|53...|25006|3D000|55000)$/
const AWAY_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
])

const TIMESTAMPTZ = 1184
const INT8 = 20

export function openDb(options: { url: string; poolSize: number; statementTimeoutMs?: number }): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    // A statement may follow another before its answer. Whoever awaits each, as nearly all do, notices nothing.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    types: { getTypeParser: typeParser },
    application_name: 'recaudo',
    options: sessionSettings(options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS),
  })
  // A connection that breaks while idle is dropped by the pool; the next caller gets a fresh one or StoreUnavailable.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  const refuseWhenFull = (): void => {
    if (pool.waitingCount >= MAX_WAITING_CALLERS)
      throw new StoreBusy('too many callers wait for a connection')
  }

  // Again, where another transaction was in the way.
  const withRetries = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    refuseWhenFull()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run()
      } catch (error) {
        if (attempt >= TRANSACTION_TRIES || !RETRYABLE.has(sqlState(error) ?? '')) throw classified(error)
      }
    }
  }

  return {
    async query(config) {
      refuseWhenFull()
      try {
        return await pool.query(config)
      } catch (error) {
        throw classified(error)
      }
    },
    inTransaction: (work) => withRetries(() => runTransaction(pool, work)),
    sendTransaction: (statements) => withRetries(() => sendTransaction(pool, statements)),
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
}

function sessionSettings(statementTimeoutMs: number): string {
  const settings = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    synchronous_commit: 'on',
    // Every statement of ours has its index. A plan that was cached while a table was empty must not read all of it later.
    enable_seqscan: 'off',
    timezone: 'UTC',
  }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

async function runTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    try {
      await client.query('rollback')
    } catch (rollbackError) {
      broken = rollbackError as Error
    }
    if (isAway(error)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

async function sendTransaction(
  pool: pg.Pool,
  statements: readonly pg.QueryConfig[],
): Promise<pg.QueryResult[]> {
  const client = await pool.connect()
  const sent = [{ text: 'begin' }, ...statements, { text: 'commit' }].map((one) => client.query(one))
  const answers = await Promise.allSettled(sent)
  const refused = answers.find((answer) => answer.status === 'rejected')
  // After a refusal nobody knows any more what is prepared on this connection.
  client.release(refused !== undefined)
  if (refused !== undefined) throw refused.reason
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])).slice(1, -1)
}

export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

export const UNIQUE_VIOLATION = '23505'
export const LOCK_NOT_AVAILABLE = '55P03'

function isAway(error: unknown): boolean {
  const code = sqlState(error)
  if (code !== undefined) return AWAY.test(code) || AWAY_SYSTEM.has(code)
  const message = error instanceof Error ? error.message : ''
  return /connection terminated|connection timeout|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|pool after calling end/i.test(
    message,
  )
}

function classified(error: unknown): unknown {
  return isAway(error) ? new StoreUnavailable((error as Error).message, { cause: error }) : error
}

// Timestamps arrive as milliseconds and int8 as bigint: core knows no other form.
function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary' && oid === TIMESTAMPTZ) return parseTimestamp
  if (format !== 'binary' && oid === INT8) return BigInt
  return pg.types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown
}

// '2026-11-15 02:34:12.12+00', as PostgreSQL writes it in UTC.
function parseTimestamp(text: string): Instant {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11)}:00`)
}
