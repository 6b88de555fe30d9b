// How payments stand and why, in Colombian Spanish. `reasons` are short, for a row; each is a sentence's end on the object's page.

import type { Rail } from '../../core/connections/rail.ts'
import type { EventResource } from '../../core/events/event.ts'
import { wordsOf } from '../../core/html.ts'
import type { IdType } from '../../core/identity-document.ts'
import { ACCOUNT_WORDS, BOOKING_WORDS } from '../../core/ledger/booking-words.ts'
import type { PayinErrorCode, PayinStatus, SettlementStatus } from '../../core/payins/payin.ts'
import type { PaymentLinkStatus } from '../../core/payment-links/payment-link.ts'
import type { PaymentPageStatus } from '../../core/payment-pages/payment-page.ts'
import type { PayoutErrorCode, PayoutStatus } from '../../core/payouts/payout.ts'
import type { RefundStatus } from '../../core/refunds/refund.ts'
import type { DeliveryState } from '../../core/webhooks/delivery.ts'

export const statesEs = {
  rails: wordsOf<Rail>({ BRE_B: 'Bre-B', PSE: 'PSE' }),
  payin: wordsOf<PayinStatus>({
    PENDING: 'Pendiente',
    PROCESSING: 'En proceso',
    CONFIRMED: 'Confirmado',
    CANCELED: 'Cancelado',
    DECLINED: 'Rechazado',
  }),
  payinPlural: wordsOf<PayinStatus>({
    PENDING: 'Pendientes',
    PROCESSING: 'En proceso',
    CONFIRMED: 'Confirmados',
    CANCELED: 'Cancelados',
    DECLINED: 'Rechazados',
  }),
  refund: wordsOf<RefundStatus>({
    PROCESSING: 'En proceso',
    CONFIRMED: 'Confirmada',
    CANCELED: 'Cancelada',
    DECLINED: 'Rechazada',
  }),
  refundPlural: wordsOf<RefundStatus>({
    PROCESSING: 'En proceso',
    CONFIRMED: 'Confirmadas',
    CANCELED: 'Canceladas',
    DECLINED: 'Rechazadas',
  }),
  payout: wordsOf<PayoutStatus>({
    PROCESSING: 'En proceso',
    CONFIRMED: 'Pagado',
    CANCELED: 'Cancelado',
    DECLINED: 'Rechazado',
  }),
  payoutPlural: wordsOf<PayoutStatus>({
    PROCESSING: 'En proceso',
    CONFIRMED: 'Pagados',
    CANCELED: 'Cancelados',
    DECLINED: 'Rechazados',
  }),
  returned: 'Devuelto',
  link: wordsOf<PaymentLinkStatus>({ PENDING: 'Por pagar', COMPLETED: 'Pagado', EXPIRED: 'Vencido' }),
  linkPlural: wordsOf<PaymentLinkStatus>({
    PENDING: 'Por pagar',
    COMPLETED: 'Pagados',
    EXPIRED: 'Vencidos',
  }),
  page: wordsOf<PaymentPageStatus>({ OPEN: 'Abierta', SOLD_OUT: 'Agotada', CLOSED: 'Cerrada' }),
  pagePlural: wordsOf<PaymentPageStatus>({
    OPEN: 'Abiertas',
    SOLD_OUT: 'Agotadas',
    CLOSED: 'Cerradas',
  }),
  settlement: wordsOf<SettlementStatus>({
    PENDING_SETTLEMENT: 'Por liquidar',
    SETTLED: 'Liquidado',
    REVERSED: 'Reversado',
  }),
  delivery: wordsOf<DeliveryState>({ PENDING: 'En espera', DELIVERED: 'Entregado', FAILED: 'Falló' }),
  resources: wordsOf<EventResource>({
    payin: 'Cobros',
    payout: 'Pagos',
    paymentlink: 'Enlaces',
    paymentpage: 'Páginas',
    refund: 'Devoluciones',
    payoutbatch: 'Lotes',
    approval: 'Aprobaciones',
    webhook: 'Pruebas',
  }),
  payinReasons: wordsOf<PayinErrorCode>({
    EXPIRED: 'Venció sin pago',
    CANCELED_BY_PAYER: 'Lo canceló quien paga',
    CANCELED_BY_MERCHANT: 'Lo canceló el comercio',
    AMOUNT_MISMATCH: 'Llegó otro valor',
    INSUFFICIENT_FUNDS: 'Fondos insuficientes',
    ACCOUNT_INVALID: 'Cuenta inválida',
    ACCOUNT_BLOCKED: 'Cuenta bloqueada',
    LIMIT_EXCEEDED: 'Supera el límite de la cuenta',
    AUTHENTICATION_FAILED: 'El banco no pudo verificar a quien paga',
    BANK_UNAVAILABLE: 'Banco no disponible',
    BANK_DECLINED: 'El banco lo rechazó',
    RISK_REJECTED: 'No pasó los controles de riesgo',
    RAIL_ERROR: 'Falla de la red',
  }),
  payoutReasons: wordsOf<PayoutErrorCode>({
    KEY_NOT_FOUND: 'La llave no existe',
    KEY_SUSPENDED: 'Llave suspendida',
    KEY_INVALID: 'Llave inválida',
    INSUFFICIENT_FUNDS: 'Saldo insuficiente',
    AMOUNT_ABOVE_MAXIMUM: 'Supera el máximo de la red',
    RECEIVER_LIMIT_EXCEEDED: 'Supera el límite de quien recibe',
    RECEIVER_ACCOUNT_INVALID: 'Cuenta de destino inválida',
    RECEIVER_ID_MISMATCH: 'El documento no coincide',
    RISK_REJECTED: 'No pasó los controles de riesgo',
    PARTICIPANT_UNAVAILABLE: 'Entidad de destino no disponible',
    CANCELED_BY_MERCHANT: 'Lo canceló el comercio',
    APPROVAL_REFUSED: 'Lo rechazó el equipo',
    APPROVAL_LAPSED: 'Nadie lo aprobó a tiempo',
    APPROVAL_VOIDED: 'Cambió después de pedirlo',
    RAIL_ERROR: 'Falla de la red',
  }),
  idTypes: wordsOf<IdType>({
    CO_CC: 'CC',
    CO_CE: 'CE',
    CO_NIT: 'NIT',
    PASSPORT: 'Pasaporte',
    MXN_RFC: 'RFC',
  }),
  accounts: ACCOUNT_WORDS.es,
  bookings: BOOKING_WORDS.es,
  auditOutcomes: { done: 'Hecho', refused: 'Rechazado' },
  actorKinds: {
    person: 'Persona',
    key: 'Llave de API',
    client: 'Cliente OAuth',
    operator: 'Operador',
    service: 'Recaudo',
  },
  erased: 'Datos borrados',
  unreadable: 'No se puede leer',
}

export type StateWords = typeof statesEs
