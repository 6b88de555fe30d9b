// Events with typed `data`: checking `resource` tells the compiler which type `data` has.

import type {
  Approval,
  Event,
  Payin,
  PaymentLink,
  PaymentPageEventData,
  Payout,
  PayoutBatch,
  Refund,
} from './schema.ts'

type EventOf<Resource extends string, Data> = Omit<Event, 'event' | 'resource' | 'data'> & {
  /** What happened. */
  event: Extract<Event['event'], `${Resource}.${string}`>
  resource: Resource
  data: Data
}

export type PayinEvent = EventOf<'payin', Payin>
export type PayoutEvent = EventOf<'payout', Payout>
export type PaymentLinkEvent = EventOf<
  'paymentlink',
  Omit<
    PaymentLink,
    | 'paymentLinkUrl'
    | 'amountType'
    | 'callbackUrl'
    | 'rail'
    | 'inlineCustomer'
    | 'pse'
    | 'paymentPageId'
    | 'expiresAt'
  > & {
    /** Null once the link is completed. */
    expiresAt: string | null
  }
>
export type PaymentPageEvent = EventOf<'paymentpage', PaymentPageEventData>
export type RefundEvent = EventOf<'refund', Refund>
export type ApprovalEvent = EventOf<'approval', Approval>
export type PayoutBatchEvent = EventOf<'payoutbatch', PayoutBatch>
export type TestEvent = EventOf<'webhook', { endpointId: string; message: string }>

export type RecaudoEvent =
  | PayinEvent
  | PayoutEvent
  | PaymentLinkEvent
  | PaymentPageEvent
  | RefundEvent
  | ApprovalEvent
  | PayoutBatchEvent
  | TestEvent
