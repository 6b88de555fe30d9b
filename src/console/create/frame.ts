// The page of a form that makes something: the form, and beside it what becomes of it.

import { type Html, html } from '../../core/html.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import type { Section } from '../sections.ts'
import type { Visit } from '../visit.ts'

export type CreatePage = {
  readonly section: Section
  readonly title: string
  // What it makes, in a sentence.
  readonly lead?: string
  // The list that it will be in, after `visit.home`.
  readonly back: { readonly path: string; readonly label: string }
  // Above the form, such as that the person will be asked to show that it is them.
  readonly notes?: Html | false
  readonly form: Html
  readonly beside?: Html | false
  // Where it is made in several steps: their names, and which one this is.
  readonly steps?: { readonly label: string; readonly names: readonly string[]; readonly at: number }
}

export function createPage({ home }: Visit, page: CreatePage): Page {
  const { title, lead, back, notes, form, beside, steps } = page
  const content = html`<div class="make"><nav class="trail"><a href="${home}${back.path}">${icon('left')}${back.label}</a></nav>
<div class="head"><h1>${title}</h1></div>
${lead !== undefined && html`<p class="lead">${lead}</p>`}
${steps && stepsHtml(steps)}
${notes}
<div class="beside${!beside && ' alone'}"><section class="card panel">${form}</section>${beside && html`<div class="becomes">${beside}</div>`}</div></div>`
  return { title, section: page.section, content }
}

function stepsHtml({ label, names, at }: NonNullable<CreatePage['steps']>): Html {
  const rows = names.map(
    (name, index) =>
      html`<li${index === at && html` aria-current="step"`}${index < at && html` class="is-done"`}><span aria-hidden="true">${index < at ? icon('check') : index + 1}</span>${name}</li>`,
  )
  return html`<ol class="steps" aria-label="${label}">${rows}</ol>`
}
