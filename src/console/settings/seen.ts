// What a form showed when it was opened. Only what the person changed is sent; and if somebody else changed any of it meanwhile,
// the form says what, before it overwrites anything.

import { bodyOf, type Field } from '../fields.ts'
import type { Change } from '../form-state.ts'

const SEEN = '_seen'

export type Values = Readonly<Record<string, unknown>>

export function seenField(values: Values): Field {
  return { kind: 'hidden', path: SEEN, value: JSON.stringify(values) }
}

// As the operation takes them, by the names of its fields. Null if the form was not one of ours.
export function seenIn(typed: URLSearchParams): Values | null {
  try {
    const seen: unknown = JSON.parse(typed.get(SEEN) ?? '')
    return typeof seen === 'object' && seen !== null ? (seen as Values) : null
  } catch {
    return null
  }
}

// What was typed, without what is as it was.
export function changedBody(fields: readonly Field[], typed: URLSearchParams): Record<string, unknown> {
  const seen = seenIn(typed) ?? {}
  const body = bodyOf(fields, typed)
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !(name in seen) || !isSame(value, seen[name])),
  )
}

// `words`: a value as a person reads it.
export function changesSince(
  typed: URLSearchParams,
  current: Values,
  fields: readonly Field[],
  words: (name: string, value: unknown) => string,
): Change[] {
  const seen = seenIn(typed)
  if (seen === null) return []
  return Object.keys(current)
    .filter((name) => name in seen && !isSame(seen[name], current[name]))
    .map((name) => ({
      label: labelOf(fields, name),
      was: words(name, seen[name]),
      is: words(name, current[name]),
    }))
}

function labelOf(fields: readonly Field[], name: string): string {
  const field = fields.find(({ path }) => path === `/${name}`)
  return field === undefined || field.kind === 'hidden' ? name : field.label
}

function isSame(one: unknown, other: unknown): boolean {
  const plain = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : (value ?? null))
  return plain(one) === plain(other)
}
