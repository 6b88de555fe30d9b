// The `webhooks` of the document: what we send to a merchant's endpoint, one entry for each event.

import { Type } from '../../core/json-schema.ts'
import { ApprovalObject } from '../approvals/schema.ts'
import { EVENT_DESCRIPTIONS } from '../events/event-descriptions.ts'
import { EVENT_NAMES, EventObject } from '../events/schema.ts'
import { DateTime, Nullable, Uuid } from '../http/schema.ts'
import { PayinObject } from '../payins/schema.ts'
import { PaymentLinkObject } from '../payment-links/operations.ts'
import { PaymentPageEventData } from '../payment-pages/schema.ts'
import { PayoutBatchObject } from '../payout-batches/schema.ts'
import { PayoutObject } from '../payouts/schema.ts'
import { RefundObject } from '../refunds/schema.ts'
import { referenced } from './components.ts'

type EventName = (typeof EVENT_NAMES)[number]

export function webhookItems(): Record<string, unknown> {
  return Object.fromEntries(EVENT_NAMES.map((name) => [name, { post: webhook(name) }]))
}

function webhook(name: EventName): Record<string, unknown> {
  const [resource = ''] = name.split('.')
  return {
    operationId: operationIdOf(name),
    tags: ['Webhooks'],
    summary: `\`${name}\``,
    description: EVENT_DESCRIPTIONS[name],
    // The signature authenticates the request, so there is no scheme to log in with.
    security: [],
    parameters: SIGNATURE_HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            allOf: [
              referenced(EventObject),
              {
                type: 'object',
                required: ['event', 'resource', 'data'],
                properties: {
                  event: { const: name },
                  resource: { const: resource },
                  data: referenced(dataOf(resource)),
                },
              },
            ],
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'Acknowledged, if it comes within 15 seconds.' },
      '410': { description: 'The endpoint is gone, and is switched off.' },
      default: { description: 'Not acknowledged: the event is sent again later, with the same id.' },
    },
  }
}

// payin.confirmed → onPayinConfirmed
function operationIdOf(name: EventName): string {
  return `on${name.replace(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase())}`
}

function dataOf(resource: string): object {
  if (resource === 'payin') return PayinObject
  if (resource === 'payout') return PayoutObject
  if (resource === 'approval') return ApprovalObject
  if (resource === 'paymentpage') return PaymentPageEventData
  if (resource === 'refund') return RefundObject
  if (resource === 'payoutbatch') return PayoutBatchObject
  return resource === 'paymentlink' ? LinkData : TestData
}

const {
  paymentLinkId,
  reference,
  description,
  metadata,
  amount,
  amountInCents,
  currency,
  status,
  createdAt,
  updatedAt,
  completedAt,
} = PaymentLinkObject.properties
// A payment link in short, as the contract has it in events.
const LinkData = Type.Object({
  paymentLinkId,
  reference,
  description,
  metadata,
  amount,
  amountInCents,
  currency,
  status,
  createdAt,
  updatedAt,
  expiresAt: Nullable(DateTime('When it expired; null if it was paid.')),
  completedAt,
})
const TestData = Type.Object({
  endpointId: Uuid('The endpoint that is tested.'),
  message: Type.String(),
})

const SIGNATURE_HEADERS = [
  ['webhook-id', 'Identifier of the event, the same on every try.'],
  ['webhook-timestamp', 'When this try was signed, in seconds since 1970.'],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and an HMAC-SHA256 in base64, one for each secret in force.',
  ],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))
