// The words of the business page.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  identity: {
    title: 'Datos del comercio',
    text: 'Los ve quien paga, en la página de pago y en el comprobante.',
    name: 'Nombre',
    nameHint: 'Como te conocen tus clientes.',
    taxId: 'NIT',
    taxIdHint: 'Con dígito de verificación, como 900123456-8. PSE lo pide.',
    contactEmail: 'Correo de contacto',
    contactPhone: 'Teléfono de contacto',
    contactPhoneHint: 'Con indicativo de país, como +57 601 123 4567.',
  },
  rules: {
    title: 'Reglas de cobro y pago',
    text: 'Rigen de inmediato para lo que se cree de ahora en adelante.',
    rails: 'Por dónde te pueden pagar',
    railHints: {
      BRE_B: 'Con llave o código QR, desde cualquier banco o billetera.',
      PSE: 'Débito desde la cuenta del banco.',
    },
    expiry: 'Minutos para pagar un cobro',
    expiryHint: 'Entre 5 y 1.440. Después vence. Un enlace de pago vive siempre una hora.',
    mismatch: 'Si por Bre-B llega un valor distinto',
    mismatches: {
      decline: {
        label: 'Rechazar el cobro',
        hint: 'El dinero queda por identificar hasta que alguien decida.',
      },
      accept: {
        label: 'Aceptar lo que llegó',
        hint: 'El cobro se confirma con ese valor. En un enlace siempre se rechaza.',
      },
    },
    lookup: 'Exigir que se consulte la llave antes de pagar',
    lookupHint: 'Un pago necesita que su llave se haya consultado en los últimos 30 minutos.',
  },
  limits: {
    title: 'Límites del operador',
    text: 'Los pone quien opera el servicio. Para cambiarlos, habla con esa persona.',
    payoutsPerDay: 'Pagos al día',
    payoutSumPerDay: 'Suma de pagos al día',
    quietHours: 'Horas sin pagos',
    quiet: (from: string, until: string) => `de ${from}:00 a ${until}:00, hora de Colombia`,
  },
  id: 'Id del comercio',
  yes: 'sí',
  no: 'no',
}

export type BusinessWords = typeof es

const en: BusinessWords = {
  identity: {
    title: 'Business details',
    text: 'Payers see them, on the payment page and on the receipt.',
    name: 'Name',
    nameHint: 'As your customers know you.',
    taxId: 'NIT',
    taxIdHint: 'With its check digit, such as 900123456-8. PSE asks for it.',
    contactEmail: 'Contact e-mail',
    contactPhone: 'Contact phone',
    contactPhoneHint: 'With the country code, such as +57 601 123 4567.',
  },
  rules: {
    title: 'Rules for collecting and paying out',
    text: 'They apply at once to whatever is created from now on.',
    rails: 'How you can be paid',
    railHints: {
      BRE_B: 'By key or QR code, from any bank or wallet.',
      PSE: 'Debit from the bank account.',
    },
    expiry: 'Minutes to pay a payin',
    expiryHint: 'From 5 to 1,440. Then it expires. A payment link always lives one hour.',
    mismatch: 'If a different amount arrives over Bre-B',
    mismatches: {
      decline: { label: 'Decline the payin', hint: 'The money stays in suspense until somebody decides.' },
      accept: {
        label: 'Accept what arrived',
        hint: 'The payin is confirmed with that amount. On a link it is always declined.',
      },
    },
    lookup: 'Require a look-up of the key before paying out',
    lookupHint: 'A payout needs a key that was looked up in the last 30 minutes.',
  },
  limits: {
    title: 'The operator’s limits',
    text: 'Whoever runs the service sets them. Ask them for a change.',
    payoutsPerDay: 'Payouts a day',
    payoutSumPerDay: 'Sum of payouts a day',
    quietHours: 'Hours without payouts',
    quiet: (from, until) => `from ${from}:00 until ${until}:00, Colombian time`,
  },
  id: 'Id of the business',
  yes: 'yes',
  no: 'no',
}

export const BUSINESS_WORDS: Readonly<Record<UserLanguage, BusinessWords>> = { es, en }
