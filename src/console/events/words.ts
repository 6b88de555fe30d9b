// The words about events.

import type { EventType, TEST_EVENT } from '../../core/events/event.ts'
import { wordsOf } from '../../core/html.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import type { Tone } from '../words/states.ts'

const es = {
  types: wordsOf<EventType | typeof TEST_EVENT>({
    'payin.confirmed': 'Cobro confirmado',
    'payin.canceled': 'Cobro cancelado',
    'payin.declined': 'Cobro rechazado',
    'payin.settled': 'Cobro liquidado',
    'payin.chargeback': 'Contracargo de un cobro',
    'payin.processing': 'Cobro en proceso',
    'payout.confirmed': 'Pago confirmado',
    'payout.canceled': 'Pago cancelado',
    'payout.declined': 'Pago rechazado',
    'payout.processing': 'Pago en proceso',
    'payout.returned': 'Pago devuelto',
    'paymentlink.completed': 'Enlace pagado',
    'paymentlink.expired': 'Enlace vencido',
    'paymentpage.paid': 'Venta en una página',
    'paymentpage.soldout': 'Página agotada',
    'paymentpage.closed': 'Página cerrada',
    'refund.created': 'Devolución pedida',
    'refund.waiting': 'Devolución en espera',
    'refund.confirmed': 'Devolución confirmada',
    'refund.declined': 'Devolución rechazada',
    'refund.canceled': 'Devolución cancelada',
    'refund.returned': 'Devolución que volvió',
    'payoutbatch.completed': 'Lote terminado',
    'approval.waiting': 'Aprobación pendiente',
    'approval.approved': 'Aprobado',
    'approval.refused': 'Rechazado',
    'approval.lapsed': 'Aprobación vencida',
    'approval.voided': 'Aprobación anulada',
    'webhook.test': 'Evento de prueba',
  }),
  list: 'Eventos',
  resend: 'Reenviar',
  happened: (when: string) => `Ocurrió ${when}`,
  deliveredTo: (count: number) => (count === 1 ? 'Llegó a un webhook' : `Llegó a ${count} webhooks`),
  failedAt: (count: number) => (count === 1 ? 'un webhook falló' : `${count} webhooks fallaron`),
  waitsFor: (count: number) =>
    count === 1 ? 'un webhook está en espera' : `${count} webhooks están en espera`,
  nobody: 'Ningún webhook lo pidió',
  deliveries: 'Entregas',
  lastStatus: 'Última respuesta',
  next: 'Otro intento',
  teach: {
    title: 'Aquí verás todo lo que pasa',
    text: 'Cada cambio de un cobro, un pago o un enlace es un evento numerado. Son los mismos que reciben tus webhooks.',
  },
}

export type EventWords = typeof es

const en: EventWords = {
  types: {
    'payin.confirmed': 'Payin confirmed',
    'payin.canceled': 'Payin canceled',
    'payin.declined': 'Payin declined',
    'payin.settled': 'Payin settled',
    'payin.chargeback': 'Payin charged back',
    'payin.processing': 'Payin processing',
    'payout.confirmed': 'Payout confirmed',
    'payout.canceled': 'Payout canceled',
    'payout.declined': 'Payout declined',
    'payout.processing': 'Payout processing',
    'payout.returned': 'Payout returned',
    'paymentlink.completed': 'Link paid',
    'paymentlink.expired': 'Link expired',
    'paymentpage.paid': 'Sale on a page',
    'paymentpage.soldout': 'Page sold out',
    'paymentpage.closed': 'Page closed',
    'refund.created': 'Refund asked for',
    'refund.waiting': 'Refund waiting',
    'refund.confirmed': 'Refund confirmed',
    'refund.declined': 'Refund declined',
    'refund.canceled': 'Refund canceled',
    'refund.returned': 'Refund came back',
    'payoutbatch.completed': 'Batch completed',
    'approval.waiting': 'Approval waiting',
    'approval.approved': 'Approved',
    'approval.refused': 'Refused',
    'approval.lapsed': 'Approval lapsed',
    'approval.voided': 'Approval voided',
    'webhook.test': 'Test event',
  },
  list: 'Events',
  resend: 'Send again',
  happened: (when) => `It happened ${when}`,
  deliveredTo: (count) => (count === 1 ? 'One webhook got it' : `${count} webhooks got it`),
  failedAt: (count) => (count === 1 ? 'one webhook failed' : `${count} webhooks failed`),
  waitsFor: (count) => (count === 1 ? 'one webhook is waiting' : `${count} webhooks are waiting`),
  nobody: 'No webhook asked for it',
  deliveries: 'Deliveries',
  lastStatus: 'Last answer',
  next: 'Next try',
  teach: {
    title: 'Everything that happens shows here',
    text: 'Every change of a payin, a payout or a link is a numbered event. Your webhooks get the same ones.',
  },
}

export const EVENT_WORDS: Readonly<Record<UserLanguage, EventWords>> = { es, en }

// As good or bad as what it tells.
export function eventTone(type: string): Tone {
  return TONES[type.slice(type.indexOf('.') + 1)] ?? 'quiet'
}

const TONES: Readonly<Record<string, Tone>> = {
  confirmed: 'good',
  completed: 'good',
  paid: 'good',
  settled: 'good',
  processing: 'wait',
  declined: 'bad',
  chargeback: 'bad',
  returned: 'bad',
  soldout: 'note',
}

export function eventName(type: string, language: UserLanguage): string {
  return (EVENT_WORDS[language].types as Record<string, string>)[type] ?? type
}
