// What a payer reads on a payment page, before a payment of their own has begun.

import type { Language } from './language.ts'

// The least and the most of a range that can be paid.
export type AmountTexts = readonly [least: string, most: string]
// How many pieces one payment can be of. `isLast`: nobody else has taken the one that is left.
export type PieceCounts = { readonly least: number; readonly most: number; readonly isLast: boolean }

const es = {
  amount: '¿Cuánto quieres pagar?',
  amountHint: (ranges: readonly AmountTexts[]) =>
    ranges
      .map(([least, most], index) => `${index === 0 ? 'Entre' : 'o entre'} ${least} y ${most}`)
      .join(', '),
  pieces: '¿Cuántas unidades?',
  piecesHint: (each: string, { least, most, isLast }: PieceCounts) => {
    const upTo = least === most ? `${most} por pago.` : `Hasta ${most} a la vez.`
    const howMany = least > 1 && least < most ? `De ${least} a ${most} a la vez.` : upTo
    return `A ${each} cada una. ${isLast ? 'Queda 1.' : howMany}`
  },
  submit: 'Continuar',
  own: 'Al continuar abres un pago solo tuyo, que puedes hacer durante una hora.',
  ownOfFew:
    'Al continuar abres un pago solo tuyo. Lo apartamos para ti diez minutos, y mientras estés pagando nadie más lo puede tomar.',
  until: (deadline: string) => `Disponible hasta el ${deadline} (hora de Colombia).`,
  problems: 'Revisa lo que escribiste',
  wrongAmount: (ranges: readonly AmountTexts[]) =>
    `Escribe un valor ${ranges.map(([least, most]) => `entre ${least} y ${most}`).join(', o ')}.`,
  wrongPieces: ({ least, most, isLast }: PieceCounts) => {
    if (isLast) return 'Solo queda 1 unidad.'
    return least === most
      ? `En un pago ${most === 1 ? 'cabe 1 unidad' : `van ${most} unidades`}.`
      : `Escribe un número de unidades de ${least} a ${most}.`
  },
  tooMuch: 'Ningún medio de pago de este comercio recibe ese valor en un solo pago.',
  noRail: 'Ese valor no se puede pagar aquí en un solo pago.',
  closed: 'Esta página de pago está cerrada',
  soldOut: 'Ya se vendió todo',
  over: 'El tiempo para pagar aquí terminó',
  held: 'Lo que queda está apartado',
  heldText:
    'Otras personas están pagando lo último. Si alguna no paga, vuelve a quedar libre: intenta de nuevo en unos minutos.',
  noMoney: (merchant: string) =>
    `Abrir esta página no mueve dinero. Si ya pagaste, tu pago vale y tu comprobante también. Si tienes preguntas, escríbele a ${merchant}.`,
  again: 'Intentar de nuevo',
  unavailable: 'Aquí no se puede pagar en este momento',
  unavailableText: (merchant: string) =>
    `${merchant} no tiene ahora un medio de pago que reciba este pago. Escríbele para pagar de otra forma.`,
}

export type PaymentPageWords = typeof es

const en: PaymentPageWords = {
  amount: 'How much do you want to pay?',
  amountHint: (ranges) =>
    ranges
      .map(([least, most], index) => `${index === 0 ? 'From' : 'or from'} ${least} to ${most}`)
      .join(', '),
  pieces: 'How many?',
  piecesHint: (each, { least, most, isLast }) => {
    const upTo = least === most ? `${most} in a payment.` : `Up to ${most} at once.`
    const howMany = least > 1 && least < most ? `${least} to ${most} at once.` : upTo
    return `${each} each. ${isLast ? '1 left.' : howMany}`
  },
  submit: 'Continue',
  own: 'When you continue, you open a payment of your own. You have one hour to make it.',
  ownOfFew:
    'When you continue, you open a payment of your own. We hold it for you for ten minutes, and nobody else can take it while you are paying.',
  until: (deadline) => `Available until ${deadline} (Colombia time).`,
  problems: 'Check what you typed',
  wrongAmount: (ranges) =>
    `Enter an amount ${ranges.map(([least, most]) => `from ${least} to ${most}`).join(', or ')}.`,
  wrongPieces: ({ least, most, isLast }) => {
    if (isLast) return 'Only 1 is left.'
    return least === most ? `One payment takes ${most}.` : `Enter a number from ${least} to ${most}.`
  },
  tooMuch: 'No payment method of this merchant takes that amount in one payment.',
  noRail: 'That amount cannot be paid here in one payment.',
  closed: 'This payment page is closed',
  soldOut: 'Everything is sold',
  over: 'The time to pay here is over',
  held: 'What is left is on hold',
  heldText:
    'Others are paying for the last of it. If one of them does not pay, it is free again: try again in a few minutes.',
  noMoney: (merchant) =>
    `Opening this page moves no money. If you already paid, your payment counts and so does your receipt. If you have questions, write to ${merchant}.`,
  again: 'Try again',
  unavailable: 'This can’t be paid here right now',
  unavailableText: (merchant) =>
    `${merchant} has no payment method for this payment at the moment. Contact them to pay another way.`,
}

export const PAYMENT_PAGE_WORDS: Readonly<Record<Language, PaymentPageWords>> = { es, en }
