// The words about payment pages.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  create: 'Crear página',
  openAmount: 'Valor abierto',
  list: 'Páginas para vender',
  close: 'Cerrar página',
  closeSure: '¿Cerrar esta página? No se puede volver a abrir.',
  poster: 'Afiche para imprimir',
  qr: 'Código QR de la página',
  sold: (count: number, amount: string) =>
    count === 0 ? 'Aún no hay ventas' : `${count === 1 ? 'Una venta' : `${count} ventas`} por ${amount}`,
  isOpen: 'Está abierta: cualquiera con el enlace puede pagar.',
  isSoldOut: 'Se vendió todo.',
  isClosed: 'Está cerrada.',
  left: (count: number) => (count === 1 ? 'Queda una unidad' : `Quedan ${count} unidades`),
  links: 'Ver sus enlaces',
  teach: {
    title: 'Aquí verás tus páginas para vender',
    text: 'Una página vende lo mismo a muchas personas: en redes, en un afiche o en el mostrador. Cada quien que paga recibe su propio enlace.',
  },
}

export type PaymentPageWords = typeof es

const en: PaymentPageWords = {
  create: 'Create page',
  openAmount: 'Open amount',
  list: 'Pages to sell by',
  close: 'Close page',
  closeSure: 'Close this page? It cannot be opened again.',
  poster: 'Poster to print',
  qr: 'QR code of the page',
  sold: (count, amount) =>
    count === 0 ? 'No sales yet' : `${count === 1 ? 'One sale' : `${count} sales`}, ${amount}`,
  isOpen: 'It is open: whoever has the link can pay.',
  isSoldOut: 'Everything was sold.',
  isClosed: 'It is closed.',
  left: (count) => (count === 1 ? 'One piece is left' : `${count} pieces are left`),
  links: 'See its links',
  teach: {
    title: 'Your pages to sell by show here',
    text: 'A page sells the same to many: in social media, on a poster, at a counter. Whoever pays gets a link of their own.',
  },
}

export const PAYMENT_PAGE_WORDS: Readonly<Record<UserLanguage, PaymentPageWords>> = { es, en }
