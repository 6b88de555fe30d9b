// The first page of settings: every part, with what it is about.

import { html } from '../../core/html.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import { may, type Visit } from '../visit.ts'
import { PART_PLACES, SETTINGS_PARTS } from './parts.ts'
import { SETTINGS_WORDS } from './words.ts'

export async function settingsIndex(visit: Visit): Promise<Page> {
  const words = SETTINGS_WORDS[visit.language]
  const parts = SETTINGS_PARTS.map((part) => {
    const { path, scope, icon: drawing } = PART_PLACES[part]
    const { name, text } = words.parts[part]
    const isClosed = !may(visit, scope)
    return html`<li><a class="card part-card" href="${visit.home}${path}">${icon(drawing)}<span><b>${name}</b><small>${text}</small></span>${icon(isClosed ? 'lock' : 'right')}</a></li>`
  })
  return {
    title: words.title,
    section: 'settings',
    content: html`<div class="head"><h1>${words.title}</h1></div><ul class="part-cards">${parts}</ul>`,
  }
}
