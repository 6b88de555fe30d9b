// The webhook portal: what the pages about webhooks show, for whoever has a signed address, in a frame of the merchant's own pages
// or by itself. It stands beside the console and not in it: no session, no cookie, no way in. What it does are operations of the API,
// with the scopes that the address still has.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redeliverEventOperation } from '../../api/events/operations.ts'
import { STATUS_OF } from '../../api/http/errors.ts'
import type { Operation } from '../../api/http/operation.ts'
import { scopeRefusal } from '../../api/http/run-operation.ts'
import {
  recoverWebhookEndpointOperation,
  testWebhookEndpointOperation,
} from '../../api/webhooks/endpoint-actions.ts'
import { isUuid } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import { portalEndpointId } from '../../core/webhooks/portal-link.ts'
import { deliveriesOfEvent } from '../../store/webhooks/delivery-views.ts'
import type { WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { bodyOf } from '../fields.ts'
import { createRunners, pathOf, type Runners } from '../form.ts'
import { FORM_KEY, type FormCall } from '../form-state.ts'
import { isFromOurPage } from '../same-origin.ts'
import { framedHeaders, sendHtml } from '../send.ts'
import type { ConsoleOptions } from '../setting.ts'
import { recoverFields } from './forms.ts'
import { portalEndpointPage, portalFormKey, portalListPage, portalProblem } from './portal-page.ts'
import { frameAncestorsOf, type PortalVisit, portalSetting, portalVisit } from './portal-visit.ts'
import { PORTAL_WORDS, type PortalWords } from './portal-words.ts'

type Asked = {
  readonly visit: PortalVisit
  readonly endpoint: WebhookEndpoint
  readonly typed: URLSearchParams
}

// Everything that can be done in a portal. Undefined: there is nothing to do it to.
export const PORTAL_ACTS: Readonly<
  Record<
    keyof PortalWords['done'],
    {
      readonly path: string
      readonly operation: Operation
      readonly call: (asked: Asked) => FormCall | Promise<FormCall | undefined>
    }
  >
> = {
  test: {
    path: '/test',
    operation: testWebhookEndpointOperation,
    call: ({ endpoint: { endpointId } }) => ({ params: { endpointId } }),
  },
  recover: {
    path: '/recover',
    operation: recoverWebhookEndpointOperation,
    call: ({ visit, endpoint: { endpointId }, typed }) => ({
      params: { endpointId },
      body: bodyOf(recoverFields(visit), typed),
    }),
  },
  resend: { path: '/resend/:eventId', operation: redeliverEventOperation, call: resendCall },
}

// Only what this endpoint was sent before: the operation would send it any event of the organization.
async function resendCall({ visit, endpoint }: Asked): Promise<FormCall | undefined> {
  const { ctx, organization, request } = visit
  const eventId = (request.params as { eventId: string }).eventId.toLowerCase()
  if (!isUuid(eventId)) return undefined
  const { endpointId } = endpoint
  const { deliveries } = await deliveriesOfEvent(ctx.db, organization.organizationId, eventId)
  return deliveries.some((delivery) => delivery.endpointId === endpointId)
    ? { params: { eventId }, body: { endpointId } }
    : undefined
}

const FORM_LIMIT_BYTES = 8 * 1_024
const RETRY_AFTER_SECONDS = 5

export function routePortal(portal: FastifyInstance, options: ConsoleOptions): void {
  const runners = createRunners(options.ctx)
  portal.removeAllContentTypeParsers()
  portal.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    (_request, text, done) => done(null, text),
  )
  answerErrors(portal, options)
  portal.addHook('onRequest', async (request, reply) => {
    // The server denies frames to everything. Here each page says for itself.
    reply.removeHeader('x-frame-options')
    const wait = options.strangerWait?.(request)
    if (wait === undefined) return
    const { title, text } = portalSetting(options, request).words.problem.tooFast
    return sendProblem(options, request, reply.header('retry-after', wait), 429, { title, text: text(wait) })
  })
  portal.addHook('preHandler', async (request, reply) => {
    if (isFromOurPage(request, options.publicUrl)) return
    const { forbidden } = PORTAL_WORDS[portalSetting(options, request).language]
    return sendProblem(options, request, reply, 403, forbidden)
  })
  portal.get('/:token', (request, reply) => show(options, request, reply))
  portal.get('/:token/:endpointId', (request, reply) => show(options, request, reply))
  for (const name of Object.keys(PORTAL_ACTS) as (keyof PortalWords['done'])[])
    portal.post(`/:token/:endpointId${PORTAL_ACTS[name].path}`, (request, reply) =>
      act(options, runners, name, request, reply),
    )
  portal.get('/*', (request, reply) => sendMissing(options, request, reply))
}

async function show(
  options: ConsoleOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await portalVisit(options, request, reply)
  if (visit === undefined || visit === 'ended') return sendEnded(options, request, reply, visit)
  const isNamed = 'endpointId' in (request.params as object)
  const [only, another] = visit.endpoints
  const endpoint = isNamed ? endpointOf(visit) : another === undefined ? only : undefined
  if (endpoint !== undefined) return send(options, visit, 200, await portalEndpointPage(visit, endpoint))
  if (isNamed) return sendMissing(options, request, reply, visit.home)
  return send(options, visit, 200, await portalListPage(visit))
}

async function act(
  options: ConsoleOptions,
  runners: Runners,
  name: keyof PortalWords['done'],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await portalVisit(options, request, reply)
  if (visit === undefined || visit === 'ended') return sendEnded(options, request, reply, visit)
  const { operation, call: callOf } = PORTAL_ACTS[name]
  const endpoint = endpointOf(visit)
  if (endpoint === undefined) return sendMissing(options, request, reply, visit.home)
  const place = `${visit.home}/${endpoint.endpointId}`
  if (scopeRefusal(operation, visit.caller) !== undefined) {
    const { forbidden } = PORTAL_WORDS[visit.language]
    return sendProblem(options, request, reply, 403, { ...forbidden, back: place })
  }
  const typed = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  const call = await callOf({ visit, endpoint, typed })
  if (call === undefined) return sendMissing(options, request, reply, place)
  const answer = await runners(operation)({
    actor: visit.ctx.actor,
    requestId: request.id,
    caller: visit.caller,
    params: call.params ?? {},
    query: {},
    body: call.body,
    headers: {},
    path: pathOf(operation, call),
    idempotencyKey: keyOf(visit, typed),
  })
  if (isRefusal(answer)) {
    const page = await portalEndpointPage(visit, endpoint, answer)
    return send(options, visit, STATUS_OF[answer.refused], page)
  }
  reply.headers(framedHeaders(visit.link.frameAncestors))
  return reply.code(303).header('location', `${place}?done=${name}`).send()
}

const SANE_KEY = /^portal-[0-9a-f-]{36}$/

function keyOf(visit: PortalVisit, typed: URLSearchParams): string {
  const sent = typed.get(FORM_KEY) ?? ''
  return SANE_KEY.test(sent) ? sent : portalFormKey(visit)
}

function endpointOf({ endpoints, link, request }: PortalVisit): WebhookEndpoint | undefined {
  const id = portalEndpointId(link, (request.params as { endpointId: string }).endpointId)
  return endpoints.find(({ endpointId }) => endpointId === id)
}

function send(
  options: ConsoleOptions,
  { request, reply }: Pick<PortalVisit, 'request' | 'reply'>,
  status: number,
  text: string,
): FastifyReply {
  return sendHtml(request, reply, status, text, framedHeaders(frameAncestorsOf(options, request)))
}

function sendProblem(
  options: ConsoleOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  problem: Parameters<typeof portalProblem>[1],
): FastifyReply {
  const page = portalProblem(portalSetting(options, request), problem)
  return send(options, { request, reply }, status, page)
}

// Why it has ended is nobody's business, and neither is whether another address would work.
function sendEnded(
  options: ConsoleOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  portal: 'ended' | undefined,
): FastifyReply {
  const { ended } = PORTAL_WORDS[portalSetting(options, request).language]
  return sendProblem(options, request, reply, portal === 'ended' ? 410 : 404, ended)
}

function sendMissing(
  options: ConsoleOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  back?: string,
): FastifyReply {
  const { missing } = PORTAL_WORDS[portalSetting(options, request).language]
  return sendProblem(options, request, reply, 404, { ...missing, ...(back !== undefined && { back }) })
}

function answerErrors(portal: FastifyInstance, options: ConsoleOptions): void {
  portal.setNotFoundHandler((request, reply) => sendMissing(options, request, reply))
  portal.setErrorHandler((error, request, reply) => {
    const { problem } = portalSetting(options, request).words
    const { statusCode = 500 } = error as { statusCode?: number }
    if (!isRefusal(error) && statusCode >= 400 && statusCode < 500)
      return sendProblem(options, request, reply, statusCode, problem.unreadable)
    // A refusal: the server is busy.
    if (!isRefusal(error)) options.onError?.(error, request)
    reply.header('retry-after', (isRefusal(error) && error.retryAfterSeconds) || RETRY_AFTER_SECONDS)
    const { title, text } = problem.broken
    return sendProblem(options, request, reply, 503, { title, text })
  })
}
