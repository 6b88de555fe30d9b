// What a payer reads on the page of a refund: where to type a key, whose it is, and what became of the money.

import type { Language } from './language.ts'

const es = {
  title: 'Recibe tu devolución',
  preview: (amount: string, merchant: string) => `${merchant} te devuelve ${amount}`,
  intro: (merchant: string, reference: string) =>
    `${merchant} te devuelve el dinero de tu pago ${reference}. Dinos a qué llave Bre-B lo enviamos.`,
  key: 'Tu llave Bre-B',
  keyHint: 'Tu cédula, celular, correo o una llave con @, registrada a tu nombre.',
  until: (deadline: string) => `Puedes pedirla hasta el ${deadline} (hora de Colombia).`,
  next: 'Continuar',
  problems: 'Revisa lo que escribiste',
  unavailable: 'Ahora no se puede',
  wrong: {
    KEY_INVALID: 'Eso no es una llave Bre-B. Escríbela como aparece en la app de tu banco.',
    KEY_NOT_FOUND: 'Esa llave no está registrada en ningún banco. Revísala o escribe otra.',
    KEY_SUSPENDED: 'Esa llave está suspendida. Escribe otra.',
    RATE_LIMITED: 'Ya probaste muchas llaves. Escríbele al comercio.',
    other: 'No pudimos consultar la llave en este momento. Intenta de nuevo en unos minutos.',
  },
  failed: 'No pudimos enviar el dinero a la llave que escribiste antes. Escribe otra.',
  review: '¿Enviamos el dinero a esta llave?',
  holder: 'Titular',
  participant: 'Entidad',
  account: 'Cuenta',
  masked: 'Mostramos solo una parte del nombre, para cuidar sus datos.',
  notSame:
    'No sabemos si esta llave es de quien hizo el pago. Si la usas, el comercio debe aprobarla antes de enviar el dinero.',
  send: 'Sí, enviar aquí',
  change: 'Usar otra llave',
  approvalTitle: 'El comercio está revisando tu llave',
  approval: (merchant: string) =>
    `${merchant} debe aprobar la llave antes de enviar el dinero. No tienes que hacer nada más.`,
  sendingTitle: 'Tu devolución va en camino',
  sending: 'Llega a tu llave en unos minutos. Puedes cerrar esta página.',
  fundsTitle: 'Tu devolución está en espera',
  funds: (merchant: string) => `Sale apenas ${merchant} pueda enviarla. No tienes que hacer nada más.`,
  doneTitle: 'Ya te devolvimos el dinero',
  // A time of day ends with a full stop of its own.
  done: (when: string) => `Míralo en la app de tu banco. Salió el ${when}`,
  endedTitle: 'Esta devolución ya no se puede pedir',
  ended: (merchant: string) => `Si tienes preguntas, escríbele a ${merchant}.`,
  expired: (merchant: string) =>
    `Se acabó el tiempo para pedirla. Si todavía esperas tu dinero, pídele otra a ${merchant}.`,
}

export type RefundWords = typeof es

const en: RefundWords = {
  title: 'Get your refund',
  preview: (amount, merchant) => `${merchant} gives you ${amount} back`,
  intro: (merchant, reference) =>
    `${merchant} gives back the money of your payment ${reference}. Tell us which Bre-B key to send it to.`,
  key: 'Your Bre-B key',
  keyHint: 'Your ID number, mobile number, e-mail, or a key with @, registered in your name.',
  until: (deadline) => `You can ask for it until ${deadline} (Colombia time).`,
  next: 'Continue',
  problems: 'Check what you typed',
  unavailable: 'Not possible right now',
  wrong: {
    KEY_INVALID: 'That is not a Bre-B key. Type it as your bank’s app shows it.',
    KEY_NOT_FOUND: 'No bank has that key. Check it, or type another.',
    KEY_SUSPENDED: 'That key is suspended. Type another.',
    RATE_LIMITED: 'You have tried many keys. Contact the merchant.',
    other: 'We could not look the key up right now. Try again in a few minutes.',
  },
  failed: 'We could not send the money to the key that you typed before. Type another.',
  review: 'Send the money to this key?',
  holder: 'Holder',
  participant: 'Institution',
  account: 'Account',
  masked: 'Only part of the name is shown, to protect their data.',
  notSame:
    'We do not know whether this key belongs to whoever paid. If you use it, the merchant must approve it before the money is sent.',
  send: 'Yes, send it here',
  change: 'Use another key',
  approvalTitle: 'The merchant is checking your key',
  approval: (merchant) =>
    `${merchant} must approve the key before the money is sent. You need not do anything else.`,
  sendingTitle: 'Your refund is on its way',
  sending: 'It reaches your key within minutes. You can close this page.',
  fundsTitle: 'Your refund is waiting',
  funds: (merchant) => `It leaves as soon as ${merchant} can send it. You need not do anything else.`,
  doneTitle: 'Your money was given back',
  done: (when) => `See it in your bank’s app. It left on ${when}`,
  endedTitle: 'This refund can no longer be claimed',
  ended: (merchant) => `If you have questions, contact ${merchant}.`,
  expired: (merchant) =>
    `The time to claim it is over. If you still expect your money, ask ${merchant} for another one.`,
}

export const REFUND_WORDS: Readonly<Record<Language, RefundWords>> = { es, en }
