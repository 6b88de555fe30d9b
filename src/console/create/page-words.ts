// The words of the form that makes a payment page.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  title: 'Crear página para vender',
  lead: 'Vende lo mismo a muchas personas: en redes, en un afiche o en el mostrador.',
  submit: 'Crear página',
  name: 'Qué vendes',
  nameHint: 'Quien paga lo lee en la página, en su comprobante y en su banco.',
  sample: 'Café del mes',
  price: 'Precio',
  prices: { FIXED: 'Uno fijo', OPEN: 'El que escriba quien paga' },
  priceHints: { FIXED: 'Cada unidad cuesta lo mismo.', OPEN: 'Para propinas, aportes o cuentas.' },
  fixedAmount: 'Valor de cada unidad',
  min: 'Mínimo',
  max: 'Máximo',
  onlyOpen: 'Solo va con valor abierto. Déjalo vacío.',
  onlyFixed: 'Con valor abierto, déjalo vacío.',
  maxBelowMin: 'Debe ser al menos el mínimo.',
  reference: 'Como “cafe-noviembre”. La lleva cada venta.',
  descriptionHint: 'Quien tenga la dirección la lee.',
  maxPieces: 'Unidades en total',
  maxPiecesHint: 'Vacío: sin límite. La última se vende una sola vez.',
  maxPayments: 'Ventas en total',
  validUntil: 'Se puede pagar hasta el día',
  validUntilWrong: 'Elige un día que no haya pasado.',
  image: 'Foto',
  imageHint: 'De máximo 4 KB. Si pesa más, la reducimos aquí mismo antes de enviarla.',
  imageWrong: 'Sube una imagen PNG, JPG, GIF, WebP o SVG de máximo 4 KB.',
  callback: 'A dónde vuelve quien paga',
  callbackHint: 'Vacío: a la misma página.',
  more: 'Más opciones: límites, foto, fecha',
}

export type PageFormWords = typeof es

const en: PageFormWords = {
  title: 'Create a page to sell by',
  lead: 'It sells the same to many: in social media, on a poster, at a counter.',
  submit: 'Create page',
  name: 'What you sell',
  nameHint: 'The payer reads it on the page, on their receipt and at their bank.',
  sample: 'Coffee of the month',
  price: 'Price',
  prices: { FIXED: 'A fixed one', OPEN: 'What the payer types' },
  priceHints: { FIXED: 'Every piece costs the same.', OPEN: 'For tips, donations or bills.' },
  fixedAmount: 'Amount of each piece',
  min: 'Least',
  max: 'Most',
  onlyOpen: 'Only with an open amount. Leave it empty.',
  onlyFixed: 'With an open amount, leave it empty.',
  maxBelowMin: 'It must be at least the least.',
  reference: 'Such as “coffee-november”. Every sale carries it.',
  descriptionHint: 'Whoever has the address reads it.',
  maxPieces: 'Pieces in all',
  maxPiecesHint: 'Empty: no limit. The last one is sold once.',
  maxPayments: 'Sales in all',
  validUntil: 'Can be paid until the day',
  validUntilWrong: 'Choose a day that has not passed.',
  image: 'Picture',
  imageHint: 'At most 4 KB. A heavier one is made smaller here before it is sent.',
  imageWrong: 'Upload a PNG, JPG, GIF, WebP or SVG picture of at most 4 KB.',
  callback: 'Where the payer returns to',
  callbackHint: 'Empty: to the same page.',
  more: 'More options: limits, picture, date',
}

export const PAGE_FORM_WORDS: Readonly<Record<UserLanguage, PageFormWords>> = { es, en }
