// The route of the event stream: admission, start position and the limit on open streams. stream.ts sends the events.

import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { refuseUnreadableLog } from '../../core/events/read-scopes.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { isScopeGranted } from '../../core/organizations/scope.ts'
import { type FieldProblem, isRefusal, type Refusal, refuse, refuseFields } from '../../core/refusal.ts'
import { type EventFilters, endOfLog } from '../../store/events/events.ts'
import type { Admission, AdmissionOptions } from '../http/admission.ts'
import { sendRefusal } from '../http/answer.ts'
import type { Caller } from '../http/auth.ts'
import type { AddressCheck } from '../http/credential-limits.ts'
import type { StreamOperation } from '../http/operation.ts'
import { queryValidator } from '../http/validation.ts'
import { createLogPositions } from './log-positions.ts'
import { After, EventName } from './operations.ts'
import { EVENT_EXAMPLES } from './schema.ts'
import { STREAM_TIMES, type StreamTimes, serveStream } from './stream.ts'

// Each stream holds a connection, and at times a page of events. An organization needs one per reader.
const MAX_STREAMS = { perOrganization: 50, total: 2_000 }
const RETRY_SECONDS = 30

const StreamEventsQuery = Type.Object({
  after: Type.Optional(After),
  type: Type.Optional(EventName),
  redeliveries: Type.Optional(
    Type.Boolean({
      description:
        'With `true`, an event that somebody redelivers while you listen comes once more, without an `id`, so your position in the log stays.',
    }),
  ),
})
const SCOPE = 'events:read'

export const streamEventsOperation: StreamOperation = {
  method: 'GET',
  path: '/events/stream',
  operationId: 'streamEvents',
  tag: 'Events',
  summary: 'Listen to events',
  description:
    'Events as they happen, as server-sent events: `id` is the `sequence`, `event` the name, `data` the event. Starts after `Last-Event-ID`, or else `after`, without gaps; without either, at the end of the log. ' +
    'A comment comes every 15 seconds. A client that does not read is disconnected, and the stream ends when its credential does. It needs the same scopes as `GET /events`.',
  access: { scope: SCOPE, shown: 'apiKey' },
  query: StreamEventsQuery,
  headers: {
    'Last-Event-ID': {
      description: 'The last `id` you received; browsers send it automatically.',
      schema: { type: 'string', maxLength: 15, pattern: '^[0-9]{1,15}$' },
    },
  },
  mediaType: 'text/event-stream',
  success: {
    status: 200,
    description: 'Events, for as long as you listen.',
    schema: Type.String(),
    examples: { events: { summary: 'An event', value: EVENT_EXAMPLES.frames } },
  },
  refusals: ['INVALID_INPUT', 'TOO_MANY_STREAMS'],
}

export function routeEventStream(
  app: FastifyInstance,
  options: AdmissionOptions & { checkAddress: AddressCheck },
  admission: Admission,
  times: StreamTimes = STREAM_TIMES,
): void {
  const { ctx } = options
  const validateQuery = queryValidator(StreamEventsQuery)
  const logEnds = createLogPositions(ctx)
  const open = new Map<AbortController, string>()
  let isStopping = false
  options.metrics.watchStreams(() => open.size)
  app.addHook('preClose', async () => {
    isStopping = true
    for (const ended of open.keys()) ended.abort()
  })

  const refuseFull = (organizationId: string): Refusal | undefined => {
    const own = [...open.values()].filter((id) => id === organizationId).length
    if (own >= MAX_STREAMS.perOrganization) {
      const detail = `The organization has ${MAX_STREAMS.perOrganization} streams open.`
      return refuse('TOO_MANY_STREAMS', detail, { retryAfterSeconds: RETRY_SECONDS })
    }
    if (open.size < MAX_STREAMS.total && !isStopping) return undefined
    options.metrics.countRefused('overload')
    return refuse('OVERLOADED', 'No more streams can be opened here.', { retryAfterSeconds: 1 })
  }

  app.get(streamEventsOperation.path, {
    // A stream has no length that HEAD could return.
    exposeHeadRoute: false,
    config: { stream: true },
    onRequest: admission(streamEventsOperation),
    handler: async (request, reply) => {
      const { organization, scopes } = request.caller as Caller
      const { organizationId } = organization
      const lastEventId = request.headers['last-event-id']
      const problems = [...validateQuery(request.query), ...lastEventIdProblems(lastEventId)]
      const refusal =
        problems.length > 0
          ? refuseFields(problems)
          : (refuseUnreadableLog(scopes, (request.query as { type?: string }).type) ??
            refuseFull(organizationId))
      if (refusal !== undefined) return sendRefusal(ctx.settings, request, reply, refusal)

      const ended = new AbortController()
      reply.raw.once('close', () => ended.abort())
      open.set(ended, organizationId)
      try {
        const { after, type, redeliveries } = request.query as Static<typeof StreamEventsQuery>
        const filters: EventFilters = type === undefined ? {} : { type }
        // A reconnecting browser repeats the same address, so Last-Event-ID takes precedence over `after`.
        const requestedAfter = lastEventId === undefined ? after : Number(lastEventId)
        const end = await endOfLog(ctx.db, organizationId)
        // Without `redeliveries` the position is beyond all of them, so none is sent.
        const redelivery = redeliveries === true ? end.redelivery : Number.POSITIVE_INFINITY
        const from = { sequence: requestedAfter ?? end.sequence, redelivery }
        reply.hijack()
        // The client may have disconnected during the read.
        if (reply.raw.destroyed) return
        const response = reply.raw.writeHead(200, {
          ...(reply.getHeaders() as OutgoingHttpHeaders),
          'content-type': 'text/event-stream; charset=utf-8',
          // Makes proxies forward every event at once.
          'x-accel-buffering': 'no',
          connection: 'close',
        })
        const isAuthorized = async (): Promise<boolean> => {
          const caller = await options.auth.authenticate(request.headers)
          if (isRefusal(caller) || !isScopeGranted(caller.scopes, SCOPE)) return false
          return (
            refuseUnreadableLog(caller.scopes, type) === undefined &&
            options.checkAddress(request.raw, caller) === undefined
          )
        }
        const logEnd = logEnds.watch(organizationId, ended.signal)
        const stream = { organizationId, from, filters, response, logEnd, isAuthorized }
        await serveStream(ctx, times, stream, ended)
      } catch (error) {
        if (!reply.raw.headersSent) throw error
        const { name, message, code } = error as { name?: string; message?: string; code?: string }
        options.log.error({ requestId: request.id, error: { name, message, code } }, 'event stream failed')
      } finally {
        open.delete(ended)
        ended.abort()
      }
    },
  })
}

function lastEventIdProblems(header: string | string[] | undefined): FieldProblem[] {
  return header === undefined || (typeof header === 'string' && /^\d{1,15}$/.test(header))
    ? []
    : [{ path: '/headers/last-event-id', code: 'WRONG_FORMAT', message: 'must be a sequence number' }]
}
