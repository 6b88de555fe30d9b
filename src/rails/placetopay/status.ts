// What transactions under one reference say of a payin. Usually there is one. An order that was sent twice after the first was
// rejected has two.

import { paymentIdOf } from '../provider.ts'
import {
  type Accepted,
  type OpenedPayin,
  type RailPayinStatus,
  type RailPayment,
  type Unknown,
  unknown,
} from '../rail.ts'
import { isSafePageUrl, opened, unreadable } from '../wire-format.ts'
import type { Transaction } from './transaction.ts'

const PROVIDER = 'placetopay'

export function statusOf(
  transactions: readonly Transaction[],
  expectedInCents: bigint,
  baseUrl: string,
): Accepted<RailPayinStatus> | Unknown {
  const payments = transactions.filter(({ isPayment }) => isPayment)
  const received = payments.filter(({ standing }) => standing === 'paid' || standing === 'returned')
  // Whatever its amount: our books compare it.
  if (received.length > 0) return paidStatus(received)
  if (payments.some(({ amountInCents }) => amountInCents !== expectedInCents))
    return unreadable('the payment has another amount than the one that was asked for')
  const doubtful = payments.find(({ standing }) => standing === 'undecided')
  if (doubtful !== undefined) return undecidedPayment(doubtful)
  const [open, ...others] = payments.filter(({ standing }) => standing === 'open')
  if (others.length > 0) return unknown('undecided', 'several payments are open under one reference')
  if (open !== undefined) {
    const answer = openedPayin(open, baseUrl)
    return answer.outcome === 'unknown' ? answer : accepted({ state: 'open', opened: answer.value })
  }
  const last = payments.at(-1)
  if (last === undefined) return unknown('undecided', 'the gateway names only what is not a payment')
  const { networkCode } = last
  return accepted({ state: 'ended', how: 'declined', reason: 'BANK_DECLINED', networkCode })
}

// Nobody can pay without the bank's page, and a payment that is already paid needs none.
export function openedPayin(
  { internalReference, standing, ...transaction }: Transaction,
  baseUrl: string,
): Accepted<OpenedPayin> | Unknown {
  const pageUrl = standing === 'open' ? transaction.pageUrl : null
  if (pageUrl !== null && !isSafePageUrl(pageUrl, baseUrl))
    return unreadable('the bank’s page has no address a payer may be sent to')
  return opened({
    providerId: internalReference,
    traceId: internalReference === null ? null : paymentIdOf(PROVIDER, internalReference),
    pageUrl,
    isReady: pageUrl !== null,
  })
}

export function undecidedPayment({ state, networkCode }: Transaction): Unknown {
  return unknown('undecided', `the payment is ${state} (${networkCode}), and may have been debited`)
}

export function notFound(): Accepted<RailPayinStatus> {
  return accepted({ state: 'ended', how: 'not-found', reason: 'EXPIRED', networkCode: 'NOT_FOUND' })
}

function paidStatus(received: readonly Transaction[]): Accepted<RailPayinStatus> | Unknown {
  const numbered = received.flatMap((transaction) => {
    const { internalReference, amountInCents } = transaction
    if (internalReference === null) return []
    const payment: RailPayment = { amountInCents, paymentId: paymentIdOf(PROVIDER, internalReference) }
    return [{ transaction, payment, internalReference }]
  })
  const [first, ...others] = numbered
  if (first === undefined || numbered.length < received.length)
    return unreadable('a payment was made, and has no number')
  const chargebacks = numbered
    .filter(({ transaction }) => transaction.standing === 'returned')
    .map(({ transaction, payment, internalReference }) => ({
      ...payment,
      chargebackId: `${internalReference}:${transaction.state}`,
    }))
  return accepted({
    state: 'paid',
    payments: [first.payment, ...others.map(({ payment }) => payment)],
    networkCode: first.transaction.cus ?? first.transaction.networkCode,
    ...(chargebacks.length > 0 && { chargebacks }),
  })
}

function accepted(value: RailPayinStatus): Accepted<RailPayinStatus> {
  return { outcome: 'accepted', value }
}
