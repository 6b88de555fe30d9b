// A secret, shown once: the page that answers the form which made it. A reload repeats the request, and shows the same again.

import { type Html, html } from '../../core/html.ts'
import { copyable, curlBlock } from '../curl-block.ts'
import { icon } from '../icons.ts'
import type { Visit } from '../visit.ts'

export type ShownSecret = {
  // What it is called, and the secret; and what belongs to it, such as the client's id.
  readonly values: readonly (readonly [label: string, value: string])[]
  readonly warning: string
  readonly notes?: readonly (string | false)[]
  readonly tryIt?: { readonly label: string; readonly curl: string }
  readonly next: { readonly path: string; readonly label: string }
}

export function secretCard(visit: Visit, { values, warning, notes = [], tryIt, next }: ShownSecret): Html {
  const rows = values.map(
    ([label, value]) => html`<dt>${label}</dt><dd class="secret">${copyable(visit, value)}</dd>`,
  )
  return html`<section class="card panel secret-card"><p class="note-line is-wait">${icon('warning')}<span>${warning}</span></p>
<dl class="secrets">${rows}</dl>
${notes.map((note) => note !== false && html`<p class="hint">${note}</p>`)}
${tryIt && html`<p class="hint">${tryIt.label}</p>${curlBlock(visit, tryIt.curl)}`}
<p class="form-end"><a class="button main" href="${visit.home}${next.path}">${next.label}</a></p></section>`
}
