// Endpoints for load balancers and monitors. /healthz: the process is alive. /readyz: it can serve. /metrics:
// Prometheus.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../core/refusal.ts'
import type { Needs } from '../../flows/context.ts'
import { sendRefusal } from './answer.ts'
import type { Metrics } from './metrics.ts'

export type HealthOptions = {
  ctx: Needs<'settings'>
  metrics: Metrics
  isReady: () => Promise<{ ready: boolean; reason?: string }>
  metricsToken: string | null
}

export function routeHealth(app: FastifyInstance, options: HealthOptions): void {
  app.get('/healthz', (_request, reply) => reply.type('application/json').send('{"status":"ok"}'))

  app.get('/readyz', async (request, reply) => {
    const { ready, reason } = await options.isReady()
    if (ready) return reply.type('application/json').send('{"status":"ready"}')
    return sendRefusal(
      options.ctx.settings,
      request,
      reply,
      refuse('STORE_UNAVAILABLE', reason ?? 'The service is not ready.', { retryAfterSeconds: 1 }),
    )
  })

  app.get('/metrics', { config: { provesItself: !isOpen(options) } }, async (request, reply) => {
    if (!mayReadMetrics(options, request.headers.authorization)) {
      return sendRefusal(
        options.ctx.settings,
        request,
        reply,
        refuse('UNAUTHORIZED', 'Send METRICS_TOKEN as Authorization: Bearer.'),
      )
    }
    const { registry, show } = options.metrics
    return reply.type(registry.contentType).send(await show())
  })
}

// Without METRICS_TOKEN, anyone may read the metrics in staging and nobody in production.
function isOpen({ metricsToken, ctx }: HealthOptions): boolean {
  return metricsToken === null && ctx.settings.environment === 'staging'
}

function mayReadMetrics(options: HealthOptions, authorization: string | undefined): boolean {
  const { metricsToken } = options
  if (metricsToken === null) return isOpen(options)
  const presented = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(presented), digest(metricsToken))
}
