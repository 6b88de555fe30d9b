// The words of the form that makes a payment link.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  title: 'Crear enlace de pago',
  lead: 'Lleva a una página donde alguien paga una vez, durante una hora.',
  submit: 'Crear enlace',
  referenceHint: 'El nombre que tú le das, como “Pedido 2001”. Sale en tus listas y eventos.',
  descriptionHint: 'Quien paga la lee en vez de la referencia.',
  sample: 'Lo que vendes',
  callback: 'A dónde vuelve quien paga',
  callbackHint: 'Tu página o tu WhatsApp. Al terminar le mostramos un botón que lleva allí.',
  callbackWrong: 'Escribe una dirección completa, como https://tutienda.co.',
  bank: 'Banco',
  bankHint: 'Solo si se paga por PSE.',
  bankAny: 'El que elija quien paga',
  payer: 'Más opciones: banco y datos de quien paga',
  look: 'Así la ve quien paga',
  lookHint: 'Con el logo y el color de tus ajustes.',
}

export type LinkFormWords = typeof es

const en: LinkFormWords = {
  title: 'Create a payment link',
  lead: 'It leads to a page where somebody pays once, within the hour.',
  submit: 'Create link',
  referenceHint: 'Your own name for it, such as “Order 2001”. It shows in your lists and events.',
  descriptionHint: 'The payer reads it instead of the reference.',
  sample: 'What you sell',
  callback: 'Where the payer returns to',
  callbackHint: 'Your page or your WhatsApp. At the end we show a button that leads there.',
  callbackWrong: 'Write a whole address, such as https://yourshop.co.',
  bank: 'Bank',
  bankHint: 'Only if it is paid over PSE.',
  bankAny: 'As the payer chooses',
  payer: 'More options: bank and the payer’s details',
  look: 'As the payer sees it',
  lookHint: 'With the logo and the colour of your settings.',
}

export const LINK_FORM_WORDS: Readonly<Record<UserLanguage, LinkFormWords>> = { es, en }
