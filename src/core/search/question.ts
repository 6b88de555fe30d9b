// What somebody typed into the search, and everything that it may mean. Ten digits may be a document, a phone number, an amount, a key
// and a reference: all of these are looked for.

import { isEmail } from '../contact.ts'
import { parseBrebKey } from '../directory/breb-key.ts'
import { ID_TYPES, type IdType, nitCheckDigit } from '../identity-document.ts'
import { isUuid } from '../ids.ts'
import { typedCents } from '../typed-cents.ts'
import {
  documentText,
  emailText,
  keyText,
  nameWords,
  phoneText,
  referenceText,
  type SearchField,
  traceText,
} from './fact.ts'

export const QUESTION_MAX_LENGTH = 200

export type Reading = {
  readonly trait: SearchField
  // `any`: one of the texts is the fact. `all`: every text is one. `begin`: a fact begins with the text.
  readonly match: 'any' | 'all' | 'begin'
  readonly texts: readonly string[]
}

export type Question = {
  readonly text: string
  readonly id: string | null
  readonly readings: readonly Reading[]
}

// Fewer letters begin too many references.
const MIN_BEGINNING = 3
const MIN_NUMBER_LENGTH = 4
const MAX_NUMBER_LENGTH = 24

// Undefined if nothing was asked.
export function readQuestion(typed: string): Question | undefined {
  const text = typed
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, QUESTION_MAX_LENGTH)
    .toWellFormed()
  if (text === '') return undefined
  if (isUuid(text)) return { text, id: text.toLowerCase(), readings: references(text) }
  return {
    text,
    id: null,
    readings: [
      ...references(text),
      ...traces(text),
      ...keys(text),
      ...documents(text),
      ...emails(text),
      ...phones(text),
      ...names(text),
      ...amounts(text),
    ],
  }
}

// Whether one of the facts, or all that it takes, is what the reading asks for.
export function isAnswered({ match, texts }: Reading, facts: readonly string[]): boolean {
  return match === 'all'
    ? texts.every((text) => facts.includes(text))
    : texts.some((text) => facts.includes(text))
}

function references(text: string): Reading[] {
  const beginning = referenceText(text)
  const match = Array.from(beginning).length < MIN_BEGINNING ? 'any' : 'begin'
  return [{ trait: 'reference', match, texts: [beginning] }]
}

function traces(text: string): Reading[] {
  return /^[\w:.-]{3,100}$/.test(text) ? [{ trait: 'trace', match: 'any', texts: [traceText(text)] }] : []
}

function keys(text: string): Reading[] {
  const key = parseBrebKey(text)
  if (key === undefined || key.keyString.length < MIN_NUMBER_LENGTH) return []
  return [{ trait: 'key', match: 'any', texts: [keyText(text)] }]
}

// As people write them before the number.
const TYPED_TYPES: readonly (readonly [pattern: RegExp, types: readonly IdType[]])[] = [
  [/^c\.?\s?c\.?[\s:]*(?=[\d])/i, ['CO_CC']],
  [/^c\.?\s?e\.?[\s:]*(?=[\d])/i, ['CO_CE']],
  [/^nit\.?[\s:]*(?=[\d])/i, ['CO_NIT']],
  [/^rfc\.?[\s:]+/i, ['MXN_RFC']],
  [/^(?:pasaporte|passport|pas?)\.?[\s:]+/i, ['PASSPORT']],
  ...ID_TYPES.map((type): [RegExp, IdType[]] => [new RegExp(`^${type}[\\s:]+`, 'i'), [type]]),
]

function documents(text: string): Reading[] {
  const [pattern, types] = TYPED_TYPES.find(([one]) => one.test(text)) ?? [/^/, ID_TYPES]
  const number = text.replace(pattern, '')
  if (!/^[\p{L}\d .-]+$/u.test(number) || !/\d/.test(number)) return []
  if (number.length < MIN_NUMBER_LENGTH || number.length > MAX_NUMBER_LENGTH) return []
  const texts = types.map((type) => documentText(type, number))
  return [{ trait: 'document', match: 'any', texts: [...new Set([...texts, ...nitsOf(types, number)])] }]
}

// A NIT may have been typed with its check digit and without the dash.
function nitsOf(types: readonly IdType[], number: string): string[] {
  const digits = number.replaceAll(/[ .]/g, '')
  if (!types.includes('CO_NIT') || !/^\d{6,16}$/.test(digits)) return []
  const base = digits.slice(0, -1)
  return nitCheckDigit(base) === Number(digits.at(-1)) ? [documentText('CO_NIT', base)] : []
}

function emails(text: string): Reading[] {
  return isEmail(text) ? [{ trait: 'email', match: 'any', texts: [emailText(text)] }] : []
}

function phones(text: string): Reading[] {
  return /^\+?[\d ().-]{7,24}$/.test(text) && phoneText(text).length >= 7
    ? [{ trait: 'phone', match: 'any', texts: [phoneText(text)] }]
    : []
}

function names(text: string): Reading[] {
  const words = nameWords(text)
  return words.length > 0 && /\p{L}{2}/u.test(text) && !text.includes('@')
    ? [{ trait: 'name', match: 'all', texts: words }]
    : []
}

function amounts(text: string): Reading[] {
  const cents = typedCents(text.replace(/\s*cop$/i, '').replace(/^cop\s*/i, ''))
  return cents === undefined || cents === 0 ? [] : [{ trait: 'amount', match: 'any', texts: [String(cents)] }]
}
