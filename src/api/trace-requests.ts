// Traces requests: one span for each, by method and route, and one for its operation. Whatever the operation does meanwhile belongs
// to it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, type Refusal } from '../core/refusal.ts'
import type { EndedRequest, Span, SpanAttributes, Tracer } from '../core/tracing/trace.ts'
import type { ApiAnswer } from './http/operation.ts'

// What monitors ask every few seconds.
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics'])

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined
    // Of one that is kept, which was known when its operation had ended.
    ended: Pick<EndedRequest, 'operation' | 'createdId'> | undefined
  }
}

export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest('span', undefined)
  app.decorateRequest('ended', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const span = spanOf(tracer, request)
    if (span === undefined) return done()
    request.span = span
    // Also if the client went away first.
    reply.raw.once('close', () => {
      span.set(attributesOf(request, reply))
      if (reply.statusCode >= 500) span.fail(String(reply.statusCode))
      span.end()
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.ended !== undefined)
      tracer.record({
        name: nameOf(request),
        startedAtMs: request.startedAtMs,
        attributes: attributesOf(request, reply),
        failure: reply.statusCode >= 500 ? String(reply.statusCode) : undefined,
        ...request.ended,
      })
    done()
  })
}

export async function traceOperation(
  tracer: Tracer,
  request: FastifyRequest,
  name: string,
  run: () => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal> {
  if (request.span !== undefined)
    return tracer.within(request.span, () =>
      tracer.part(name, 'internal', {}, async (span) => {
        const answer = await run()
        if (isRefusal(answer)) span?.fail(answer.refused)
        const createdId = createdBy(answer)
        if (createdId !== undefined) tracer.created(createdId)
        return answer
      }),
    )
  const startedAtMs = performance.now()
  const answer = await run()
  const createdId = createdBy(answer)
  // Nobody has decided about a request that may make a payment.
  if (request.method === 'POST' && tracer.keeps(createdId)) {
    const failure = isRefusal(answer) ? answer.refused : undefined
    request.ended = { createdId, operation: { name, startedAtMs, endedAtMs: performance.now(), failure } }
  }
  return answer
}

// Undefined: it made nothing, or that was made before.
function createdBy(answer: ApiAnswer | Refusal): string | undefined {
  if (isRefusal(answer) || answer.status !== 201) return undefined
  if (answer.headers?.['idempotent-replayed'] !== undefined) return undefined
  return CREATED.exec(answer.body)?.[1]
}

// What has been made begins with its id.
const CREATED = /^\{"id":"([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})"/

function spanOf(tracer: Tracer, request: FastifyRequest): Span | undefined {
  const { traceparent } = request.headers
  const given = typeof traceparent === 'string' ? traceparent : undefined
  const mayCreate = request.method === 'POST'
  // Almost all requests end here, so this comes before the route is read.
  if (!tracer.begins(given, mayCreate)) return undefined
  const { url: route = 'unknown', config } = request.routeOptions
  // A stream lasts for as long as somebody listens.
  if (UNTRACED.has(route) || config.stream === true) return undefined
  return tracer.request(nameOf(request), given, mayCreate)
}

function nameOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url ?? 'unknown'}`
}

function attributesOf(request: FastifyRequest, reply: FastifyReply): SpanAttributes {
  return {
    'http.request.method': request.method,
    'http.route': request.routeOptions.url,
    'http.response.status_code': reply.statusCode,
    'recaudo.organization.id': request.caller?.organization.organizationId,
    'recaudo.request.id': request.id,
    'recaudo.refusal': request.refusal ?? undefined,
  }
}
