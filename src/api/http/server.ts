// The HTTP server: what happens to every request before and after its operation. In order: request id, limits of the address,
// authentication, rate limit, scope, body, overload check, validation, operation, response, log line and metrics.

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../core/refusal.ts'
import { SealingStopped } from '../../core/seal.ts'
import type { Context } from '../../flows/context.ts'
import { BatchFull } from '../../store/batched-statement.ts'
import {
  type Db,
  isDiskFull,
  LOCK_NOT_AVAILABLE,
  QUERY_CANCELED,
  StoreBusy,
  StoreUnavailable,
  sqlState,
} from '../../store/db.ts'
import { logRequests, type RequestLog } from '../audit/request-log.ts'
import { routeNotifications } from '../connections/notifications.ts'
import type { StreamTimes } from '../events/stream.ts'
import { routeEventStream } from '../events/stream-route.ts'
import { operationsOf } from '../operations.ts'
import { routeOAuth } from '../organizations/oauth.ts'
import { routeReceiptKeys } from '../receipts/operations.ts'
import { traceOperation, traceRequests } from '../trace-requests.ts'
import { watchAbuse } from './abuse-alarms.ts'
import type { AccessTokens } from './access-token.ts'
import type { AddressLimits } from './address-limits.ts'
import { type Admission, createAdmission } from './admission.ts'
import { sendAnswer, sendRefusal } from './answer.ts'
import { type Auth, actorOf, type Caller } from './auth.ts'
import { addBodyParsers, answerClientError } from './body-parsers.ts'
import { createAddressCheck } from './credential-limits.ts'
import { routeHealth } from './health.ts'
import { createIdempotent, type Idempotent, readIdempotencyKey } from './idempotency.ts'
import type { Metrics } from './metrics.ts'
import type { Operation } from './operation.ts'
import type { RateLimit } from './rate-limit.ts'
import { createRequestLimits } from './request-limits.ts'
import { operationRunner } from './run-operation.ts'
import { refuseUnknownRoutes } from './unknown-routes.ts'

export type ServerOptions = {
  ctx: Context
  auth: Auth
  tokens: AccessTokens
  metrics: Metrics
  requestLog: Pick<RequestLog, 'add'>
  log: Logger
  isReady: () => Promise<{ ready: boolean; reason?: string }>
  // 0 = off
  rateLimitPerSecond: number
  rateLimit?: RateLimit
  metricsToken: string | null
  addressLimits: AddressLimits
  // The part of the connections that event streams have.
  streamsDb: Db
  maxInFlight: number
  // May answer an address that the router cannot parse. Returns whether it did.
  answerUnreadable?: (request: FastifyRequest, reply: FastifyReply) => boolean
  timeouts?: { headersMs: number; requestMs: number; stream?: StreamTimes }
}

export const BODY_LIMIT_BYTES = 64 * 1_024
const MAX_HEADER_BYTES = 16 * 1_024
// Time limits for the headers and for the whole request, so that slow clients do not hold connections.
const TIMEOUTS = { headersMs: 10_000, requestMs: 15_000 }
const KEEP_ALIVE_MS = 72_000
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    // Why it was refused.
    refusal: RefusalCode | null
    startedAtMs: number
  }
  interface FastifyContextConfig {
    operation?: Operation
    rawBody?: boolean
    // Open for as long as the client listens, so it does not count as in flight.
    stream?: boolean
    // Proves itself by a signature or a token that is no merchant's. Whose address failed too often is not looked at.
    provesItself?: boolean
  }
}

export function createServer(options: ServerOptions): FastifyInstance {
  const { ctx, metrics } = options
  const timeouts = options.timeouts ?? TIMEOUTS
  const limits = createRequestLimits(options)
  const secureHeaders: Record<string, string> = /^https:/i.test(ctx.settings.publicUrl)
    ? { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' }
    : SECURITY_HEADERS
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Whatever fits into a request reaches its operation, which says what is wrong with it. A router that gives up first
    // says only that there is no such path.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    forceCloseConnections: 'idle',
    // During shutdown, open connections still get their responses, each with `connection: close`.
    return503OnClosing: false,
    http: {
      // Refused below, in our own error format.
      requireHostHeader: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
    },
    clientErrorHandler: answerClientError(ctx.settings.publicUrl, () => ctx.ids.next(), secureHeaders),
    // No hook runs for an address that cannot be parsed, so the hooks' work is done here.
    frameworkErrors: (_error, request, untyped) => {
      const reply = untyped as FastifyReply
      request.startedAtMs = performance.now()
      reply.raw.once('finish', () => logRequest(options, request, reply))
      reply.headers({ ...secureHeaders, 'x-request-id': request.id })
      const refusal = limits.refuseUnreadable(request, reply)
      if (refusal === undefined && options.answerUnreadable?.(request, reply)) return
      const unreadable = refuse('NOT_FOUND', 'The address cannot be read.')
      void sendRefusal(ctx.settings, request, reply, refusal ?? unreadable)
    },
    genReqId: (request) => {
      const sent = request.headers['x-request-id']
      return typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : ctx.ids.next()
    },
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('refusal', null)
  app.decorateRequest('startedAtMs', 0)
  // Node answers `Expect: 100-continue`. Any other expectation is ignored.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  refuseUnknownRoutes(app, ctx)

  let open = 0
  metrics.watchInFlight(() => open)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now()
    const weight = request.routeOptions.config.stream === true ? 0 : 1
    open += weight
    // `close` fires once for every request. `onResponse` does not when the client disconnects first.
    reply.raw.once('close', () => {
      open -= weight
    })
    reply.headers(secureHeaders)
    reply.header('x-request-id', request.id)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      void sendRefusal(
        ctx.settings,
        request,
        reply,
        refuse('INVALID_INPUT', 'HTTP/1.1 needs the header Host.'),
      )
      return
    }
    done()
  })
  if (ctx.tracer !== null) traceRequests(app, ctx.tracer)
  limits.watch(app)
  const checkAddress = createAddressCheck(options.addressLimits, watchAbuse(app, options))
  logRequests(app, options.requestLog, ctx)
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(options, request, reply)
    done()
  })
  // Otherwise a connection that was busy at shutdown would stay alive after its response and delay the exit.
  let stopping = false
  app.addHook('preClose', (done) => {
    stopping = true
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onRequestAbort', (request, done) => {
    options.log.info(
      { requestId: request.id, method: request.method, route: request.routeOptions.url },
      'client went away',
    )
    done()
  })

  addBodyParsers(app)
  app.setErrorHandler((error, request, reply) =>
    sendRefusal(ctx.settings, request, reply, refusalOf(options, error, request)),
  )

  const idempotent = createIdempotent(ctx)
  const admission = createAdmission(options, checkAddress)
  for (const operation of operationsOf(ctx.settings.environment))
    routeOperation(app, options, operation, { idempotent, admission })
  const streamOptions = { ...options, checkAddress, ctx: { ...ctx, db: options.streamsDb } }
  routeEventStream(app, streamOptions, admission, options.timeouts?.stream)
  routeOAuth(app, ctx, options.auth, options.tokens, checkAddress)
  routeReceiptKeys(app, ctx)
  routeNotifications(app, ctx, metrics)
  routeHealth(app, options)
  return app
}

type Shared = { idempotent: Idempotent; admission: Admission }

function routeOperation(
  app: FastifyInstance,
  options: ServerOptions,
  operation: Operation,
  shared: Shared,
): void {
  const { ctx } = options
  const run = operationRunner(ctx, operation, shared.idempotent)
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    ...(operation.maxBodyBytes !== undefined && { bodyLimit: operation.maxBodyBytes }),
    onRequest: shared.admission(operation),
    handler: async (request, reply) => {
      const key =
        operation.method === 'POST' ? readIdempotencyKey(request.headers['idempotency-key']) : undefined
      if (isRefusal(key)) return sendRefusal(ctx.settings, request, reply, key)
      const caller = request.caller as Caller
      const call = {
        actor: actorOf(caller, options.addressLimits.clientOf(request.raw), request.id),
        requestId: request.id,
        caller,
        params: request.params as Record<string, string>,
        query: request.query,
        body: request.body,
        headers: request.headers,
        path: request.url.split('?')[0] as string,
        idempotencyKey: key,
      }
      const { tracer } = ctx
      const answer =
        tracer === null
          ? await run(call)
          : await traceOperation(tracer, request, operation.operationId, () => run(call))
      return isRefusal(answer) ? sendRefusal(ctx.settings, request, reply, answer) : sendAnswer(reply, answer)
    },
  })
}

const STORE_RETRY_SECONDS = 2
// A lock or the statement timed out. The whole statement was rolled back.
const TIMEOUT_SQL_STATES = new Set([LOCK_NOT_AVAILABLE, QUERY_CANCELED])

function refusalOf(options: ServerOptions, error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof StoreUnavailable) {
    if (isDiskFull(error)) {
      const { message: reason } = error
      options.log.error(
        { requestId: request.id, reason },
        'the disk of the database is full: make room there',
      )
    }
    const problem = isDiskFull(error)
      ? 'The database has no room left, and stored nothing of this.'
      : 'The database cannot be reached.'
    return refuse('STORE_UNAVAILABLE', problem, {
      retryAfterSeconds: STORE_RETRY_SECONDS,
    })
  }
  // Another process takes it, or this one once it has the key.
  if (error instanceof SealingStopped) {
    return refuse('STORE_UNAVAILABLE', 'This process is ending. Try again.', {
      retryAfterSeconds: STORE_RETRY_SECONDS,
    })
  }
  if (
    error instanceof BatchFull ||
    error instanceof StoreBusy ||
    TIMEOUT_SQL_STATES.has(sqlState(error) ?? '')
  ) {
    options.metrics.countRefused('overload')
    return refuse('OVERLOADED', 'Too many requests wait for the database.', { retryAfterSeconds: 1 })
  }
  if (isRefusal(error)) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refuse(
      'BODY_TOO_LARGE',
      `A body may have ${request.routeOptions.bodyLimit ?? BODY_LIMIT_BYTES} bytes here.`,
    )
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
      ? refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body as content-type: application/json.')
      : refuse('INVALID_JSON', 'The body has another length than the header content-length says.')
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return refuse('INVALID_INPUT', 'The request cannot be read.')
  options.log.error(
    { requestId: request.id, route: request.routeOptions.url, ...loggableError(error) },
    'unexpected error',
  )
  return refuse('INTERNAL_ERROR', 'Something broke on our side. The request id finds it in our log.')
}

// Leaves out a database error's `detail`, which quotes the row and so the customer's data.
function loggableError(error: unknown): Record<string, unknown> {
  const { name, message, code, constraint, stack } = error as Record<string, unknown>
  return { error: { name, message, code, constraint, stack } }
}

// Logs the route, not the address. An address may contain a key or a token.
function logRequest(options: ServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'unknown'
  const ms = performance.now() - request.startedAtMs
  // Excludes streams, whose duration says nothing about latency.
  const isServedStream = request.routeOptions.config.stream === true && reply.statusCode === 200
  if (!isServedStream) options.metrics.observeRequest(request.method, route, reply.statusCode, ms / 1_000)
  if (!options.log.isLevelEnabled('info')) return
  options.log.info({
    requestId: request.id,
    organizationId: request.caller?.organization.organizationId,
    method: request.method,
    route,
    status: reply.statusCode,
    ms: Math.round(ms * 100) / 100,
  })
}
