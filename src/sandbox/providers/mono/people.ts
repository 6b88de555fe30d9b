// The people behind keys and payments, drawn from the seed: the same key is always the same person. Mono shows them unmasked.

import { drawnHex } from '../../faults.ts'
import type { ProviderContext } from '../provider.ts'

export type Person = {
  readonly full_name: string
  readonly document_type: string
  readonly document_number: string
  readonly type: string
}
export type Account = { readonly number: string; readonly type: string; readonly currency_code: 'COP' }

const FIRST_NAMES = ['Ana', 'Luis', 'Camila', 'Jorge', 'Valentina', 'Andrés', 'Sofía', 'Ñusta']
const LAST_NAMES = ['Gómez', 'Rodríguez', 'Muñoz', 'Peña', 'Ibáñez', 'Castro', 'Mosquera', 'Zapata']

export function personBehind({ faults }: ProviderContext, name: string): Person {
  const hex = drawnHex(faults.seed, 'mono person', name)
  const digit = (at: number) => Number.parseInt(hex[at] as string, 16) % 8
  return {
    full_name: `${FIRST_NAMES[digit(0)]} ${LAST_NAMES[digit(1)]} ${LAST_NAMES[digit(2)]}`,
    document_type: 'CC',
    document_number: digits(hex.slice(3), 10),
    type: 'natural',
  }
}

export function accountBehind({ faults }: ProviderContext, name: string): Account {
  return {
    number: digits(drawnHex(faults.seed, 'mono account', name), 11),
    type: 'savings_account',
    currency_code: 'COP',
  }
}

/** So many digits, the first of them not zero. */
export function digits(hex: string, length: number): string {
  const drawn = String(BigInt(`0x${hex}`))
    .padStart(length, '7')
    .slice(-length)
  return drawn.startsWith('0') ? `1${drawn.slice(1)}` : drawn
}
