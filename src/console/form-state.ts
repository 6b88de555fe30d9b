// A form between two looks at it: what was typed, and what is wrong with it.

import type { FieldProblem, Refusal } from '../core/refusal.ts'
import type { Visit } from './visit.ts'

// What a form asks the API for.
export type FormCall = {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
}

// One thing that somebody else changed, in words.
export type Change = { readonly label: string; readonly was: string; readonly is: string }

export type FormState = {
  // What was typed. Empty when the form is first shown.
  readonly typed: URLSearchParams
  readonly isTyped: boolean
  // Kept over refusals: nothing was done under it.
  readonly key: string
  readonly problems: readonly FieldProblem[]
  readonly refusal: Refusal | null
  readonly changes: readonly Change[]
  // It is about money or credentials, and the person has yet to show once more that it is them.
  readonly needsProof: boolean
  // The call as far as it was typed, for whoever wants it as curl.
  readonly call: FormCall | null
}

export const FORM_KEY = '_key'
// Sent by the page on which a form was read over.
export const REVIEWED = '_reviewed'
// The button that shows the call instead of running it.
export const SHOW_CALL = '_show'
export const SHOW_AS_CURL = 'curl'

export function newForm({ ctx }: Pick<Visit, 'ctx'>): FormState {
  return {
    typed: new URLSearchParams(),
    isTyped: false,
    key: `console-${ctx.ids.next()}`,
    problems: [],
    refusal: null,
    changes: [],
    needsProof: false,
    call: null,
  }
}
