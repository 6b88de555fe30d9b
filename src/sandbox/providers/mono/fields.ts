// Reads what a caller sent to Mono: the rules of its fields, and what is wrong with them. Whether a field that Mono does not know is
// ignored or refused is not published: here it is refused, so that a misspelt one is noticed.

import { type Fields, fieldsOf, isText, isWhole } from '../input.ts'
import type { Problem } from './errors.ts'

export type Rule = { readonly isRight: (value: unknown) => boolean; readonly says: string }
export type Rules = Readonly<Record<string, Rule>>

export function problemsIn(
  fields: Fields,
  rules: Rules,
  required: readonly string[],
  path = '',
): readonly Problem[] {
  const missing = required
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => problem('missing_parameter', `${name} is required`, `${path}/${name}`))
  const wrong = Object.entries(fields).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) return [problem('unknown_parameter', `${name} is unknown`, `${path}/${name}`)]
    return rule.isRight(value)
      ? []
      : [problem('invalid_parameter', `${name} must be ${rule.says}`, `${path}/${name}`)]
  })
  return [...missing, ...wrong]
}

/** The problems of each member of a list; a member that is no object has one. */
export function problemsInEach(
  list: readonly unknown[],
  path: string,
  problemsOf: (fields: Fields, path: string) => readonly Problem[],
): readonly Problem[] {
  return list.flatMap((one, at) =>
    isObject(one)
      ? problemsOf(fieldsOf(one), `${path}/${at}`)
      : [problem('invalid_parameter', 'must be an object', `${path}/${at}`)],
  )
}

export const problem = (code: string, message: string, path: string): Problem => ({
  error_code: code,
  message,
  path,
})

const CURRENCY = 'COP'
export type Money = { readonly amount: number; readonly currency: typeof CURRENCY }
export const money = (amount: number): Money => ({ amount, currency: CURRENCY })
export const moneyOrNull = (value: unknown): number | null =>
  value === undefined ? null : (value as Money).amount

export const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPlainText = (value: unknown, maxLength: number): value is string =>
  isText(value, maxLength) && value.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(value)

const isMoney = (value: unknown): boolean => {
  const { amount, currency, ...others } = fieldsOf(value)
  return isWhole(amount, 1) && currency === CURRENCY && Object.keys(others).length === 0
}

const isInstantText = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value))

const isDocument = (value: unknown): boolean => {
  const { document_type: type, document_number: number, ...others } = fieldsOf(value)
  return (
    /^[A-Z_]{1,20}$/.test(typeof type === 'string' ? type : '') &&
    /^[A-Za-z0-9]{1,18}$/.test(typeof number === 'string' ? number : '') &&
    Object.keys(others).length === 0
  )
}

const isPerson = (value: unknown): boolean => {
  const { full_name: name, type, ...document } = fieldsOf(value)
  return (
    (name === undefined || isPlainText(name, 255)) &&
    (type === undefined || type === 'natural' || type === 'legal') &&
    isDocument(document)
  )
}

const isId = (prefix: string) => (value: unknown) => typeof value === 'string' && isIdOf(prefix, value)
export const isIdOf = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) && /^[A-Za-z]{2,7}_[\w-]{22}$/.test(text)

export const rule = {
  text: (maxLength: number): Rule => ({
    isRight: (value) => isPlainText(value, maxLength),
    says: `a text of at most ${maxLength} characters`,
  }),
  oneOf: (...values: readonly unknown[]): Rule => ({
    isRight: (value) => values.includes(value),
    says: `one of ${values.join(', ')}`,
  }),
  list: (most: number): Rule => ({
    isRight: (value) => Array.isArray(value) && value.length >= 1 && value.length <= most,
    says: `a list of 1 to ${most}`,
  }),
  id: (prefix: string): Rule => ({ isRight: isId(prefix), says: `an id ${prefix}_…` }),
  object: { isRight: isObject, says: 'an object' },
  money: { isRight: isMoney, says: 'whole cents and COP' },
  instant: { isRight: isInstantText, says: 'a time in ISO 8601' },
  documents: {
    isRight: (value) => Array.isArray(value) && value.length <= 100 && value.every(isDocument),
    says: 'a list of document_type and document_number',
  },
  document: { isRight: isDocument, says: 'document_type and document_number' },
  person: { isRight: isPerson, says: 'full_name, document_type, document_number and type' },
  // A key of Bre-B has at most 92 characters. Whether the text of a QR may be longer is not published.
  keyValue: {
    isRight: (value) => isPlainText(value, 92) && !/\s/.test(value),
    says: '1 to 92 characters without spaces',
  },
} as const satisfies Record<string, Rule | ((...values: never[]) => Rule)>
