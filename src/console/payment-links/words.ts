// The words about payment links.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  create: 'Crear enlace',
  links: 'Enlaces de un pago',
  pages: 'Páginas para vender',
  anyRail: 'Cualquiera',
  until: (time: string) => `Hasta ${time}`,
  paidAt: (time: string) => `Pagado ${time}`,
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
  teach: {
    title: 'Your payment links show here',
    text: 'A link leads to a page where somebody pays once, within an hour. Send it by chat or e-mail, or show its QR code.',
  },
}

export const LINK_WORDS: Readonly<Record<UserLanguage, LinkWords>> = { es, en }
