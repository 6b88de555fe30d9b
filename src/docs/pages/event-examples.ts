// The payload of each event. The payloads are the OpenAPI examples with the changes listed here. A test
// triggers the real events and compares.

import { APPROVAL_EXAMPLES } from '../../api/approvals/examples.ts'
import { EVENT_DESCRIPTIONS } from '../../api/events/event-descriptions.ts'
import { EVENT_NAMES } from '../../api/events/schema.ts'
import { PAYIN_EXAMPLES } from '../../api/payins/examples.ts'
import { PAYOUT_EXAMPLES } from '../../api/payouts/schema.ts'
import { REFUND_EXAMPLES } from '../../api/refunds/schema.ts'
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
  'description',
  'metadata',
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
  operationId: string
  component?: string
  only?: readonly string[]
  changes: (object: Record<string, unknown>) => object
  version: number
}

const payin = (version: number, changes: (object: Record<string, unknown>) => object): EventSpec => ({
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
const payout = (changes: object): EventSpec => ({
  operationId: 'createPayout',
  component: 'Payout',
  version: 3,
  changes: () => ({ ...ended, ...changes }),
})
const link = (changes: object): EventSpec => ({
  operationId: 'createPaymentLink',
  component: 'PaymentLink',
  only: LINK_FIELDS,
  version: 2,
  changes: () => ({ updatedAt: OCCURRED_AT, ...changes }),
})

const paymentPage = (changes: (page: Record<string, unknown>) => object): EventSpec => ({
  operationId: 'createPaymentPage',
  component: 'PaymentPageEventData',
  version: 2,
  changes: (page) => ({ image: undefined, payment: null, updatedAt: OCCURRED_AT, ...changes(page) }),
})

const refund = (changes: object): EventSpec => ({
  operationId: 'createRefund',
  component: 'Refund',
  version: 3,
  changes: () => ({ stage: 'DONE', ...ended, ...changes }),
})
const approval = (version: number, changes: object): EventSpec => ({
  operationId: 'getApproval',
  component: 'Approval',
  version,
  changes: () => changes,
})
const decided = { updatedAt: OCCURRED_AT, decidedAt: OCCURRED_AT }
const decision = { ...APPROVAL_EXAMPLES.decision, decidedAt: OCCURRED_AT }

const EVENT_SPECS: Readonly<Record<EventName, EventSpec>> = {
  'payin.confirmed': payin(2, confirmed),
  'payin.canceled': payin(2, () => ({ ...ended, status: 'CANCELED', errorCode: 'CANCELED_BY_MERCHANT' })),
  'payin.declined': payin(2, () => ({ ...ended, status: 'DECLINED', errorCode: 'INSUFFICIENT_FUNDS' })),
  'payout.confirmed': payout({ status: 'CONFIRMED' }),
  'payout.canceled': payout({ status: 'CANCELED', errorCode: 'CANCELED_BY_MERCHANT' }),
  'payout.declined': payout({ status: 'DECLINED', errorCode: 'RECEIVER_ACCOUNT_INVALID' }),
  'paymentlink.completed': link({ status: 'COMPLETED', expiresAt: null, completedAt: OCCURRED_AT }),
  'paymentlink.expired': link({ status: 'EXPIRED' }),
  'payin.settled': payin(3, (object) => ({ ...confirmed(object), settlementStatus: 'SETTLED' })),
  'payin.chargeback': payin(3, (object) => ({
    ...confirmed(object),
    settlementStatus: 'REVERSED',
    chargebackAt: OCCURRED_AT,
    chargebackAmountInCents: object.amountInCents,
  })),
  'payin.processing': payin(2, () => ({
    ...PAYIN_EXAMPLES.pse,
    status: 'PROCESSING',
    updatedAt: OCCURRED_AT,
  })),
  'refund.created': { ...refund({}), version: 1, changes: () => ({}) },
  'refund.waiting': {
    ...refund({}),
    version: 2,
    changes: () => ({ stage: 'AWAITING_FUNDS', errorCode: 'INSUFFICIENT_FUNDS', updatedAt: OCCURRED_AT }),
  },
  'refund.confirmed': refund({ status: 'CONFIRMED' }),
  'refund.declined': refund({ status: 'DECLINED', errorCode: 'RAIL_ERROR' }),
  'refund.canceled': refund({ status: 'CANCELED', errorCode: 'CANCELED_BY_MERCHANT' }),
  'refund.returned': refund({
    way: 'KEY',
    status: 'CONFIRMED',
    claim: REFUND_EXAMPLES.named,
    payoutId: PAYOUT_EXAMPLES.payout.id,
    returnedAt: OCCURRED_AT,
  }),
  'payout.processing': payout({ resultAt: null }),
  'payout.returned': payout({ status: 'CONFIRMED', returnedAt: OCCURRED_AT }),
  'paymentpage.paid': paymentPage((page) => ({
    openPayments: 0,
    paidPayments: 1,
    paidPieces: 1,
    paidAmountInCents: page.amountInCents,
    payment: {
      paymentLinkId: '019a5c42-3c4d-7e5f-8a61-7b8c9d0e1f2a',
      amount: page.amount,
      amountInCents: page.amountInCents,
      pieces: 1,
      completedAt: OCCURRED_AT,
    },
  })),
  'paymentpage.soldout': paymentPage((page) => ({
    status: 'SOLD_OUT',
    paidPayments: page.maxPieces,
    paidPieces: page.maxPieces,
    paidAmountInCents: Number(page.amountInCents) * Number(page.maxPieces),
  })),
  'paymentpage.closed': paymentPage(() => ({ status: 'CLOSED' })),
  'payoutbatch.completed': {
    operationId: 'submitPayoutBatch',
    component: 'PayoutBatch',
    version: 9,
    changes: (batch) => ({
      status: 'COMPLETED',
      version: 9,
      reservedInCents: 0,
      payoutsQueued: 0,
      payoutsConfirmed: 1,
      confirmedInCents: batch.totalInCents,
      updatedAt: OCCURRED_AT,
      completedAt: OCCURRED_AT,
    }),
  },
  'approval.waiting': approval(1, {}),
  'approval.approved': approval(2, { ...decided, status: 'APPROVED', decisions: [decision] }),
  'approval.refused': approval(2, {
    ...decided,
    status: 'REFUSED',
    decisions: [{ ...decision, decision: 'REFUSED', proof: 'SESSION', reason: 'Nobody ordered this.' }],
  }),
  'approval.lapsed': approval(2, { ...decided, status: 'LAPSED' }),
  'approval.voided': approval(2, { ...decided, status: 'VOIDED' }),
  'webhook.test': { operationId: 'testWebhookEndpoint', version: 1, changes: () => ({}) },
}

export function eventDocs(api: ApiDocument): EventDoc[] {
  return EVENT_NAMES.map((name, index) => {
    const { operationId, component, only, changes, version } = EVENT_SPECS[name]
    const response = exampleResponse(api, operationId)
    const changed = Object.entries({ ...response, ...changes(response) })
    // What an event leaves out is undefined.
    const object: Record<string, unknown> = Object.fromEntries(changed.filter(([, one]) => one !== undefined))
    const data =
      component === undefined
        ? response.data
        : Object.fromEntries((only ?? Object.keys(object)).map((field) => [field, object[field]]))
    return {
      name,
      when: EVENT_DESCRIPTIONS[name],
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
