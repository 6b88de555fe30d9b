// The console: pages for the people of a merchant, under /console. Reads go to the store, always within the organization of the
// person's membership. A POST answers with a redirect, and must come from a page of ours.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal } from '../core/refusal.ts'
import { routeAccount } from './account/routes.ts'
import { approvalListRoutes } from './approvals/list.ts'
import { approvalRoutes } from './approvals/page.ts'
import { routeAssets } from './assets.ts'
import { auditEntryRoutes } from './audit/entry.ts'
import { auditEntries } from './audit/list.ts'
import { bookEntryRoutes } from './beneficiaries/entry.ts'
import { bookListRoutes } from './beneficiaries/list.ts'
import { createRoutes } from './create/routes.ts'
import { eventsList } from './events/list.ts'
import { eventRoutes } from './events/page.ts'
import { createRunners, type Runners, runForm } from './form.ts'
import { typedWithFiles } from './form-files.ts'
import { homeRoutes } from './home/routes.ts'
import { renderBare, renderPage } from './layout.ts'
import { movementsList } from './ledger/list.ts'
import { reportRoutes } from './ledger/reports.ts'
import { suspenseRoutes } from './ledger/suspense-page.ts'
import { listRoutes } from './lists/routes.ts'
import { savedViewRoutes } from './lists/saved-views.ts'
import { liveRoutes } from './live/routes.ts'
import { isSeeOther, type Page, type SeeOther, type Sent, saidOf } from './page.ts'
import { payinsList } from './payins/list.ts'
import { payinRoutes } from './payins/page.ts'
import { linksList } from './payment-links/list.ts'
import { linkRoutes } from './payment-links/page.ts'
import { pagesList } from './payment-pages/list.ts'
import { pageRoutes } from './payment-pages/page.ts'
import { batchListRoutes } from './payout-batches/list.ts'
import { newBatchRoutes } from './payout-batches/new.ts'
import { batchRoutes } from './payout-batches/page.ts'
import { batchRowRoutes } from './payout-batches/rows.ts'
import { payoutsList } from './payouts/list.ts'
import { payoutRoutes } from './payouts/page.ts'
import {
  brokenPage,
  foreignPage,
  lackingPage,
  missingPage,
  tooFastPage,
  unreadablePage,
} from './problem-pages.ts'
import { refundFormRoutes } from './refunds/form.ts'
import { refundsList } from './refunds/list.ts'
import { refundRoutes } from './refunds/page.ts'
import type { FormRoute, Route } from './route.ts'
import { isFromOurPage } from './same-origin.ts'
import { sandboxRoutes } from './sandbox/page.ts'
import { searchRoutes } from './search/page.ts'
import { seeOther, sendHtml } from './send.ts'
import { isSecure } from './session-cookie.ts'
import { baseOf, type ConsoleOptions, settingOf, THEME_COOKIE, THEMES } from './setting.ts'
import { settingsRoutes } from './settings/routes.ts'
import { askToSignIn } from './sign-in/ask-to-sign-in.ts'
import { routeSignIn } from './sign-in/routes.ts'
import { teamRoutes } from './team/routes.ts'
import { homeOf, personVisit, returnAddress, showsItself, type Visit, visitOf } from './visit.ts'
import { routePortal } from './webhooks/portal-routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

// Every page of an organization. A test looks at each of them.
export const ROUTES: readonly Route[] = [
  ...homeRoutes,
  ...listRoutes(payinsList),
  ...listRoutes(payoutsList),
  ...listRoutes(refundsList),
  ...listRoutes(linksList),
  ...listRoutes(pagesList),
  ...listRoutes(eventsList),
  ...listRoutes(movementsList),
  ...batchListRoutes,
  ...bookListRoutes,
  ...bookEntryRoutes,
  ...newBatchRoutes,
  ...batchRoutes,
  ...batchRowRoutes,
  ...reportRoutes,
  ...suspenseRoutes,
  ...payinRoutes,
  ...payoutRoutes,
  ...refundRoutes,
  ...refundFormRoutes,
  ...linkRoutes,
  ...pageRoutes,
  ...approvalListRoutes,
  ...approvalRoutes,
  ...createRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...sandboxRoutes,
  ...savedViewRoutes,
  ...liveRoutes,
  ...settingsRoutes,
  ...searchRoutes,
  ...teamRoutes,
  ...listRoutes(auditEntries),
  ...auditEntryRoutes,
]

// Any other address. Whoever has not signed in is not told that there is nothing.
const NOTHING: Route = { method: 'GET', path: '/*', scope: null, show: async () => undefined }

export function routeConsole(app: FastifyInstance, options: ConsoleOptions): void {
  app.register(async (room) => routePages(room, options), { prefix: '/console' })
  app.register(async (portal) => routePortal(portal, options), { prefix: '/console/portal' })
}

// A few fields. The longest is a text of a payment page.
const FORM_LIMIT_BYTES = 64 * 1_024
// A picture or a file of payouts that is far too large is still told so at its field.
const FILE_FORM_LIMIT_BYTES = 8 * 1_024 * 1_024
const RETRY_AFTER_SECONDS = 5
const YEAR_SECONDS = 365 * 24 * 60 * 60

function routePages(room: FastifyInstance, options: ConsoleOptions): void {
  const runners = createRunners(options.ctx)
  readForms(room)
  answerErrors(room, options)
  refuseForeignPosts(room, options)
  room.addHook('preClose', async () => options.live.stop())
  room.addHook('onResponse', async (request) => {
    if (showsItself(request)) options.live.answered(performance.now() - request.startedAtMs)
  })
  routeAssets(room)
  room.get('/', (request, reply) => openStart(options, request, reply))
  room.post('/theme', (request, reply) => changeTheme(options, request, reply))
  routeSignIn(room, options)
  routeAccount(room, options)
  for (const route of [...ROUTES, NOTHING]) if (!takesFiles(route)) routeOne(room, options, runners, route)
  room.register(async (files) => {
    readFiles(files, options)
    for (const route of ROUTES.filter(takesFiles)) routeOne(files, options, runners, route)
  })
}

function takesFiles(route: Route): boolean {
  return 'operation' in route && route.takesFiles === true
}

function routeOne(room: FastifyInstance, options: ConsoleOptions, runners: Runners, route: Route): void {
  const isStream = route.method === 'GET' && route.isStream === true
  room.route({
    method: route.method,
    url: `/:organizationId${route.path}`,
    ...(isStream && { exposeHeadRoute: false, config: { stream: true } }),
    handler: async (request, reply) => {
      const person = await personVisit(options, request, reply)
      // A browser that listens takes a page for a fault, and complains. It is told that there is nothing, and asks for its page.
      const isListening = request.headers.accept === 'text/event-stream'
      if (person === undefined)
        return isListening ? reply.code(204).send() : askToSignIn(options, request, reply)
      const { organizationId } = request.params as { organizationId: string }
      const visit = visitOf(person, organizationId)
      if (visit === undefined && isListening) return reply.code(204).send()
      if (visit === undefined)
        return sendHtml(request, reply, 404, renderBare(person, missingPage(person, person.base)))
      const answer = await answerOf(visit, route, runners)
      return answer === 'sent' ? reply : sendAnswer(visit, answer)
    },
  })
}

function answerOf(
  visit: Visit,
  route: Route,
  runners: Runners,
): Page | Promise<Page | SeeOther | Sent | undefined> | undefined {
  if ('only' in route && (route.only ?? visit.environment) !== visit.environment) return undefined
  if ('operation' in route) return runTyped(runners, visit, route)
  if (route.scope !== null && !visit.caller.scopes?.includes(route.scope))
    return lackingPage(visit, route.scope)
  return route.method === 'GET' ? route.show(visit) : route.act(visit, typedIn(visit.request))
}

function sendAnswer(visit: Visit, answer: Page | SeeOther | undefined): FastifyReply {
  const { request, reply, words } = visit
  if (answer !== undefined && isSeeOther(answer)) return seeOther(reply, answer.seeOther)
  const page = answer ?? missingPage(visit, visit.home)
  // After a redirect, the page says what was done.
  const { done } = request.query as { done?: unknown }
  const said =
    page.said ?? (typeof done === 'string' ? saidOf(words.done, done, words.done.default) : undefined)
  return sendHtml(request, reply, page.status ?? 200, renderPage(visit, { ...page, said }))
}

function typedIn({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '')
}

async function runTyped(runners: Runners, visit: Visit, route: FormRoute): Promise<Page | SeeOther> {
  const { request } = visit
  if (!Buffer.isBuffer(request.body)) return runForm(runners, visit, route, typedIn(request))
  const typed = route.takesFiles && (await typedWithFiles(request.headers['content-type'], request.body))
  return typed ? runForm(runners, visit, route, typed) : unreadablePage(visit, visit.home, 400)
}

// The start: the first organization of whoever has signed in.
async function openStart(
  options: ConsoleOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const person = await personVisit(options, request, reply)
  const [first] = person?.signedIn.memberships ?? []
  if (person === undefined) return askToSignIn(options, request, reply)
  return seeOther(
    reply,
    first === undefined ? `${person.base}/account` : homeOf(person.base, first.organization),
  )
}

// Kept by the browser, because it is about this screen and not about the person.
function changeTheme(options: ConsoleOptions, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const typed = typedIn(request)
  const theme = THEMES.find((one) => one === typed.get('theme')) ?? 'auto'
  const secure = isSecure(options) ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  )
  return seeOther(reply, returnAddress(settingOf(options, request), typed.get('to')))
}

// The API server accepts JSON only. Here browsers send forms, and nothing else.
function readForms(room: FastifyInstance): void {
  room.removeAllContentTypeParsers()
  room.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    (_request, text, done) => done(null, text),
  )
}

// A file is read into memory, so it is asked for only after it is known who sends it: a thousand strangers with eight megabytes each
// would end the process.
function readFiles(files: FastifyInstance, options: ConsoleOptions): void {
  files.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: FILE_FORM_LIMIT_BYTES },
    (_request, bytes, done) => done(null, bytes),
  )
  files.addHook('onRequest', async (request, reply) => {
    const person = await personVisit(options, request, reply)
    if (person === undefined) return askToSignIn(options, request, reply)
    const { organizationId } = request.params as { organizationId: string }
    if (visitOf(person, organizationId) !== undefined) return
    return sendHtml(request, reply, 404, renderBare(person, missingPage(person, person.base)))
  })
}

// Before anything that was sent is read.
function refuseForeignPosts(room: FastifyInstance, options: ConsoleOptions): void {
  room.addHook('onRequest', async (request, reply) => {
    if (isFromOurPage(request, options.publicUrl)) return
    const setting = settingOf(options, request)
    return sendHtml(request, reply, 403, renderBare(setting, foreignPage(setting, setting.base)))
  })
}

function answerErrors(room: FastifyInstance, options: ConsoleOptions): void {
  const base = baseOf(options)
  room.setNotFoundHandler((request, reply) => {
    const setting = settingOf(options, request)
    return sendHtml(request, reply, 404, renderBare(setting, missingPage(setting, base)))
  })
  room.setErrorHandler((error, request, reply) => {
    const setting = settingOf(options, request)
    const { statusCode = 500 } = error as { statusCode?: number }
    const send = (page: Page) => sendHtml(request, reply, page.status ?? 503, renderBare(setting, page))
    // The server is busy, or the person is too fast for it.
    if (isRefusal(error)) {
      const seconds = error.retryAfterSeconds ?? RETRY_AFTER_SECONDS
      reply.header('retry-after', seconds)
      return send(
        error.refused === 'RATE_LIMITED'
          ? tooFastPage(setting, base, seconds)
          : brokenPage(setting, base, request.id),
      )
    }
    if (statusCode >= 400 && statusCode < 500) return send(unreadablePage(setting, base, statusCode))
    options.onError?.(error, request)
    reply.header('retry-after', RETRY_AFTER_SECONDS)
    return send(brokenPage(setting, base, request.id))
  })
}
