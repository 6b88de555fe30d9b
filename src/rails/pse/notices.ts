// Translates a PSE gateway's notifications into our updates.

import { Type } from '../../core/json-schema.ts'
import { chargedBack, type NoticeContent, type NoticeMeaning, noticeReader, payinEnded } from '../notice.ts'
import type { ReadNotice } from '../rail.ts'
import { AmountText, centsOf, MomentText, NetworkText, orNull, reader } from '../wire-format.ts'
import { payinEnd } from './codes.ts'
import type { Notification } from './wire.ts'

export function pseNotices(notificationKeys: readonly string[]): ReadNotice {
  return noticeReader('PSE', notificationKeys, readNotification, meaningOf)
}

type Received = Omit<Notification, 'reference'> & NoticeContent

function meaningOf({ type, cus, amount, causeCode, chargebackId }: Received): NoticeMeaning {
  const networkCode = causeCode ?? type
  switch (type) {
    case 'session.ok':
      return {
        update: { kind: 'payin.paid', amountInCents: centsOf(amount), paymentId: cus },
        networkCode,
      }
    case 'session.not_authorized': {
      const { how, reason } = payinEnd(causeCode)
      return { update: payinEnded(how, reason), networkCode }
    }
    case 'session.expired':
      return { update: payinEnded('expired', 'EXPIRED'), networkCode }
    case 'session.chargeback':
      return {
        update: chargedBack({ amountInCents: centsOf(amount), paymentId: cus }, chargebackId),
        networkCode,
      }
  }
}

const readNotification: (body: unknown) => Received | undefined = reader(
  Type.Object({
    id: NetworkText,
    type: Type.Union([
      Type.Literal('session.ok'),
      Type.Literal('session.not_authorized'),
      Type.Literal('session.expired'),
      Type.Literal('session.chargeback'),
    ]),
    reference: Type.Optional(Type.Unknown()),
    occurredAt: MomentText,
    cus: NetworkText,
    amount: AmountText,
    causeCode: orNull(NetworkText),
    chargebackId: Type.Optional(orNull(NetworkText)),
  }),
)
