// Whether the holder of a key is the payer, by their documents.

import { isSameDocument } from '../people/same-document.ts'
import type { ClaimMatch } from './refund.ts'

export type Document = { readonly idType: string | null; readonly idNumber: string | null }

// Null: not known. A masked document is not known either.
export function compareDocuments(payer: Document | null, holder: Document | null): ClaimMatch {
  const [ours, theirs] = [known(payer), known(holder)]
  if (ours === undefined || theirs === undefined) return 'UNKNOWN'
  return isSameDocument(ours, theirs) ? 'SAME' : 'OTHER'
}

function known(document: Document | null): { idType: string | null; idNumber: string } | undefined {
  const { idType = null, idNumber = null } = document ?? {}
  return idNumber === null || idNumber.includes('*') || !/[\p{L}0-9]/u.test(idNumber)
    ? undefined
    : { idType, idNumber }
}
