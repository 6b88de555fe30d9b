// Merchant operations on what is signed about payments: the receipt of a payin, the evidence of a payout, and the public keys.

import type { FastifyInstance } from 'fastify'
import { isUuid } from '../../core/ids.ts'
import { refuse } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import { readEvidence } from '../../flows/receipts/evidence.ts'
import { presentReceipt, readReceipt } from '../../flows/receipts/receipt.ts'
import { json, type Operation } from '../http/operation.ts'
import { PAYIN_EXAMPLES } from '../payins/examples.ts'
import { PAYOUT_EXAMPLES } from '../payouts/schema.ts'
import { EvidenceObject, RECEIPT_EXAMPLES, ReceiptObject } from './schema.ts'

export const getReceiptOperation: Operation = {
  method: 'GET',
  path: '/payins/{payinId}/receipt',
  operationId: 'getReceipt',
  tag: 'Payins',
  summary: 'Get the receipt of a payin',
  description:
    'A confirmed payin has a receipt: a page, an image, and a signed statement that anybody can verify at `/verify`, by the ' +
    'command line or the SDK. The payer’s name and document are not in it. After a chargeback `statement` is null.',
  access: { scope: 'payins:read', shown: 'apiKey' },
  params: { payinId: { description: 'Identifier of the payin.', example: PAYIN_EXAMPLES.breb.id } },
  success: {
    status: 200,
    description: 'The receipt.',
    schema: ReceiptObject,
    examples: { receipt: { summary: 'A receipt', value: RECEIPT_EXAMPLES.receipt } },
  },
  refusals: ['NOT_FOUND'],
  handle: async ({ ctx, caller, params }) => {
    const payinId = (params.payinId ?? '').toLowerCase()
    const { organizationId } = caller.organization
    const receipt = isUuid(payinId) ? await readReceipt(ctx, { organizationId, payinId }) : undefined
    return receipt === undefined
      ? refuse('NOT_FOUND', `No confirmed payin has the id ${params.payinId}.`)
      : json(200, presentReceipt(receipt))
  },
}

export const getEvidenceOperation: Operation = {
  method: 'GET',
  path: '/payouts/{payoutId}/evidence',
  operationId: 'getPayoutEvidence',
  tag: 'Payouts',
  summary: 'Get the evidence of a payout',
  description:
    'What was asked and by whom, and what the network answered, when and under which trace: signed, for a receiver who says ' +
    'that the money never came. `statement` holds all of `evidence`; verify it at `/verify`, by the command line or the SDK.',
  access: { scope: 'payouts:read', shown: 'apiKey' },
  params: { payoutId: { description: 'Identifier of the payout.', example: PAYOUT_EXAMPLES.payout.id } },
  success: {
    status: 200,
    description: 'The evidence as it stands now.',
    schema: EvidenceObject,
    examples: { evidence: { summary: 'A payout that was paid', value: RECEIPT_EXAMPLES.evidence } },
  },
  refusals: ['NOT_FOUND'],
  handle: async ({ ctx, caller, params }) => {
    const payoutId = (params.payoutId ?? '').toLowerCase()
    const { organizationId } = caller.organization
    const signed = isUuid(payoutId) ? await readEvidence(ctx, { organizationId, payoutId }) : undefined
    if (signed === undefined) return refuse('NOT_FOUND', `No payout has the id ${params.payoutId}.`)
    const { receiptId, ...rest } = signed
    return json(200, { id: receiptId, ...rest })
  },
}

// Retired keys stay in this list: what they signed about a payment is still to be read. The list of keys for access tokens
// (/.well-known/jwks.json) forgets them, because a token that they sign must not be accepted.
export function routeReceiptKeys(app: FastifyInstance, ctx: Context): void {
  app.get('/.well-known/receipt-keys.json', async (_request, reply) => {
    const keys = await ctx.statements.keys()
    const jwks = keys.map(({ kid, x, retiredAt }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      kid,
      alg: 'EdDSA',
      use: 'sig',
      retiredAt,
    }))
    return reply
      .header('cache-control', 'public, max-age=300')
      .type('application/json')
      .send(JSON.stringify({ keys: jwks }))
  })
}
