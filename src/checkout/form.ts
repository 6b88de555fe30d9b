// Turns the payer's form into a choice, or into all errors at once with the typed values kept. Only missing data is
// read, and Bre-B needs none: whoever pays is known to the payer's own bank. The form does not ask whether a person or a business
// pays: in PSE a business pays with a NIT only and a person with any other document, so the document decides.

import { RAILS, type Rail } from '../core/connections/rail.ts'
import { findPseBank, type PseBank, pseBanks } from '../core/directory/pse-bank.ts'
import type { PersonType } from '../core/payins/payin.ts'
import type { Customer } from '../core/people/customer.ts'
import { type PseOffer, WHOLE_OFFER } from '../flows/connections/pse-offer.ts'
import type { Environment } from '../flows/context.ts'
import type { CheckoutChoice, CheckoutSubject } from './backend.ts'
import { type FieldError, readEmail, readIdNumber, readIdType, readName, readPhone } from './payer-fields.ts'

// In the order of the page. The first wrong field gets the focus.
export const FIELDS = ['rail', 'bank', 'name', 'idType', 'idNumber', 'phone', 'email', 'terms'] as const
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

export function readForm(
  subject: CheckoutSubject,
  typed: Typed,
  environment: Environment,
  offer: PseOffer = WHOLE_OFFER,
): ReadForm {
  const errors: Partial<Record<Field, FieldError>> = {}
  const rail = readRail(subject, typed)
  if (rail === undefined) errors.rail = 'rail'

  let bank: string | null = null
  if (rail === 'PSE') {
    const code = subject.fixedBank ?? typed.bank ?? ''
    const found = findPseBank(code, environment === 'staging')
    if (subject.fixedBank === null) {
      if (found === undefined) errors.bank = 'bank'
      else if (!isOffered(offer, found)) errors.bank = 'bankNotEnabled'
    }
    // A code that the merchant chose is given back as it was sent.
    bank = subject.fixedBank ?? found?.code ?? code
  }

  if (rail === 'BRE_B') return { ok: true, choice: withoutForm(subject) }
  const customer = subject.customer ?? (rail && readCustomer(subject.personType, typed, errors))
  const terms = rail && readTerms(offer, typed, errors)
  if (rail === undefined || customer === undefined || Object.keys(errors).length > 0) {
    return { ok: false, errors }
  }
  const personType = subject.personType ?? personTypeOf(customer)
  return { ok: true, choice: { rail, bank, personType, customer, ...(terms !== undefined && { terms }) } }
}

/** The banks that a payer may choose, A to Z. */
export function banksOf(offer: PseOffer, environment: Environment): readonly PseBank[] {
  return pseBanks(environment === 'staging').filter((bank) => isOffered(offer, bank))
}

/** Only test environments know the test bank, and there it is every provider's. */
export function isOffered({ bankNumbers }: PseOffer, { testOnly, achCode }: PseBank): boolean {
  return bankNumbers === null || testOnly || (achCode !== null && bankNumbers.has(achCode))
}

// Only the terms that the payer was shown are accepted, and only if they are still the same.
function readTerms(
  { terms }: PseOffer,
  typed: Typed,
  errors: Partial<Record<Field, FieldError>>,
): string | undefined {
  if (terms === null || terms === 'away') return undefined
  if (typed.terms === terms.digest) return terms.digest
  errors.terms = typed.terms === undefined ? 'terms' : 'termsChanged'
  return undefined
}

/** The choice of Bre-B. */
export function withoutForm({ customer }: CheckoutSubject): CheckoutChoice {
  return { rail: 'BRE_B', bank: null, personType: null, customer }
}

/** The rails in the order of the page, whatever order they were enabled in. */
export function railsOf(subject: CheckoutSubject): Rail[] {
  return RAILS.filter((rail) => subject.rails.includes(rail))
}

/** Undefined if the payer has chosen none that is offered. Where there is one only, the form does not ask. */
export function readRail(subject: CheckoutSubject, typed: Typed): Rail | undefined {
  const rails = railsOf(subject)
  return rails.length === 1 && typed.rail === undefined ? rails[0] : rails.find((rail) => rail === typed.rail)
}

/** Whether the payer has chosen a rail from a form that offered more than there is now. */
export function isRailGone(subject: CheckoutSubject, typed: Typed): boolean {
  return RAILS.some((rail) => rail === typed.rail) && readRail(subject, typed) === undefined
}

export function readCustomer(
  personType: PersonType | null,
  typed: Typed,
  errors: Partial<Record<Field, FieldError>>,
): Customer | undefined {
  const read = {
    name: readName(typed.name ?? ''),
    idType: readIdType(typed.idType ?? '', personType),
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
