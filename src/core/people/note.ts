// What a merchant notes on a payin, payout or link: a description that the payer reads, and metadata of the merchant's own. Either
// may name a person, so a note is sealed where it is stored, like the person it is about, and erased with them.

import { isSealed, type Sealed } from './sealed.ts'

export const DESCRIPTION_MAX_LENGTH = 255
// Of names, and of values in characters. A note travels with every answer and every event.
export const METADATA_LIMITS = { keys: 20, nameLength: 40, valueLength: 200 } as const
export const METADATA_NAME_PATTERN = '^[A-Za-z0-9_.-]+$'

export type Metadata = Readonly<Record<string, string>>
export type Note = { readonly description: string | null; readonly metadata: Metadata | null }

// Null if nothing was noted.
export function newNote({
  description = null,
  metadata = null,
}: {
  description?: string | null | undefined
  metadata?: Metadata | null | undefined
}): Note | null {
  return description === null && metadata === null ? null : { description, metadata }
}

// A description is never empty, and neither is the text of metadata.
export function noteFields({ description, metadata }: Note): string[] {
  return [description ?? '', metadata === null ? '' : JSON.stringify(metadata)]
}

// What cannot be opened has the reason in place of each field: the description says it, and there is no metadata.
export function noteOf(fields: readonly string[]): Note {
  const [description = '', metadata = ''] = fields
  return {
    description: description || null,
    metadata: metadata.startsWith('{') ? (JSON.parse(metadata) as Metadata) : null,
  }
}

// As a text holds it. A sealed note is opened when the text is sent (shown.ts).
export function presentNote(note: Note | Sealed | null): { description: unknown; metadata: unknown } {
  if (note === null) return NO_NOTE
  return isSealed(note) ? { description: note, metadata: SEALED_METADATA } : note
}

const NO_NOTE = { description: null, metadata: null } as const
// Stands behind the sealed description, which holds the metadata too.
const SEALED_METADATA = { sealed: true } as const
