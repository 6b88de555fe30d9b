// The door of a process that answers no merchants: its health and its metrics, on a port of its own.

import Fastify, { type FastifyInstance } from 'fastify'
import { refuse } from '../../core/refusal.ts'
import type { Needs } from '../../flows/context.ts'
import { sendRefusal } from './answer.ts'
import { type HealthOptions, routeHealth } from './health.ts'

// What asks here is a machine beside us: it sends its few bytes at once.
const REQUEST_TIMEOUT_MS = 5_000

export function createMonitor(options: HealthOptions & { ctx: Needs<'ids'> }): FastifyInstance {
  const app = Fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
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
