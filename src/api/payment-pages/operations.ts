// Merchant operations on payment pages: create, get, list, change, close.

import { RAILS } from '../../core/connections/rail.ts'
import { isUuid } from '../../core/ids.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { presentPage } from '../../core/payment-pages/object.ts'
import {
  PAYMENT_PAGE_STATUSES,
  type PageTerms,
  type PaymentPage,
} from '../../core/payment-pages/payment-page.ts'
import { type SentTerms, termProblems } from '../../core/payment-pages/terms.ts'
import { type FieldProblem, isRefusal } from '../../core/refusal.ts'
import {
  changePaymentPage,
  closePaymentPage,
  pageCapInCents,
  refuseUnknownPage,
} from '../../flows/payment-pages/change.ts'
import { createPaymentPage } from '../../flows/payment-pages/create.ts'
import { getPage, type PageFilters, pageList } from '../../store/payment-pages/payment-pages.ts'
import { type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { idBounds, PAGE_QUERY, PAGE_SIZE, readPage, TIME_QUERY } from '../http/pagination.ts'
import { OneOf, Text } from '../http/schema.ts'
import { callbackProblems } from '../payins/request-rules.ts'
import { REFERENCE_MAX_LENGTH } from '../payins/schema.ts'
import { PAGE_EXAMPLES } from './examples.ts'
import { CreatePaymentPage, PaymentPageChanges, PaymentPageList, PaymentPageObject } from './schema.ts'

export const PAYMENT_PAGE_ID = {
  paymentPageId: {
    description: 'Identifier of the payment page.',
    example: PAGE_EXAMPLES.page.paymentPageId,
  },
}

type CreateBody = Static<typeof CreatePaymentPage>

const shown = (request: ApiRequest, status: number) =>
  renderOnce((page: PaymentPage) => json(status, presentPage(request.ctx.settings.checkoutUrl, page)))

export const createPaymentPageOperation: Operation = {
  method: 'POST',
  path: '/payment-pages',
  operationId: 'createPaymentPage',
  tag: 'Payment pages',
  summary: 'Create a payment page',
  description:
    'Makes a page to sell by, in a chat, on a poster or at a counter. Whoever opens it and goes on gets a payment link of their own, good for one hour; ' +
    'that link holds what they want of the page until it ends, so the last piece is sold once. The links’ events tell of each payment, and `paymentpage.*` of the page, to endpoints that name them.',
  access: { scope: 'links:write', shown: 'apiKey' },
  act: 'paymentpage.create',
  body: {
    schema: CreatePaymentPage,
    required: true,
    examples: {
      fixed: { summary: 'A price, and so many pieces', value: PAGE_EXAMPLES.fixed },
      open: { summary: 'The payer types the amount', value: PAGE_EXAMPLES.open },
    },
  },
  rules: (request) => ruleProblems(request, request.body as Partial<CreateBody>),
  success: {
    status: 201,
    description: 'The page was made.',
    schema: PaymentPageObject,
    examples: { page: { summary: 'A page', value: PAGE_EXAMPLES.page } },
  },
  refusals: [
    'INVALID_INPUT',
    'AMOUNT_ABOVE_MAXIMUM',
    'RAIL_NOT_ENABLED',
    'RAIL_NOT_CONNECTED',
    'AMOUNT_NOT_CONNECTED',
  ],
  idempotent: true,
  handle: async (request) => {
    const { ctx, caller, idempotency } = request
    const answer = shown(request, 201)
    const terms = toTerms(request.body as CreateBody)
    const kept = idempotency && { ...idempotency, answer }
    const page = await createPaymentPage(ctx, caller.organization, terms, kept)
    return isRefusal(page) ? page : answer(page)
  },
}

function ruleProblems({ ctx, caller }: ApiRequest, body: Partial<CreateBody>): FieldProblem[] {
  const { organization } = caller
  const { rail, callbackUrl } = body
  const problems: FieldProblem[] = []
  if (rail !== undefined && RAILS.includes(rail) && !organization.rails.includes(rail))
    problems.push({
      path: '/rail',
      code: 'RAIL_NOT_ENABLED',
      message: `${rail} is not enabled for this organization`,
    })
  const capInCents = pageCapInCents(ctx, organization, RAILS.find((one) => one === rail) ?? null)
  const limits = { now: ctx.clock.now(), capInCents }
  return [...problems, ...termProblems(body as SentTerms, limits), ...callbackProblems(ctx, callbackUrl)]
}

const centsOf = (amount: number | null | undefined) =>
  amount === undefined || amount === null ? null : BigInt(amount)

function toTerms(body: CreateBody): PageTerms {
  return {
    name: body.name,
    description: body.description ?? null,
    items: body.items === undefined ? null : knownItems(body.items),
    image: body.image ?? null,
    metadata: body.metadata ?? null,
    amountInCents: centsOf(body.amountInCents),
    minAmountInCents: centsOf(body.minAmountInCents),
    maxAmountInCents: centsOf(body.maxAmountInCents),
    reference: body.reference,
    callbackUrl: body.callbackUrl ?? null,
    rail: body.rail ?? null,
    validUntil: body.validUntil === undefined ? null : Date.parse(body.validUntil),
    maxPayments: body.maxPayments ?? null,
    maxPieces: body.maxPieces ?? null,
  }
}

function knownItems(items: NonNullable<CreateBody['items']>): NonNullable<PageTerms['items']> {
  return items.map(({ name, quantity, unitAmountInCents }) => ({ name, quantity, unitAmountInCents }))
}

export const changePaymentPageOperation: Operation = {
  method: 'PATCH',
  path: '/payment-pages/{paymentPageId}',
  operationId: 'changePaymentPage',
  tag: 'Payment pages',
  summary: 'Change a payment page',
  description:
    'Changes the fields that are sent and leaves the others; null takes an optional one away. Links that the page has made stay as they are: whoever is about to pay pays what they saw.',
  access: { scope: 'links:write', shown: 'apiKey' },
  act: 'paymentpage.change',
  params: PAYMENT_PAGE_ID,
  body: {
    schema: PaymentPageChanges,
    required: true,
    examples: { more: { summary: 'Sell twenty more', value: PAGE_EXAMPLES.more } },
  },
  rules: ({ ctx, body }) =>
    callbackProblems(ctx, (body as { callbackUrl?: string | null }).callbackUrl ?? undefined),
  success: {
    status: 200,
    description: 'The page as it is now.',
    schema: PaymentPageObject,
    examples: { page: { summary: 'A page', value: { ...PAGE_EXAMPLES.page, ...PAGE_EXAMPLES.more } } },
  },
  refusals: [
    'INVALID_INPUT',
    'AMOUNT_ABOVE_MAXIMUM',
    'RAIL_NOT_CONNECTED',
    'AMOUNT_NOT_CONNECTED',
    'NOT_FOUND',
    'PAGE_CLOSED',
  ],
  handle: async (request) => {
    const { ctx, caller } = request
    const id = pageIdOf(request)
    if (id === undefined) return refuseUnknownPage(request.params.paymentPageId ?? '')
    const page = await changePaymentPage(ctx, caller.organization, id, toChanges(request.body as object))
    return isRefusal(page) ? page : shown(request, 200)(page)
  },
}

// Only known fields are changed. Others are ignored.
function toChanges(body: object): Partial<PageTerms> {
  const changes: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(body)) {
    if (!(field in PaymentPageChanges.properties)) continue
    if (field.endsWith('InCents')) changes[field] = centsOf(value)
    else if (field === 'validUntil') changes[field] = value === null ? null : Date.parse(value)
    else if (field === 'items') changes[field] = value === null ? null : knownItems(value)
    else changes[field] = value
  }
  return changes as Partial<PageTerms>
}

// Undefined for an id that is not a UUID, because no page can have it.
function pageIdOf({ params }: ApiRequest): string | undefined {
  const id = (params.paymentPageId ?? '').toLowerCase()
  return isUuid(id) ? id : undefined
}

export async function pageOf(request: ApiRequest): Promise<PaymentPage | undefined> {
  const id = pageIdOf(request)
  return id === undefined
    ? undefined
    : getPage(request.ctx.db, request.caller.organization.organizationId, id)
}

export const getPaymentPageOperation: Operation = {
  method: 'GET',
  path: '/payment-pages/{paymentPageId}',
  operationId: 'getPaymentPage',
  tag: 'Payment pages',
  summary: 'Get a payment page',
  description: 'The page as it stands now, with what is open and what was paid on it.',
  access: { scope: 'links:read', shown: 'apiKey' },
  params: PAYMENT_PAGE_ID,
  success: {
    status: 200,
    description: 'The page.',
    schema: PaymentPageObject,
    examples: { page: { summary: 'A page', value: PAGE_EXAMPLES.page } },
  },
  refusals: ['NOT_FOUND'],
  handle: async (request) => {
    const page = await pageOf(request)
    return page === undefined
      ? refuseUnknownPage(request.params.paymentPageId ?? '')
      : shown(request, 200)(page)
  },
}

const ListPagesQuery = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(OneOf(PAYMENT_PAGE_STATUSES, { description: 'Only pages that stand so now.' })),
  reference: Type.Optional(Text(REFERENCE_MAX_LENGTH, { description: 'Only pages with this reference.' })),
  ...TIME_QUERY,
})

export const listPaymentPagesOperation: Operation = {
  method: 'GET',
  path: '/payment-pages',
  operationId: 'listPaymentPages',
  tag: 'Payment pages',
  summary: 'List payment pages',
  description: 'Newest first, in pages like those of payins.',
  access: { scope: 'links:read', shown: 'apiKey' },
  query: ListPagesQuery,
  success: {
    status: 200,
    description: 'A page of payment pages.',
    schema: PaymentPageList,
    examples: { page: { summary: 'A page', value: PAGE_EXAMPLES.list } },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, status, reference, ...range } = query as Static<typeof ListPagesQuery>
    const { organizationId } = caller.organization
    const filters: PageFilters = {
      ...(status !== undefined && { status }),
      ...(reference !== undefined && { reference }),
      ...idBounds(range),
    }
    const list = await readPage(
      {
        ...pageList(ctx.db, organizationId, filters),
        idOf: (page: PaymentPage) => page.paymentPageId,
      },
      { key: ctx.settings.keys.cursor, context: `pages ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(list)) return list
    const data = list.rows.map((page) => presentPage(ctx.settings.checkoutUrl, page))
    return json(200, { data, pageInfo: list.pageInfo })
  },
}

export const closePaymentPageOperation: Operation = {
  method: 'POST',
  path: '/payment-pages/{paymentPageId}/close',
  operationId: 'closePaymentPage',
  tag: 'Payment pages',
  summary: 'Close a payment page',
  description:
    'Nobody can begin to pay any more. Links that are open stay so until they are paid or their hour is over. The event `paymentpage.closed` follows.',
  access: { scope: 'links:write', shown: 'apiKey' },
  act: 'paymentpage.close',
  params: PAYMENT_PAGE_ID,
  success: {
    status: 200,
    description: 'The page, now `CLOSED`.',
    schema: PaymentPageObject,
    examples: { closed: { summary: 'Closed', value: PAGE_EXAMPLES.closed } },
  },
  refusals: ['NOT_FOUND', 'PAGE_CLOSED'],
  idempotent: true,
  handle: async (request) => {
    const { ctx, caller, idempotency } = request
    const id = pageIdOf(request)
    if (id === undefined) return refuseUnknownPage(request.params.paymentPageId ?? '')
    const answer = shown(request, 200)
    const kept = idempotency && { ...idempotency, answer }
    const page = await closePaymentPage(ctx, caller.organization.organizationId, id, kept)
    return isRefusal(page) ? page : answer(page)
  },
}
