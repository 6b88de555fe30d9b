// What all scenarios of `trigger` share: who pays and is paid, how much, and how a scenario ends.

import type { InlineCustomer } from '@recaudo/sdk'
import type { Shown } from './command.ts'
import type { DocumentNumber } from './scenario-names.ts'

// The result to show, and the event that did not come, if any.
export type Ending = { readonly shown: Shown; readonly missing?: string; readonly advice?: string }

export const STAYS_OPEN: DocumentNumber = '1000000007'
export const AMOUNT_IN_CENTS = 5_000_000

export function ending(
  shown: Shown,
  came: unknown,
  names: readonly string[],
  advice = 'Do the workers run?',
): Ending {
  return came === undefined ? { shown, missing: names.join(' or '), advice } : { shown }
}

export function newReference(): string {
  return `trigger-${crypto.randomUUID()}`
}

export function customer(idNumber: string): InlineCustomer {
  return { name: 'Ana Gómez', idType: 'CO_CC', idNumber, phone: '+573001234567', email: 'ana@example.com' }
}
