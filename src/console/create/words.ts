// The words that all forms which make something share.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  amount: 'Valor',
  amountHint: (most: string) => `En pesos. Máximo ${most}.`,
  amountWrong: 'Escríbelo en pesos, como 1.250.000 o 1250000,50.',
  amountMissing: 'Escribe el valor.',
  amountTooLow: 'Debe ser más de cero.',
  amountAbove: (most: string) => `El máximo es ${most}.`,
  reference: 'Referencia',
  referenceTaken: 'Ya hay un cobro con esta referencia. Usa otra.',
  description: 'Descripción',
  rail: 'Cómo se paga',
  railOff: 'Apagado en los ajustes del comercio.',
  railAny: 'Como quiera quien paga',
  more: 'Más opciones',
  preview: 'Ver cómo queda',
  person: {
    name: 'Nombre completo',
    idType: 'Tipo de documento',
    idNumber: 'Número de documento',
    phone: 'Celular',
    phoneHint: 'Como 300 123 4567. De otro país, con su indicativo.',
    email: 'Correo',
    choose: 'Elige…',
    phoneWrong: 'Escribe un número de celular, como 300 123 4567.',
    emailWrong: 'Escribe un correo, como ana@ejemplo.com.',
    idWrong:
      'Revisa el número: solo letras, números, puntos y guiones, y el dígito de verificación si es NIT.',
  },
  proved: {
    title: 'Confirmado',
    text: 'Ya sabemos que eres tú. Cierra esta pestaña, vuelve al formulario y envíalo de nuevo: tienes cinco minutos.',
  },
}

export type CreateWords = typeof es

const en: CreateWords = {
  amount: 'Amount',
  amountHint: (most) => `In pesos. ${most} at most.`,
  amountWrong: 'Write it in pesos, such as 1,250,000 or 1250000.50.',
  amountMissing: 'Write the amount.',
  amountTooLow: 'It must be more than zero.',
  amountAbove: (most) => `The most is ${most}.`,
  reference: 'Reference',
  referenceTaken: 'There is a payin with this reference already. Use another.',
  description: 'Description',
  rail: 'How it is paid',
  railOff: 'Switched off in the settings of the business.',
  railAny: 'As the payer likes',
  more: 'More options',
  preview: 'See how it looks',
  person: {
    name: 'Full name',
    idType: 'Document type',
    idNumber: 'Document number',
    phone: 'Mobile phone',
    phoneHint: 'Such as 300 123 4567. From abroad, with its country code.',
    email: 'E-mail',
    choose: 'Choose…',
    phoneWrong: 'Write a mobile phone number, such as 300 123 4567.',
    emailWrong: 'Write an e-mail address, such as ana@example.com.',
    idWrong: 'Check the number: letters, digits, dots and dashes, and the check digit if it is a NIT.',
  },
  proved: {
    title: 'Confirmed',
    text: 'We know that it is you. Close this tab, go back to the form and send it again: you have five minutes.',
  },
}

export const CREATE_WORDS: Readonly<Record<UserLanguage, CreateWords>> = { es, en }
