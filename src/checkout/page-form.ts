// Turns the form of a payment page into a choice: how many pieces, and the amount where the payer types it.

import { type PaymentPage, piecesLeft } from '../core/payment-pages/payment-page.ts'
import { typedCents } from '../core/typed-cents.ts'

export type TypedChoice = { readonly amount: string; readonly pieces: string; readonly form: string }

export type ReadChoice =
  | {
      readonly ok: true
      readonly amountInCents: bigint | null
      readonly pieces: number
      readonly form?: string
    }
  | { readonly ok: false; readonly wrong: 'amount' | 'pieces' }

/** The submitted form. If a field is repeated, the first value counts. */
export function typedChoice(body: string): TypedChoice {
  const sent = new URLSearchParams(body)
  const form = sent.get('form') ?? ''
  return { amount: sent.get('amount') ?? '', pieces: sent.get('pieces') ?? '', form }
}

export function readChoice(page: PaymentPage, typed: TypedChoice): ReadChoice {
  const pieces = page.maxPieces === null ? 1 : readCount(typed.pieces)
  if (pieces === undefined || pieces > piecesLeft(page)) return { ok: false, wrong: 'pieces' }
  // Only what this page has written into its form is as long as this.
  const form = /^[\w-]{22}$/.test(typed.form) ? { form: typed.form } : {}
  if (page.amountInCents !== null) return { ok: true, amountInCents: null, pieces, ...form }
  const amountInCents = readAmount(typed.amount)
  if (amountInCents === undefined || !isWithin(page, amountInCents)) return { ok: false, wrong: 'amount' }
  return { ok: true, amountInCents, pieces, ...form }
}

/** Pesos as people write them: 25000, 25.000, $ 25.000,50 or COP 25,000. Undefined if it is no amount, or may be two. */
export function readAmount(text: string): bigint | undefined {
  const cents = typedCents(text.trim().replace(/^COP/i, ''))
  return cents === undefined || cents > MAX_TYPED_CENTS ? undefined : BigInt(cents)
}

const MAX_TYPED_CENTS = 999_999_999_999_999

function readCount(text: string): number | undefined {
  return /^[1-9]\d{0,6}$/.test(text.trim()) ? Number(text) : undefined
}

function isWithin({ minAmountInCents: min, maxAmountInCents: max }: PaymentPage, amount: bigint): boolean {
  return amount >= (min ?? 1n) && (max === null || amount <= max)
}
