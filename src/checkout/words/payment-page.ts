// What a payer reads on a payment page, before a payment of their own has begun.

import type { Language } from './language.ts'

const es = {
  amount: '¿Cuánto quieres pagar?',
  amountHint: (least: string, most: string | null) =>
    most === null ? `Desde ${least}` : `Entre ${least} y ${most}`,
  pieces: '¿Cuántas unidades?',
  piecesHint: (each: string, most: number) =>
    `A ${each} cada una. ${most === 1 ? 'Queda 1.' : `Hasta ${most} a la vez.`}`,
  submit: 'Continuar',
  own: 'Al continuar abres un pago solo tuyo, que puedes hacer durante una hora.',
  ownOfFew:
    'Al continuar abres un pago solo tuyo. Lo apartamos para ti diez minutos, y mientras estés pagando nadie más lo puede tomar.',
  until: (deadline: string) => `Disponible hasta el ${deadline} (hora de Colombia).`,
  problems: 'Revisa lo que escribiste',
  wrongAmount: (least: string, most: string | null) =>
    most === null ? `Escribe un valor desde ${least}.` : `Escribe un valor entre ${least} y ${most}.`,
  wrongPieces: (most: number) =>
    most === 1 ? 'Solo queda 1 unidad.' : `Escribe un número de unidades de 1 a ${most}.`,
  tooMuch: 'Ningún medio de pago de este comercio recibe ese valor en un solo pago. Pide menos unidades.',
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
}

export type PaymentPageWords = typeof es

const en: PaymentPageWords = {
  amount: 'How much do you want to pay?',
  amountHint: (least, most) => (most === null ? `From ${least}` : `From ${least} to ${most}`),
  pieces: 'How many?',
  piecesHint: (each, most) => `${each} each. ${most === 1 ? '1 left.' : `Up to ${most} at once.`}`,
  submit: 'Continue',
  own: 'When you continue, you open a payment of your own. You have one hour to make it.',
  ownOfFew:
    'When you continue, you open a payment of your own. We hold it for you for ten minutes, and nobody else can take it while you are paying.',
  until: (deadline) => `Available until ${deadline} (Colombia time).`,
  problems: 'Check what you typed',
  wrongAmount: (least, most) =>
    most === null ? `Enter an amount from ${least}.` : `Enter an amount from ${least} to ${most}.`,
  wrongPieces: (most) => (most === 1 ? 'Only 1 is left.' : `Enter a number from 1 to ${most}.`),
  tooMuch: 'No payment method of this merchant takes that amount in one payment. Ask for fewer.',
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
}

export const PAYMENT_PAGE_WORDS: Readonly<Record<Language, PaymentPageWords>> = { es, en }
