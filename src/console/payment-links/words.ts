// The words about payment links.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  create: 'Crear enlace',
  links: 'Enlaces de un pago',
  pages: 'Páginas para vender',
  anyRail: 'Cualquiera',
  until: (time: string) => `Hasta ${time}`,
  paidAt: (time: string) => `Pagado ${time}`,
  expire: 'Vencer enlace',
  expireSure: '¿Vencer este enlace? Ya nadie podrá pagar con él.',
  share: 'Compartir',
  whatsapp: 'WhatsApp',
  whatsappText: (amount: string, merchant: string, url: string) => `Paga ${amount} a ${merchant}: ${url}`,
  qr: 'Código QR del enlace',
  paid: (amount: string, when: string) => `Lo pagaron: ${amount} ${when}`,
  waiting: (until: string) => `Todavía se puede pagar, hasta ${until}`,
  expired: (when: string) => `Venció ${when} sin pago`,
  endedEarly: (when: string) => `Lo cerraron ${when}, antes de su hora`,
  openAttempt: 'Hay un intento de pago en curso.',
  tries: (count: number) => (count === 1 ? 'Hubo un intento.' : `Hubo ${count} intentos.`),
  teach: {
    title: 'Aquí verás tus enlaces de pago',
    text: 'Un enlace lleva a una página donde se paga una vez, durante una hora. Envíalo por WhatsApp o correo, o muestra su código QR.',
  },
}

export type LinkWords = typeof es

const en: LinkWords = {
  create: 'Create link',
  links: 'Links for one payment',
  pages: 'Pages to sell by',
  anyRail: 'Any',
  until: (time) => `Until ${time}`,
  paidAt: (time) => `Paid ${time}`,
  expire: 'Expire link',
  expireSure: 'Expire this link? Nobody will be able to pay with it.',
  share: 'Share',
  whatsapp: 'WhatsApp',
  whatsappText: (amount, merchant, url) => `Pay ${amount} to ${merchant}: ${url}`,
  qr: 'QR code of the link',
  paid: (amount, when) => `It was paid: ${amount} ${when}`,
  waiting: (until) => `It can still be paid, until ${until}`,
  expired: (when) => `It expired ${when} unpaid`,
  endedEarly: (when) => `It was closed ${when}, before its hour`,
  openAttempt: 'Somebody is paying right now.',
  tries: (count) => (count === 1 ? 'There was one attempt.' : `There were ${count} attempts.`),
  teach: {
    title: 'Your payment links show here',
    text: 'A link leads to a page where somebody pays once, within an hour. Send it by chat or e-mail, or show its QR code.',
  },
}

export const LINK_WORDS: Readonly<Record<UserLanguage, LinkWords>> = { es, en }
