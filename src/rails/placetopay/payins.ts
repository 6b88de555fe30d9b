// Money coming in over PSE by way of PlacetoPay. A payment that FAILED may have been debited, so it never counts as ended. A
// payment cannot be called off or given back: cancel only asks.

import type { PayinErrorCode } from '../../core/payins/payin.ts'
import type { Gateway, Refused, Reply } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { type ProviderSettings, shortReference } from '../provider.ts'
import type {
  OpenedPayin,
  PayinOrder,
  PayinRail,
  PaymentHandle,
  RailAnswer,
  Rejected,
  Unknown,
} from '../rail.ts'
import { ORDER_REFUSED, unreadable } from '../wire-format.ts'
import { pesosOfCents } from './amount.ts'
import type { Banks } from './banks.ts'
import { AUTHENTICATION_FAILED } from './codes.ts'
import { bankNotListed, processRequest } from './order.ts'
import { notFound, openedPayin, statusOf, undecidedPayment } from './status.ts'
import {
  namesTransaction,
  otherAnswer,
  readFound,
  readInternalReference,
  readTransaction,
  unsettled,
} from './transaction.ts'
import { type QueryRequest, RESOURCES, type SearchRequest } from './wire.ts'

const NOT_OURS = 'the answer is not the payment that was asked for'

export function placetopayPayins(
  gateway: Gateway,
  limits: Limits,
  settings: ProviderSettings,
  baseUrl: string,
  banks: Banks,
): PayinRail {
  const { organizationId } = settings

  const submit = async (order: PayinOrder): Promise<RailAnswer<OpenedPayin, PayinErrorCode>> => {
    const request = processRequest(order, settings)
    if ('outcome' in request) return request
    const { bankCode } = request.instrument.redirection.additional
    if ((await banks.isListed(bankCode)) === false) return bankNotListed()
    const reply = await gateway.ask({
      method: 'POST',
      resource: RESOURCES.process,
      id: null,
      reference: order.reference,
      body: request,
      deadlineMs: limits.submitMs,
      // The idempotence key holds only while the first payment is pending or approved.
      mayAskAgain: false,
    })
    if (reply.outcome === 'unknown') return reply
    if (reply.outcome === 'refused') return refusedOrder(reply)
    const transaction = readTransaction(organizationId, reply.body)
    if (transaction === undefined) return otherAnswer(reply.body, NOT_OURS)
    const { reference, amountInCents, isPayment } = transaction
    if (reference !== order.reference || amountInCents !== order.amountInCents || !isPayment)
      return unreadable(NOT_OURS)
    if (transaction.standing === 'undecided') return undecidedPayment(transaction)
    if (transaction.standing === 'declined')
      return { outcome: 'rejected', reason: 'BANK_DECLINED', networkCode: transaction.networkCode }
    // One that is already paid was accepted before. The query returns the rest.
    return openedPayin(transaction, baseUrl)
  }

  const queryById = async ({ reference, amountInCents }: PaymentHandle, id: string) => {
    const body: QueryRequest = { internalReference: Number(id) }
    const reply = await ask(RESOURCES.query, reference, body)
    if (reply.outcome !== 'answered') return unsettled(reply)
    const transaction = readTransaction(organizationId, reply.body)
    if (transaction === undefined) return otherAnswer(reply.body, NOT_OURS)
    if (transaction.internalReference !== id || transaction.reference !== reference)
      return unreadable(NOT_OURS)
    return statusOf([transaction], amountInCents, baseUrl)
  }

  const search = async ({ reference, amountInCents }: PaymentHandle) => {
    const total = pesosOfCents(amountInCents)
    if (total === undefined) return unreadable('the amount cannot be searched for')
    const body: SearchRequest = { reference: shortReference(reference), amount: { currency: 'COP', total } }
    const reply = await ask(RESOURCES.search, reference, body)
    if (reply.outcome !== 'answered') return unsettled(reply)
    const found = readFound(organizationId, reply.body)
    if (found === undefined) return otherAnswer(reply.body, 'the answer is not a list of payments')
    if (found.some((transaction) => transaction.reference !== reference)) return unreadable(NOT_OURS)
    return found.length === 0 ? notFound() : statusOf(found, amountInCents, baseUrl)
  }

  const ask = (resource: string, reference: string, body: object): Promise<Reply> =>
    gateway.ask({
      method: 'POST',
      resource,
      id: null,
      reference,
      body,
      deadlineMs: limits.queryMs,
      mayAskAgain: true,
    })

  const query: PayinRail['query'] = (payment) => {
    const id = payment.providerId === null ? undefined : readInternalReference(payment.providerId)
    return id === undefined ? search(payment) : queryById(payment, id)
  }

  return { submit, query, cancel: query, returnPayment: null }
}

// The gateway refuses the request itself, and no payment was made of it. In any other case one may exist.
function refusedOrder(reply: Refused): Rejected<PayinErrorCode> | Unknown {
  const isFinal = ORDER_REFUSED.includes(reply.httpStatus) && !namesTransaction(reply.body)
  return isFinal && reply.code !== AUTHENTICATION_FAILED
    ? { outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: reply.code }
    : unsettled(reply)
}
