// Translates a Bre-B gateway's notifications into our updates.

import { Type } from '../../core/json-schema.ts'
import { chargedBack, type NoticeContent, type NoticeMeaning, noticeReader, payinEnded } from '../notice.ts'
import type { ReadNotice } from '../rail.ts'
import { AmountText, centsOf, MomentText, NetworkText, orNull, reader } from '../wire-format.ts'
import { cancelationOf, payinEnd, payoutReason } from './codes.ts'
import type { Notification } from './wire.ts'

export function brebNotices(notificationKeys: readonly string[]): ReadNotice {
  return noticeReader('BRE_B', notificationKeys, readNotification, meaningOf)
}

type Received = Omit<Notification, 'reference'> & NoticeContent

function meaningOf(notification: Received): NoticeMeaning {
  const { type, paymentId, amount, endToEndId, reasonCode, chargebackId } = notification
  const networkCode = reasonCode ?? type
  switch (type) {
    case 'collection.paid':
    case 'collection.chargeback': {
      if (paymentId === null || amount === null)
        return { fault: `${type} names no payment or no amount`, isUnreadable: true }
      const payment = { amountInCents: centsOf(amount), paymentId }
      return type === 'collection.paid'
        ? { update: { kind: 'payin.paid', ...payment }, networkCode }
        : { update: chargedBack(payment, chargebackId), networkCode }
    }
    case 'collection.rejected': {
      const { how, reason } = payinEnd(reasonCode)
      return { update: payinEnded(how, reason), networkCode }
    }
    case 'collection.canceled': {
      const { how, reason } = cancelationOf(reasonCode, 'CANCELED_BY_PAYER')
      return { update: payinEnded(how, reason), networkCode }
    }
    case 'transfer.completed':
      return {
        update: {
          kind: 'payout.completed',
          traceId: endToEndId,
          ...(amount !== null && { amountInCents: centsOf(amount) }),
        },
        networkCode,
      }
    case 'transfer.rejected': {
      const reason = payoutReason(networkCode)
      // A node timed out. Only a query says whether the money moved, so reserved money is not released.
      if (reason === null) return { fault: `${networkCode} settles nothing` }
      return { update: { kind: 'payout.rejected', reason: reason ?? 'RAIL_ERROR' }, networkCode }
    }
  }
}

const readNotification: (body: unknown) => Received | undefined = reader(
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
    reference: Type.Optional(Type.Unknown()),
    occurredAt: MomentText,
    paymentId: orNull(NetworkText),
    amount: orNull(AmountText),
    endToEndId: orNull(NetworkText),
    reasonCode: orNull(NetworkText),
    chargebackId: Type.Optional(orNull(NetworkText)),
  }),
)
