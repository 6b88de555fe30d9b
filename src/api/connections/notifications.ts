// Notifications from the networks: POST /notifications/breb and /notifications/pse. The signature is verified on the
// raw bytes, and the notice is stored before we respond. A network that gets no 200 sends the notice again.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Rail } from '../../core/connections/rail.ts'
import { refuse } from '../../core/refusal.ts'
import { raiseUnreadableNotice, receiveNotice } from '../../flows/connections/receive-notice.ts'
import type { Context } from '../../flows/context.ts'
import { sendRefusal } from '../http/answer.ts'
import type { Metrics } from '../http/metrics.ts'

const PATHS: Readonly<Record<Rail, string>> = { BRE_B: '/notifications/breb', PSE: '/notifications/pse' }

export function routeNotifications(app: FastifyInstance, ctx: Context, metrics: Metrics): void {
  for (const rail of ['BRE_B', 'PSE'] as const) {
    app.post(PATHS[rail], { config: { rawBody: true, provesItself: true } }, (request, reply) =>
      receive(ctx, metrics, rail, request, reply),
    )
  }
}

async function receive(
  ctx: Context,
  metrics: Metrics,
  rail: Rail,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const reading = ctx.networks.readNotice[rail](request.headers, bytes, ctx.clock.now())
  if (reading === undefined) {
    metrics.countNotice(rail, 'bad_signature')
    return sendRefusal(ctx.settings, request, reply, refuse('UNAUTHORIZED', 'The signature does not hold.'))
  }
  if ('fault' in reading) {
    metrics.countNotice(rail, 'malformed')
    if (reading.unreadable !== undefined) await raiseUnreadableNotice(ctx, rail, reading.unreadable)
    return sendRefusal(ctx.settings, request, reply, refuse('INVALID_INPUT', reading.fault))
  }
  const stored = await receiveNotice(ctx, reading.notice)
  metrics.countNotice(rail, stored ? 'stored' : 'repeated')
  return reply.type('application/json').send('{"received":true}')
}
