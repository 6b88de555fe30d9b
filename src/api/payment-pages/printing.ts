// What a merchant prints of a payment page: its QR code, and a poster with it.

import { type Static, Type } from '../../core/json-schema.ts'
import { type PaymentPage, pageUrl } from '../../core/payment-pages/payment-page.ts'
import { POSTER_LANGUAGES, POSTER_SIZES, posterSvg } from '../../core/payment-pages/poster.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { refuseUnknownPage } from '../../flows/payment-pages/change.ts'
import type { ApiRequest, Operation } from '../http/operation.ts'
import { qrOperation } from '../http/qr-operation.ts'
import { OneOf } from '../http/schema.ts'
import { PAYMENT_PAGE_ID, pageOf } from './operations.ts'

export const getPaymentPageQrOperation: Operation = qrOperation({
  path: '/payment-pages/{paymentPageId}',
  params: PAYMENT_PAGE_ID,
  operationId: 'getPaymentPageQr',
  tag: 'Payment pages',
  summary: 'Get a payment page’s QR code',
  description: 'The image of a code that opens the page on a phone, for a poster or a counter.',
  scope: 'links:read',
  shown: 'apiKey',
  refusals: ['NOT_FOUND', 'PAGE_CLOSED'],
  textOf: async (request) => {
    const page = await printablePage(request)
    return isRefusal(page) ? page : pageUrl(request.ctx.settings.checkoutUrl, page)
  },
})

// Nobody prints the way to a page that takes nobody.
async function printablePage(request: ApiRequest): Promise<PaymentPage | Refusal> {
  const page = await pageOf(request)
  if (page === undefined) return refuseUnknownPage(request.params.paymentPageId ?? '')
  return page.status === 'CLOSED' ? refuse('PAGE_CLOSED', 'The payment page is CLOSED and stays so.') : page
}

const PosterQuery = Type.Object({
  language: Type.Optional(OneOf(POSTER_LANGUAGES, { description: 'Of the words on it. Default `es`.' })),
})

export const getPaymentPagePosterOperation: Operation = {
  method: 'GET',
  path: '/payment-pages/{paymentPageId}/poster/{size}',
  operationId: 'getPaymentPagePoster',
  tag: 'Payment pages',
  summary: 'Get a poster of a payment page',
  description:
    'A sheet to print and put on a counter, as an SVG of its size: who sells, what, for how much, and the code that opens the page on a phone.',
  access: { scope: 'links:read', shown: 'apiKey' },
  params: {
    ...PAYMENT_PAGE_ID,
    size: { description: 'Of the sheet: `a4` or `a6`.', example: 'a6', enum: POSTER_SIZES },
  },
  query: PosterQuery,
  success: {
    status: 200,
    description: 'The drawing.',
    schema: Type.String({ format: 'binary' }),
    examples: {},
    mediaTypes: ['image/svg+xml'],
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'PAGE_CLOSED'],
  handle: async (request) => {
    const page = await printablePage(request)
    if (isRefusal(page)) return page
    const size = POSTER_SIZES.find((one) => one === request.params.size)
    if (size === undefined) return refuse('NOT_FOUND', 'A poster is an a4 or an a6 sheet.')
    const { language = 'es' } = request.query as Static<typeof PosterQuery>
    const { name, amountInCents } = page
    const url = pageUrl(request.ctx.settings.checkoutUrl, page)
    const text = { merchant: request.caller.organization.name, name, amountInCents, url }
    const bytes = Buffer.from(posterSvg(text, size, language))
    return { status: 200, body: '', image: { mediaType: 'image/svg+xml', bytes } }
  },
}
