// The parts that every field of the form shares: its label, its hint, its error, and where the focus goes.

import { type Html, html } from '../../core/html.ts'
import type { Field, FieldErrors, Typed } from '../form.ts'
import type { PageContext, PageSetting } from './page-context.ts'

export type FormState = {
  readonly typed: Typed
  readonly errors: FieldErrors
  /** Shown above the form, for an error that belongs to no field. */
  readonly refusal?: string
}

export type FormView<Context extends PageSetting = PageContext> = {
  context: Context
  form: FormState
  firstWrong: Field | undefined
}

type AnyForm = FormView<PageSetting>

export function errorText({ words }: PageSetting, { errors }: FormState, field: Field): string {
  const code = errors[field]
  return code === undefined ? '' : words.errors[code]
}

export function labeled(view: AnyForm, field: Field, label: string, control: Html, hint?: string): Html {
  return html`<p class="field">
<label for="${field}">${label}</label>
${hint && html`<span class="hint" id="${field}-hint">${hint}</span>`}
${control}
${fieldError(view, field)}
</p>`
}

export function fieldError({ context, form }: AnyForm, field: Field): Html | false {
  return (
    form.errors[field] !== undefined &&
    html`<span class="error" id="${field}-error">${errorText(context, form, field)}</span>`
  )
}

// Marks a wrong field, links its description, and sets the focus.
export function marks({ form, firstWrong }: AnyForm, field: Field, hint?: string): Html {
  const described = [hint, form.errors[field] && `${field}-error`].filter(Boolean)
  return html`${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}${form.errors[field] && html` aria-invalid="true"`}${firstWrong === field && html` autofocus`}`
}
