// Money coming in over Bre-B: a collection waits at the network under one of our keys until somebody pays to it. Credited
// money counts, whatever the collection's status.

import { isoInstant } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import { centsToDecimal } from '../../core/money.ts'
import type { PayinErrorCode } from '../../core/payins/payin.ts'
import type { Gateway, Reply } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import type { Accepted, PayinOrder, PayinRail, RailPayinStatus, Unknown } from '../rail.ts'
import {
  AmountText,
  centsOf,
  MomentText,
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
import { cancelationOf, type PayinEnd, payinEnd, payinReason, returnReason } from './codes.ts'
import type { Collection, CollectionRequest, Return, ReturnRequest } from './wire.ts'

export function brebPayins(gateway: Gateway, limits: Limits): PayinRail {
  const ask = (method: 'GET' | 'DELETE', reference: string): Promise<Reply> =>
    gateway.ask({
      method,
      resource: '/collections',
      id: reference,
      deadlineMs: limits.queryMs,
      mayAskAgain: true,
    })

  return {
    submit: async (order) => {
      const reply = await gateway.ask({
        method: 'PUT',
        resource: '/collections',
        id: order.reference,
        body: collectionRequest(order),
        deadlineMs: limits.submitMs,
        // Creating a collection moves no money.
        mayAskAgain: true,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused')
        return refusedOrder(reply, payinReason(reply.code), 'RAIL_ERROR', [200, ...ORDER_REFUSED])
      const collection = readCollection(reply.body)
      if (collection === undefined || !matchesOrder(order, collection))
        return unreadable('the answer is not the collection that was asked for')
      if (collection.status === 'REJECTED' && collection.payments.length === 0) {
        const { reasonCode, status } = collection
        return {
          outcome: 'rejected',
          reason: payinEnd(reasonCode).reason,
          networkCode: reasonCode ?? status,
        }
      }
      // A collection that is already paid or ended was accepted before. The query returns the rest.
      return opened({})
    },

    query: async ({ reference }) => readStatus(reference, await ask('GET', reference), 'CANCELED_BY_PAYER'),

    cancel: async ({ reference }) => {
      const reply = await ask('DELETE', reference)
      if (reply.outcome === 'refused' && saysNotFound(reply))
        return acceptedStatus({
          state: 'ended',
          how: 'not-found',
          reason: 'EXPIRED',
          networkCode: reply.code,
        })
      return readStatus(reference, reply, 'CANCELED_BY_MERCHANT')
    },

    returnPayment: async (reference, paymentId, amountInCents) => {
      const body: ReturnRequest = { paymentId, amount: centsToDecimal(amountInCents), currency: 'COP' }
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
      const returned = readReturn(reply.body)
      if (returned?.reference !== reference)
        return unreadable('the answer is not the return that was asked for')
      return { outcome: 'accepted', value: { traceId: returned.endToEndId } }
    },
  }
}

function readStatus(
  reference: string,
  reply: Reply,
  defaultCancelReason: PayinErrorCode,
): Accepted<RailPayinStatus> | Unknown {
  if (reply.outcome === 'unknown') return reply
  // A refused query says nothing about the payment. Even NOT_FOUND may mean that it is still on its way.
  if (reply.outcome === 'refused') return undecided(reply)
  const collection = readCollection(reply.body)
  if (collection?.reference !== reference)
    return unreadable('the answer is not the collection that was asked for')
  const { status, reasonCode, payments } = collection
  const [first, ...others] = payments.map(({ paymentId, amount }) => ({
    paymentId,
    amountInCents: centsOf(amount),
  }))
  if (first !== undefined)
    return acceptedStatus({
      state: 'paid',
      payments: [first, ...others],
      networkCode: reasonCode ?? status,
    })
  const ended = (end: PayinEnd): Accepted<RailPayinStatus> =>
    acceptedStatus({ state: 'ended', ...end, networkCode: reasonCode ?? status })
  switch (status) {
    case 'READY':
      return acceptedStatus({ state: 'open' })
    case 'REJECTED':
      return ended(payinEnd(reasonCode))
    case 'CANCELED':
      return ended(cancelationOf(reasonCode, defaultCancelReason))
    case 'EXPIRED':
      return ended({ how: 'expired', reason: 'EXPIRED' })
    case 'PAID':
      return unreadable('the collection is paid, and lists no payment')
  }
}

function acceptedStatus(value: RailPayinStatus): Accepted<RailPayinStatus> {
  return { outcome: 'accepted', value }
}

function collectionRequest(order: PayinOrder): CollectionRequest {
  if (order.source.rail !== 'BRE_B') throw new Error(`a ${order.source.rail} order was handed to Bre-B`)
  if (order.source.keyString === null)
    throw new Error('the order names no key, and this network assigns none')
  return {
    key: order.source.keyString,
    amount: centsToDecimal(order.amountInCents),
    currency: 'COP',
    merchantName: order.merchantName,
    expiresAt: isoInstant(order.expiresAt),
    payer: order.customer && {
      idType: order.customer.idType,
      idNumber: order.customer.idNumber,
      name: order.customer.name,
    },
  }
}

function matchesOrder(order: PayinOrder, collection: Collection): boolean {
  return (
    collection.reference === order.reference &&
    centsOf(collection.amount) === order.amountInCents &&
    order.source.rail === 'BRE_B' &&
    collection.key.toUpperCase() === order.source.keyString?.toUpperCase()
  )
}

const readCollection: (body: unknown) => Collection | undefined = reader(
  Type.Object({
    reference: ReferenceText,
    key: Type.String({ maxLength: 92 }),
    status: Type.Union([
      Type.Literal('READY'),
      Type.Literal('PAID'),
      Type.Literal('REJECTED'),
      Type.Literal('CANCELED'),
      Type.Literal('EXPIRED'),
    ]),
    amount: AmountText,
    payments: Type.Array(Type.Object({ paymentId: NetworkText, amount: AmountText, paidAt: MomentText })),
    reasonCode: orNull(NetworkText),
  }),
)

const readReturn: (body: unknown) => Return | undefined = reader(
  Type.Object({ reference: ReferenceText, status: Type.Literal('COMPLETED'), endToEndId: NetworkText }),
)
