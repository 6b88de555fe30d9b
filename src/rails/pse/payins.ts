// Money coming in over PSE: a session at the payer's bank, on a page of the network. The one thing to know: a session that
// FAILED may have been debited, so it is never read as an end; it is asked for again until the network makes up its mind.

import Type from 'typebox'
import { findPseBank } from '../../core/directory/pse-bank.ts'
import { isoInstant } from '../../core/instant.ts'
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
  NetworkText,
  ORDER_REFUSED,
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
      // The bank left the list after the payin was made.
      if (request === undefined)
        return { outcome: 'rejected', reason: 'BANK_UNAVAILABLE', networkCode: 'BANK_NOT_LISTED' }
      const reply = await gateway.ask({
        method: 'PUT',
        resource: '/sessions',
        id: order.reference,
        body: request,
        deadlineMs: limits.submitMs,
        // No money moves before the payer says so on the bank's page.
        mayAskAgain: true,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused')
        return refusedOrder(reply, payinReason(reply.code), 'RAIL_ERROR', [200, ...ORDER_REFUSED])
      const session = readSession(reply.body)
      if (session?.reference !== order.reference || centsOf(session.amount) !== order.amountInCents)
        return unreadable('the answer is not the session that was asked for')
      const { status, causeCode, bankUrl, cus } = session
      if (status === 'FAILED') return failed(causeCode)
      if (status === 'NOT_AUTHORIZED')
        return { outcome: 'rejected', reason: payinEnd(causeCode).reason, networkCode: causeCode ?? status }
      if (!isPageUrl(bankUrl, baseUrl))
        return unreadable('the bank’s page has no address a payer may be sent to')
      return { outcome: 'accepted', value: { pageUrl: bankUrl, traceId: cus } }
    },

    query: async (reference) => readStanding(reference, await ask('GET', reference)),

    cancel: async (reference) => {
      const reply = await ask('DELETE', reference)
      if (reply.outcome === 'refused' && saysNotFound(reply))
        return standing({ state: 'ended', how: 'expired', reason: 'EXPIRED', networkCode: reply.code })
      return readStanding(reference, reply)
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

function readStanding(reference: string, reply: Reply): Accepted<RailPayinStatus> | Unknown {
  if (reply.outcome === 'unknown') return reply
  // A query that was refused says nothing of the payment; not even that there is none, while it may be on its way.
  if (reply.outcome === 'refused') return undecided(reply)
  const session = readSession(reply.body)
  if (session?.reference !== reference) return unreadable('the answer is not the session that was asked for')
  const { status, causeCode, amount, cus } = session
  const ended = (end: PayinEnd): Accepted<RailPayinStatus> =>
    standing({ state: 'ended', ...end, networkCode: causeCode ?? status })
  switch (status) {
    case 'CREATED':
    case 'PENDING':
      return standing({ state: 'open' })
    case 'OK':
      return standing({
        state: 'paid',
        amountInCents: centsOf(amount),
        paymentId: cus,
        networkCode: status,
      })
    case 'NOT_AUTHORIZED':
      return ended(payinEnd(causeCode))
    case 'EXPIRED':
      return ended({ how: 'expired', reason: 'EXPIRED' })
    case 'FAILED':
      return failed(causeCode)
  }
}

function standing(value: RailPayinStatus): Accepted<RailPayinStatus> {
  return { outcome: 'accepted', value }
}

function failed(causeCode: string | null): Unknown {
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
      // PSE wants the ten digits of a Colombian number without the country.
      phone: customer.phone.replace(/^\+57(?=\d{10}$)/, ''),
    },
  }
}

const MAX_DESCRIPTION_CHARACTERS = 255

// A bar or a quote in it upsets the network's fraud engine.
function description(merchantName: string): string {
  return `Pago a ${merchantName.replace(/[|"]/g, ' ')}`.slice(0, MAX_DESCRIPTION_CHARACTERS)
}

const MAX_PAGE_URL_CHARACTERS = 2_048

// A payer's browser is sent there. Only a network that is itself spoken to in the clear may send it to a page in the clear.
function isPageUrl(pageUrl: string, baseUrl: string): boolean {
  const page = pageUrl.length <= MAX_PAGE_URL_CHARACTERS ? URL.parse(pageUrl) : null
  if (page === null || page.username !== '' || page.password !== '') return false
  return page.protocol === 'https:' || (page.protocol === 'http:' && baseUrl.startsWith('http:'))
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
