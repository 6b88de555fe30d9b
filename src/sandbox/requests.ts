// What both networks do for a request: create a payment, and return money.

import type { Instant } from '../core/instant.ts'
import { type Answer, failure, notFound } from './http.ts'
import type { NetworkContext } from './network-context.ts'
import { networkOf } from './notifications.ts'
import type { Payment, PaymentKind, ReturnedPayment } from './records.ts'
import { scenarioOf } from './scenarios.ts'

export const malformed: Answer = failure(400, 'INVALID_REQUEST', 'the body is not what the wire asks for')
export const reused: Answer = failure(409, 'REFERENCE_REUSED', 'this reference already names something else')

export function newPayment(
  kind: PaymentKind,
  reference: string,
  request: object,
  now: Instant,
  details: { amountInCents: bigint; idNumber: string | undefined } & Partial<Payment>,
): Payment {
  const { idNumber, ...known } = details
  return {
    kind,
    reference,
    state: 'open',
    scenario: scenarioOf(idNumber),
    request: JSON.stringify(request),
    key: null,
    traceId: null,
    pageToken: null,
    code: null,
    opened: false,
    chargedBack: false,
    createdAt: now,
    expiresAt: null,
    noticeCount: 0,
    ...known,
  }
}

/** Never returns more than what arrived, however often it is repeated. Charged back money cannot be returned. */
export function returnPayment(
  context: NetworkContext,
  kind: 'collection' | 'session',
  order: Omit<ReturnedPayment, 'network'>,
): { returned: ReturnedPayment; isNew: boolean } | { refusal: Answer } {
  const { storage, clock } = context
  const network = networkOf(kind)
  const { reference, paymentId, amountInCents, traceId } = order
  const known = storage.returnUnder(network, reference)
  if (known !== undefined)
    return known.paymentId === paymentId && known.amountInCents === amountInCents
      ? { returned: known, isNew: false }
      : { refusal: reused }
  const arrival = storage.arrival(kind, paymentId)
  if (arrival === undefined) return { refusal: notFound() }
  const [first] = storage.arrivals(kind, arrival.reference)
  if (storage.payment(kind, arrival.reference)?.chargedBack && first?.paymentId === paymentId)
    return { refusal: failure(422, 'CHARGED_BACK', 'this money was taken back already') }
  if (storage.returnedAmount(network, paymentId) + amountInCents > arrival.amountInCents)
    return { refusal: failure(422, 'ABOVE_PAYMENT', 'more than what arrived') }
  const returned: ReturnedPayment = { network, ...order }
  storage.transaction(() => {
    storage.addReturn(returned)
    storage.addToLog({ at: clock.now(), movement: 'return', network, reference, amountInCents, traceId })
  })
  return { returned, isNew: true }
}
