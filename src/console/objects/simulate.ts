// In staging: decides how a payment ends in the simulated network.

import type { Operation } from '../../api/http/operation.ts'
import { type Html, html } from '../../core/html.ts'
import type { Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormCall, newForm } from '../form-state.ts'
import { icon } from '../icons.ts'
import type { Visit } from '../visit.ts'
import { OBJECT_WORDS } from './words.ts'

export function simulateFields({ language }: Visit, outcomes: readonly string[]): Field[] {
  const words = OBJECT_WORDS[language]
  const options = outcomes.map((value) => ({ value, label: words.outcomes[value] ?? value }))
  const [first] = outcomes
  return [
    {
      kind: 'radio',
      path: '/outcome',
      label: words.outcome,
      hint: words.simulateHint,
      options,
      ...(first !== undefined && { value: first }),
    },
  ]
}

export function simulateControl(
  visit: Visit,
  view: { action: string; operation: Operation; outcomes: readonly string[]; call: FormCall },
): Html {
  const words = OBJECT_WORDS[visit.language]
  const { action, operation, outcomes, call } = view
  const form = formFrame(visit, newForm(visit), {
    action,
    operation,
    fields: simulateFields(visit, outcomes),
    submit: words.simulate,
    call: { ...call, body: { outcome: outcomes[0] } },
  })
  return html`<details class="drop"><summary class="button">${icon('sandbox')}${words.simulate}</summary><div class="drop-panel">${form}</div></details>`
}
