// The public routes of refunds: everything under /refund/{token}. GET changes nothing. POST looks a key up and shows whose it is; sent again
// with the payer's word, it names the key and leads back to the page.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Customer } from '../core/people/customer.ts'
import { openRefundClaimToken } from '../core/refunds/claim-token.ts'
import { isRefusal, type Refusal } from '../core/refusal.ts'
import type { Context } from '../flows/context.ts'
import { type Claimable, claimWithKey, findClaimable, lookUpClaimedKey } from '../flows/refunds/claim.ts'
import { type FieldErrors, readCustomer, typedIn } from './form.ts'
import { merchantOf } from './live-backend.ts'
import { address } from './pages/page-context.ts'
import { type ClaimForm, type RefundContext, refundPage, reviewPage } from './pages/refund.ts'
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

export type RefundPageOptions = PageOptions & { readonly ctx: Context }

const MAX_KEY_LENGTH = 128

export function routeRefundPages(app: FastifyInstance, options: RefundPageOptions): void {
  app.register(async (pages) => routePages(pages, options), { prefix: '/refund' })
}

type Visit = {
  claimable: Claimable
  context: RefundContext
  request: FastifyRequest
  reply: FastifyReply
}

function routePages(pages: FastifyInstance, options: RefundPageOptions): void {
  const { ctx } = options
  readForms(pages)
  answerErrors(pages, options)
  const visit =
    (handler: (visit: Visit) => FastifyReply | Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const arrivedAtMs = performance.now()
      const { token } = request.params as { token: string }
      const place = openRefundClaimToken(ctx.settings.keys.page, token)
      const claimable = place && (await findClaimable(ctx, place))
      if (claimable === undefined) return answerNotFound(options, request, reply, arrivedAtMs)
      const { refund, payin, organization, payer } = claimable
      const context = {
        ...settingOf(options, request),
        refund,
        now: options.now(),
        reference: payin.reference,
        merchant: merchantOf(organization),
        asksPayer: payer === null,
      }
      return handler({ claimable, context, request, reply: reply.headers(PRIVATE_HEADERS) })
    }

  pages.get(
    '/:token',
    visit(({ context, request, reply }) => send(request, reply, 200, context, refundPage(context))),
  )
  pages.post(
    '/:token',
    { preHandler: onceInAWhile(options) },
    visit((one) => claim(ctx, one)),
  )
}

async function claim(ctx: Context, { claimable, context, request, reply }: Visit): Promise<FastifyReply> {
  if (context.refund.stage !== 'AWAITING_CLAIM') return toPage(context, reply)
  const body = typeof request.body === 'string' ? request.body : ''
  const sent = new URLSearchParams(body)
  const key = (sent.get('key') ?? '').trim().slice(0, MAX_KEY_LENGTH)
  const errors: { -readonly [Field in keyof FieldErrors]: FieldErrors[Field] } = {}
  const form: ClaimForm = { key, typed: context.asksPayer ? typedIn(body) : {}, errors }
  const showAgain = (refused?: Refusal) => {
    const shown = { ...form, ...(refused && { refused: refused.refused }) }
    return send(request, reply, 422, context, refundPage(context, shown))
  }
  const customer: Customer | undefined = claimable.payer ?? readCustomer(null, form.typed, errors)
  if (customer === undefined) return showAgain()
  if (sent.get('sure') !== '1') {
    const found = await lookUpClaimedKey(ctx, claimable, key)
    if (found === 'not-waiting') return toPage(context, reply)
    if (isRefusal(found)) return showAgain(found)
    return send(request, reply, 200, context, reviewPage(context, form, found.claim))
  }
  const claimed = await claimWithKey(ctx, claimable, key, customer)
  return isRefusal(claimed) ? showAgain(claimed) : toPage(context, reply)
}

async function toPage(context: RefundContext, reply: FastifyReply): Promise<FastifyReply> {
  return reply.code(303).header('location', address(context)).send()
}
