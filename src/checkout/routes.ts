// The payer's routes: everything under /pay/{token}. Every POST answers with a redirect to the page, and GET changes
// nothing but this: a payer who opens a link by Bre-B alone gets its key. So reload, back, a second tab and a second click
// are harmless. Errors are pages, too.

import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Instant } from '../core/instant.ts'
import { qrPngDataUri } from '../core/qr-image.ts'
import { isRefusal, refuse } from '../core/refusal.ts'
import { WHOLE_OFFER } from '../flows/connections/pse-offer.ts'
import type { Environment } from '../flows/context.ts'
import type { BeginRefusal, CheckoutBackend, CheckoutSubject } from './backend.ts'
import { isRailGone, readForm, readRail, type Typed, typedIn, withoutForm } from './form.ts'
import { choosePage } from './pages/choose.ts'
import type { FormState } from './pages/form-view.ts'
import { type Page, renderPage } from './pages/layout.ts'
import {
  address,
  bankName,
  type PageContext,
  type PageSetting,
  STEPS,
  type Step,
} from './pages/page-context.ts'
import { pageFor, showsForm } from './pages/page-for.ts'
import { brokenPage, notFoundPage, tooFastPage, unreadablePage } from './pages/problem.ts'
import { payerDevice } from './payer-device.ts'
import { isPayerVisit } from './payer-visit.ts'
import { PRIVATE_HEADERS, sendPage } from './send.ts'
import { isBrebOnly, isPayable, stateOf, versionOf } from './state.ts'
import { createStreams } from './stream.ts'
import { asLanguage, preferredLanguage } from './words/language.ts'
import { WORDS } from './words/words.ts'

export type CheckoutOptions = PageOptions & { readonly backend: CheckoutBackend }

export type PageOptions = {
  readonly environment: Environment
  /** Where browsers reach these pages. Its path, if any, prefixes every address. */
  readonly publicUrl: string
  readonly now: () => Instant
  /** Seconds that whoever asks has to wait before he acts again. Undefined if he need not. */
  readonly actionWait?: (token: string, request: FastifyRequest) => number | undefined
  /** The address of whoever asks, as far as it is known. */
  readonly clientOf?: (request: FastifyRequest) => string | null
  /** Receives the error. The payer only sees that something failed. */
  readonly onError?: (error: unknown, request: FastifyRequest) => void
}

export function routeCheckout(app: FastifyInstance, options: CheckoutOptions): void {
  app.register(async (pay) => routePages(pay, options), { prefix: '/pay' })
}

/** Before anything is looked up: whoever acts too often costs nothing. */
export const onceInAWhile =
  ({ actionWait }: PageOptions) =>
  (request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void => {
    const { token } = request.params as { token: string }
    const retryAfterSeconds = actionWait?.(token, request)
    if (retryAfterSeconds === undefined) done()
    else done(refuse('RATE_LIMITED', 'Too many actions.', { retryAfterSeconds }) as unknown as Error)
  }

/**
 * The page for every unknown address. The server also calls it for addresses under /pay that its router cannot parse (a
 * broken escape, a token of a thousand characters), because those never reach the routes.
 */
export async function answerNotFound(
  options: PageOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  arrivedAtMs = performance.now(),
): Promise<FastifyReply> {
  await delay(Math.max(0, arrivedAtMs + NOT_FOUND_MS - performance.now()))
  // The page contains no token, so that it is the same for all of them.
  const setting = { ...settingOf(options, request), path: '' }
  return send(request, reply, 404, setting, notFoundPage(setting))
}

// A few short fields. A name of 120 characters may take 12 bytes per character.
const FORM_LIMIT_BYTES = 16 * 1_024
// Longer than any lookup, so that a guess, a malformed token and a near miss all take the same time.
const NOT_FOUND_MS = 60
const RETRY_AFTER_SECONDS = 5

type Handler = (visit: Visit) => Promise<FastifyReply>
type Visit = { context: PageContext; token: string; request: FastifyRequest; reply: FastifyReply }

function routePages(pay: FastifyInstance, options: CheckoutOptions): void {
  const { backend } = options
  const streams = createStreams(backend)
  pay.addHook('preClose', (done) => {
    streams.closeAll()
    done()
  })
  readForms(pay)
  answerErrors(pay, options)

  const visit = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const arrivedAtMs = performance.now()
    const { token } = request.params as { token: string }
    const subject = await backend.load(token)
    if (subject !== undefined) {
      const context = contextOf(options, request, subject)
      return handler({ context, token, request, reply: reply.headers(PRIVATE_HEADERS) })
    }
    return answerNotFound(options, request, reply, arrivedAtMs)
  }

  const action = { preHandler: onceInAWhile(options) }

  pay.get(
    '/:token',
    visit((one) => open(options, one)),
  )
  pay.post(
    '/:token',
    action,
    visit((one) => begin(options, one)),
  )
  pay.post(
    '/:token/recheck',
    action,
    visit(async ({ context, token, reply }) => {
      await backend.recheck(token)
      return seeOther(reply, context, 'checked')
    }),
  )
  pay.post(
    '/:token/leave',
    action,
    visit(async ({ context, token, reply }) =>
      seeOther(reply, context, (await backend.abandonAttempt(token)) === 'left' ? 'retry' : 'late'),
    ),
  )
  // The bank sends the browser back here. What the address says about the payment may be forged, so none of it is read.
  pay.get(
    '/:token/return',
    visit(async ({ context, reply }) => seeOther(reply, context, 'back')),
  )
  pay.get(
    '/:token/status',
    visit(async ({ context: { subject, now }, reply }) =>
      reply.send({ state: stateOf(subject, now), version: versionOf(subject, now) }),
    ),
  )
  pay.get(
    '/:token/stream',
    { exposeHeadRoute: false, config: { stream: true } },
    visit(async ({ context, token, request, reply }) => {
      const seenVersion = String((request.query as { version?: unknown }).version ?? '')
      const versionNow = async (): Promise<string> => {
        const subject = await backend.load(token)
        return subject === undefined ? seenVersion : versionOf(subject, options.now())
      }
      const { organizationId } = context.subject
      const stream = streams.open({ organizationId, token, seenVersion, versionNow })
      if (stream === undefined) return reply.code(503).header('retry-after', RETRY_AFTER_SECONDS).send()
      return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream)
    }),
  )
  pay.get(
    '/:token/qr',
    visit(async ({ context, request, reply }) => {
      const payload = context.subject.payin?.qrPayload ?? null
      if (payload === null || stateOf(context.subject, context.now) !== 'breb') {
        return answerNotFound(options, request, reply)
      }
      const [, png = ''] = qrPngDataUri(payload).split(',')
      return reply
        .type('image/png')
        .header('content-disposition', 'attachment; filename="bre-b.png"')
        .send(Buffer.from(png, 'base64'))
    }),
  )
}

// The first visit of a payer begins the attempt where there is nothing to choose or fill in. What looks at the address
// without paying, and whoever acts too often, gets the page with the button that does the same.
async function open(
  options: CheckoutOptions,
  { context, token, request, reply }: Visit,
): Promise<FastifyReply> {
  const { subject, now } = context
  const isFirst = isBrebOnly(subject) && stateOf(subject, now) === 'choose'
  if (!isFirst || !isPayerVisit(request) || options.actionWait?.(token, request) !== undefined)
    return send(request, reply, 200, context, pageFor(await withOffer(options, context, showsForm(context))))
  await options.backend.begin(token, withoutForm(subject), context.language)
  const begun = { ...context, subject: (await options.backend.load(token)) ?? subject }
  return send(request, reply, 200, begun, pageFor(begun))
}

// Only the form shows what PSE offers, and no other page waits for a provider.
async function withOffer(
  { backend }: CheckoutOptions,
  context: PageContext,
  isForm: boolean,
): Promise<PageContext> {
  const { subject } = context
  const isNeeded = isForm && subject.pse !== null && subject.rails.includes('PSE')
  return isNeeded ? { ...context, offer: await backend.pseOffer(subject) } : context
}

async function begin(options: CheckoutOptions, visit: Visit): Promise<FastifyReply> {
  const { context, token, request, reply } = visit
  const { subject, now, language } = context
  // An old tab or a second click. The page shows the current state.
  if (!isPayable(subject, now))
    return seeOther(reply, context, subject.payin?.rail === 'PSE' ? 'go' : undefined)
  const typed = typedIn(typeof request.body === 'string' ? request.body : '')
  if (isRailGone(subject, typed)) return refuseForm(options, visit, typed, 'rail-not-available')
  const { offer } = await withOffer(options, context, readRail(subject, typed) === 'PSE')
  if (offer.terms === 'away') return refuseForm(options, visit, typed, 'terms-away')

  const read = readForm(subject, typed, options.environment, offer)
  if (!read.ok) return showForm(options, visit, { errors: read.errors, typed })
  const device = payerDevice(options.clientOf?.(request) ?? null, request.headers['user-agent'])
  const outcome = await options.backend.begin(token, read.choice, language, device)
  if (outcome === 'too-late') return seeOther(reply, context, 'late')
  if (outcome === 'begun' || outcome === 'already-begun' || outcome === 'not-payable')
    return seeOther(
      reply,
      context,
      outcome !== 'not-payable' && read.choice.rail === 'PSE' ? 'go' : undefined,
    )
  return refuseForm(options, visit, typed, outcome)
}

// The form again, with what was typed.
async function showForm(
  options: CheckoutOptions,
  { context, request, reply }: Visit,
  form: FormState,
  status = 422,
): Promise<FastifyReply> {
  const page = choosePage(await withOffer(options, context, true), form)
  return send(request, reply, status, context, page)
}

// Nothing was begun. What is offered may have changed since the payer's page was made, so it is read anew.
async function refuseForm(
  options: CheckoutOptions,
  visit: Visit,
  typed: Typed,
  refusal: BeginRefusal,
): Promise<FastifyReply> {
  const subject = (await options.backend.load(visit.token)) ?? visit.context.subject
  const context = { ...visit.context, subject }
  if (!isPayable(subject, context.now)) return seeOther(visit.reply, context)
  const show = (form: Omit<FormState, 'typed'>, status?: number) =>
    showForm(options, { ...visit, context }, { ...form, typed }, status)
  const { errors } = context.words
  if (refusal === 'rail-not-available') return show({ errors: {}, refusal: errors.railNotAvailable })
  if (refusal === 'terms-changed') return show({ errors: { terms: 'termsChanged' } })
  if (refusal === 'terms-away') {
    visit.reply.header('retry-after', RETRY_AFTER_SECONDS)
    return show({ errors: {}, refusal: context.words.away.title }, 503)
  }
  return subject.fixedBank === null
    ? show({ errors: { bank: 'bankNotEnabled' } })
    : show({ errors: {}, refusal: errors.fixedBankNotEnabled(bankName(context, subject.fixedBank)) })
}

function contextOf(options: CheckoutOptions, request: FastifyRequest, subject: CheckoutSubject): PageContext {
  const { step } = request.query as { step?: unknown }
  return {
    ...settingOf(options, request),
    subject,
    offer: WHOLE_OFFER,
    now: options.now(),
    step: STEPS.find((one): one is Step => one === step) ?? null,
  }
}

// Payment pages and refunds stand beside the pages of links and payins.
function placeOf({ url }: FastifyRequest): string {
  return /^\/(page|refund)\//.exec(url)?.[1] ?? 'pay'
}

export function settingOf(options: PageOptions, request: FastifyRequest): PageSetting {
  const chosenLanguage = asLanguage((request.query as { lang?: unknown } | undefined)?.lang) ?? null
  const language = chosenLanguage ?? preferredLanguage(request.headers['accept-language'])
  const { token = '' } = (request.params ?? {}) as { token?: string }
  const root = new URL(options.publicUrl).pathname.replace(/\/$/, '')
  return {
    environment: options.environment,
    language,
    words: WORDS[language],
    chosenLanguage,
    path: `${root}/${placeOf(request)}/${encodeURIComponent(token)}`,
  }
}

export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  setting: PageSetting,
  page: Page,
): FastifyReply {
  return sendPage(request, reply, status, renderPage(setting, page))
}

function seeOther(reply: FastifyReply, context: PageContext, step?: Step): FastifyReply {
  return reply
    .code(303)
    .header('location', address(context, step === undefined ? {} : { step }))
    .send()
}

// The API server accepts JSON only. Here browsers send forms, and nothing else.
export function readForms(pay: FastifyInstance): void {
  pay.removeAllContentTypeParsers()
  pay.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    (_request, text, done) => done(null, text),
  )
}

export function answerErrors(pay: FastifyInstance, options: PageOptions): void {
  pay.setNotFoundHandler((request, reply) => answerNotFound(options, request, reply))
  pay.setErrorHandler((error, request, reply) => {
    const { statusCode } = error as { statusCode?: number }
    const setting = settingOf(options, request)
    // The server is busy, or the payer is too fast for it.
    if (isRefusal(error)) {
      reply.header('retry-after', error.retryAfterSeconds ?? RETRY_AFTER_SECONDS)
      return error.refused === 'RATE_LIMITED'
        ? send(request, reply, 429, setting, tooFastPage(setting))
        : send(request, reply, 503, setting, brokenPage(setting))
    }
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
      return send(request, reply, statusCode, setting, unreadablePage(setting))
    }
    options.onError?.(error, request)
    reply.header('retry-after', RETRY_AFTER_SECONDS)
    return send(request, reply, 503, setting, brokenPage(setting))
  })
}
