// The words of the home page and of alarms.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  hello: (name: string) => `Hola, ${name}`,
  balances: 'Tu dinero',
  balanceHints: {
    AVAILABLE: 'Lo puedes pagar hoy',
    DEPOSITED: 'Para pagos por tus conexiones',
    PENDING_SETTLEMENT: 'Cobrado, aún no liberado',
    RESERVED: 'Apartado para pagos en curso',
    SUSPENSE: 'Llegó y no es de un cobro abierto',
  },
  today: 'Cobrado hoy',
  versus: (weekday: string) => `frente al ${weekday} pasado a esta hora`,
  weekdays: ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado'],
  nothingBefore: (weekday: string) => `El ${weekday} pasado a esta hora no había cobros`,
  same: 'Igual',
  confirmed: 'Confirmados',
  open: 'En curso',
  success: 'Éxito',
  lastDays: 'Últimos 14 días',
  table: 'Ver como tabla',
  day: 'Día',
  count: 'Cobros',
  sum: 'Valor',
  partial: 'Hay más cobros de los que contamos aquí: los días más antiguos están incompletos.',
  attention: 'Por atender',
  allGood: 'Todo en orden.',
  allGoodHint: 'No hay alarmas, ni dinero por identificar, ni webhooks fallando.',
  alarms: (count: string, one: boolean) => (one ? 'Una alarma abierta' : `${count} alarmas abiertas`),
  held: (amount: string) => `${amount} por identificar`,
  heldItems: (count: string, one: boolean) => (one ? 'un ingreso sin cobro' : `${count} ingresos sin cobro`),
  webhookFails: (url: string) => `El webhook ${url} está fallando`,
  webhookOff: (url: string) => `El webhook ${url} está apagado`,
  stopped: (count: string, one: boolean) =>
    one ? 'Un pago se detuvo: la red se contradijo' : `${count} pagos se detuvieron: la red se contradijo`,
  bySource: 'Éxito por red y banco, hoy',
  where: 'Red o banco',
  ended: 'Terminados',
  mainReason: 'Motivo más frecuente',
  noEnded: 'Hoy no ha terminado ningún cobro.',
  lastEvents: 'Lo último',
  noEvents: 'Aquí aparecerá cada evento, en el momento en que ocurre.',
  allEvents: 'Ver todos',
  start: {
    title: 'Cuatro pasos hasta tu primer cobro',
    steps: [
      {
        title: 'Cuenta quién eres',
        text: 'Nombre, logo y color: es lo que ve quien te paga.',
        path: '/settings',
        button: 'Ajustes',
      },
      {
        title: 'Crea un enlace',
        text: 'Ábrelo en tu celular y paga con el banco de prueba.',
        path: '/links/new',
        button: 'Crear enlace',
      },
      {
        title: 'Recibe el aviso',
        text: 'Agrega un webhook para que tu sistema se entere.',
        path: '/webhooks/new',
        button: 'Agregar webhook',
      },
      {
        title: 'Conecta tu sistema',
        text: 'Una llave de API y una llamada crean tu primer cobro.',
        path: '/payins',
        button: 'Ver la llamada',
      },
    ],
  },
  alarmPage: {
    title: 'Alarmas',
    text: 'Lo que solo una persona puede resolver. Quien opera el servicio las cierra cuando quedan resueltas.',
    open: 'Abiertas',
    all: 'Todas',
    none: 'No hay alarmas abiertas',
    noneText:
      'Si una red se contradice, calla por un día o dice algo que no cuadra con tus libros, aparece aquí.',
    resolved: (time: string) => `Resuelta ${time}`,
    see: 'Ver el caso',
    older: 'Más antiguas',
  },
}

export type HomeWords = typeof es

const en: HomeWords = {
  hello: (name) => `Hello, ${name}`,
  balances: 'Your money',
  balanceHints: {
    AVAILABLE: 'Can be paid out today',
    DEPOSITED: 'For payouts over your connections',
    PENDING_SETTLEMENT: 'Collected, not released yet',
    RESERVED: 'Set aside for payouts under way',
    SUSPENSE: 'Arrived, and belongs to no open payin',
  },
  today: 'Collected today',
  versus: (weekday) => `against last ${weekday} at this hour`,
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  nothingBefore: (weekday) => `Last ${weekday} at this hour there were no payins`,
  same: 'Same',
  confirmed: 'Confirmed',
  open: 'Open',
  success: 'Success',
  lastDays: 'Last 14 days',
  table: 'Show as a table',
  day: 'Day',
  count: 'Payins',
  sum: 'Amount',
  partial: 'There are more payins than are counted here: the oldest days are not complete.',
  attention: 'Needs attention',
  allGood: 'All is well.',
  allGoodHint: 'No alarms, no money in suspense, no failing webhooks.',
  alarms: (count, one) => (one ? 'One open alarm' : `${count} open alarms`),
  held: (amount) => `${amount} in suspense`,
  heldItems: (count, one) => (one ? 'one payment without a payin' : `${count} payments without a payin`),
  webhookFails: (url) => `The webhook ${url} is failing`,
  webhookOff: (url) => `The webhook ${url} is off`,
  stopped: (count, one) =>
    one
      ? 'A payout was stopped: the network contradicted itself'
      : `${count} payouts were stopped: the network contradicted itself`,
  bySource: 'Success by rail and bank, today',
  where: 'Rail or bank',
  ended: 'Ended',
  mainReason: 'Most frequent reason',
  noEnded: 'No payin has ended today.',
  lastEvents: 'Latest',
  noEvents: 'Every event shows here, the moment it happens.',
  allEvents: 'See all',
  start: {
    title: 'Four steps to your first payin',
    steps: [
      {
        title: 'Say who you are',
        text: 'Name, logo and colour: what whoever pays you sees.',
        path: '/settings',
        button: 'Settings',
      },
      {
        title: 'Create a link',
        text: 'Open it on your phone and pay with the test bank.',
        path: '/links/new',
        button: 'Create link',
      },
      {
        title: 'Get notified',
        text: 'Add a webhook, so that your system learns of it.',
        path: '/webhooks/new',
        button: 'Add webhook',
      },
      {
        title: 'Connect your system',
        text: 'An API key and one call create your first payin.',
        path: '/payins',
        button: 'See the call',
      },
    ],
  },
  alarmPage: {
    title: 'Alarms',
    text: 'What only a person can solve. Whoever operates the service closes them when they are solved.',
    open: 'Open',
    all: 'All',
    none: 'There are no open alarms',
    noneText:
      'If a network contradicts itself, is silent for a day, or says what does not fit your books, it shows here.',
    resolved: (time) => `Resolved ${time}`,
    see: 'See the case',
    older: 'Older',
  },
}

export const HOME_WORDS: Readonly<Record<UserLanguage, HomeWords>> = { es, en }
