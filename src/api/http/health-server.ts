// HTTP server of a process that serves no merchants: health and metrics only, on a separate port.

import Fastify, { type FastifyInstance } from 'fastify'
import { refuse } from '../../core/refusal.ts'
import type { Needs } from '../../flows/context.ts'
import { sendRefusal } from './answer.ts'
import { type HealthOptions, routeHealth } from './health.ts'

// Only nearby probes and scrapers connect here. Their requests are small and arrive at once.
const REQUEST_TIMEOUT_MS = 5_000

export function createHealthServer(options: HealthOptions & { ctx: Needs<'ids'> }): FastifyInstance {
  const app = Fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: () => options.ctx.ids.next(),
  })
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.setNotFoundHandler((request, reply) =>
    sendRefusal(
      options.ctx.settings,
      request,
      reply,
      refuse('NOT_FOUND', 'Here are /healthz, /readyz and /metrics only.'),
    ),
  )
  routeHealth(app, options)
  return app
}
