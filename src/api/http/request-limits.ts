// The door of the server: what an address may have, and how many requests of a kind are worked on at once. A refusal goes to the
// error handler of the route, so that a payer gets a page and a program gets JSON.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { AddressLimits } from './address-limits.ts'
import { createBudgets, kindOf, type RequestKind } from './budgets.ts'
import type { Metrics } from './metrics.ts'

export type RequestLimitOptions = {
  metrics: Pick<Metrics, 'countRefused'>
  addressLimits: AddressLimits
  maxInFlight: number
}

export type RequestLimits = {
  // Adds the hooks that limit what the routes get.
  watch: (app: FastifyInstance) => void
  // The same limits for an address that the router cannot parse: it has no route, and no hook runs for it.
  refuseUnreadable: (request: FastifyRequest, reply: FastifyReply) => Refusal | undefined
}

export const TOO_MANY_FAILURES = refuse(
  'RATE_LIMITED',
  'Too many requests from your address carried no credential that holds.',
  { retryAfterSeconds: 1 },
)

// Nobody will ask who sent these.
const PUBLIC: readonly RequestKind[] = ['tokens', 'pages', 'documents']

export function createRequestLimits({
  metrics,
  addressLimits,
  maxInFlight,
}: RequestLimitOptions): RequestLimits {
  const budgets = createBudgets(maxInFlight)

  const refuseAddress = (
    { raw }: FastifyRequest,
    reply: FastifyReply,
    kind: RequestKind,
  ): Refusal | undefined => {
    const refusal =
      addressLimits.holdRequest(raw, reply.raw) ??
      (PUBLIC.includes(kind) ? addressLimits.takeUnauthenticated(raw) : undefined)
    if (refusal !== undefined) metrics.countRefused('address')
    return refusal
  }
  const refuseOverload = (reply: FastifyReply, kind: RequestKind): Refusal | undefined => {
    // Of a client that is gone, `close` has fired already.
    if (reply.raw.destroyed) return undefined
    if (!budgets.enter(kind)) {
      metrics.countRefused('overload')
      return refuse('OVERLOADED', 'Too many requests are being worked on.', { retryAfterSeconds: 1 })
    }
    // `close` fires once for every request. `onResponse` does not when the client disconnects first.
    reply.raw.once('close', () => budgets.release(kind))
    return undefined
  }

  // Refused before anything is compared: otherwise the one guess that is right would be told.
  const refuseGuess = ({ raw, routeOptions }: FastifyRequest): Refusal | undefined => {
    if (routeOptions.config.provesItself !== true || !addressLimits.isExhausted(raw)) return undefined
    metrics.countRefused('address')
    return TOO_MANY_FAILURES
  }

  const watch = (app: FastifyInstance): void => {
    addressLimits.watchConnections(app.server, () => metrics.countRefused('address'))
    app.addHook('onRequest', (request, reply, done) =>
      done(thrown(refuseAddress(request, reply, kindOf(request)) ?? refuseGuess(request))),
    )
    // Whoever failed to say who he is has made an unauthenticated request too, and so has whoever guessed where something is.
    app.addHook('onSend', (request, reply, payload, done) => {
      const isGuess = reply.statusCode === 404 && request.routeOptions.config.provesItself === true
      if ((reply.statusCode === 401 || isGuess) && !PUBLIC.includes(kindOf(request)))
        addressLimits.takeUnauthenticated(request.raw)
      done(null, payload)
    })
    // After the body: an unfinished one holds nothing. Others of its address may have failed since it began. A stream is open
    // for as long as the client listens, and has limits of its own.
    app.addHook('preValidation', (request, reply, done) => {
      const isStream = request.routeOptions.config.stream === true
      done(isStream ? undefined : thrown(refuseGuess(request) ?? refuseOverload(reply, kindOf(request))))
    })
  }
  return {
    watch,
    refuseUnreadable: (request, reply) =>
      refuseAddress(request, reply, 'documents') ?? refuseOverload(reply, 'documents'),
  }
}

function thrown(refusal: Refusal | undefined): Error | undefined {
  return refusal as unknown as Error | undefined
}
