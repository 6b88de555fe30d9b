// The identity document of a payer. We check its characters and length, and a NIT's check digit only if the merchant
// wrote it after a dash. A bare ten-digit NIT may or may not end in its check digit, and published samples carry wrong
// ones, so guessing would refuse people who can pay.

export const ID_TYPES = ['CO_CC', 'CO_CE', 'CO_NIT', 'MXN_RFC', 'PASSPORT'] as const
export type IdType = (typeof ID_TYPES)[number]

// The longest real number, a NIT written with its dots and dash, takes 14 characters; 20 allows for foreign ones.
export const MAX_ID_NUMBER_LENGTH = 20

/** What is wrong with the number, in words for the sender; undefined if nothing is. */
export function documentNumberProblem(idType: IdType, idNumber: string): string | undefined {
  if (!ID_NUMBER.test(idNumber)) {
    return `must be 1 to ${MAX_ID_NUMBER_LENGTH} letters, digits, dots or dashes`
  }
  if (idType !== 'CO_NIT') return undefined
  const [, base, checkDigit] = NIT_WITH_CHECK_DIGIT.exec(idNumber) ?? []
  const digits = base?.replaceAll('.', '') ?? ''
  if (digits.length === 0 || digits.length > NIT_WEIGHTS.length) return undefined
  return Number(checkDigit) === nitCheckDigit(digits)
    ? undefined
    : 'has a wrong NIT check digit after the dash'
}

/** The check digit of a NIT's base number: 1 to 15 digits, without the check digit itself. */
export function nitCheckDigit(base: string): number {
  if (!/^\d{1,15}$/.test(base)) throw new Error('a NIT base is 1 to 15 digits')
  let sum = 0
  for (const [place, weight] of NIT_WEIGHTS.entries()) sum += weight * Number(base.at(-1 - place) ?? 0)
  const remainder = sum % 11
  return remainder < 2 ? remainder : 11 - remainder
}

const ID_NUMBER = new RegExp(`^[\\p{L}0-9.-]{1,${MAX_ID_NUMBER_LENGTH}}$`, 'u')
const NIT_WITH_CHECK_DIGIT = /^([0-9.]+)-([0-9])$/
// Set by the tax authority; the first applies to the rightmost digit.
const NIT_WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71]
