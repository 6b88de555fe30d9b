// The words about payouts.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  create: 'Hacer un pago',
  waits: {
    CREATED: 'Reservando el dinero',
    RESERVED: 'Listo para enviar a la red',
    SENDING: 'Enviando a la red',
    SENT: 'La red lo está procesando',
    STOPPED: 'La red se contradijo: hay que revisarlo',
    DONE: '',
  },
  returned: 'El dinero volvió',
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
    RESERVED: 'Ready to be sent to the network',
    SENDING: 'Being sent to the network',
    SENT: 'The network is processing it',
    STOPPED: 'The network contradicted itself: somebody must look',
    DONE: '',
  },
  returned: 'The money came back',
  teach: {
    title: 'Every payout that you make shows here',
    text: 'A payout sends money of your balance to a Bre-B key. The money is reserved before it is sent, and it is never sent twice.',
  },
}

export const PAYOUT_WORDS: Readonly<Record<UserLanguage, PayoutWords>> = { es, en }
