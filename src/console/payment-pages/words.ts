// The words about payment pages.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  create: 'Crear página',
  openAmount: 'Valor abierto',
  teach: {
    title: 'Aquí verás tus páginas para vender',
    text: 'Una página vende lo mismo a muchas personas: en redes, en un afiche o en el mostrador. Cada quien que paga recibe su propio enlace.',
  },
}

export type PaymentPageWords = typeof es

const en: PaymentPageWords = {
  create: 'Create page',
  openAmount: 'Open amount',
  teach: {
    title: 'Your pages to sell by show here',
    text: 'A page sells the same to many: in social media, on a poster, at a counter. Whoever pays gets a link of their own.',
  },
}

export const PAYMENT_PAGE_WORDS: Readonly<Record<UserLanguage, PaymentPageWords>> = { es, en }
