// The door of the server: what an address may have, and how many requests of a kind are worked on at once. A refusal goes to the
// error handler of the route, so that a payer gets a page and a program gets JSON.

import type { FastifyInstance } from 'fastify'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { AddressLimits } from './address-limits.ts'
import { createBudgets, kindOf, type RequestKind } from './budgets.ts'
import type { Metrics } from './metrics.ts'

export type RequestLimitOptions = {
  metrics: Pick<Metrics, 'countRefused'>
  addressLimits: AddressLimits
  maxInFlight: number
}

// Nobody will ask who sent these.
const PUBLIC: readonly RequestKind[] = ['tokens', 'pages', 'documents']

export function limitRequests(app: FastifyInstance, options: RequestLimitOptions): void {
  const { metrics, addressLimits } = options
  addressLimits.watchConnections(app.server, () => metrics.countRefused('address'))

  app.addHook('onRequest', (request, reply, done) => {
    const refusal =
      addressLimits.holdRequest(request.raw, reply.raw) ??
      (PUBLIC.includes(kindOf(request)) ? addressLimits.takeUnauthenticated(request.raw) : undefined)
    if (refusal === undefined) return done()
    metrics.countRefused('address')
    done(thrown(refusal))
  })
  // Whoever failed to say who he is has made an unauthenticated request too.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 401 && !PUBLIC.includes(kindOf(request)))
      addressLimits.takeUnauthenticated(request.raw)
    done(null, payload)
  })

  const budgets = createBudgets(options.maxInFlight)
  // After the body: an unfinished one holds nothing.
  app.addHook('preValidation', (request, reply, done) => {
    // A stream is open for as long as the client listens, and has limits of its own. Of a client that is gone, `close` has
    // fired already.
    if (request.routeOptions.config.stream === true || reply.raw.destroyed) return done()
    const kind = kindOf(request)
    if (!budgets.enter(kind)) {
      metrics.countRefused('overload')
      return done(
        thrown(refuse('OVERLOADED', 'Too many requests are being worked on.', { retryAfterSeconds: 1 })),
      )
    }
    // `close` fires once for every request. `onResponse` does not when the client disconnects first.
    reply.raw.once('close', () => budgets.release(kind))
    done()
  })
}

function thrown(refusal: Refusal): Error {
  return refusal as unknown as Error
}
