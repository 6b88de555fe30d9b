// What a network decides to tell of a payment, and when. It writes notices down to be sent; the notifier sends them. The
// one thing to know: what is told may be missing, doubled, late or wrong, but what a query says is what happened.

import type { Instant } from '../core/instant.ts'
import { isoInstant } from '../core/instant.ts'
import { centsToDecimal } from '../core/money.ts'
import type * as Breb from '../rails/breb/wire.ts'
import type * as Pse from '../rails/pse/wire.ts'
import { drawnHex, type Faults } from './faults.ts'
import type { NetworkContext } from './network-context.ts'
import type { Network, Payment, PaymentKind } from './records.ts'

export type NetworkEvent = {
  type: 'paid' | 'rejected' | 'canceled' | 'expired' | 'chargeback'
  amountInCents: bigint
  paymentId: string | null
  code: string | null
}

/** Answers how many different notices that makes. */
export function queueNotification(
  context: NetworkContext,
  payment: Payment,
  news: NetworkEvent,
  at: Instant,
): number {
  if (payment.scenario === 'silent' || (news.type === 'expired' && payment.kind !== 'session')) return 0
  const { faults } = context
  const step = `notice ${payment.noticeCount} ${news.type}`
  const struck = (fault: Parameters<Faults['strikes']>[0]) => faults.strikes(fault, payment.reference, step)
  const chance = (what: string) => faults.number(payment.reference, `${step} ${what}`)
  const pauseMs = Math.max(context.delayMs, MIN_PAUSE_MS)

  const contradicted = news.type === 'paid' && struck('noticeContradicted')
  if (contradicted) {
    const lie: NetworkEvent = { ...news, type: 'rejected', paymentId: null, code: LIE_CODE[payment.kind] }
    writeDown(context, payment, lie, at, [at], payment.noticeCount + 1)
  }
  let due = contradicted ? at + pauseMs : at
  if (struck('noticeLate')) due += faults.plan.lateFactor * pauseMs
  if (struck('noticeReordered')) due += Math.floor(chance('pause') * REORDER_WITHIN_PAUSES * pauseMs)

  const lost = struck('noticeLost')
  const dues = lost ? [] : [due]
  if (!lost && payment.scenario === 'thrice') dues.push(due, due)
  if (!lost && struck('noticeDoubled'))
    dues.push(due + Math.floor(chance('second') * REPEAT_WITHIN_PAUSES * pauseMs))
  writeDown(context, payment, news, at, dues, payment.noticeCount)
  return contradicted ? 2 : 1
}

export function networkOf(kind: PaymentKind): Network {
  return kind === 'session' ? 'pse' : 'breb'
}

// With no delay at all, late would be the same as punctual.
const MIN_PAUSE_MS = 1_000
const REORDER_WITHIN_PAUSES = 2
const REPEAT_WITHIN_PAUSES = 3
const LIE_CODE: Readonly<Record<PaymentKind, string>> = {
  collection: 'BANK_DECLINED',
  session: '00010',
  transfer: 'B101',
}

function writeDown(
  context: NetworkContext,
  payment: Payment,
  news: NetworkEvent,
  at: Instant,
  dues: readonly Instant[],
  ordinal: number,
): void {
  const { kind, reference } = payment
  const noticeId = `ntf_${drawnHex(context.faults.seed, kind, reference, `notice ${ordinal}`).slice(0, 32)}`
  const notice =
    kind === 'session' ? pseNotice(noticeId, payment, news, at) : brebNotice(noticeId, payment, news, at)
  const body = JSON.stringify(notice)
  for (const due of dues)
    context.storage.addDelivery({ network: networkOf(kind), noticeId, reference, body, due })
}

function brebNotice(id: string, payment: Payment, news: NetworkEvent, at: Instant): Breb.Notification {
  const ofTransfer = payment.kind === 'transfer'
  const moved = news.type === 'paid' || news.type === 'chargeback'
  return {
    id,
    type: ofTransfer
      ? news.type === 'paid'
        ? 'transfer.completed'
        : 'transfer.rejected'
      : (`collection.${news.type}` as Breb.NotificationType),
    reference: payment.reference,
    occurredAt: isoInstant(at),
    paymentId: ofTransfer ? null : news.paymentId,
    amount: moved ? centsToDecimal(news.amountInCents) : null,
    endToEndId: ofTransfer ? news.paymentId : null,
    reasonCode: news.code,
  }
}

function pseNotice(id: string, payment: Payment, news: NetworkEvent, at: Instant): Pse.Notification {
  return {
    id,
    type: PSE_TYPE[news.type],
    reference: payment.reference,
    occurredAt: isoInstant(at),
    cus: payment.traceId as string,
    amount: centsToDecimal(news.amountInCents),
    causeCode: news.code,
  }
}

const PSE_TYPE: Readonly<Record<NetworkEvent['type'], Pse.NotificationType>> = {
  paid: 'session.ok',
  rejected: 'session.not_authorized',
  canceled: 'session.not_authorized',
  expired: 'session.expired',
  chargeback: 'session.chargeback',
}
