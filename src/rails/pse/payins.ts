// Money coming in over PSE: a session at the payer's bank, on a page of the network. A session that FAILED may have been
// debited, so it never counts as ended. It is queried until the network decides.

import { findPseBank } from '../../core/directory/pse-bank.ts'
import { isoInstant } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import { centsToDecimal } from '../../core/money.ts'
import type { Gateway, Reply } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import {
  type Accepted,
  type PayinOrder,
  type PayinRail,
  type RailPayinStatus,
  type Unknown,
  unknown,
} from '../rail.ts'
import {
  AmountText,
  centsOf,
  isSafePageUrl,
  NetworkText,
  ORDER_REFUSED,
  opened,
  orNull,
  ReferenceText,
  reader,
  refusedOrder,
  saysNotFound,
  undecided,
  unreadable,
} from '../wire-format.ts'
import { type PayinEnd, payinEnd, payinReason, returnReason } from './codes.ts'
import type { Return, ReturnRequest, Session, SessionRequest } from './wire.ts'

export function psePayins(gateway: Gateway, limits: Limits, baseUrl: string): PayinRail {
  const ask = (method: 'GET' | 'DELETE', reference: string): Promise<Reply> =>
    gateway.ask({
      method,
      resource: '/sessions',
      id: reference,
      deadlineMs: limits.queryMs,
      mayAskAgain: true,
    })

  return {
    submit: async (order) => {
      const request = sessionRequest(order)
      // The bank left the list after the payin was created.
      if (request === undefined)
        return { outcome: 'rejected', reason: 'BANK_UNAVAILABLE', networkCode: 'BANK_NOT_LISTED' }
      const reply = await gateway.ask({
        method: 'PUT',
        resource: '/sessions',
        id: order.reference,
        body: request,
        deadlineMs: limits.submitMs,
        // No money moves before the payer approves on the bank's page.
        mayAskAgain: true,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused')
        return refusedOrder(reply, payinReason(reply.code), 'RAIL_ERROR', [200, ...ORDER_REFUSED])
      const session = readSession(reply.body)
      if (session?.reference !== order.reference || centsOf(session.amount) !== order.amountInCents)
        return unreadable('the answer is not the session that was asked for')
      const { status, causeCode, bankUrl, cus } = session
      if (status === 'FAILED') return failedSession(causeCode)
      if (status === 'NOT_AUTHORIZED')
        return { outcome: 'rejected', reason: payinEnd(causeCode).reason, networkCode: causeCode ?? status }
      if (!isSafePageUrl(bankUrl, baseUrl))
        return unreadable('the bank’s page has no address a payer may be sent to')
      return opened({ pageUrl: bankUrl, traceId: cus })
    },

    query: async ({ reference }) => readStatus(reference, await ask('GET', reference)),

    cancel: async ({ reference }) => {
      const reply = await ask('DELETE', reference)
      if (reply.outcome === 'refused' && saysNotFound(reply))
        return acceptedStatus({
          state: 'ended',
          how: 'not-found',
          reason: 'EXPIRED',
          networkCode: reply.code,
        })
      return readStatus(reference, reply)
    },

    returnPayment: async (reference, paymentId, amountInCents) => {
      const body: ReturnRequest = { cus: paymentId, amount: centsToDecimal(amountInCents), currency: 'COP' }
      const reply = await gateway.ask({
        method: 'PUT',
        resource: '/returns',
        id: reference,
        body,
        deadlineMs: limits.submitMs,
        mayAskAgain: false,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused')
        return refusedOrder(reply, returnReason(reply.code), 'RAIL_ERROR', ORDER_REFUSED)
      if (readReturn(reply.body)?.reference !== reference)
        return unreadable('the answer is not the return that was asked for')
      return { outcome: 'accepted', value: { traceId: null } }
    },
  }
}

function readStatus(reference: string, reply: Reply): Accepted<RailPayinStatus> | Unknown {
  if (reply.outcome === 'unknown') return reply
  // A refused query says nothing about the payment. Even NOT_FOUND may mean that it is still on its way.
  if (reply.outcome === 'refused') return undecided(reply)
  const session = readSession(reply.body)
  if (session?.reference !== reference) return unreadable('the answer is not the session that was asked for')
  const { status, causeCode, amount, cus } = session
  const ended = (end: PayinEnd): Accepted<RailPayinStatus> =>
    acceptedStatus({ state: 'ended', ...end, networkCode: causeCode ?? status })
  switch (status) {
    case 'CREATED':
    case 'PENDING':
      return acceptedStatus({ state: 'open' })
    case 'OK':
      return acceptedStatus({
        state: 'paid',
        payments: [{ amountInCents: centsOf(amount), paymentId: cus }],
        networkCode: status,
      })
    case 'NOT_AUTHORIZED':
      return ended(payinEnd(causeCode))
    case 'EXPIRED':
      return ended({ how: 'expired', reason: 'EXPIRED' })
    case 'FAILED':
      return failedSession(causeCode)
  }
}

function acceptedStatus(value: RailPayinStatus): Accepted<RailPayinStatus> {
  return { outcome: 'accepted', value }
}

function failedSession(causeCode: string | null): Unknown {
  return unknown('undecided', `the session failed (${causeCode ?? 'no cause'}), and may have been debited`)
}

function sessionRequest(order: PayinOrder): SessionRequest | undefined {
  if (order.source.rail !== 'PSE') throw new Error(`a ${order.source.rail} order was handed to PSE`)
  const bank = findPseBank(order.source.bank, true)
  if (bank === undefined) return undefined
  const { customer } = order
  return {
    bank: bank.code,
    achCode: bank.achCode,
    personType: order.source.personType === 'BUSINESS' ? 'company' : 'person',
    amount: centsToDecimal(order.amountInCents),
    currency: 'COP',
    description: description(order.merchantName),
    returnUrl: order.returnUrl,
    expiresAt: isoInstant(order.expiresAt),
    payer: customer && {
      idType: customer.idType,
      idNumber: customer.idNumber,
      name: customer.name,
      email: customer.email,
      // PSE wants the ten digits of a Colombian number without the country code.
      phone: customer.phone.replace(/^\+57(?=\d{10}$)/, ''),
    },
  }
}

const MAX_DESCRIPTION_CHARACTERS = 255

// The network's fraud engine cannot handle a bar or a quote.
function description(merchantName: string): string {
  return `Pago a ${merchantName.replace(/[|"]/g, ' ')}`.slice(0, MAX_DESCRIPTION_CHARACTERS)
}

const readSession: (body: unknown) => Session | undefined = reader(
  Type.Object({
    reference: ReferenceText,
    cus: NetworkText,
    status: Type.Union([
      Type.Literal('CREATED'),
      Type.Literal('PENDING'),
      Type.Literal('OK'),
      Type.Literal('NOT_AUTHORIZED'),
      Type.Literal('FAILED'),
      Type.Literal('EXPIRED'),
    ]),
    amount: AmountText,
    bankUrl: Type.String(),
    causeCode: orNull(NetworkText),
  }),
)

const readReturn: (body: unknown) => Return | undefined = reader(
  Type.Object({ reference: ReferenceText, status: Type.Literal('COMPLETED') }),
)
