// Fields that several of the forms have: an amount, a rail, a bank, a person.

import { RAILS, type Rail, widestMaximumInCents } from '../../core/connections/rail.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../core/contact.ts'
import { pseBanks } from '../../core/directory/pse-bank.ts'
import { ID_TYPES, MAX_ID_NUMBER_LENGTH } from '../../core/identity-document.ts'
import type { Customer } from '../../core/people/customer.ts'
import type { FieldProblem } from '../../core/refusal.ts'
import type { Field } from '../fields.ts'
import { amountText } from '../format.ts'
import type { Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { CREATE_WORDS } from './words.ts'

export const AMOUNT_FIELD = '/amountInCents'
// Longer ones are refused by the operation, at their field.
const MAX_TYPED_AMOUNT = 24

export function amountField(visit: Visit, rails: readonly Rail[], more: Partial<Field> = {}): Field {
  const words = CREATE_WORDS[visit.language]
  const { ctx, language } = visit
  const most = widestMaximumInCents(rails, ctx.clock.now(), ctx.settings.pseMaximumInCents)
  return {
    kind: 'money',
    path: AMOUNT_FIELD,
    label: words.amount,
    ...(most !== null && { hint: words.amountHint(amountText(most, language)) }),
    maxLength: MAX_TYPED_AMOUNT,
    autocomplete: 'off',
    wrong: (problem) => amountWrong(visit, problem),
    watched: 'amount',
    ...more,
  } as Field
}

// The API says it in cents.
export function amountWrong({ language }: Visit, { code, message }: FieldProblem): string | undefined {
  const words = CREATE_WORDS[language]
  const [, most] = /at most (\d+)/.exec(message) ?? []
  if (code === 'REQUIRED') return words.amountMissing
  if (code === 'WRONG_TYPE') return words.amountWrong
  if (most !== undefined) return words.amountAbove(amountText(BigInt(most), language))
  return code === 'OUT_OF_RANGE' ? words.amountTooLow : undefined
}

// What the merchant has switched off is shown, and cannot be chosen.
export function railField({ language, organization }: Visit): Field {
  const words = CREATE_WORDS[language]
  const states = STATES[language]
  return {
    kind: 'radio',
    path: '/rail',
    label: words.rail,
    value: '',
    watched: 'rail',
    options: [
      { value: '', label: words.railAny },
      ...RAILS.map((rail) => ({
        value: rail,
        label: states.rails[rail],
        ...(!organization.rails.includes(rail) && { isClosed: true, hint: words.railOff }),
      })),
    ],
  }
}

export function bankOptions({ environment }: Visit): { value: string; label: string }[] {
  return pseBanks(environment === 'staging').map(({ code, name }) => ({ value: code, label: name }))
}

// Undefined means that there is no such person yet.
export function personFields(
  { language }: Visit,
  kind: 'required' | 'more',
  known: Partial<Customer> = {},
): Field[] {
  const words = CREATE_WORDS[language].person
  const { idTypes } = STATES[language]
  const shared =
    kind === 'more' ? ({ isMore: true, isOptional: true } as const) : ({ isMore: false } as const)
  const value = (text: string | undefined) => (text === undefined ? {} : { value: text })
  return [
    {
      kind: 'text',
      path: '/inlineCustomer/name',
      label: words.name,
      maxLength: NAME_MAX_LENGTH,
      autocomplete: 'off',
      ...value(known.name),
      ...shared,
    },
    {
      kind: 'select',
      path: '/inlineCustomer/idType',
      label: words.idType,
      options: [
        { value: '', label: words.choose },
        ...ID_TYPES.map((type) => ({ value: type, label: idTypes[type] })),
      ],
      ...value(known.idType),
      ...shared,
    },
    {
      kind: 'text',
      path: '/inlineCustomer/idNumber',
      label: words.idNumber,
      maxLength: MAX_ID_NUMBER_LENGTH,
      autocomplete: 'off',
      wrong: ({ code }) => (code === 'WRONG_FORMAT' ? words.idWrong : undefined),
      ...value(known.idNumber),
      ...shared,
    },
    {
      kind: 'tel',
      path: PHONE,
      label: words.phone,
      hint: words.phoneHint,
      maxLength: 30,
      autocomplete: 'off',
      wrong: ({ code }) => (code === 'REQUIRED' ? undefined : words.phoneWrong),
      ...value(known.phone),
      ...shared,
    },
    {
      kind: 'email',
      path: '/inlineCustomer/email',
      label: words.email,
      maxLength: EMAIL_MAX_LENGTH,
      autocomplete: 'off',
      wrong: ({ code }) => (code === 'REQUIRED' ? undefined : words.emailWrong),
      ...value(known.email),
      ...shared,
    },
  ]
}

export const PHONE = '/inlineCustomer/phone'
