// The page of one object: how it stands in a sentence, what can be done, what happened, the facts, and the object as the API
// gives it.

import type { Operation } from '../../api/http/operation.ts'
import { type Html, html } from '../../core/html.ts'
import { curlOf } from '../curl.ts'
import { copyable, curlBlock } from '../curl-block.ts'
import type { FormCall } from '../form-state.ts'
import { icon } from '../icons.ts'
import type { WatchName } from '../live/watches.ts'
import type { Page } from '../page.ts'
import type { Section } from '../sections.ts'
import type { Visit } from '../visit.ts'
import type { Tone } from '../words/states.ts'
import { indented, type TimelineEntry, timelineHtml } from './timeline.ts'
import { OBJECT_WORDS } from './words.ts'

export type Fact = readonly [label: string, value: Html | string | null | undefined]

export type FactGroup = {
  readonly title: string
  readonly facts: readonly Fact[]
  // Behind the facts.
  readonly after?: Html | false
}

export type ObjectView = {
  readonly section: Section
  // The list that it is in, after `visit.home`.
  readonly list: { readonly path: string; readonly label: string }
  readonly id: string
  readonly name: string
  // The amount, or what else says at a glance what it is.
  readonly headline: Html | string
  readonly status: Html
  // How it stands and why.
  readonly sentence: Html | string
  readonly tone: Tone
  readonly actions: readonly (Html | false | undefined)[]
  // What an action says when it was refused.
  readonly problem?: Html | false
  readonly groups: readonly FactGroup[]
  // Between the sentence and the timeline.
  readonly before?: Html | false
  readonly entries: readonly TimelineEntry[]
  readonly json: string
  // Where it is what one came for.
  readonly isJsonOpen?: true
  readonly operation: Operation
  readonly call: FormCall
  readonly watches: readonly WatchName[]
}

export function objectPage(visit: Visit, view: ObjectView): Page {
  const words = OBJECT_WORDS[visit.language]
  const { home } = visit
  const actions = view.actions.filter((action) => action !== false && action !== undefined)
  const curl = curlOf(view.operation, view.call, visit.options.publicUrl)
  const content = html`<nav class="trail"><a href="${home}${view.list.path}">${icon('left')}${view.list.label}</a></nav>
<div class="object-top" id="object-top"><header class="object-head"><div class="object-name"><p class="object-reference">${view.name}</p><h1>${view.headline} ${view.status}</h1><p class="object-id">${copyable(visit, view.id)}</p></div></header>
<div class="object-how">${view.problem}<p class="sentence ${view.tone}" id="sentence">${view.sentence}</p></div>${actions.length > 0 && html`<div class="object-actions" role="group" data-whole aria-label="${words.actions}">${actions}</div>`}</div>
${view.before}
<div class="object-body" id="object-body">${timelineHtml(visit, view.entries)}<div class="object-side">${view.groups.map(groupHtml)}</div></div>
<section class="object-raw" id="object-raw"><details id="json"${view.isJsonOpen && html` open`}><summary>${words.json}</summary><pre class="code" tabindex="0"><code>${indented(view.json)}</code></pre></details><details id="curl"><summary>${words.asCurl}</summary>${curlBlock(visit, curl)}</details></section>`
  return { title: view.name, section: view.section, content, watches: view.watches }
}

function groupHtml({ title, facts, after }: FactGroup): Html {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const rows = shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)
  return html`<section class="object-facts"><h2>${title}</h2><dl>${rows}</dl>${after}</section>`
}
