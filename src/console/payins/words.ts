// The words about payins.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  create: 'Crear cobro',
  // Of a payin that has not ended, for a row.
  waits: {
    payer: 'Esperando los datos de quien paga',
    bank: 'Abriendo la sesión del banco',
    key: 'Esperando la llave del proveedor',
    payment: 'Esperando el pago',
    silent: 'La red no responde aún',
    overdue: 'Venció; confirmando con la red',
  },
  chargedBack: (amount: string) => `Contracargo de ${amount}`,
  otherAmount: (amount: string) => `Se pidieron ${amount}`,
  teach: {
    title: 'Aquí verás cada cobro, en vivo',
    text: 'Un cobro es dinero que alguien te paga por Bre-B o PSE. Créalo aquí, con un enlace o desde tu sistema con la API.',
  },
}

export type PayinWords = typeof es

const en: PayinWords = {
  create: 'Create payin',
  waits: {
    payer: 'Waiting for the payer’s details',
    bank: 'Opening the bank session',
    key: 'Waiting for the provider’s key',
    payment: 'Waiting for the payment',
    silent: 'The network has not answered yet',
    overdue: 'Expired; confirming with the network',
  },
  chargedBack: (amount) => `Charged back: ${amount}`,
  otherAmount: (amount) => `${amount} was asked for`,
  teach: {
    title: 'Every payin shows here, live',
    text: 'A payin is money that somebody pays you over Bre-B or PSE. Create one here, with a link, or from your system with the API.',
  },
}

export const PAYIN_WORDS: Readonly<Record<UserLanguage, PayinWords>> = { es, en }
