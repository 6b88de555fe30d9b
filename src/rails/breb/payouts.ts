// Money going out over Bre-B: a transfer to a key. It is sent once per call and never repeated here. A transfer without a
// clear answer is queried by its reference, when the caller that keeps the books decides to.

import { Type } from '../../core/json-schema.ts'
import { centsToDecimal } from '../../core/money.ts'
import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import type { Accepted, PayoutOrder, PayoutRail, RailPayoutStatus, Unknown } from '../rail.ts'
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
import { isCancelation, payoutReason, WIRE_KEY_TYPES } from './codes.ts'
import type { Transfer, TransferRequest } from './wire.ts'

export function brebPayouts(gateway: Gateway, limits: Limits): PayoutRail {
  return {
    submit: async (order) => {
      const reply = await gateway.ask({
        method: 'PUT',
        resource: '/transfers',
        id: order.reference,
        body: transferRequest(order),
        deadlineMs: limits.submitMs,
        mayAskAgain: false,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused')
        return refusedOrder(reply, payoutReason(reply.code), 'RAIL_ERROR', ORDER_REFUSED)
      const transfer = readTransfer(reply.body)
      if (transfer?.reference !== order.reference || centsOf(transfer.amount) !== order.amountInCents)
        return unreadable('the answer is not the transfer that was asked for')
      const status = readStatus(transfer)
      if (status.outcome === 'unknown' || status.value.state !== 'rejected') return status
      return { outcome: 'rejected', reason: status.value.reason, networkCode: status.value.networkCode }
    },

    query: async ({ reference }) => {
      const reply = await gateway.ask({
        method: 'GET',
        resource: '/transfers',
        id: reference,
        deadlineMs: limits.queryMs,
        mayAskAgain: true,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused')
        return saysNotFound(reply) ? { outcome: 'accepted', value: { state: 'absent' } } : undecided(reply)
      const transfer = readTransfer(reply.body)
      if (transfer?.reference !== reference)
        return unreadable('the answer is not the transfer that was asked for')
      return readStatus(transfer)
    },
  }
}

function readStatus({
  status,
  amount,
  endToEndId,
  reasonCode,
}: Transfer): Accepted<RailPayoutStatus> | Unknown {
  const accepted = (value: RailPayoutStatus) => ({ outcome: 'accepted', value }) as const
  if (status === 'PROCESSING') return accepted({ state: 'processing' })
  if (status === 'COMPLETED')
    return accepted({ state: 'completed', traceId: endToEndId, amountInCents: centsOf(amount) })
  const networkCode = reasonCode ?? status
  const reason = payoutReason(networkCode)
  // A node that timed out reports the rejection too early, whether it is asked to pay or asked what became of it.
  if (reason === null) return undecided({ httpStatus: 200, code: networkCode })
  const state = isCancelation(networkCode) ? 'canceled' : 'rejected'
  return accepted({ state, reason: reason ?? 'RAIL_ERROR', networkCode })
}

function transferRequest({ amountInCents, keyString, keyType, customer }: PayoutOrder): TransferRequest {
  return {
    key: keyString,
    keyType: WIRE_KEY_TYPES[keyType],
    amount: centsToDecimal(amountInCents),
    currency: 'COP',
    beneficiary: { idType: customer.idType, idNumber: customer.idNumber, name: customer.name },
  }
}

const readTransfer: (body: unknown) => Transfer | undefined = reader(
  Type.Object({
    reference: ReferenceText,
    status: Type.Union([Type.Literal('PROCESSING'), Type.Literal('COMPLETED'), Type.Literal('REJECTED')]),
    amount: AmountText,
    endToEndId: orNull(NetworkText),
    reasonCode: orNull(NetworkText),
  }),
)
