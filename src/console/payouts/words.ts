// The words about payouts.

import { wordsOf } from '../../core/html.ts'
import type { PayoutErrorCode, PayoutStage } from '../../core/payouts/payout.ts'
import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  create: 'Hacer un pago',
  waits: {
    CREATED: 'Reservando el dinero',
    AWAITING_APPROVAL: 'Espera una aprobación',
    RESERVED: 'Listo para enviar a la red',
    SENDING: 'Enviando a la red',
    SENT: 'La red lo está procesando',
    STOPPED: 'La red se contradijo: hay que revisarlo',
    DONE: '',
  },
  returned: 'El dinero volvió',
  list: 'Pagos',
  cancel: 'Cancelar pago',
  cancelSure: '¿Cancelar este pago? El dinero vuelve a tu saldo.',
  paid: (who: string, amount: string, key: string, when: string) =>
    `${who} recibió ${amount} en la llave ${key} ${when}`,
  cameBack: (when: string) => `El dinero volvió ${when} y ya está en tu saldo`,
  why: wordsOf<PayoutErrorCode>({
    KEY_NOT_FOUND: 'La llave no existe o fue cancelada.',
    KEY_SUSPENDED: 'La llave está suspendida: pide otra a quien recibe.',
    KEY_INVALID: 'La red no acepta esa llave.',
    INSUFFICIENT_FUNDS: 'No había con qué pagarlo.',
    AMOUNT_ABOVE_MAXIMUM: 'El valor supera el máximo de la red.',
    RECEIVER_LIMIT_EXCEEDED: 'La cuenta de quien recibe no admite ese valor.',
    RECEIVER_ACCOUNT_INVALID: 'La cuenta de quien recibe no existe o no está activa.',
    RECEIVER_ID_MISMATCH: 'El documento no es el del titular de la llave.',
    RISK_REJECTED: 'No pasó los controles de riesgo.',
    PARTICIPANT_UNAVAILABLE: 'La entidad de quien recibe no estaba disponible.',
    CANCELED_BY_MERCHANT: 'Lo cancelaron desde el comercio antes de enviarlo.',
    APPROVAL_REFUSED: 'Alguien de tu equipo lo rechazó.',
    APPROVAL_LAPSED: 'Nadie lo aprobó en siete días.',
    APPROVAL_VOIDED: 'Cambió después de pedir la aprobación, así que no se envió.',
    RAIL_ERROR: 'La red tuvo una falla.',
  }),
  missing: (amount: string) => `Faltaban ${amount}`,
  released: 'El dinero volvió a tu saldo.',
  ended: (when: string) => `Terminó ${when}`,
  open: wordsOf<PayoutStage>({
    CREATED: 'Estamos reservando el dinero de tu saldo.',
    AWAITING_APPROVAL:
      'El dinero está reservado. El pago sale cuando lo aprueben las personas que piden tus reglas.',
    RESERVED: 'El dinero está reservado y sale hacia la red en un momento.',
    SENDING: 'Se está enviando a la red. Si no responde, preguntamos hasta saber: nunca se envía dos veces.',
    SENT: 'La red lo tiene y aún no confirma. El dinero sigue reservado.',
    STOPPED: 'La red se contradijo. Detuvimos el pago y una persona debe revisarlo con ella.',
    DONE: '',
  }),
  askAgain: (when: string) => `Preguntamos de nuevo ${when}`,
  teach: {
    title: 'Aquí verás cada pago que haces',
    text: 'Un pago envía dinero de tu saldo a una llave Bre-B. Antes de enviarlo reservamos el dinero, y nunca se envía dos veces.',
  },
}

export type PayoutWords = typeof es

const en: PayoutWords = {
  create: 'Make a payout',
  waits: {
    CREATED: 'Reserving the money',
    AWAITING_APPROVAL: 'Waits for an approval',
    RESERVED: 'Ready to be sent to the network',
    SENDING: 'Being sent to the network',
    SENT: 'The network is processing it',
    STOPPED: 'The network contradicted itself: somebody must look',
    DONE: '',
  },
  returned: 'The money came back',
  list: 'Payouts',
  cancel: 'Cancel payout',
  cancelSure: 'Cancel this payout? The money goes back to your balance.',
  paid: (who, amount, key, when) => `${who} received ${amount} at the key ${key} ${when}`,
  cameBack: (when) => `The money came back ${when} and is in your balance`,
  why: {
    KEY_NOT_FOUND: 'The key does not exist or was cancelled.',
    KEY_SUSPENDED: 'The key is suspended: ask the receiver for another.',
    KEY_INVALID: 'The network does not take this key.',
    INSUFFICIENT_FUNDS: 'There was too little to pay it.',
    AMOUNT_ABOVE_MAXIMUM: 'The amount is above the network’s maximum.',
    RECEIVER_LIMIT_EXCEEDED: 'The receiver’s account does not take this amount.',
    RECEIVER_ACCOUNT_INVALID: 'The receiver’s account does not exist or is not active.',
    RECEIVER_ID_MISMATCH: 'The document is not that of the key’s holder.',
    RISK_REJECTED: 'It did not pass risk controls.',
    PARTICIPANT_UNAVAILABLE: 'The receiver’s institution was not available.',
    CANCELED_BY_MERCHANT: 'It was canceled by the merchant before it was sent.',
    APPROVAL_REFUSED: 'Somebody of your team refused it.',
    APPROVAL_LAPSED: 'Nobody approved it within seven days.',
    APPROVAL_VOIDED: 'It was changed after the approval was asked for, so it was not sent.',
    RAIL_ERROR: 'The network failed.',
  },
  missing: (amount) => `${amount} were missing`,
  released: 'The money is back in your balance.',
  ended: (when) => `It ended ${when}`,
  open: {
    CREATED: 'The money is being reserved from your balance.',
    AWAITING_APPROVAL:
      'The money is reserved. The payout leaves once the people whom your rules ask have approved it.',
    RESERVED: 'The money is reserved and goes to the network in a moment.',
    SENDING:
      'It is being sent to the network. If there is no answer, we ask until we know: it is never sent twice.',
    SENT: 'The network has it and has not confirmed yet. The money stays reserved.',
    STOPPED:
      'The network contradicted itself. The payout was stopped, and somebody must look into it with the network.',
    DONE: '',
  },
  askAgain: (when) => `Asked again ${when}`,
  teach: {
    title: 'Every payout that you make shows here',
    text: 'A payout sends money of your balance to a Bre-B key. The money is reserved before it is sent, and it is never sent twice.',
  },
}

export const PAYOUT_WORDS: Readonly<Record<UserLanguage, PayoutWords>> = { es, en }
