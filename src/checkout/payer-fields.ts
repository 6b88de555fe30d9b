// Reads each field about the payer: the typed text, normalized to the form we store, and its error. People type phone
// numbers with spaces and documents with dots. That is corrected, not refused.

import { isEmail, isPhone, isPrintable, NAME_MAX_LENGTH } from '../core/contact.ts'
import { documentNumberProblem, ID_TYPES, type IdType } from '../core/identity-document.ts'
import type { PersonType } from '../core/payins/payin.ts'
import type { Words } from './words/words.ts'

export type ReadField = { readonly value: string; readonly error?: FieldError }

// The errors whose message takes no argument.
export type FieldError = {
  [Code in keyof Words['errors']]: Words['errors'][Code] extends string ? Code : never
}[keyof Words['errors']]

export function readName(typed: string): ReadField {
  const value = typed.trim().replaceAll(/\s+/g, ' ')
  if (value === '' || !isPrintable(value) || NOT_IN_A_NAME.test(value)) return { value, error: 'name' }
  return value.length > NAME_MAX_LENGTH ? { value, error: 'nameLong' } : { value }
}

export function readIdType(typed: string, personType: PersonType | null): ReadField {
  return idTypesFor(personType).includes(typed as IdType)
    ? { value: typed }
    : { value: typed, error: 'idType' }
}

/** A business pays with its NIT, a person with any other document. If neither is known, the document decides. */
export function idTypesFor(personType: PersonType | null): readonly IdType[] {
  if (personType === null) return ID_TYPES
  return ID_TYPES.filter((idType) => (idType === 'CO_NIT') === (personType === 'BUSINESS'))
}

export function readIdNumber(idType: string, typed: string): ReadField {
  const bare = typed.replaceAll(/\s/g, '')
  const value = idType.startsWith('CO_') ? bare.replaceAll('.', '') : bare
  // The widest rule comes first: which characters are valid does not depend on the kind of document.
  if (documentNumberProblem('PASSPORT', value) !== undefined) return { value, error: 'idNumber' }
  if (idType === 'CO_CC' && !CEDULA.test(value)) return { value, error: 'idNumberDigits' }
  const wrongCheckDigit = idType === 'CO_NIT' && documentNumberProblem('CO_NIT', value) !== undefined
  return wrongCheckDigit ? { value, error: 'checkDigit' } : { value }
}

export function readPhone(typed: string): ReadField {
  const bare = typed.replaceAll(/[\s().-]/g, '')
  const value = COLOMBIAN_PHONE.test(bare) ? `+57${bare}` : bare
  return isPhone(value) ? { value } : { value, error: 'phone' }
}

export function readEmail(typed: string): ReadField {
  const value = typed.trim()
  return isEmail(value) && !value.includes(REPLACEMENT_CHARACTER) ? { value } : { value, error: 'email' }
}

const CEDULA = /^\d{3,10}$/
// Mobile numbers begin with 3, landlines with 60 since 2021. Both have ten digits, and nobody types the country code.
const COLOMBIAN_PHONE = /^(3\d{9}|60\d{8})$/
// Replaces bytes that are not valid text.
const REPLACEMENT_CHARACTER = '\ufffd'
// Companies have digits and signs in their names, such as "3M & Cía. (Cali)". Markup, addresses and emojis are nobody's.
const NOT_IN_A_NAME = /[^\p{L}\p{M}\p{N}\s.,&'’`´"“”()/+°!-]/u
