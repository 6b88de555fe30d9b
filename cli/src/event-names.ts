// The names of all events, for flags, completion and `trigger`.

import type { RecaudoEvent } from '@recaudo/sdk'
import { usageFailure } from './failure.ts'
import { closestWord } from './suggestion.ts'

export type EventName = RecaudoEvent['event']

export const EVENT_NAMES = [
  'payin.confirmed',
  'payin.canceled',
  'payin.declined',
  'payout.confirmed',
  'payout.canceled',
  'payout.declined',
  'paymentlink.completed',
  'paymentlink.expired',
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
  'webhook.test',
] as const satisfies readonly EventName[]

// The events an endpoint can subscribe to by name.
export const ENDPOINT_EVENT_NAMES = EVENT_NAMES.filter((name) => name !== 'webhook.test')

export function readEventNames(flag: string, text: string): EventName[] {
  return text.split(',').map((part) => {
    const name = part.trim()
    if ((EVENT_NAMES as readonly string[]).includes(name)) return name as EventName
    const guess = closestWord(name, EVENT_NAMES)
    throw usageFailure(
      `${flag}: there is no event ${JSON.stringify(name)}.${guess === undefined ? '' : ` Did you mean ${guess}?`} There are ${EVENT_NAMES.join(', ')}.`,
    )
  })
}
