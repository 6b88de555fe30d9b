// Merchant operations on payouts: create, get, list, cancel.

import { maximumInCents } from '../../core/connections/rail.ts'
import { parseBrebKey } from '../../core/directory/breb-key.ts'
import { isUuid } from '../../core/ids.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { presentPayout } from '../../core/payouts/object.ts'
import { PAYOUT_STATUSES, type Payout, type PayoutRequest } from '../../core/payouts/payout.ts'
import { newNote } from '../../core/people/note.ts'
import { type FieldProblem, isRefusal, refuse } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import { cancelPayout } from '../../flows/payouts/cancel.ts'
import { createPayout } from '../../flows/payouts/create.ts'
import { type PayoutFilters, payoutList } from '../../store/payouts/payouts.ts'
import { type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { idBounds, PAGE_QUERY, PAGE_SIZE, readPage, TIME_QUERY } from '../http/pagination.ts'
import { OneOf, Text } from '../http/schema.ts'
import { documentProblems } from '../payins/request-rules.ts'
import { REFERENCE_MAX_LENGTH } from '../payins/schema.ts'
import { CreatePayout, PAYOUT_EXAMPLES, PayoutList, PayoutObject } from './schema.ts'

const NO_SUCH_PAYOUT = (id: string) => refuse('NOT_FOUND', `No payout has the id ${id}.`)
const PAYOUT_ID = {
  payoutId: { description: 'Identifier of the payout.', example: PAYOUT_EXAMPLES.payout.id },
}

type CreatePayoutBody = Static<typeof CreatePayout>

export const createPayoutOperation: Operation = {
  method: 'POST',
  path: '/payouts',
  operationId: 'createPayout',
  tag: 'Payouts',
  summary: 'Create a payout',
  description:
    'Sends money to a Bre-B key. The answer is never the outcome: that comes by event, or by reading the payout again. ' +
    'Look the key up first, show the payer of this money who will receive it, then create the payout. ' +
    'Where the balance does not suffice the payout ends `DECLINED` with `INSUFFICIENT_FUNDS`.',
  access: { scope: 'payouts:write', shown: 'apiKey' },
  act: 'payout.create',
  body: {
    schema: CreatePayout,
    required: true,
    examples: { payout: { summary: 'A payout', value: PAYOUT_EXAMPLES.create } },
  },
  rules: ({ ctx, body }) => ruleProblems(ctx, body as Partial<CreatePayoutBody>),
  success: {
    status: 201,
    description: 'The payout was accepted and is being processed.',
    schema: PayoutObject,
    examples: { payout: { summary: 'Right after creation', value: PAYOUT_EXAMPLES.payout } },
  },
  refusals: [
    'INVALID_INPUT',
    'AMOUNT_ABOVE_MAXIMUM',
    'RAIL_NOT_CONNECTED',
    'AMOUNT_NOT_CONNECTED',
    'KEY_INVALID',
    'KEY_NOT_LOOKED_UP',
    'PAYOUT_LIMIT_REACHED',
    'QUIET_HOURS',
  ],
  idempotent: true,
  handle: async ({ ctx, caller, body, idempotency }) => {
    const answer = renderOnce((payout: Payout) => json(201, presentPayout(payout)))
    const request = toRequest(body as CreatePayoutBody)
    const payout = await createPayout(
      ctx,
      caller.organization,
      caller,
      request,
      idempotency && { ...idempotency, answer },
    )
    return isRefusal(payout) ? payout : answer(payout)
  },
}

function ruleProblems(
  ctx: Context,
  { amountInCents, breb, inlineCustomer }: Partial<CreatePayoutBody>,
): FieldProblem[] {
  const problems: FieldProblem[] = []
  const cap = maximumInCents('BRE_B', ctx.clock.now(), ctx.settings.pseMaximumInCents)
  if (Number.isSafeInteger(amountInCents) && BigInt(amountInCents as number) > cap) {
    problems.push({
      path: '/amountInCents',
      code: 'AMOUNT_ABOVE_MAXIMUM',
      message: `must be at most ${cap} over BRE_B`,
    })
  }
  if (typeof breb?.keyString === 'string' && parseBrebKey(breb.keyString) === undefined) {
    problems.push({ path: '/breb/keyString', code: 'KEY_INVALID', message: 'is not a Bre-B key of any form' })
  }
  return problems.concat(documentProblems(inlineCustomer))
}

function toRequest(body: CreatePayoutBody): PayoutRequest {
  const { amountInCents, reference, inlineCustomer, breb } = body
  const key = parseBrebKey(breb.keyString)
  if (key === undefined) throw new Error('the rules let a wrong key pass')
  const { name, idType, idNumber, phone, email } = inlineCustomer
  return {
    amountInCents: BigInt(amountInCents),
    reference,
    note: newNote(body),
    customer: { name, idType, idNumber, phone, email },
    ...key,
    keyStringSent: breb.keyString,
  }
}

export const getPayoutOperation: Operation = {
  method: 'GET',
  path: '/payouts/{payoutId}',
  operationId: 'getPayout',
  tag: 'Payouts',
  summary: 'Get a payout',
  description: 'The payout as it stands now.',
  access: { scope: 'payouts:read', shown: 'apiKey' },
  params: PAYOUT_ID,
  success: {
    status: 200,
    description: 'The payout.',
    schema: PayoutObject,
    examples: { payout: { summary: 'A payout', value: PAYOUT_EXAMPLES.payout } },
  },
  refusals: ['NOT_FOUND'],
  handle: async (request) => {
    const address = addressOf(request)
    const payout = address && (await request.ctx.batched.getPayout(address))
    return payout === undefined
      ? NO_SUCH_PAYOUT(request.params.payoutId ?? '')
      : json(200, presentPayout(payout))
  },
}

function addressOf({ caller, params }: ApiRequest): { organizationId: string; payoutId: string } | undefined {
  const payoutId = (params.payoutId ?? '').toLowerCase()
  return isUuid(payoutId) ? { organizationId: caller.organization.organizationId, payoutId } : undefined
}

const ListPayoutsQuery = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(OneOf(PAYOUT_STATUSES, { description: 'Only payouts with this status.' })),
  reference: Type.Optional(Text(REFERENCE_MAX_LENGTH, { description: 'Only payouts with this reference.' })),
  ...TIME_QUERY,
})

export const listPayoutsOperation: Operation = {
  method: 'GET',
  path: '/payouts',
  operationId: 'listPayouts',
  tag: 'Payouts',
  summary: 'List payouts',
  description: 'Newest first, in pages like those of payins.',
  access: { scope: 'payouts:read', shown: 'apiKey' },
  query: ListPayoutsQuery,
  success: {
    status: 200,
    description: 'A page of payouts.',
    schema: PayoutList,
    examples: { page: { summary: 'A page', value: PAYOUT_EXAMPLES.page } },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, status, reference, ...range } = query as Static<typeof ListPayoutsQuery>
    const { organizationId } = caller.organization
    const filters: PayoutFilters = {
      ...(status !== undefined && { status }),
      ...(reference !== undefined && { reference }),
      ...idBounds(range),
    }
    const page = await readPage(
      {
        ...payoutList(ctx.db, organizationId, filters),
        idOf: (payout: Payout) => payout.payoutId,
      },
      { key: ctx.settings.keys.cursor, context: `payouts ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    return isRefusal(page) ? page : json(200, { data: page.rows.map(presentPayout), pageInfo: page.pageInfo })
  },
}

export const cancelPayoutOperation: Operation = {
  method: 'POST',
  path: '/payouts/{payoutId}/cancel',
  operationId: 'cancelPayout',
  tag: 'Payouts',
  summary: 'Cancel a payout',
  description:
    'Cancels a payout that has not been handed to the network yet. It is handed over within moments.',
  access: { scope: 'payouts:write', shown: 'apiKey' },
  act: 'payout.cancel',
  params: PAYOUT_ID,
  success: {
    status: 200,
    description: 'The payout, now `CANCELED`.',
    schema: PayoutObject,
    examples: { canceled: { summary: 'Canceled', value: PAYOUT_EXAMPLES.canceled } },
  },
  refusals: ['NOT_FOUND', 'PAYOUT_NOT_CANCELABLE'],
  idempotent: true,
  handle: async (request) => {
    const { ctx, idempotency } = request
    const address = addressOf(request)
    if (address === undefined) return NO_SUCH_PAYOUT(request.params.payoutId ?? '')
    const answer = renderOnce((payout: Payout) => json(200, presentPayout(payout)))
    const payout = await cancelPayout(ctx, address, idempotency && { ...idempotency, answer })
    return isRefusal(payout) ? payout : answer(payout)
  },
}
