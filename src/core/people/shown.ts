// Responses and events are stored with people sealed. Whoever sends a text opens it here, like the images of QR codes
// (qr-image-reference.ts). The same sealed text gives the same fields, so a replayed response equals the first, byte for byte.

import type { Receiver } from './customer.ts'
import { objectOf } from './seal-text.ts'
import { customerOf, receiverOf, type Sealed } from './sealed.ts'

// A customer has no field of this name, and in a string of JSON quotes are escaped: it is always ours, never what somebody typed.
const MARK = '{"sealed":'
const SEALED_FIELDS = /"inlineCustomer":\{"sealed":"([^"]*)"\}|"sourceData":\{"sealed":true\}/g

export function hasSealedPeople(text: string): boolean {
  return text.includes(MARK)
}

// Takes JSON text and returns it with every person in place of the sealed text.
export function showPeople(text: string, open: (sealed: Sealed) => readonly string[]): string {
  if (!hasSealedPeople(text)) return text
  let last: readonly string[] = []
  return text.replace(SEALED_FIELDS, (_, sealed: string | undefined) => {
    if (sealed === undefined) return `"sourceData":${JSON.stringify(destinationOf(receiverOf(last)))}`
    last = open({ sealed })
    return `"inlineCustomer":${JSON.stringify(customerOf(last))}`
  })
}

// Puts another in place of every sealed text that was made for one of the objects, however often each was sealed.
export function replaceSealedOf(text: string, objectIds: ReadonlySet<string>, next: Sealed): string {
  if (!hasSealedPeople(text)) return text
  return text.replace(SEALED_FIELDS, (found, sealed: string | undefined) =>
    sealed !== undefined && objectIds.has(objectOf(sealed) ?? '')
      ? `"inlineCustomer":${JSON.stringify(next)}`
      : found,
  )
}

export function destinationOf({ keyString, keyStringSent }: Receiver): Record<string, unknown> {
  return { keyString: keyStringSent, canonicalKeyString: keyString }
}

// What stands for a payout's destination in a text, behind its sealed customer, which holds it too.
export const SEALED_DESTINATION = { sealed: true } as const
