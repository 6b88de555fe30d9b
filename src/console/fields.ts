// The fields of a form, declared once: from them the form is drawn and the body of the call is made. A field's name is the path of
// what it fills in, as problems name it: /inlineCustomer/name.

import type { FieldProblem } from '../core/refusal.ts'
import { typedCents } from './money-text.ts'

export type FieldOption = {
  readonly value: string
  readonly label: string
  readonly hint?: string
  // It cannot be chosen; the hint says why.
  readonly isClosed?: boolean
}

type FieldBase = {
  readonly path: string
  readonly label: string
  readonly hint?: string
  // What it shows before anything is typed.
  readonly value?: string | readonly string[] | null
  readonly isOptional?: boolean
  // Needed with some of the other fields' values only, which the operation knows.
  readonly isConditional?: boolean
  // What an empty field means: leave it out (the usual case), or send null, an empty list or an empty text, as a change that takes
  // something away.
  readonly whenEmpty?: 'omit' | 'null' | 'list' | 'text'
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly maxLength?: number
  // Better words for what can be wrong with it. Undefined: the usual ones.
  readonly wrong?: (problem: FieldProblem) => string | undefined
  // Seldom needed: unfolded by whoever wants it.
  readonly isMore?: boolean
  // Part of the form that the script watches, such as a preview.
  readonly watched?: string
}

export type Field =
  | (FieldBase & { readonly kind: 'text' | 'email' | 'tel' | 'url' | 'date' | 'money' | 'area' | 'secret' })
  | (FieldBase & { readonly kind: 'number'; readonly min?: number; readonly max?: number })
  // One of several: a list to unfold, or all of them in sight.
  | (FieldBase & { readonly kind: 'select' | 'radio'; readonly options: readonly FieldOption[] })
  // Any of several.
  | (FieldBase & { readonly kind: 'checks'; readonly options: readonly FieldOption[] })
  | (FieldBase & { readonly kind: 'flag' })
  // A file, which comes as a data URI. The form's route must take files.
  | (FieldBase & { readonly kind: 'file'; readonly accept: string })
  // Several, one a line.
  | (FieldBase & { readonly kind: 'lines' })
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

const EMPTY = { omit: undefined, list: undefined, null: null, text: '' } as const

function valueIn(field: Field, typed: URLSearchParams): unknown {
  if (field.kind === 'checks') return typed.getAll(field.path)
  if (field.kind === 'lines') {
    const lines = linesIn(typed.get(field.path) ?? '')
    if (lines.length > 0 || field.whenEmpty === 'list') return lines
    return field.whenEmpty === 'null' ? null : undefined
  }
  // Of a file and what was sent before it, the last counts.
  const text = (typed.getAll(field.path).findLast((value) => value !== '') ?? '').trim()
  if (field.kind === 'flag') return text !== ''
  if (text === '') return field.kind === 'hidden' ? undefined : EMPTY[field.whenEmpty ?? 'omit']
  if (field.kind === 'money') return typedCents(text) ?? text
  if (field.kind === 'number') return /^-?\d+$/.test(text) ? Number(text) : text
  return text
}

export function linesIn(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

// Whether a problem is about this field, or about an entry of it: /scopes/3.
export function isAbout(field: Field, { path }: Pick<FieldProblem, 'path'>): boolean {
  if (field.path === path) return true
  return (field.kind === 'checks' || field.kind === 'lines') && path.startsWith(`${field.path}/`)
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
