// Decides which notices a network sends about a payment, and when. It stores them; the notifier sends them. A notice may be
// missing, duplicated, late or wrong, but a query says what really happened.

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

/** Returns how many different notices the event has, lost ones included. */
export function queueNotification(
  context: NetworkContext,
  payment: Payment,
  event: NetworkEvent,
  at: Instant,
): number {
  if (payment.scenario === 'silent' || (event.type === 'expired' && payment.kind !== 'session')) return 0
  const { faults } = context
  const step = `notice ${payment.noticeCount} ${event.type}`
  const occurs = (fault: Parameters<Faults['strikes']>[0]) => faults.strikes(fault, payment.reference, step)
  const chance = (what: string) => faults.number(payment.reference, `${step} ${what}`)
  const pauseMs = Math.max(context.delayMs, MIN_PAUSE_MS)

  const contradicted = event.type === 'paid' && occurs('noticeContradicted')
  if (contradicted) {
    const contradiction: NetworkEvent = {
      ...event,
      type: 'rejected',
      paymentId: null,
      code: CONTRADICTION_CODE[payment.kind],
    }
    storeNotice(context, payment, contradiction, at, [at], payment.noticeCount + 1)
  }
  let due = contradicted ? at + pauseMs : at
  if (occurs('noticeLate')) due += faults.plan.lateFactor * pauseMs
  if (occurs('noticeReordered')) due += Math.floor(chance('pause') * REORDER_WITHIN_PAUSES * pauseMs)

  const lost = occurs('noticeLost')
  const dueTimes = lost ? [] : [due]
  if (!lost && payment.scenario === 'thrice') dueTimes.push(due, due)
  if (!lost && occurs('noticeDoubled'))
    dueTimes.push(due + Math.floor(chance('second') * REPEAT_WITHIN_PAUSES * pauseMs))
  storeNotice(context, payment, event, at, dueTimes, payment.noticeCount)
  return contradicted ? 2 : 1
}

export function networkOf(kind: PaymentKind): Network {
  return kind === 'session' ? 'pse' : 'breb'
}

// Without any delay, a late notice would be on time.
const MIN_PAUSE_MS = 1_000
const REORDER_WITHIN_PAUSES = 2
const REPEAT_WITHIN_PAUSES = 3
const CONTRADICTION_CODE: Readonly<Record<PaymentKind, string>> = {
  collection: 'BANK_DECLINED',
  session: '00010',
  transfer: 'B101',
}

function storeNotice(
  context: NetworkContext,
  payment: Payment,
  event: NetworkEvent,
  at: Instant,
  dueTimes: readonly Instant[],
  ordinal: number,
): void {
  const { kind, reference } = payment
  const drawn = (what: string) => drawnHex(context.faults.seed, kind, reference, what).slice(0, 32)
  const noticeId = `ntf_${drawn(`notice ${ordinal}`)}`
  const notice =
    kind === 'session' ? pseNotice(noticeId, payment, event, at) : brebNotice(noticeId, payment, event, at)
  const chargebackId = event.type === 'chargeback' ? `CBK${drawn('chargeback').toUpperCase()}` : undefined
  const body = JSON.stringify({ ...notice, chargebackId })
  for (const due of dueTimes)
    context.storage.addDelivery({ network: networkOf(kind), noticeId, reference, body, due })
}

function brebNotice(id: string, payment: Payment, event: NetworkEvent, at: Instant): Breb.Notification {
  const isTransfer = payment.kind === 'transfer'
  const moved = event.type === 'paid' || event.type === 'chargeback'
  return {
    id,
    type: isTransfer
      ? event.type === 'paid'
        ? 'transfer.completed'
        : 'transfer.rejected'
      : (`collection.${event.type}` as Breb.NotificationType),
    reference: payment.reference,
    occurredAt: isoInstant(at),
    paymentId: isTransfer ? null : event.paymentId,
    amount: moved ? centsToDecimal(event.amountInCents) : null,
    endToEndId: isTransfer ? event.paymentId : null,
    reasonCode: event.code,
  }
}

function pseNotice(id: string, payment: Payment, event: NetworkEvent, at: Instant): Pse.Notification {
  return {
    id,
    type: PSE_TYPE[event.type],
    reference: payment.reference,
    occurredAt: isoInstant(at),
    cus: payment.traceId as string,
    amount: centsToDecimal(event.amountInCents),
    causeCode: event.code,
  }
}

const PSE_TYPE: Readonly<Record<NetworkEvent['type'], Pse.NotificationType>> = {
  paid: 'session.ok',
  rejected: 'session.not_authorized',
  canceled: 'session.not_authorized',
  expired: 'session.expired',
  chargeback: 'session.chargeback',
}
