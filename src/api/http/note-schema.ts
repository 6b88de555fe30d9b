// The two fields by which a merchant notes something on a payin, payout or link: as requests have them, and as answers show them.

import { type Static, Type } from '../../core/json-schema.ts'
import { DESCRIPTION_MAX_LENGTH, METADATA_LIMITS, METADATA_NAME_PATTERN } from '../../core/people/note.ts'
import { Nullable, Text } from './schema.ts'

export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: METADATA_LIMITS.keys,
  propertyNames: { maxLength: METADATA_LIMITS.nameLength, pattern: METADATA_NAME_PATTERN },
  additionalProperties: { type: 'string', maxLength: METADATA_LIMITS.valueLength, format: 'printable' },
  description: `Up to ${METADATA_LIMITS.keys} texts of your own, each of up to ${METADATA_LIMITS.valueLength} characters, under names of up to ${METADATA_LIMITS.nameLength} letters, digits, \`_\`, \`.\` and \`-\`. The payer does not see them.`,
  examples: [{ table: '7' }],
})

export const NOTE_FIELDS = {
  description: Type.Optional(
    Text(DESCRIPTION_MAX_LENGTH, {
      description: 'What is paid for. The payer reads it instead of the reference; markup is only text.',
      examples: ['Two bags of coffee'],
    }),
  ),
  metadata: Type.Optional(Metadata),
}
export type NoteBody = Static<ReturnType<typeof Type.Object<typeof NOTE_FIELDS>>>

export const SHOWN_NOTE_FIELDS = {
  description: Nullable(
    Type.String({
      description:
        'As sent, or null. `ERASED` once the data of the person it is about was erased, and `UNREADABLE` if the key that sealed it is gone.',
      examples: ['Two bags of coffee'],
    }),
  ),
  metadata: Nullable(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'As sent, or null. Null too where it cannot be shown any more.',
    }),
  ),
}
