// Responses and events are stored with people sealed. Whoever sends a text opens it here, like the images of QR codes
// (qr-image-reference.ts). The same sealed text gives the same fields, so a replayed response equals the first, byte for byte.

import type { Receiver } from './customer.ts'
import { noteOf } from './note.ts'
import { objectOf } from './seal-text.ts'
import { customerOf, receiverOf, type Sealed } from './sealed.ts'

// A customer has no field of this name, and in a string of JSON quotes are escaped: it is always ours, never what somebody typed.
const MARK = '{"sealed":'
// The second kind stands behind the first, whose sealed text holds it too.
const SEALED_FIELDS =
  /"(inlineCustomer|description)":\{"sealed":"([^"]*)"\}|"(sourceData|metadata)":\{"sealed":true\}/g

export function hasSealedPeople(text: string): boolean {
  return text.includes(MARK)
}

// Takes JSON text and returns it with every person in place of the sealed text.
export function showPeople(text: string, open: (sealed: Sealed) => readonly string[]): string {
  if (!hasSealedPeople(text)) return text
  let person: readonly string[] = []
  let note: readonly string[] = []
  return text.replace(SEALED_FIELDS, (_, name: string | undefined, sealed: string, behind: string) => {
    if (name === 'inlineCustomer') {
      person = open({ sealed })
      return `"inlineCustomer":${JSON.stringify(customerOf(person))}`
    }
    if (name === 'description') {
      note = open({ sealed })
      return `"description":${JSON.stringify(noteOf(note).description)}`
    }
    return behind === 'metadata'
      ? `"metadata":${JSON.stringify(noteOf(note).metadata)}`
      : `"sourceData":${JSON.stringify(destinationOf(receiverOf(person)))}`
  })
}

// Puts another in place of every sealed text that was made for one of the objects, however often each was sealed.
export function replaceSealedOf(text: string, objectIds: ReadonlySet<string>, next: Sealed): string {
  if (!hasSealedPeople(text)) return text
  return text.replace(SEALED_FIELDS, (found, name: string | undefined, sealed: string) =>
    name !== undefined && objectIds.has(objectOf(sealed) ?? '') ? `"${name}":${JSON.stringify(next)}` : found,
  )
}

export function destinationOf({ keyString, keyStringSent }: Receiver): Record<string, unknown> {
  return { keyString: keyStringSent, canonicalKeyString: keyString }
}

// What stands for a payout's destination in a text, behind its sealed customer, which holds it too.
export const SEALED_DESTINATION = { sealed: true } as const
