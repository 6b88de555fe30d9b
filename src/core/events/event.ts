// What we notify merchants of. An event is written with the change it reports. Its data is the object as the API would
// have returned it at that moment, and its version lets a receiver sort events that arrive out of order.

import type { Instant } from '../instant.ts'
import type { Payin } from '../payins/payin.ts'
import type { Payout } from '../payouts/payout.ts'
import { renderQrImages } from '../qr-image-reference.ts'
import type { Refund } from '../refunds/refund.ts'

// The contract's eight go to every endpoint that lists no events; the others only to endpoints that list them.
export const CONTRACT_EVENTS = [
  'payin.confirmed',
  'payin.canceled',
  'payin.declined',
  'payout.confirmed',
  'payout.canceled',
  'payout.declined',
  'paymentlink.completed',
  'paymentlink.expired',
] as const
export const OPTIONAL_EVENTS = [
  'payin.settled',
  'payin.chargeback',
  'payin.processing',
  'payout.processing',
  'payout.returned',
  'paymentpage.paid',
  'paymentpage.soldout',
  'paymentpage.closed',
  'refund.created',
  'refund.waiting',
  'refund.confirmed',
  'refund.declined',
  'refund.canceled',
  'refund.returned',
  'payoutbatch.completed',
  'approval.waiting',
  'approval.approved',
  'approval.refused',
  'approval.lapsed',
  'approval.voided',
] as const
export const EVENT_TYPES = [...CONTRACT_EVENTS, ...OPTIONAL_EVENTS] as const
// Sent on request, to test an endpoint; no subscription lists it.
export const TEST_EVENT = 'webhook.test'

export type EventType = (typeof EVENT_TYPES)[number]
export type EventResource =
  | 'payin'
  | 'payout'
  | 'paymentlink'
  | 'paymentpage'
  | 'refund'
  | 'payoutbatch'
  | 'approval'
  | 'webhook'

export type NewEvent = {
  readonly organizationId: string
  readonly eventId: string
  readonly type: EventType
  readonly resource: EventResource
  readonly objectId: string
  readonly version: number
  // JSON text, made once: it is stored, sent and signed unchanged.
  readonly data: string
  readonly createdAt: Instant
}

export function matchesSubscription(type: string, wanted: readonly string[] | null): boolean {
  return wanted === null ? (CONTRACT_EVENTS as readonly string[]).includes(type) : wanted.includes(type)
}

// The event for a change of a payin, if any. For a payin of a payment link, the link sends the events.
export function payinEventType(before: Payin, next: Payin): EventType | undefined {
  if (next.paymentLinkId !== null) return undefined
  if (next.settlementStatus !== before.settlementStatus) {
    if (next.settlementStatus === 'SETTLED') return 'payin.settled'
    if (next.settlementStatus === 'REVERSED') return 'payin.chargeback'
  }
  if (next.chargedBackInCents !== before.chargedBackInCents) return 'payin.chargeback'
  // The bank session exists. A Bre-B payin is PROCESSING from the start, and needs no event for it.
  if (before.status === 'PENDING' && next.status === 'PROCESSING') return 'payin.processing'
  if (next.status === before.status) return undefined
  return next.status === 'CONFIRMED'
    ? 'payin.confirmed'
    : next.status === 'CANCELED'
      ? 'payin.canceled'
      : next.status === 'DECLINED'
        ? 'payin.declined'
        : undefined
}

export function payoutEventType(before: Payout, next: Payout): EventType | undefined {
  if (before.stage !== 'SENT' && next.stage === 'SENT') return 'payout.processing'
  if (before.returnedAt === null && next.returnedAt !== null) return 'payout.returned'
  if (next.status === before.status) return undefined
  return next.status === 'CONFIRMED'
    ? 'payout.confirmed'
    : next.status === 'CANCELED'
      ? 'payout.canceled'
      : next.status === 'DECLINED'
        ? 'payout.declined'
        : undefined
}

// A refund that goes from one wait to another tells of it each time: somebody may have to do something.
export function refundEventType(before: Refund | null, next: Refund): EventType | undefined {
  if (before === null) return 'refund.created'
  if (before.returnedAt === null && next.returnedAt !== null) return 'refund.returned'
  if (next.status !== before.status) {
    if (next.status === 'CONFIRMED') return 'refund.confirmed'
    return next.status === 'CANCELED' ? 'refund.canceled' : 'refund.declined'
  }
  const isWaiting = next.stage.startsWith('AWAITING_')
  return isWaiting && (next.stage !== before.stage || next.errorCode !== before.errorCode)
    ? 'refund.waiting'
    : undefined
}

export type Envelope = {
  id: string
  event: string
  resource: string
  sequence: number
  version: number
  createdAt: string
}

// The body of a webhook. `data` is inserted as the stored text, with its images. The rest is our own ids, names and times, which never
// need escaping.
export function envelopeText(
  { id, event, resource, sequence, version, createdAt }: Envelope,
  data: string,
): string {
  return (
    `{"id":"${id}","event":"${event}","resource":"${resource}","sequence":${sequence},"version":${version},` +
    `"createdAt":"${createdAt}","data":${renderQrImages(data)}}`
  )
}
