// Traces requests: one span for each, by method and route. Whatever its operation does meanwhile belongs to it.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracer } from '../core/tracing/trace.ts'

// What monitors ask every few seconds.
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics'])

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined
  }
}

export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    request.span = spanOf(tracer, request)
    const { span } = request
    if (span === undefined) return done()
    // Also if the client went away first.
    reply.raw.once('close', () => {
      span.set({
        'http.request.method': request.method,
        'http.route': request.routeOptions.url,
        'http.response.status_code': reply.statusCode,
        'recaudo.organization.id': request.caller?.organization.organizationId,
        'recaudo.request.id': request.id,
        'recaudo.refusal': request.refusal ?? undefined,
      })
      if (reply.statusCode >= 500) span.fail(String(reply.statusCode))
      span.end()
    })
    tracer.within(span, done)
  })
  // A body is read in the context of its connection, not of its request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span === undefined) done()
    else tracer.within(request.span, done)
  })
}

function spanOf(tracer: Tracer, request: FastifyRequest): Span | undefined {
  const { url: route = 'unknown', config } = request.routeOptions
  // A stream lasts for as long as somebody listens.
  if (UNTRACED.has(route) || config.stream === true) return undefined
  const { traceparent } = request.headers
  const given = typeof traceparent === 'string' ? traceparent : undefined
  return tracer.request(`${request.method} ${route}`, given, request.method === 'POST')
}
