// Merchant operations on refunds: create, get, list, cancel.

import { parseBrebKey } from '../../core/directory/breb-key.ts'
import { isUuid } from '../../core/ids.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import type { RefundAddress } from '../../core/refunds/claim-token.ts'
import { presentRefund } from '../../core/refunds/object.ts'
import { REFUND_REASONS, REFUND_STATUSES, type Refund } from '../../core/refunds/refund.ts'
import { type FieldProblem, isRefusal, refuse } from '../../core/refusal.ts'
import { cancelRefund, refuseUnknownRefund } from '../../flows/refunds/cancel.ts'
import { createRefund } from '../../flows/refunds/create.ts'
import { getRefund, type RefundFilters, refundList } from '../../store/refunds/refunds.ts'
import { type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { idBounds, PAGE_QUERY, PAGE_SIZE, readPage, TIME_QUERY } from '../http/pagination.ts'
import { OneOf, Uuid } from '../http/schema.ts'
import { PAYIN_EXAMPLES } from '../payins/examples.ts'
import { CreateRefund, REFUND_EXAMPLES, RefundList, RefundObject } from './schema.ts'

const REFUND_ID = {
  refundId: { description: 'Identifier of the refund.', example: REFUND_EXAMPLES.refund.id },
}

type CreateRefundBody = Static<typeof CreateRefund>

export const createRefundOperation: Operation = {
  method: 'POST',
  path: '/payins/{payinId}/refunds',
  operationId: 'createRefund',
  tag: 'Refunds',
  summary: 'Give money of a payin back',
  description:
    'Gives a confirmed payin back, in full or in part: the way it came where its network or provider can, else by a payout. ' +
    'The answer is never the outcome: that comes by event, or by reading the refund again. ' +
    'The money is taken from the available balance, or from what is at your providers if it leaves over a connection; where that does not suffice, the refund waits and says so.',
  access: { scope: 'refunds:write', shown: 'apiKey' },
  act: 'refund.create',
  params: { payinId: { description: 'Identifier of the payin.', example: PAYIN_EXAMPLES.breb.id } },
  body: {
    schema: CreateRefund,
    required: true,
    examples: {
      part: { summary: 'A part of the payin', value: REFUND_EXAMPLES.create },
      claim: { summary: 'The payer names a key', value: REFUND_EXAMPLES.claim },
    },
  },
  rules: ({ body }) => ruleProblems(body as Partial<CreateRefundBody>),
  success: {
    status: 201,
    description: 'The refund was accepted.',
    schema: RefundObject,
    examples: {
      refund: { summary: 'Right after creation', value: REFUND_EXAMPLES.refund },
      claim: { summary: 'To be claimed by the payer', value: REFUND_EXAMPLES.claimable },
    },
  },
  refusals: [
    'INVALID_INPUT',
    'NOT_FOUND',
    'PAYIN_NOT_REFUNDABLE',
    'REFUND_ABOVE_REMAINING',
    'REFUND_WAY_NOT_POSSIBLE',
    'AMOUNT_ABOVE_MAXIMUM',
    'KEY_INVALID',
    'KEY_NOT_FOUND',
    'KEY_SUSPENDED',
    'RAIL_NOT_CONNECTED',
    'DIRECTORY_UNAVAILABLE',
    'DIRECTORY_TIMEOUT',
  ],
  idempotent: true,
  handle: async ({ ctx, caller, params, body, idempotency }) => {
    const payinId = (params.payinId ?? '').toLowerCase()
    if (!isUuid(payinId)) return refuse('NOT_FOUND', `No payin has the id ${params.payinId}.`)
    const { amountInCents, reason, way, breb } = body as CreateRefundBody
    const answer = renderOnce((refund: Refund) => json(201, presentRefund(ctx.settings, refund, caller)))
    const refund = await createRefund(
      ctx,
      caller.organization,
      caller.credentialId,
      {
        payinId,
        reason,
        ...(amountInCents !== undefined && { amountInCents: BigInt(amountInCents) }),
        ...(way !== undefined && { way }),
        ...(breb !== undefined && { keyString: breb.keyString }),
      },
      idempotency && { ...idempotency, answer },
    )
    return isRefusal(refund) ? refund : answer(refund)
  },
}

function ruleProblems({ way, breb }: Partial<CreateRefundBody>): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (typeof breb?.keyString === 'string' && parseBrebKey(breb.keyString) === undefined)
    problems.push({ path: '/breb/keyString', code: 'KEY_INVALID', message: 'is not a Bre-B key of any form' })
  if (breb !== undefined && way !== undefined && way !== 'KEY')
    problems.push({ path: '/breb', code: 'NOT_ALLOWED', message: `is not used with the way ${way}` })
  if (breb === undefined && way === 'KEY')
    problems.push({ path: '/breb', code: 'REQUIRED', message: 'is required with the way KEY' })
  return problems
}

export const getRefundOperation: Operation = {
  method: 'GET',
  path: '/refunds/{refundId}',
  operationId: 'getRefund',
  tag: 'Refunds',
  summary: 'Get a refund',
  description: 'The refund as it stands now.',
  access: { scope: 'payins:read', shown: 'apiKey' },
  params: REFUND_ID,
  success: {
    status: 200,
    description: 'The refund.',
    schema: RefundObject,
    examples: { refund: { summary: 'A refund', value: REFUND_EXAMPLES.refund } },
  },
  refusals: ['NOT_FOUND'],
  handle: async (request) => {
    const { ctx, caller } = request
    const address = refundAddressOf(request)
    const refund = address && (await getRefund(ctx.db, address))
    return refund === undefined
      ? refuseUnknownRefund(request.params.refundId ?? '')
      : json(200, presentRefund(ctx.settings, refund, caller))
  },
}

export function refundAddressOf({ caller, params }: ApiRequest): RefundAddress | undefined {
  const refundId = (params.refundId ?? '').toLowerCase()
  return isUuid(refundId) ? { organizationId: caller.organization.organizationId, refundId } : undefined
}

const ListRefundsQuery = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(OneOf(REFUND_STATUSES, { description: 'Only refunds with this status.' })),
  reason: Type.Optional(OneOf(REFUND_REASONS, { description: 'Only refunds for this reason.' })),
  payinId: Type.Optional(Uuid('Only refunds of this payin.')),
  ...TIME_QUERY,
})

export const listRefundsOperation: Operation = {
  method: 'GET',
  path: '/refunds',
  operationId: 'listRefunds',
  tag: 'Refunds',
  summary: 'List refunds',
  description: 'Newest first, in pages like those of payins.',
  access: { scope: 'payins:read', shown: 'apiKey' },
  query: ListRefundsQuery,
  success: {
    status: 200,
    description: 'A page of refunds.',
    schema: RefundList,
    examples: { page: { summary: 'A page', value: REFUND_EXAMPLES.page } },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, status, reason, payinId, ...range } = query as Static<typeof ListRefundsQuery>
    const { organizationId } = caller.organization
    const filters: RefundFilters = {
      ...(status !== undefined && { status }),
      ...(reason !== undefined && { reason }),
      ...(payinId !== undefined && { payinId: payinId.toLowerCase() }),
      ...idBounds(range),
    }
    const page = await readPage(
      { ...refundList(ctx.db, organizationId, filters), idOf: (refund: Refund) => refund.refundId },
      { key: ctx.settings.keys.cursor, context: `refunds ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    const data = page.rows.map((refund) => presentRefund(ctx.settings, refund, caller))
    return json(200, { data, pageInfo: page.pageInfo })
  },
}

export const cancelRefundOperation: Operation = {
  method: 'POST',
  path: '/refunds/{refundId}/cancel',
  operationId: 'cancelRefund',
  tag: 'Refunds',
  summary: 'Cancel a refund',
  description:
    'Cancels a refund while nothing of it was sent. What it held of the payin can be refunded again.',
  access: { scope: 'refunds:write', shown: 'apiKey' },
  act: 'refund.cancel',
  params: REFUND_ID,
  success: {
    status: 200,
    description: 'The refund, now `CANCELED`.',
    schema: RefundObject,
    examples: { canceled: { summary: 'Canceled', value: REFUND_EXAMPLES.canceled } },
  },
  refusals: ['NOT_FOUND', 'REFUND_NOT_CANCELABLE'],
  idempotent: true,
  handle: async (request) => {
    const { ctx, caller, idempotency } = request
    const address = refundAddressOf(request)
    if (address === undefined) return refuseUnknownRefund(request.params.refundId ?? '')
    const answer = renderOnce((refund: Refund) => json(200, presentRefund(ctx.settings, refund, caller)))
    const refund = await cancelRefund(ctx, address, idempotency && { ...idempotency, answer })
    return isRefusal(refund) ? refund : answer(refund)
  },
}
