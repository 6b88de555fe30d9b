// What a Bre-B gateway tells us, in our words.

import Type from 'typebox'
import { type NoticeMeaning, noticeReader, payinEnded } from '../notice.ts'
import type { ReadNotice } from '../rail.ts'
import {
  AmountText,
  centsOf,
  MomentText,
  NetworkText,
  orNull,
  ReferenceText,
  reader,
} from '../wire-format.ts'
import { cancelationOf, payinEnd, payoutReason } from './codes.ts'
import type { Notification } from './wire.ts'

export function brebNotices(notificationKey: string): ReadNotice {
  return noticeReader('BRE_B', notificationKey, readNotification, meaningOf)
}

function meaningOf({ type, paymentId, amount, endToEndId, reasonCode }: Notification): NoticeMeaning {
  const networkCode = reasonCode ?? type
  switch (type) {
    case 'collection.paid':
    case 'collection.chargeback': {
      if (paymentId === null || amount === null) return { fault: `${type} names no payment or no amount` }
      const kind = type === 'collection.paid' ? 'payin.paid' : 'payin.chargeback'
      return { happening: { kind, amountInCents: centsOf(amount), paymentId }, networkCode }
    }
    case 'collection.rejected': {
      const { how, reason } = payinEnd(reasonCode)
      return { happening: payinEnded(how, reason), networkCode }
    }
    case 'collection.canceled': {
      const { how, reason } = cancelationOf(reasonCode, 'CANCELED_BY_PAYER')
      return { happening: payinEnded(how, reason), networkCode }
    }
    case 'transfer.completed':
      return { happening: { kind: 'payout.completed', traceId: endToEndId }, networkCode }
    case 'transfer.rejected': {
      const reason = payoutReason(networkCode)
      // A node timed out. Whether the money moved, the query tells; reserved money is not let go for this.
      if (reason === null) return { fault: `${networkCode} settles nothing` }
      return { happening: { kind: 'payout.rejected', reason: reason ?? 'RAIL_ERROR' }, networkCode }
    }
  }
}

const readNotification: (body: unknown) => Notification | undefined = reader(
  Type.Object({
    id: NetworkText,
    type: Type.Union([
      Type.Literal('collection.paid'),
      Type.Literal('collection.rejected'),
      Type.Literal('collection.canceled'),
      Type.Literal('collection.chargeback'),
      Type.Literal('transfer.completed'),
      Type.Literal('transfer.rejected'),
    ]),
    reference: ReferenceText,
    occurredAt: MomentText,
    paymentId: orNull(NetworkText),
    amount: orNull(AmountText),
    endToEndId: orNull(NetworkText),
    reasonCode: orNull(NetworkText),
  }),
)
