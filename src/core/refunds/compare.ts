// Whether the holder of a key is the payer, by their documents. Dots and spaces do not count, nor does the check digit of a NIT, which some
// write and some do not.

import type { ClaimMatch } from './refund.ts'

export type Document = { readonly idType: string | null; readonly idNumber: string | null }

// Null: not known. A masked document is not known either.
export function compareDocuments(payer: Document | null, holder: Document | null): ClaimMatch {
  const [ours, theirs] = [numbersOf(payer), numbersOf(holder)]
  if (ours.length === 0 || theirs.length === 0) return 'UNKNOWN'
  const isSameKind = payer?.idType == null || holder?.idType == null || payer.idType === holder.idType
  return isSameKind && ours.some((number) => theirs.includes(number)) ? 'SAME' : 'OTHER'
}

// A NIT with its check digit is the same without it.
function numbersOf(document: Document | null): string[] {
  const written = document?.idNumber ?? ''
  const compact = (text: string): string => text.toUpperCase().replace(/[^\p{L}0-9]/gu, '')
  const [base = ''] = /^([0-9. ]+)-[0-9]$/.exec(written)?.slice(1) ?? []
  if (written.includes('*')) return []
  const numbers = [compact(written), ...(document?.idType === 'CO_NIT' && base !== '' ? [compact(base)] : [])]
  return numbers.filter((number) => number !== '')
}
