// Whether two documents are the same: of one kind, and with one number. Dots and spaces do not count, nor does the check digit of a NIT,
// which some write and some do not. It is left out only where it is one: the NIT of a person with its check digit has the digits of a
// company's without.

import { ID_TYPES, nitCheckDigit } from '../identity-document.ts'

// Null: nobody said of which kind.
export type Document = { readonly idType: string | null; readonly idNumber: string }

// `held`: as a directory names it. Of a number that it masks, the last characters are compared.
export function isSameDocument(given: Document, held: Document): boolean {
  if (isOfAnotherKind(given.idType, held.idType)) return false
  const isNit = (given.idType ?? held.idType ?? 'CO_NIT') === 'CO_NIT'
  const mine = isNit ? nitBase(given.idNumber) : compact(given.idNumber)
  if (held.idNumber.includes('*'))
    return isNit ? isMaskedNit(mine, held.idNumber) : isMasked(mine, held.idNumber)
  return mine === (isNit ? nitBase(held.idNumber) : compact(held.idNumber))
}

// A network may have a word of its own for a kind that we call a passport or an RFC. It has ours for the others.
function isOfAnotherKind(given: string | null, held: string | null): boolean {
  if (given === null || held === null || given === held) return false
  const isForeign = given === 'PASSPORT' || given === 'MXN_RFC'
  return !isForeign || ID_TYPES.some((type) => type === held)
}

function compact(number: string): string {
  return number.toUpperCase().replaceAll(/[^\p{L}\p{N}*]/gu, '')
}

// With another digit behind the dash it is the number of nobody, and no other spelling is the same.
function nitBase(written: string): string {
  const [, beforeDash, digit] = /^([0-9. ]+)-([0-9])$/.exec(written) ?? []
  if (beforeDash !== undefined) {
    const base = compact(beforeDash)
    return isCheckDigit(base, digit) ? base : `${base}-${digit}`
  }
  const digits = compact(written)
  // Only companies have NITs that begin with 8 or 9, all of nine digits: the tenth is the check digit.
  return COMPANY_WITH_DIGIT.test(digits) && isCheckDigit(digits.slice(0, -1), digits.at(-1))
    ? digits.slice(0, -1)
    : digits
}

const COMPANY_WITH_DIGIT = /^[89]\d{9}$/
const COMPANY = /^[89]\d{8}$/

function isCheckDigit(base: string, digit: string | undefined): boolean {
  return /^\d{1,15}$/.test(base) && String(nitCheckDigit(base)) === digit
}

function isMasked(mine: string, held: string): boolean {
  const theirs = compact(held)
  return mine.length === theirs.length && mine.endsWith(theirs.replace(/^\*+/, ''))
}

function isMaskedNit(base: string, held: string): boolean {
  const [, beforeDash, digit] = /^(.+)-([0-9*])$/.exec(held) ?? []
  if (beforeDash !== undefined)
    return isMasked(base, beforeDash) && (digit === '*' || isCheckDigit(base, digit))
  return isMasked(base, held) || (COMPANY.test(base) && isMasked(`${base}${nitCheckDigit(base)}`, held))
}
