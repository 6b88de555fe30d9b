// Turns the payer's form into a choice, or into all errors at once with the typed values kept. Only missing data is
// read, and Bre-B needs none: whoever pays is known to the payer's own bank. The form does not ask whether a person or a business pays: in PSE a business pays with a NIT only and a person
// with any other document, so the document decides.

import { RAILS, type Rail } from '../core/connections/rail.ts'
import { findPseBank } from '../core/directory/pse-bank.ts'
import type { PersonType } from '../core/payins/payin.ts'
import type { Customer } from '../core/people/customer.ts'
import type { Environment } from '../flows/context.ts'
import type { CheckoutChoice, CheckoutSubject } from './backend.ts'
import { type FieldError, readEmail, readIdNumber, readIdType, readName, readPhone } from './payer-fields.ts'

// In the order of the page. The first wrong field gets the focus.
export const FIELDS = ['rail', 'bank', 'name', 'idType', 'idNumber', 'phone', 'email'] as const
export type Field = (typeof FIELDS)[number]
export type Typed = Readonly<Partial<Record<Field, string>>>
export type FieldErrors = Readonly<Partial<Record<Field, FieldError>>>

export type ReadForm =
  | { readonly ok: true; readonly choice: CheckoutChoice }
  | { readonly ok: false; readonly errors: FieldErrors }

/** The submitted form. If a field is repeated, the first value counts. */
export function typedIn(body: string): Typed {
  const sent = new URLSearchParams(body)
  return Object.fromEntries(FIELDS.flatMap((field) => (sent.has(field) ? [[field, sent.get(field)]] : [])))
}

export function readForm(subject: CheckoutSubject, typed: Typed, environment: Environment): ReadForm {
  const errors: Partial<Record<Field, FieldError>> = {}
  const rail = readRail(subject, typed)
  if (rail === undefined) errors.rail = 'rail'

  let bank: string | null = null
  if (rail === 'PSE') {
    const code = subject.fixedBank ?? typed.bank ?? ''
    const found = findPseBank(code, environment === 'staging')
    if (found === undefined && subject.fixedBank === null) errors.bank = 'bank'
    // A code that the merchant chose is given back as it was sent.
    bank = subject.fixedBank ?? found?.code ?? code
  }

  if (rail === 'BRE_B') return { ok: true, choice: withoutForm(subject) }
  const customer = subject.customer ?? (rail && readCustomer(subject, typed, errors))
  if (rail === undefined || customer === undefined || Object.keys(errors).length > 0) {
    return { ok: false, errors }
  }
  const personType = subject.personType ?? personTypeOf(customer)
  return { ok: true, choice: { rail, bank, personType, customer } }
}

/** The choice of Bre-B. */
export function withoutForm({ customer }: CheckoutSubject): CheckoutChoice {
  return { rail: 'BRE_B', bank: null, personType: null, customer }
}

/** The rails in the order of the page, whatever order they were enabled in. */
export function railsOf(subject: CheckoutSubject): Rail[] {
  return RAILS.filter((rail) => subject.rails.includes(rail))
}

function readRail(subject: CheckoutSubject, typed: Typed): Rail | undefined {
  const rails = railsOf(subject)
  return rails.length === 1 ? rails[0] : rails.find((rail) => rail === typed.rail)
}

function readCustomer(
  subject: CheckoutSubject,
  typed: Typed,
  errors: Partial<Record<Field, FieldError>>,
): Customer | undefined {
  const read = {
    name: readName(typed.name ?? ''),
    idType: readIdType(typed.idType ?? '', subject.personType),
    idNumber: readIdNumber(typed.idType ?? '', typed.idNumber ?? ''),
    phone: readPhone(typed.phone ?? ''),
    email: readEmail(typed.email ?? ''),
  }
  let wrong = false
  for (const [field, { error }] of Object.entries(read)) {
    if (error === undefined) continue
    errors[field as keyof typeof read] = error
    wrong = true
  }
  if (wrong) return undefined
  return {
    name: read.name.value,
    idType: read.idType.value,
    idNumber: read.idNumber.value,
    phone: read.phone.value,
    email: read.email.value,
  }
}

function personTypeOf(customer: Customer): PersonType {
  return customer.idType === 'CO_NIT' ? 'BUSINESS' : 'INDIVIDUAL'
}
