// Merchant operations on payment links: create, get, list, expire.

import { maximumInCents, RAILS } from '../../core/connections/rail.ts'
import { isUuid } from '../../core/ids.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import {
  linkUrl,
  PAYMENT_LINK_STATUSES,
  type PaymentLink,
  type PaymentLinkRequest,
  presentLink,
} from '../../core/payment-links/payment-link.ts'
import { newNote } from '../../core/people/note.ts'
import { type FieldProblem, isRefusal, refuse, refuseFields } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import { createPaymentLink } from '../../flows/payment-links/create.ts'
import { expireLinkEarly } from '../../flows/payment-links/expire.ts'
import {
  getLink,
  type LinkFilters,
  linkList,
  type PageLinkFilters,
  pageLinkList,
} from '../../store/payment-links/payment-links.ts'
import { NOTE_FIELDS, SHOWN_NOTE_FIELDS } from '../http/note-schema.ts'
import { json, type Operation, renderOnce } from '../http/operation.ts'
import { idBounds, PAGE_QUERY, PAGE_SIZE, PageInfoObject, readPage, TIME_QUERY } from '../http/pagination.ts'
import { qrOperation } from '../http/qr-operation.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'
import { bankProblems, callbackProblems, documentProblems } from '../payins/request-rules.ts'
import {
  AmountInCents,
  InlineCustomer,
  REFERENCE_MAX_LENGTH,
  ShownCustomer,
  URL_MAX_LENGTH,
} from '../payins/schema.ts'
import { LINK_EXAMPLES } from './examples.ts'

const LinkPse = Type.Object(
  {
    bank: Type.String({
      minLength: 1,
      maxLength: 64,
      format: 'printable',
      description:
        'A bank code or alias of `GET /pse/banks`, returned as sent. The payer then does not choose.',
      examples: ['CO_BANCOLOMBIA'],
    }),
  },
  {
    description:
      'Only with `rail` `PSE`; without it the request is refused. A `breb` object has no meaning in a link and is ignored, whatever it holds.',
  },
)

export const CreatePaymentLink = Type.Object({
  amountType: OneOf(['FIXED'] as const, { description: 'The payer is charged exactly `amountInCents`.' }),
  amountInCents: AmountInCents,
  reference: Text(REFERENCE_MAX_LENGTH, {
    description: 'The merchant’s own name for this payment; events carry it. It need not be unique.',
    examples: ['order-2001'],
  }),
  callbackUrl: Type.String({
    maxLength: URL_MAX_LENGTH,
    format: 'web-address',
    description: 'Where the payer goes when the flow ends, whether or not they paid. Used exactly as sent.',
    examples: ['https://shop.example/return'],
  }),
  ...NOTE_FIELDS,
  rail: Type.Optional(OneOf(RAILS, { description: 'Restricts the link to this rail.' })),
  inlineCustomer: Type.Optional(InlineCustomer),
  pse: Type.Optional(LinkPse),
})

export const PaymentLinkObject = Type.Object({
  paymentLinkId: Uuid('Identifier of the payment link.'),
  paymentLinkUrl: Type.String({ description: 'Send the payer here.' }),
  status: OneOf(PAYMENT_LINK_STATUSES, { description: 'Where the link stands. The last two are final.' }),
  amountType: OneOf(['FIXED'] as const),
  amount: Type.Number({ description: 'Amount in pesos: `amountInCents / 100`.' }),
  amountInCents: Type.Integer(),
  currency: OneOf(['COP'] as const),
  reference: Type.String(),
  ...SHOWN_NOTE_FIELDS,
  callbackUrl: Type.String(),
  rail: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...RAILS, null],
    description: 'Null when the link is open.',
  }),
  inlineCustomer: Nullable(ShownCustomer),
  pse: Nullable(LinkPse),
  paymentPageId: Nullable(Uuid('The payment page that made the link; null if you did.')),
  createdAt: DateTime('When the link was created.'),
  updatedAt: DateTime('When it last changed.'),
  expiresAt: DateTime('One hour after creation.'),
  completedAt: Nullable(DateTime('When it was paid; null until then.')),
})

export const PaymentLinkList = Type.Object({ data: Type.Array(PaymentLinkObject), pageInfo: PageInfoObject })

const LINK_ID = {
  paymentLinkId: {
    description: 'Identifier of the payment link.',
    example: LINK_EXAMPLES.link.paymentLinkId,
  },
}
const NO_SUCH_LINK = (id: string) => refuse('NOT_FOUND', `No payment link has the id ${id}.`)

type CreateBody = Static<typeof CreatePaymentLink>

export const createPaymentLinkOperation: Operation = {
  method: 'POST',
  path: '/payment-links',
  operationId: 'createPaymentLink',
  tag: 'Payment links',
  summary: 'Create a payment link',
  description:
    'Makes a hosted page on which a payer pays once, within the hour. Send nothing optional for an open checkout, `rail` to restrict the method, ' +
    '`rail` `PSE` and `pse.bank` to choose the bank beforehand, `inlineCustomer` to fill in the payer. The link’s events tell the outcome; its payins have none.',
  access: { scope: 'links:write', shown: 'accessToken' },
  act: 'paymentlink.create',
  body: {
    schema: CreatePaymentLink,
    required: true,
    examples: {
      open: { summary: 'Open checkout', value: LINK_EXAMPLES.open },
      restricted: { summary: 'Restricted and pre-filled', value: LINK_EXAMPLES.restricted },
      bank: { summary: 'PSE with the bank chosen', value: LINK_EXAMPLES.bank },
    },
  },
  rules: ({ ctx, caller, body }) => ruleProblems(ctx, caller.organization, body as Partial<CreateBody>),
  success: {
    status: 201,
    description: 'The link was created.',
    schema: PaymentLinkObject,
    examples: { link: { summary: 'A link', value: LINK_EXAMPLES.link } },
  },
  refusals: [
    'INVALID_INPUT',
    'AMOUNT_ABOVE_MAXIMUM',
    'RAIL_NOT_ENABLED',
    'RAIL_NOT_CONNECTED',
    'AMOUNT_NOT_CONNECTED',
    'UNKNOWN_BANK',
  ],
  idempotent: true,
  handle: async ({ ctx, caller, body, idempotency }) => {
    const answer = renderOnce((link: PaymentLink) => json(201, presentLink(ctx.settings.checkoutUrl, link)))
    const request = toRequest(body as CreateBody)
    const idempotencyWithAnswer = idempotency && { ...idempotency, answer }
    const link = await createPaymentLink(ctx, caller.organization, request, idempotencyWithAnswer)
    return isRefusal(link) ? link : answer(link)
  },
}

function ruleProblems(ctx: Context, organization: Organization, input: Partial<CreateBody>): FieldProblem[] {
  const problems: FieldProblem[] = []
  const { rail, amountInCents, pse, inlineCustomer, callbackUrl } = input
  const wanted = rail === undefined ? organization.rails : [rail]
  if (rail !== undefined && RAILS.includes(rail) && !organization.rails.includes(rail)) {
    problems.push({
      path: '/rail',
      code: 'RAIL_NOT_ENABLED',
      message: `${rail} is not enabled for this organization`,
    })
  }
  // An open link may have the amount that its widest rail can carry. The page offers only rails that can carry it.
  const caps = wanted
    .filter((each) => RAILS.includes(each))
    .map((each) => maximumInCents(each, ctx.clock.now(), ctx.settings.pseMaximumInCents))
  const cap = caps.reduce((most, each) => (each > most ? each : most), 0n)
  if (caps.length > 0 && Number.isSafeInteger(amountInCents) && BigInt(amountInCents as number) > cap) {
    problems.push({ path: '/amountInCents', code: 'AMOUNT_ABOVE_MAXIMUM', message: `must be at most ${cap}` })
  }
  if (pse !== undefined && rail !== 'PSE') {
    problems.push({ path: '/pse', code: 'NOT_ALLOWED', message: 'may be sent only with rail PSE' })
  } else problems.push(...bankProblems(ctx, pse?.bank))
  problems.push(...documentProblems(inlineCustomer), ...callbackProblems(ctx, callbackUrl))
  return problems
}

function toRequest(input: CreateBody): PaymentLinkRequest {
  const { amountInCents, reference, callbackUrl, rail, inlineCustomer, pse } = input
  return {
    amountInCents: BigInt(amountInCents),
    reference,
    callbackUrl,
    note: newNote(input),
    rail: rail ?? null,
    customer: inlineCustomer
      ? {
          name: inlineCustomer.name,
          idType: inlineCustomer.idType,
          idNumber: inlineCustomer.idNumber,
          phone: inlineCustomer.phone,
          email: inlineCustomer.email,
        }
      : null,
    bank: pse?.bank ?? null,
  }
}

export const getPaymentLinkOperation: Operation = {
  method: 'GET',
  path: '/payment-links/{paymentLinkId}',
  operationId: 'getPaymentLink',
  tag: 'Payment links',
  summary: 'Get a payment link',
  description: 'The link as it stands now.',
  access: { scope: 'links:read', shown: 'accessToken' },
  params: LINK_ID,
  success: {
    status: 200,
    description: 'The link.',
    schema: PaymentLinkObject,
    examples: { link: { summary: 'A link', value: LINK_EXAMPLES.link } },
  },
  refusals: ['NOT_FOUND'],
  handle: async ({ ctx, caller, params }) => {
    const id = (params.paymentLinkId ?? '').toLowerCase()
    const link = isUuid(id) ? await getLink(ctx.db, caller.organization.organizationId, id) : undefined
    return link === undefined
      ? NO_SUCH_LINK(params.paymentLinkId ?? '')
      : json(200, presentLink(ctx.settings.checkoutUrl, link))
  },
}

const ListLinksQuery = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(OneOf(PAYMENT_LINK_STATUSES, { description: 'Only links with this status.' })),
  reference: Type.Optional(Text(REFERENCE_MAX_LENGTH, { description: 'Only links with this reference.' })),
  paymentPageId: Type.Optional(
    Uuid('Only links that this payment page made. Not together with `reference`: they have the page’s.'),
  ),
  ...TIME_QUERY,
})

export const listPaymentLinksOperation: Operation = {
  method: 'GET',
  path: '/payment-links',
  operationId: 'listPaymentLinks',
  tag: 'Payment links',
  summary: 'List payment links',
  description: 'Newest first, in pages like those of payins.',
  access: { scope: 'links:read', shown: 'accessToken' },
  query: ListLinksQuery,
  success: {
    status: 200,
    description: 'A page of links.',
    schema: PaymentLinkList,
    examples: { page: { summary: 'A page', value: LINK_EXAMPLES.page } },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, status, reference, paymentPageId, ...range } = query as Static<
      typeof ListLinksQuery
    >
    const { organizationId } = caller.organization
    if (reference !== undefined && paymentPageId !== undefined)
      return refuseFields([
        { path: '/reference', code: 'NOT_ALLOWED', message: 'may not be sent with paymentPageId' },
      ])
    const bounds = { ...(status !== undefined && { status }), ...idBounds(range) }
    const filters: LinkFilters | PageLinkFilters =
      paymentPageId === undefined
        ? { ...bounds, ...(reference !== undefined && { reference }) }
        : { ...bounds, paymentPageId: paymentPageId.toLowerCase() }
    const list =
      'paymentPageId' in filters
        ? pageLinkList(ctx.db, organizationId, filters)
        : linkList(ctx.db, organizationId, filters)
    const page = await readPage(
      {
        ...list,
        idOf: (link: PaymentLink) => link.paymentLinkId,
      },
      { key: ctx.settings.keys.cursor, context: `links ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    return json(200, {
      data: page.rows.map((link) => presentLink(ctx.settings.checkoutUrl, link)),
      pageInfo: page.pageInfo,
    })
  },
}

export const expirePaymentLinkOperation: Operation = {
  method: 'POST',
  path: '/payment-links/{paymentLinkId}/expire',
  operationId: 'expirePaymentLink',
  tag: 'Payment links',
  summary: 'End a payment link early',
  description:
    'The page then takes no more payments, and an open attempt is withdrawn. The event `paymentlink.expired` follows.',
  access: { scope: 'links:write', shown: 'accessToken' },
  act: 'paymentlink.expire',
  params: LINK_ID,
  success: {
    status: 200,
    description: 'The link, now `EXPIRED`.',
    schema: PaymentLinkObject,
    examples: { expired: { summary: 'Ended', value: LINK_EXAMPLES.expired } },
  },
  refusals: ['NOT_FOUND', 'LINK_ALREADY_FINAL'],
  idempotent: true,
  handle: async ({ ctx, caller, params, idempotency }) => {
    const id = (params.paymentLinkId ?? '').toLowerCase()
    if (!isUuid(id)) return NO_SUCH_LINK(params.paymentLinkId ?? '')
    const answer = renderOnce((link: PaymentLink) => json(200, presentLink(ctx.settings.checkoutUrl, link)))
    const idempotencyWithAnswer = idempotency && { ...idempotency, answer }
    const link = await expireLinkEarly(ctx, caller.organization.organizationId, id, idempotencyWithAnswer)
    return isRefusal(link) ? link : answer(link)
  },
}

export const getPaymentLinkQrOperation: Operation = qrOperation({
  path: '/payment-links/{paymentLinkId}',
  params: LINK_ID,
  operationId: 'getPaymentLinkQr',
  tag: 'Payment links',
  summary: 'Get a payment link’s QR code',
  description: 'The image of a code that opens the link’s page on a phone. Only while the link can be paid.',
  scope: 'links:read',
  shown: 'accessToken',
  refusals: ['NOT_FOUND', 'LINK_ALREADY_FINAL'],
  textOf: async ({ ctx, caller, params }) => {
    const id = (params.paymentLinkId ?? '').toLowerCase()
    const link = isUuid(id) ? await getLink(ctx.db, caller.organization.organizationId, id) : undefined
    if (link === undefined) return NO_SUCH_LINK(params.paymentLinkId ?? '')
    return link.status === 'PENDING'
      ? linkUrl(ctx.settings.checkoutUrl, link)
      : refuse('LINK_ALREADY_FINAL', `The payment link is ${link.status} and stays so.`)
  },
})
