// The public routes of payment pages: everything under /page/{token}. GET changes nothing and may be sent by anybody who unfolds a
// link in a chat. POST makes a payment link and leads to its own address, so two payers never share a try, nor a browser's cookie.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasFreePieces } from '../core/payment-pages/payment-page.ts'
import type { PageBackend, PageSubject } from './page-backend.ts'
import { readChoice, type TypedChoice, typedChoice } from './page-form.ts'
import {
  isNotPayableNow,
  type PaymentChoiceError,
  type PaymentPageContext,
  paymentPage,
  stoppedPage,
} from './pages/payment-page.ts'
import {
  answerErrors,
  answerNotFound,
  onceInAWhile,
  type PageOptions,
  readForms,
  send,
  settingOf,
} from './routes.ts'
import { PRIVATE_HEADERS } from './send.ts'

export type PaymentPageOptions = PageOptions & { readonly pageBackend: PageBackend }

export function routePaymentPages(app: FastifyInstance, options: PaymentPageOptions): void {
  app.register(async (pages) => routePages(pages, options), { prefix: '/page' })
}

type Visit = PageSubject & { context: PaymentPageContext; request: FastifyRequest; reply: FastifyReply }

function routePages(pages: FastifyInstance, options: PaymentPageOptions): void {
  readForms(pages)
  answerErrors(pages, options)
  const visit =
    (handler: (visit: Visit) => FastifyReply | Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const arrivedAtMs = performance.now()
      const { token } = request.params as { token: string }
      const subject = await options.pageBackend.load(token)
      if (subject === undefined) return answerNotFound(options, request, reply, arrivedAtMs)
      const context = { ...settingOf(options, request), ...subject, now: options.now() }
      return handler({ ...subject, context, request, reply: reply.headers(PRIVATE_HEADERS) })
    }

  pages.get(
    '/:token',
    visit(({ context, request, reply }) => send(request, reply, 200, context, paymentPage(context))),
  )
  pages.post(
    '/:token',
    { preHandler: onceInAWhile(options) },
    visit((one) => goOn(options, one)),
  )
}

async function goOn(
  { pageBackend }: PaymentPageOptions,
  { page, context, request, reply }: Visit,
): Promise<FastifyReply> {
  const typed: TypedChoice = typedChoice(typeof request.body === 'string' ? request.body : '')
  const showAgain = (wrong: PaymentChoiceError) =>
    send(request, reply, 422, context, paymentPage(context, { typed, wrong }))
  if (isNotPayableNow(context)) return send(request, reply, 409, context, paymentPage(context))
  const choice = readChoice(page, typed)
  if (!choice.ok) return showAgain(choice.wrong)
  const started = await pageBackend.start(page, choice)
  // Fewer are free than the payer wants.
  if ('stop' in started && started.stop === 'held' && choice.pieces > 1 && hasFreePieces(page))
    return showAgain('pieces')
  if ('stop' in started)
    return started.stop === 'amount'
      ? showAgain('not-payable')
      : send(request, reply, 409, context, stoppedPage(context, started.stop))
  const language = context.chosenLanguage === null ? '' : `?lang=${context.chosenLanguage}`
  return reply.code(303).header('location', `${started.address}${language}`).send()
}
