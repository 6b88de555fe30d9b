// The words about payins.

import { wordsOf } from '../../core/html.ts'
import type { PayinErrorCode } from '../../core/payins/payin.ts'
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
  list: 'Cobros',
  cancel: 'Cancelar cobro',
  cancelSure: '¿Cancelar este cobro? Su llave o su página ya no recibirá dinero.',
  paid: (who: string | null, amount: string, how: string, when: string) =>
    `${who ?? 'Alguien'} pagó ${amount} por ${how} ${when}`,
  available: 'El dinero ya está disponible.',
  availableFrom: (when: string) => `El dinero estará disponible ${when}`,
  reversed: (amount: string, when: string) => `La red se llevó de vuelta ${amount} ${when}`,
  asked: (amount: string) => `Se pidieron ${amount}.`,
  from: (rail: string, bank: string) => `${rail} desde ${bank}`,
  why: wordsOf<PayinErrorCode>({
    EXPIRED: 'Venció: nadie pagó a tiempo.',
    CANCELED_BY_PAYER: 'Quien iba a pagar lo canceló.',
    CANCELED_BY_MERCHANT: 'Lo cancelaron desde el comercio.',
    AMOUNT_MISMATCH: 'Llegó un valor distinto del pedido y no se aceptó: ese dinero está por identificar.',
    INSUFFICIENT_FUNDS: 'El banco lo rechazó: la cuenta no tenía fondos suficientes.',
    ACCOUNT_INVALID: 'El banco lo rechazó: la cuenta no existe o no está activa.',
    ACCOUNT_BLOCKED: 'El banco lo rechazó: la cuenta está bloqueada.',
    LIMIT_EXCEEDED: 'El banco lo rechazó: el valor supera el límite de la cuenta.',
    AUTHENTICATION_FAILED: 'El banco lo rechazó: no pudo verificar a quien pagaba.',
    BANK_UNAVAILABLE: 'El banco no estaba disponible.',
    BANK_DECLINED: 'El banco lo rechazó y no dijo por qué.',
    RISK_REJECTED: 'No pasó los controles de riesgo.',
    RAIL_ERROR: 'La red tuvo una falla.',
  }),
  ended: (when: string) => `Terminó ${when}`,
  open: {
    payer: (until: string) => `Falta que quien paga escriba sus datos en la página de pago. Vence ${until}`,
    bank: (until: string) => `Estamos abriendo la sesión con el banco. Vence ${until}`,
    key: (until: string) => `El proveedor aún no entrega la llave. Vence ${until}`,
    payment: (until: string) => `Esperando el pago: todavía no ha llegado dinero. Vence ${until}`,
    silent: (until: string) => `La red no ha respondido todavía. Vence ${until}`,
    overdue: (since: string) => `Venció ${since}, y la red aún no confirma si alguien pagó`,
  },
  qr: 'Código QR del cobro',
  scan: 'Muéstraselo a quien paga',
  orKey: 'Lo escanea con la app de su banco, o escribe esta llave:',
  askAgain: (when: string) => `Preguntamos de nuevo ${when}`,
  asking: 'Estamos preguntando a la red en este momento.',
  mayStillBePaid: 'La red aún no ha cerrado el intento: si llegara dinero, quedaría por identificar.',
  held: (amount: string) => `Hay ${amount} por identificar.`,
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
  list: 'Payins',
  cancel: 'Cancel payin',
  cancelSure: 'Cancel this payin? Its key or page will take no more money.',
  paid: (who, amount, how, when) => `${who ?? 'Somebody'} paid ${amount} over ${how} ${when}`,
  available: 'The money is available.',
  availableFrom: (when) => `The money will be available ${when}`,
  reversed: (amount, when) => `The network took ${amount} back ${when}`,
  asked: (amount) => `${amount} was asked for.`,
  from: (rail, bank) => `${rail} from ${bank}`,
  why: {
    EXPIRED: 'It expired: nobody paid in time.',
    CANCELED_BY_PAYER: 'The payer canceled it.',
    CANCELED_BY_MERCHANT: 'It was canceled by the merchant.',
    AMOUNT_MISMATCH: 'Another amount arrived and was not accepted: that money is in suspense.',
    INSUFFICIENT_FUNDS: 'The bank declined: insufficient funds.',
    ACCOUNT_INVALID: 'The bank declined: the account does not exist or is not active.',
    ACCOUNT_BLOCKED: 'The bank declined: the account is blocked.',
    LIMIT_EXCEEDED: 'The bank declined: the amount is above the account’s limit.',
    AUTHENTICATION_FAILED: 'The bank declined: it could not verify the payer.',
    BANK_UNAVAILABLE: 'The bank was not available.',
    BANK_DECLINED: 'The bank declined and did not say why.',
    RISK_REJECTED: 'It did not pass risk controls.',
    RAIL_ERROR: 'The network failed.',
  },
  ended: (when) => `It ended ${when}`,
  open: {
    payer: (until) => `The payer has yet to fill in their details on the payment page. It expires ${until}`,
    bank: (until) => `The bank session is being opened. It expires ${until}`,
    key: (until) => `The provider has not given the key yet. It expires ${until}`,
    payment: (until) => `Waiting for the payment: no money has arrived yet. It expires ${until}`,
    silent: (until) => `No answer from the network yet. It expires ${until}`,
    overdue: (since) => `It expired ${since}, and the network has not confirmed whether somebody paid`,
  },
  qr: 'QR code of the payin',
  scan: 'Show it to the payer',
  orKey: 'They scan it with their bank’s app, or type this key:',
  askAgain: (when) => `Asked again ${when}`,
  asking: 'The network is being asked right now.',
  mayStillBePaid: 'The network has not closed the attempt yet: money that came would go to suspense.',
  held: (amount) => `${amount} is in suspense.`,
  teach: {
    title: 'Every payin shows here, live',
    text: 'A payin is money that somebody pays you over Bre-B or PSE. Create one here, with a link, or from your system with the API.',
  },
}

export const PAYIN_WORDS: Readonly<Record<UserLanguage, PayinWords>> = { es, en }
