// The words of the sandbox page.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  title: 'Pruebas',
  lead: 'Aquí ningún peso es real: crea pagos de ejemplo, decide cómo terminan y adelanta el reloj.',
  make: {
    title: 'Crear un ejemplo',
    text: 'El documento de quien paga decide cómo termina, unos segundos después.',
    amount: 'Valor',
    ending: 'Cómo termina',
    endings: {
      '1000000001': 'Se paga',
      '1000000003': 'Lo rechazan',
      '1000000005': 'Lo cancelan',
      '1000000007': 'Queda abierto: decides tú',
      '1000000011': 'Se paga, y la red avisa tres veces',
      '1000000013': 'Llega otro valor',
      '1000000015': 'Se paga, pero la red se calla hasta que preguntamos',
      '1000000017': 'Se paga, y luego hay contracargo',
    } as Record<string, string>,
    breb: 'Cobro por Bre-B',
    pse: 'Cobro por PSE',
    payout: 'Pago',
    name: 'Ana María Gómez',
  },
  decide: {
    payins: 'Tus últimos cobros',
    payouts: 'Tus últimos pagos',
    none: 'Todavía no hay ninguno. Crea un ejemplo.',
    byLink: 'por enlace',
    outcomes: {
      confirmed: 'Se paga',
      declined: 'Lo rechazan',
      canceled: 'Lo cancelan',
      chargeback: 'Contracargo',
      late: 'Llega dinero tarde',
    },
    elsewhere: 'Va por una conexión: decide en el proveedor.',
    final: 'Ya terminó',
  },
  clock: {
    title: 'El reloj',
    text: 'Vencimientos, reintentos y liquidación siguen al reloj. Solo va hacia adelante, y es de todo el servidor.',
    now: 'Ahora:',
    moved: (rest: string) => `${rest} adelante del reloj real`,
    field: 'Adelantar',
    steps: {
      '60': 'Un minuto',
      '900': '15 minutos: vence un cobro',
      '3600': 'Una hora: vence un enlace',
      '86400': 'Un día: se liquida',
      '604800': 'Una semana',
      '2592000': '30 días',
    } as Record<string, string>,
    submit: 'Adelantar el reloj',
    closed:
      'El reloj es uno para todos los comercios de este servidor. Lo mueve el comercio de demostración, o todos si el operador pone SANDBOX_SHARED_CLOCK=true.',
  },
  faults: {
    title: 'Fallas de las redes',
    text: 'Estas llaves fallan siempre del mismo modo, al consultarlas y al pagarlas:',
    key: 'Llave que empieza por',
    lookup: 'Al consultarla',
    payout: 'Al pagarle',
    keys: [
      ['@NOEXISTE', 'No existe', 'Se rechaza'],
      ['@SUSPENDIDA', 'Está suspendida', 'Se rechaza'],
      ['@LENTA', 'El directorio tarda demasiado', 'Queda en espera, con el dinero reservado'],
      ['@CAIDA', 'El directorio no responde', 'Queda en espera, con el dinero reservado'],
    ] as [string, string, string][],
    pages: 'Las páginas de prueba del banco y de la app',
    bank: 'Banco de Pruebas: se abre al pagar por PSE. Aprueba, rechaza o cancela.',
    app: 'App de Pruebas: paga una llave o un QR, otro valor, o dos veces.',
  },
}

export type SandboxWords = typeof es

const en: SandboxWords = {
  title: 'Sandbox',
  lead: 'No peso is real here: make sample payments, decide how they end, and move the clock.',
  make: {
    title: 'Make a sample',
    text: 'The payer’s document decides how it ends, some seconds later.',
    amount: 'Amount',
    ending: 'How it ends',
    endings: {
      '1000000001': 'It is paid',
      '1000000003': 'It is declined',
      '1000000005': 'It is canceled',
      '1000000007': 'It stays open: you decide',
      '1000000011': 'It is paid, and the network says so three times',
      '1000000013': 'Another amount arrives',
      '1000000015': 'It is paid, but the network is silent until we ask',
      '1000000017': 'It is paid, and charged back later',
    },
    breb: 'Payin over Bre-B',
    pse: 'Payin over PSE',
    payout: 'Payout',
    name: 'Ana María Gómez',
  },
  decide: {
    payins: 'Your last payins',
    payouts: 'Your last payouts',
    none: 'There are none yet. Make a sample.',
    byLink: 'by link',
    outcomes: {
      confirmed: 'Paid',
      declined: 'Declined',
      canceled: 'Canceled',
      chargeback: 'Charged back',
      late: 'Money comes late',
    },
    elsewhere: 'It goes over a connection: decide at the provider.',
    final: 'It has ended',
  },
  clock: {
    title: 'The clock',
    text: 'Expiry, retries and settlement follow the clock. It only goes forward, and belongs to the whole server.',
    now: 'Now:',
    moved: (rest) => `${rest} ahead of the real clock`,
    field: 'Move by',
    steps: {
      '60': 'A minute',
      '900': '15 minutes: a payin expires',
      '3600': 'An hour: a link expires',
      '86400': 'A day: it settles',
      '604800': 'A week',
      '2592000': '30 days',
    },
    submit: 'Move the clock',
    closed:
      'All businesses of this server have one clock. The demo business moves it, or everybody if the operator sets SANDBOX_SHARED_CLOCK=true.',
  },
  faults: {
    title: 'Faults of the networks',
    text: 'These keys always fail in the same way, when they are looked up and when they are paid:',
    key: 'Key begins with',
    lookup: 'Looked up',
    payout: 'Paid',
    keys: [
      ['@NOEXISTE', 'Does not exist', 'Declined'],
      ['@SUSPENDIDA', 'Is suspended', 'Declined'],
      ['@LENTA', 'The directory takes too long', 'Held back, with the money reserved'],
      ['@CAIDA', 'The directory does not answer', 'Held back, with the money reserved'],
    ],
    pages: 'The test pages of the bank and the app',
    bank: 'Banco de Pruebas: opens when PSE is paid. Approve, decline or cancel.',
    app: 'App de Pruebas: pay a key or a QR, another amount, or twice.',
  },
}

export const SANDBOX_WORDS: Readonly<Record<UserLanguage, SandboxWords>> = { es, en }
