// When each event is sent, and its payload. The payloads are the OpenAPI examples with the changes listed here. A test
// triggers the real events and compares.

import { EVENT_NAMES } from '../../api/events/schema.ts'
import { CONTRACT_EVENTS } from '../../core/events/event.ts'
import type { ApiDocument } from '../open-api.ts'

export type EventName = (typeof EVENT_NAMES)[number]

export type EventDoc = {
  readonly name: EventName
  readonly when: string
  /** Sent to endpoints that list no events. */
  readonly isUsual: boolean
  /** The OpenAPI component of `data`. Undefined for the test event, which is about no object. */
  readonly component: string | undefined
  /** Whether `data` is the whole object or only a part of it. */
  readonly isWhole: boolean
  readonly example: Record<string, unknown>
}

const OCCURRED_AT = '2025-11-07T13:04:10.500Z'
const ended = { updatedAt: OCCURRED_AT, resultAt: OCCURRED_AT }

// Link events carry a short form of the link, as the contract defines.
const LINK_FIELDS = [
  'paymentLinkId',
  'reference',
  'amount',
  'amountInCents',
  'currency',
  'status',
  'createdAt',
  'updatedAt',
  'expiresAt',
  'completedAt',
]

type EventSpec = {
  when: string
  operationId: string
  component?: string
  only?: readonly string[]
  changes: (object: Record<string, unknown>) => object
  version: number
}

const payin = (
  when: string,
  version: number,
  changes: (object: Record<string, unknown>) => object,
): EventSpec => ({
  when,
  operationId: 'createPayin',
  component: 'Payin',
  version,
  changes,
})
const confirmed = (object: Record<string, unknown>) => ({
  ...ended,
  status: 'CONFIRMED',
  confirmedAmount: object.amount,
  confirmedAmountInCents: object.amountInCents,
  settlementStatus: 'PENDING_SETTLEMENT',
})
const payout = (when: string, changes: object): EventSpec => ({
  when,
  operationId: 'createPayout',
  component: 'Payout',
  version: 3,
  changes: () => ({ ...ended, ...changes }),
})

const EVENT_SPECS: Readonly<Record<EventName, EventSpec>> = {
  'payin.confirmed': payin('The money of a payin arrived. Deliver now.', 2, confirmed),
  'payin.canceled': payin(
    'A payin ended without payment: nobody paid in time, the payer left, or you canceled it.',
    2,
    () => ({
      ...ended,
      status: 'CANCELED',
      errorCode: 'CANCELED_BY_MERCHANT',
    }),
  ),
  'payin.declined': payin('The bank or the network refused a payin; `errorCode` says why.', 2, () => ({
    ...ended,
    status: 'DECLINED',
    errorCode: 'INSUFFICIENT_FUNDS',
  })),
  'payout.confirmed': payout('The receiver of a payout has the money.', { status: 'CONFIRMED' }),
  'payout.canceled': payout('You called a payout back before it was sent.', {
    status: 'CANCELED',
    errorCode: 'CANCELED_BY_MERCHANT',
  }),
  'payout.declined': payout('A payout was refused, and its money is available again; `errorCode` says why.', {
    status: 'DECLINED',
    errorCode: 'RECEIVER_ACCOUNT_INVALID',
  }),
  'paymentlink.completed': {
    when: 'A payment link was paid. Deliver now. Its payins have no events of their own.',
    operationId: 'createPaymentLink',
    component: 'PaymentLink',
    only: LINK_FIELDS,
    version: 2,
    changes: () => ({
      status: 'COMPLETED',
      updatedAt: OCCURRED_AT,
      expiresAt: null,
      completedAt: OCCURRED_AT,
    }),
  },
  'paymentlink.expired': {
    when: 'A payment link ended unpaid: its hour was over, or you expired it.',
    operationId: 'createPaymentLink',
    component: 'PaymentLink',
    only: LINK_FIELDS,
    version: 2,
    changes: () => ({ status: 'EXPIRED', updatedAt: OCCURRED_AT }),
  },
  'payin.settled': payin('The money of a confirmed payin became available for payouts.', 3, (object) => ({
    ...confirmed(object),
    settlementStatus: 'SETTLED',
  })),
  'payin.chargeback': payin(
    'Money of a confirmed payin was taken back, all of it or a part.',
    3,
    (object) => ({
      ...confirmed(object),
      settlementStatus: 'REVERSED',
      chargebackAt: OCCURRED_AT,
      chargebackAmountInCents: object.amountInCents,
    }),
  ),
  'webhook.test': {
    when: 'You asked for a test of an endpoint. Sent to that endpoint only.',
    operationId: 'testWebhookEndpoint',
    version: 1,
    changes: () => ({}),
  },
}

export function eventDocs(api: ApiDocument): EventDoc[] {
  return EVENT_NAMES.map((name, index) => {
    const { when, operationId, component, only, changes, version } = EVENT_SPECS[name]
    const response = exampleResponse(api, operationId)
    const object: Record<string, unknown> = { ...response, ...changes(response) }
    const data =
      component === undefined
        ? response.data
        : Object.fromEntries((only ?? Object.keys(object)).map((field) => [field, object[field]]))
    return {
      name,
      when,
      isUsual: (CONTRACT_EVENTS as readonly string[]).includes(name),
      component,
      isWhole: only === undefined,
      example: {
        id: '019a5c41-2b3c-7d4e-8f50-617283940a1b',
        event: name,
        resource: name.split('.')[0],
        sequence: 42 + index,
        version,
        createdAt: OCCURRED_AT,
        data,
      },
    }
  })
}

function exampleResponse(api: ApiDocument, operationId: string): Record<string, unknown> {
  const operation = api.operations.find((one) => one.operationId === operationId)
  return (operation?.success.examples[0]?.value ?? {}) as Record<string, unknown>
}
