// The words of the form that collects at the counter.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  title: 'Cobrar ahora',
  lead: 'Crea un cobro por Bre-B y muéstrale el código a quien tienes en frente: lo escanea con la app de su banco.',
  submit: 'Mostrar código',
  referenceHint: 'No se puede repetir. Cámbiala si quieres.',
  counter: 'mostrador',
  descriptionHint: 'Quien paga la lee en la página de pago.',
  off: 'Bre-B está apagado en los ajustes del comercio. Enciéndelo, o cobra con un enlace.',
  remote: 'Si quien paga no está contigo, o paga por PSE, crea un enlace.',
  toLink: 'Crear enlace',
  minutes: (count: number) =>
    `Se puede pagar durante ${count} minutos. Lo cambias en los ajustes del comercio.`,
}

export type PayinFormWords = typeof es

const en: PayinFormWords = {
  title: 'Collect now',
  lead: 'Makes a payin over Bre-B. Show its code to whoever stands before you: they scan it with their bank’s app.',
  submit: 'Show code',
  referenceHint: 'It cannot be used twice. Change it if you like.',
  counter: 'counter',
  descriptionHint: 'The payer reads it on the payment page.',
  off: 'Bre-B is switched off in the settings of the business. Switch it on, or collect with a link.',
  remote: 'If the payer is not with you, or pays over PSE, create a link.',
  toLink: 'Create a link',
  minutes: (count) => `It can be paid for ${count} minutes. You change that in the settings of the business.`,
}

export const PAYIN_FORM_WORDS: Readonly<Record<UserLanguage, PayinFormWords>> = { es, en }
