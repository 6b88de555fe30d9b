// How payments stand and why, in Colombian Spanish. `reasons` are short, for a row; each is a sentence's end on the object's page.

import type { Rail } from '../../core/connections/rail.ts'
import type { EventResource } from '../../core/events/event.ts'
import type { IdType } from '../../core/identity-document.ts'
import { ACCOUNT_WORDS, BOOKING_WORDS } from '../../core/ledger/booking-words.ts'
import type { PayinErrorCode, PayinStatus, SettlementStatus } from '../../core/payins/payin.ts'
import type { PaymentLinkStatus } from '../../core/payment-links/payment-link.ts'
import type { PaymentPageStatus } from '../../core/payment-pages/payment-page.ts'
import type { PayoutErrorCode, PayoutStatus } from '../../core/payouts/payout.ts'
import type { RefundStatus } from '../../core/refunds/refund.ts'
import type { DeliveryState } from '../../core/webhooks/delivery.ts'

export const statesEs = {
  rails: { BRE_B: 'Bre-B', PSE: 'PSE' } as Record<Rail, string>,
  payin: {
    PENDING: 'Pendiente',
    PROCESSING: 'En proceso',
    CONFIRMED: 'Confirmado',
    CANCELED: 'Cancelado',
    DECLINED: 'Rechazado',
  } as Record<PayinStatus, string>,
  payinPlural: {
    PENDING: 'Pendientes',
    PROCESSING: 'En proceso',
    CONFIRMED: 'Confirmados',
    CANCELED: 'Cancelados',
    DECLINED: 'Rechazados',
  } as Record<PayinStatus, string>,
  refund: {
    PROCESSING: 'En proceso',
    CONFIRMED: 'Confirmada',
    CANCELED: 'Cancelada',
    DECLINED: 'Rechazada',
  } as Record<RefundStatus, string>,
  refundPlural: {
    PROCESSING: 'En proceso',
    CONFIRMED: 'Confirmadas',
    CANCELED: 'Canceladas',
    DECLINED: 'Rechazadas',
  } as Record<RefundStatus, string>,
  payout: {
    PROCESSING: 'En proceso',
    CONFIRMED: 'Pagado',
    CANCELED: 'Cancelado',
    DECLINED: 'Rechazado',
  } as Record<PayoutStatus, string>,
  payoutPlural: {
    PROCESSING: 'En proceso',
    CONFIRMED: 'Pagados',
    CANCELED: 'Cancelados',
    DECLINED: 'Rechazados',
  } as Record<PayoutStatus, string>,
  returned: 'Devuelto',
  link: { PENDING: 'Por pagar', COMPLETED: 'Pagado', EXPIRED: 'Vencido' } as Record<
    PaymentLinkStatus,
    string
  >,
  linkPlural: {
    PENDING: 'Por pagar',
    COMPLETED: 'Pagados',
    EXPIRED: 'Vencidos',
  } as Record<PaymentLinkStatus, string>,
  page: { OPEN: 'Abierta', SOLD_OUT: 'Agotada', CLOSED: 'Cerrada' } as Record<PaymentPageStatus, string>,
  pagePlural: {
    OPEN: 'Abiertas',
    SOLD_OUT: 'Agotadas',
    CLOSED: 'Cerradas',
  } as Record<PaymentPageStatus, string>,
  settlement: {
    PENDING_SETTLEMENT: 'Por liquidar',
    SETTLED: 'Liquidado',
    REVERSED: 'Reversado',
  } as Record<SettlementStatus, string>,
  delivery: { PENDING: 'En espera', DELIVERED: 'Entregado', FAILED: 'Falló' } as Record<
    DeliveryState,
    string
  >,
  resources: {
    payin: 'Cobros',
    payout: 'Pagos',
    paymentlink: 'Enlaces',
    paymentpage: 'Páginas',
    refund: 'Devoluciones',
    payoutbatch: 'Lotes',
    approval: 'Aprobaciones',
    webhook: 'Pruebas',
  } as Record<EventResource, string>,
  payinReasons: {
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
  } as Record<PayinErrorCode, string>,
  payoutReasons: {
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
  } as Record<PayoutErrorCode, string>,
  idTypes: {
    CO_CC: 'CC',
    CO_CE: 'CE',
    CO_NIT: 'NIT',
    PASSPORT: 'Pasaporte',
    MXN_RFC: 'RFC',
  } as Record<IdType, string>,
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
