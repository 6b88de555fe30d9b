// Merchant operations on payins: create, get, cancel.

import { maximumInCents, RAILS } from '../../core/connections/rail.ts'
import { isUuid } from '../../core/ids.ts'
import type { Static } from '../../core/json-schema.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { presentPayin } from '../../core/payins/object.ts'
import { isOpen, type Payin, type PayinRequest, payinQrPayload } from '../../core/payins/payin.ts'
import { newNote } from '../../core/people/note.ts'
import { type FieldProblem, isRefusal, refuse } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import { cancelPayin } from '../../flows/payins/cancel.ts'
import { createPayin } from '../../flows/payins/create.ts'
import { endOfTurn } from '../http/end-of-turn.ts'
import { type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { qrOperation } from '../http/qr-operation.ts'
import { PAYIN_EXAMPLES } from './examples.ts'
import { bankProblems, callbackProblems, documentProblems } from './request-rules.ts'
import { CreatePayin, PayinObject } from './schema.ts'

const NO_SUCH_PAYIN = (id: string) => refuse('NOT_FOUND', `No payin has the id ${id}.`)
const PAYIN_ID = { payinId: { description: 'Identifier of the payin.', example: PAYIN_EXAMPLES.breb.id } }

type CreatePayinBody = Static<typeof CreatePayin>

export const createPayinOperation: Operation = {
  method: 'POST',
  path: '/payins',
  operationId: 'createPayin',
  tag: 'Payins',
  summary: 'Create a payin',
  description:
    'Asks a payer for money. The answer is never the outcome: that comes by event, or by reading the payin again. ' +
    'Over `BRE_B` the payin starts `PROCESSING` with a single-use key in `sourceData`; over `PSE` it starts `PENDING`, and the payer is sent to `sourceData.pseUrl`.',
  access: { scope: 'payins:write', shown: 'apiKey' },
  act: 'payin.create',
  body: {
    schema: CreatePayin,
    required: true,
    examples: {
      breb: { summary: 'Bre-B, key only', value: PAYIN_EXAMPLES.createBreb },
      qr: { summary: 'Bre-B with a QR image', value: PAYIN_EXAMPLES.createQr },
      pse: { summary: 'PSE', value: PAYIN_EXAMPLES.createPse },
    },
  },
  prepareBody: ignoreOtherRail,
  success: {
    status: 201,
    description: 'The payin was created.',
    schema: PayinObject,
    examples: {
      breb: { summary: 'Bre-B, key only', value: PAYIN_EXAMPLES.breb },
      pse: { summary: 'PSE', value: PAYIN_EXAMPLES.pse },
    },
  },
  refusals: [
    'INVALID_INPUT',
    'AMOUNT_ABOVE_MAXIMUM',
    'RAIL_NOT_ENABLED',
    'RAIL_NOT_CONNECTED',
    'AMOUNT_NOT_CONNECTED',
    'UNKNOWN_BANK',
    'DUPLICATE_REFERENCE',
  ],
  idempotent: true,
  rules: ({ ctx, caller, body }) => ruleProblems(ctx, caller.organization, body as Partial<CreatePayinBody>),
  handle: async ({ ctx, caller, body, idempotency }) => {
    const answer = renderOnce((payin: Payin) => json(201, presentPayin(ctx.settings, payin)))
    const request = toRequest(body as CreatePayinBody)
    await endOfTurn()
    const payin = await createPayin(
      ctx,
      caller.organization,
      request,
      idempotency && { ...idempotency, answer },
    )
    if (isRefusal(payin)) return payin
    // An answer that nobody keeps needs no seal.
    return answer(idempotency === null ? { ...payin, customer: request.customer } : payin)
  },
}

// The other rail's object is ignored, valid or not.
function ignoreOtherRail(body: Record<string, unknown>): void {
  if (body.rail === 'PSE') delete body.breb
  if (body.rail === 'BRE_B') delete body.pse
}

// Rules that a schema cannot express, because they need the organization, the date or a table.
function ruleProblems(
  ctx: Context,
  organization: Organization,
  input: Partial<CreatePayinBody>,
): FieldProblem[] {
  const problems: FieldProblem[] = []
  const { rail, amountInCents, pse, inlineCustomer, callbackUrl } = input
  if (rail !== undefined && RAILS.includes(rail)) {
    if (!organization.rails.includes(rail)) {
      problems.push({
        path: '/rail',
        code: 'RAIL_NOT_ENABLED',
        message: `${rail} is not enabled for this organization`,
      })
    }
    const cap = maximumInCents(rail, ctx.clock.now(), ctx.settings.pseMaximumInCents)
    if (Number.isSafeInteger(amountInCents) && BigInt(amountInCents as number) > cap) {
      problems.push({
        path: '/amountInCents',
        code: 'AMOUNT_ABOVE_MAXIMUM',
        message: `must be at most ${cap} over ${rail}`,
      })
    }
  }
  problems.push(...bankProblems(ctx, pse?.bank))
  problems.push(...documentProblems(inlineCustomer), ...callbackProblems(ctx, callbackUrl))
  return problems
}

function toRequest(input: CreatePayinBody): PayinRequest {
  const { inlineCustomer: customer, pse, breb } = input
  return {
    amountInCents: BigInt(input.amountInCents),
    reference: input.reference,
    note: newNote(input),
    // Only known fields are stored. Others are ignored.
    customer: customer
      ? {
          name: customer.name,
          idType: customer.idType,
          idNumber: customer.idNumber,
          phone: customer.phone,
          email: customer.email,
        }
      : null,
    callbackUrl: input.callbackUrl ?? null,
    way:
      pse !== undefined
        ? { rail: 'PSE', bank: pse.bank, personType: pse.personType }
        : { rail: 'BRE_B', keyType: (breb as NonNullable<typeof breb>).keyType },
  }
}

export const getPayinOperation: Operation = {
  method: 'GET',
  path: '/payins/{payinId}',
  operationId: 'getPayin',
  tag: 'Payins',
  summary: 'Get a payin',
  description: 'The payin as it stands now.',
  access: { scope: 'payins:read', shown: 'apiKey' },
  params: PAYIN_ID,
  success: {
    status: 200,
    description: 'The payin.',
    schema: PayinObject,
    examples: { pse: { summary: 'A PSE payin', value: PAYIN_EXAMPLES.pse } },
  },
  refusals: ['NOT_FOUND'],
  handle: async (request) => {
    const { ctx } = request
    const address = addressOf(request)
    const payin = address && (await ctx.batched.getPayin(address))
    return payin === undefined
      ? NO_SUCH_PAYIN(request.params.payinId ?? '')
      : json(200, presentPayin(ctx.settings, payin))
  },
}

// Undefined for an id that is not a UUID, because no payin can have it.
function addressOf({ caller, params }: ApiRequest): { organizationId: string; payinId: string } | undefined {
  const payinId = (params.payinId ?? '').toLowerCase()
  return isUuid(payinId) ? { organizationId: caller.organization.organizationId, payinId } : undefined
}

export const cancelPayinOperation: Operation = {
  method: 'POST',
  path: '/payins/{payinId}/cancel',
  operationId: 'cancelPayin',
  tag: 'Payins',
  summary: 'Cancel a payin',
  description: 'Ends a payin that nobody has paid yet. Its key or page then takes no more money.',
  access: { scope: 'payins:write', shown: 'apiKey' },
  act: 'payin.cancel',
  params: PAYIN_ID,
  success: {
    status: 200,
    description: 'The payin, now `CANCELED`.',
    schema: PayinObject,
    examples: { canceled: { summary: 'Canceled', value: PAYIN_EXAMPLES.canceled } },
  },
  refusals: ['NOT_FOUND', 'PAYIN_ALREADY_FINAL'],
  idempotent: true,
  handle: async (request) => {
    const { ctx, idempotency } = request
    const address = addressOf(request)
    if (address === undefined) return NO_SUCH_PAYIN(request.params.payinId ?? '')
    const answer = renderOnce((payin: Payin) => json(200, presentPayin(ctx.settings, payin)))
    const payin = await cancelPayin(ctx, address, idempotency && { ...idempotency, answer })
    return isRefusal(payin) ? payin : answer(payin)
  },
}

export const getPayinQrOperation: Operation = qrOperation({
  path: '/payins/{payinId}',
  params: PAYIN_ID,
  operationId: 'getPayinQr',
  tag: 'Payins',
  summary: 'Get a payin’s QR code',
  description:
    'The image of the code that a Bre-B app scans, with key and amount, whatever the payin’s `keyType`. Only while it can be paid, and only over `BRE_B`: elsewhere there is nothing to scan.',
  scope: 'payins:read',
  shown: 'apiKey',
  refusals: ['NOT_FOUND', 'PAYIN_ALREADY_FINAL'],
  textOf: async (request) => {
    const address = addressOf(request)
    const payin = address && (await request.ctx.batched.getPayin(address))
    const payload = payin && payinQrPayload(request.caller.organization, payin)
    if (payin === undefined) return NO_SUCH_PAYIN(request.params.payinId ?? '')
    if (payload === null || payload === undefined)
      return refuse('NOT_FOUND', 'A payin over PSE has no QR code: send the payer to its page.')
    return isOpen(payin)
      ? payload
      : refuse('PAYIN_ALREADY_FINAL', `The payin is ${payin.status} and takes no money.`)
  },
})
