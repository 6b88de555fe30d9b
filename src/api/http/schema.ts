// Small additions to TypeBox that every resource uses.

import { type TSchema, Type } from '../../core/json-schema.ts'

// Uses `type: [x, 'null']` instead of a union: simpler in the documentation, and one type check at run time.
export function Nullable<Schema extends TSchema>(schema: Schema): TSchema {
  return Type.Unsafe({ ...schema, type: [(schema as unknown as { type: string }).type, 'null'] })
}

export function OneOf<const Values extends readonly string[]>(
  values: Values,
  options: Record<string, unknown> = {},
) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })
}

export function Text(maxLength: number, options: Record<string, unknown> = {}) {
  return Type.String({ minLength: 1, maxLength, format: 'printable', ...options })
}

export const DateTime = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-15T13:00:00.000Z'] })

export const Uuid = (description: string) =>
  Type.String({ format: 'uuid', description, examples: ['019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90'] })
