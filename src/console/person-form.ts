// Forms about the person alone: how they sign in, and what they are called. They run no operation of the API, so they have no
// call to show and no idempotency key.

import { type Html, html } from '../core/html.ts'

export type PersonField = {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'email' | 'password'
  readonly autocomplete: string
  readonly value?: string
  readonly hint?: string | undefined
  readonly problem?: string | undefined
  readonly inputMode?: 'numeric'
  readonly maxLength?: number
  readonly isOptional?: boolean
  readonly isFirst?: boolean
  readonly class?: string
}

export function personField(field: PersonField): Html {
  const { name, hint, problem } = field
  const id = `person-${name}`
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const details = html`${described !== '' && html` aria-describedby="${described}"`}${problem && html` aria-invalid="true"`}${!field.isOptional && html` required`}${field.inputMode && html` inputmode="${field.inputMode}"`}${field.isFirst && html` autofocus`}${field.class && html` class="${field.class}"`}`
  // A code is no word of any language.
  const spelling = field.type === 'text' && html` autocapitalize="none" spellcheck="false"`
  return html`<div class="field"><label for="${id}">${field.label}</label>${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}${problem && html`<p class="wrong" id="${id}-problem">${problem}</p>`}<input id="${id}" name="${name}" type="${field.type}" autocomplete="${field.autocomplete}" value="${field.value}" maxlength="${field.maxLength ?? 400}"${spelling}${details}></div>`
}

// Above the form, and focused, so that it is read out first.
export function problemBox(text: string | undefined): Html | false {
  return text !== undefined && html`<div class="problems" role="alert" tabindex="-1" data-focus>${text}</div>`
}

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}
