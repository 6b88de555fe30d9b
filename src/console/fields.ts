// The fields of a form, declared once: from them the form is drawn and the body of the call is made. A field's name is the path of
// what it fills in, as problems name it: /inlineCustomer/name.

import { typedCents } from './money-text.ts'

export type FieldOption = { readonly value: string; readonly label: string; readonly hint?: string }

type FieldBase = {
  readonly path: string
  readonly label: string
  readonly hint?: string
  // What it shows before anything is typed.
  readonly value?: string | readonly string[] | null
  readonly isOptional?: boolean
  // What an empty field means: leave it out (the usual case), or send null, as a change that takes something away.
  readonly whenEmpty?: 'omit' | 'null'
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly maxLength?: number
}

export type Field =
  | (FieldBase & { readonly kind: 'text' | 'email' | 'tel' | 'url' | 'date' | 'money' | 'area' | 'secret' })
  | (FieldBase & { readonly kind: 'number'; readonly min?: number; readonly max?: number })
  // One of several: a list to unfold, or all of them in sight.
  | (FieldBase & { readonly kind: 'select' | 'radio'; readonly options: readonly FieldOption[] })
  // Any of several.
  | (FieldBase & { readonly kind: 'checks'; readonly options: readonly FieldOption[] })
  | (FieldBase & { readonly kind: 'flag' })
  // Sent with the form and not shown.
  | { readonly kind: 'hidden'; readonly path: string; readonly value: string }

// What was typed as the body of a call. What cannot be read is sent as it is, so that the operation says what is wrong with it.
export function bodyOf(fields: readonly Field[], typed: URLSearchParams): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const field of fields) {
    const value = valueIn(field, typed)
    if (value !== undefined) put(body, field.path, value)
  }
  return body
}

function valueIn(field: Field, typed: URLSearchParams): unknown {
  if (field.kind === 'checks') return typed.getAll(field.path)
  const text = (typed.get(field.path) ?? '').trim()
  if (field.kind === 'flag') return text !== ''
  if (text === '') return field.kind !== 'hidden' && field.whenEmpty === 'null' ? null : undefined
  if (field.kind === 'money') return typedCents(text) ?? text
  if (field.kind === 'number') return /^-?\d+$/.test(text) ? Number(text) : text
  return text
}

function put(body: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.slice(1).split('/')
  const last = names.pop() as string
  let place = body
  for (const name of names) {
    place[name] ??= {}
    place = place[name] as Record<string, unknown>
  }
  place[last] = value
}
