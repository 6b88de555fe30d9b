// Puts the API and the workers on top of a context. `npm start`, the tests and the benchmarks all build it here.

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type AccessTokens, openAccessTokens } from './api/access-token.ts'
import { type Auth, createAuth } from './api/auth.ts'
import { createMetrics, type Metrics } from './api/metrics.ts'
import { createServer, type ServerOptions } from './api/server.ts'
import { liveBackend } from './checkout/live-backend.ts'
import { routeCheckout } from './checkout/routes.ts'
import type { Config } from './config.ts'
import { createContext, followStagingClock, type ServiceContext } from './context.ts'
import type { Context } from './flows/context.ts'
import { type Db, StoreUnavailable } from './store/db.ts'
import { isMigrated } from './store/migrate.ts'
import { createSender } from './webhooks/send.ts'
import { type Delivering, startWorkers } from './workers/due.ts'

const LAST_USE_EVERY_MS = 30_000

// Who sends webhooks, and how it goes about it.
export function createDelivering(config: Config): Delivering {
  return {
    sender: createSender({ allowPrivate: config.webhookAllowPrivate }),
    settings: { schedule: config.webhookRetryMs, perEndpoint: config.webhookConcurrency },
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
  routeCheckout(app, {
    backend: liveBackend(ctx),
    environment: config.environment,
    publicUrl: config.checkoutUrl,
    now: ctx.now,
    onError: (error, request) =>
      log.error({ requestId: request.id, error: (error as Error).message }, 'page failed'),
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
      const away = error instanceof StoreUnavailable
      return {
        ready: false,
        reason: away ? 'The database cannot be reached.' : 'The database cannot be used.',
      }
    }
  }
}

export { createContext, createMetrics, followStagingClock, type ServiceContext, startWorkers }
