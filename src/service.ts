// Puts the rooms together: from settings and a database to a running service. `npm start`, the tests and the benchmarks
// all build it here.

import { randomBytes, randomFillSync } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type AccessTokens, openAccessTokens } from './api/access-token.ts'
import { type Auth, createAuth } from './api/auth.ts'
import { createMetrics, type Metrics } from './api/metrics.ts'
import { createServer, type ServerOptions } from './api/server.ts'
import type { Config } from './config.ts'
import { createIdSource } from './core/ids.ts'
import type { Instant } from './core/instant.ts'
import { deriveKeys } from './core/seal.ts'
import type { Context } from './flows/context.ts'
import { createBatch } from './store/batch.ts'
import { type Db, StoreUnavailable } from './store/db.ts'
import { getRecords } from './store/idempotency.ts'
import { isMigrated } from './store/migrate.ts'
import { getPayins, insertPayins } from './store/payins.ts'
import { startWorkers } from './workers/due.ts'

// Rows in one statement: large enough to make the commit cheap, small enough to answer within milliseconds.
const MAX_BATCH = 200
// Requests that may wait for a batch, about a second's worth; beyond it they are refused.
const MAX_WAITING = 5_000
const READ_LANES = 2
const LAST_USE_EVERY_MS = 30_000

export function createContext(
  config: Config,
  db: Db,
  secretsKey: Buffer,
  metrics: Metrics,
  now: () => Instant = Date.now,
): Context {
  const ids = createIdSource(randomPool())
  const batch = { maxItems: MAX_BATCH, maxWaiting: MAX_WAITING }
  const counted = (statement: string) => ({
    ...batch,
    onBatch: (size: number) => metrics.observeBatch(statement, size),
  })
  return {
    environment: config.environment,
    now,
    nextId: () => ids(now()),
    randomBytes,
    db,
    keys: deriveKeys(secretsKey),
    publicUrl: config.publicUrl,
    checkoutUrl: config.checkoutUrl,
    pseCapInCents: config.pseCapInCents,
    together: {
      insertPayin: createBatch({
        ...counted('insert_payins'),
        lanes: config.groupCommitLanes,
        run: (payins) => surely(() => insertPayins(db, payins)),
      }),
      getPayin: createBatch({
        ...counted('get_payins'),
        lanes: READ_LANES,
        run: (ids) => getPayins(db, ids),
      }),
      getRecord: createBatch({
        ...counted('get_records'),
        lanes: READ_LANES,
        run: (keys) => getRecords(db, keys),
      }),
    },
  }
}

// A connection that breaks under a commit leaves us not knowing. The statement is safe to run again: what was written
// keeps its id, and the caller recognizes its own row.
async function surely<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return run()
  }
}

// Ten random bytes for each id from a pool that is filled seldom: the system call costs more than the bytes.
function randomPool(): (count: number) => Uint8Array {
  const pool = Buffer.allocUnsafe(8_192)
  let used = pool.length
  return (count) => {
    if (used + count > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }
}

export type Api = { app: FastifyInstance; auth: Auth; tokens: AccessTokens; close: () => Promise<void> }

export async function createApi(
  config: Config,
  ctx: Context,
  log: Logger,
  metrics: Metrics,
  timeouts?: ServerOptions['timeouts'],
): Promise<Api> {
  metrics.watchDb(ctx.db)
  const tokens = await openAccessTokens(ctx)
  const auth = createAuth(ctx, tokens)
  const app = createServer({
    ctx,
    auth,
    tokens,
    metrics,
    log,
    isReady: readiness(ctx.db),
    rateLimitPerSecond: config.rateLimitPerSecond,
    metricsToken: config.metricsToken,
    maxInFlight: config.maxInFlight,
    ...(timeouts && { timeouts }),
  })
  const lastUse = setInterval(() => void auth.flushLastUse().catch(() => {}), LAST_USE_EVERY_MS).unref()
  return {
    app,
    auth,
    tokens,
    close: async () => {
      clearInterval(lastUse)
      await app.close()
      await auth.flushLastUse().catch(() => {})
    },
  }
}

function readiness(db: Db): () => Promise<{ ready: boolean; reason?: string }> {
  return async () => {
    try {
      return (await isMigrated(db))
        ? { ready: true }
        : { ready: false, reason: 'The database is not migrated yet.' }
    } catch (error) {
      return {
        ready: false,
        reason:
          error instanceof StoreUnavailable ? 'The database cannot be reached.' : (error as Error).message,
      }
    }
  }
}

export { createMetrics, startWorkers }
