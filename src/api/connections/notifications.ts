// Notifications from the networks: POST /notifications/breb and /notifications/pse; and from the providers of connections, whose
// address names the connection. The signature is verified on the raw bytes, and what was told is stored before we respond.
// Whoever gets no 200 sends it again.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Rail } from '../../core/connections/rail.ts'
import { isUuid } from '../../core/ids.ts'
import { refuse } from '../../core/refusal.ts'
import { receiveHint } from '../../flows/connections/receive-hint.ts'
import { raiseUnreadableNotice, receiveNotice } from '../../flows/connections/receive-notice.ts'
import type { Context } from '../../flows/context.ts'
import { type ConnectionAddress, getConnection } from '../../store/connections/connections.ts'
import { sendRefusal } from '../http/answer.ts'
import type { Metrics } from '../http/metrics.ts'

const PATHS: Readonly<Record<Rail, string>> = { BRE_B: '/notifications/breb', PSE: '/notifications/pse' }

export function routeNotifications(app: FastifyInstance, ctx: Context, metrics: Metrics): void {
  for (const rail of ['BRE_B', 'PSE'] as const) {
    app.post(PATHS[rail], { config: { rawBody: true, provesItself: true } }, (request, reply) =>
      receive(ctx, metrics, rail, request, reply),
    )
  }
  app.post(
    '/notifications/:organizationId/:connectionId',
    { config: { rawBody: true, provesItself: true } },
    (request, reply) => receiveOfConnection(ctx, metrics, request, reply),
  )
}

async function receive(
  ctx: Context,
  metrics: Metrics,
  rail: Rail,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const bytes = bytesOf(request)
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
  return acknowledge(reply)
}

// A disabled connection is told things too: its payments go on.
async function receiveOfConnection(
  ctx: Context,
  metrics: Metrics,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refused = (...refusal: Parameters<typeof refuse>) =>
    sendRefusal(ctx.settings, request, reply, refuse(...refusal))
  const address = addressOf(request)
  const connection = address && (await getConnection(ctx.db, address))
  // The same words whether it is the organization or the connection that does not exist.
  if (connection === undefined) {
    metrics.countNotice('unknown', 'no_connection')
    return refused('NOT_FOUND', 'No connection has this address.')
  }
  const { provider } = connection
  const rails = await ctx.networks.connected(connection)
  // Nobody can check the signature at the moment.
  if (rails === undefined) {
    metrics.countNotice(provider, 'unreadable_credentials')
    return refused('PROVIDER_UNAVAILABLE', 'Notifications for this connection cannot be checked.', {
      retryAfterSeconds: 60,
    })
  }
  const hint = rails.readHint(request.headers, bytesOf(request), ctx.clock.now())
  if (hint === undefined) {
    metrics.countNotice(provider, 'bad_signature')
    return refused('UNAUTHORIZED', 'The signature does not hold.')
  }
  if ('fault' in hint) {
    metrics.countNotice(provider, 'malformed')
    return refused('INVALID_INPUT', hint.fault)
  }
  const found = 'ask' in hint ? await receiveHint(ctx, connection, hint) : 0
  metrics.countNotice(provider, found > 0 ? 'stored' : 'ignored')
  return acknowledge(reply)
}

function addressOf({ params }: FastifyRequest): ConnectionAddress | undefined {
  const { organizationId, connectionId } = params as ConnectionAddress
  if (!isUuid(organizationId) || !isUuid(connectionId)) return undefined
  return { organizationId: organizationId.toLowerCase(), connectionId: connectionId.toLowerCase() }
}

function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

function acknowledge(reply: FastifyReply): FastifyReply {
  return reply.type('application/json').send('{"received":true}')
}
