// Builds the API and the workers on a context. `npm start`, the tests and the benchmarks all build them here.

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createRequestLog, type RequestLog } from './api/audit/request-log.ts'
import { type AccessTokens, openAccessTokens } from './api/http/access-token.ts'
import { createAddressLimits } from './api/http/address-limits.ts'
import { type Auth, createAuth } from './api/http/auth.ts'
import { createMetrics, type Metrics } from './api/http/metrics.ts'
import { createServer, type ServerOptions } from './api/http/server.ts'
import { createActionLimit } from './checkout/action-limit.ts'
import { liveBackend } from './checkout/live-backend.ts'
import { livePageBackend } from './checkout/page-backend.ts'
import { routePaymentPages } from './checkout/page-routes.ts'
import { routeReceipts } from './checkout/receipts/routes.ts'
import { routeRefundPages } from './checkout/refund-routes.ts'
import { answerNotFound, type CheckoutOptions, routeCheckout } from './checkout/routes.ts'
import type { Config } from './config.ts'
import { createLive } from './console/live/live.ts'
import { routeConsole } from './console/routes.ts'
import { createContext, followStagingClock, type ServiceContext } from './context.ts'
import { isThisMachine, plainAddress } from './core/network-address.ts'
import { routeDocs } from './docs/routes.ts'
import type { Context } from './flows/context.ts'
import { shareOf } from './store/db-share.ts'
import {
  createDeliveryWorkerOptions,
  createMailing,
  createReadinessCheck,
  createWorkersMonitor,
  watchStore,
} from './worker-service.ts'
import { startWorkers } from './workers/start.ts'

const LAST_USE_EVERY_MS = 30_000
// Of the connections. What they do not have, merchants' requests and workers always find.
const PAGES_PART = 0.3
const STREAMS_PART = 0.2

export type Api = {
  app: FastifyInstance
  auth: Auth
  tokens: AccessTokens
  requestLog: RequestLog
  close: () => Promise<void>
}

export async function createApi(
  config: Config,
  ctx: Context,
  log: Logger,
  metrics: Metrics,
  timeouts?: ServerOptions['timeouts'],
  rateLimit?: ServerOptions['rateLimit'],
  requestLog: RequestLog = createRequestLog({ ctx, countDropped: metrics.countUnlogged }),
): Promise<Api> {
  watchStore(ctx, metrics)
  const tokens = await openAccessTokens(ctx)
  const auth = createAuth(ctx, tokens)
  const addressLimits = createAddressLimits(config, () => performance.now())
  const actionLimit = createActionLimit(config.payerActionsPerMinute, () => performance.now())
  const pagesContext = { ...ctx, db: shareOf(ctx.db, PAGES_PART) }
  const checkout: CheckoutOptions = {
    backend: liveBackend(pagesContext),
    environment: config.environment,
    publicUrl: config.checkoutUrl,
    now: ctx.clock.now,
    actionWait: (token, request) => actionLimit(token, addressLimits.addressOf(request.raw)),
    // Where a proxy names nobody, or a payer is on this machine, all that is known is where the request came from.
    clientOf: ({ raw }) => addressLimits.clientOf(raw) ?? plainAddress(raw.socket.remoteAddress ?? ''),
    onError: (error, request) =>
      log.error({ requestId: request.id, error: (error as Error).message }, 'page failed'),
  }
  const app = createServer({
    ctx,
    auth,
    tokens,
    metrics,
    requestLog,
    log,
    isReady: createReadinessCheck(ctx.db),
    rateLimitPerSecond: config.rateLimitPerSecond,
    metricsToken: config.metricsToken,
    maxInFlight: config.maxInFlight,
    addressLimits,
    streamsDb: shareOf(ctx.db, STREAMS_PART),
    // A payer with an unreadable URL gets a page too, not JSON.
    answerUnreadable: (request, reply) => {
      const isPage = /^\/(?:pay|page|refund)\//.test(request.url)
      if (isPage) void answerNotFound(checkout, request, reply)
      return isPage
    },
    ...(timeouts && { timeouts }),
    ...(rateLimit && { rateLimit }),
  })
  routeCheckout(app, checkout)
  routeReceipts(app, {
    ctx: pagesContext,
    environment: config.environment,
    publicUrl: config.checkoutUrl,
    ...(checkout.onError && { onError: checkout.onError }),
  })
  routePaymentPages(app, {
    ...checkout,
    pageBackend: livePageBackend(pagesContext),
    // Many strangers share a page. Each address has its measure, and does not use up the others'.
    actionWait: (token, request) => {
      const address = addressLimits.addressOf(request.raw)
      // A proxy that names nobody is not limited: all of its clients would share one measure.
      return address === null ? undefined : actionLimit(`${token} ${address}`, address)
    },
  })
  routeRefundPages(app, { ...checkout, ctx: pagesContext })
  routeConsole(app, {
    ctx: pagesContext,
    live: createLive(pagesContext),
    environment: config.environment,
    publicUrl: config.publicUrl,
    // Somebody on this machine is shown as such.
    clientOf: ({ raw }) => addressLimits.clientOf(raw) ?? thisMachine(raw.socket.remoteAddress),
    strangerWait: ({ raw }) => addressLimits.takeUnauthenticated(raw)?.retryAfterSeconds,
    ...(checkout.onError && { onError: checkout.onError }),
  })
  routeDocs(app, {
    publicUrl: ctx.settings.publicUrl,
    environment: config.environment,
    sandboxUrl: config.sandbox === null ? undefined : `http://127.0.0.1:${config.sandbox.port}`,
  })
  const lastUse = setInterval(() => void auth.flushLastUse().catch(() => {}), LAST_USE_EVERY_MS).unref()
  return {
    app,
    auth,
    tokens,
    requestLog,
    close: async () => {
      clearInterval(lastUse)
      await app.close()
      await auth.flushLastUse().catch(() => {})
      await requestLog.close()
    },
  }
}

export {
  createContext,
  createDeliveryWorkerOptions,
  createMailing,
  createMetrics,
  createWorkersMonitor,
  followStagingClock,
  type ServiceContext,
  startWorkers,
  watchStore,
}

// A proxy that names nobody is not whom the request is from.
function thisMachine(remote: string | undefined): string | null {
  const address = plainAddress(remote ?? '')
  return address !== null && isThisMachine(address) ? address : null
}
