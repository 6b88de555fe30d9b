// The frame of every page of settings: the parts beside it where there is room, and the way back where there is none.

import { type Html, html } from '../../core/html.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import { isProvedLately } from '../../core/team/user.ts'
import { proofElsewhere } from '../form.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import { publicAddressOf } from '../setting.ts'
import { may, type Visit } from '../visit.ts'
import { PART_PLACES, type Part, SETTINGS_PARTS } from './parts.ts'
import { SETTINGS_WORDS } from './words.ts'

export type SettingsPage = {
  readonly part: Part
  readonly title: string
  // What can be done here, at the right of the title.
  readonly actions?: Html | false
  // What it is about, in a sentence.
  readonly lead?: string
  // A page within a part: where it came from, after `visit.home`.
  readonly back?: { readonly path: string; readonly label: string }
  readonly content: Html
  readonly status?: number
  readonly isWide?: boolean
}

export function settingsPage(visit: Visit, page: SettingsPage): Page {
  const { words, home } = visit
  const { title, back = { path: '/settings', label: words.sections.settings } } = page
  const content = html`<div class="settings">${partNavigation(visit, page.part)}<div class="settings-part${page.isWide && ' is-wide'}">
<p class="crumb${page.back === undefined && ' to-settings'}"><a href="${home}${back.path}">${icon('left')}${back.label}</a></p>
<div class="head"><h1>${title}</h1>${page.actions && html`<div class="head-actions">${page.actions}</div>`}</div>
${page.lead !== undefined && html`<p class="lead">${page.lead}</p>`}
${page.content}</div></div>`
  return {
    title,
    section: 'settings',
    content,
    ...(page.status !== undefined && { status: page.status }),
  }
}

function partNavigation(visit: Visit, current: Part): Html {
  const words = SETTINGS_WORDS[visit.language]
  const links = SETTINGS_PARTS.map((part) => {
    const { path, scope } = PART_PLACES[part]
    const isClosed = !may(visit, scope)
    return html`<li><a href="${visit.home}${path}"${part === current && html` aria-current="page"`}>${icon(PART_PLACES[part].icon)}<span>${words.parts[part].name}</span>${isClosed && icon('lock')}</a></li>`
  })
  return html`<nav class="parts" aria-label="${words.navigation}"><ul>${links}</ul></nav>`
}

// One thing to set, with its form.
export function panel(title: string, text: string | false, content: Html, id?: string): Html {
  return html`<section class="card panel"${id !== undefined && html` id="${id}"`}><h2>${title}</h2>${text !== false && html`<p class="hint">${text}</p>`}${content}</section>`
}

// Before a form about money or credentials is filled in: the person will be asked to show that it is them, and can do so now.
export function proofNote(visit: Visit): Html | false {
  const { base, request, signedIn, ctx } = visit
  if (isProvedLately(signedIn.session, ctx.clock.wallClock())) return false
  const words = SETTINGS_WORDS[visit.language]
  // What was typed would be lost on the way there and back.
  const way =
    request.method === 'GET'
      ? html`<a href="${base}/prove?to=${encodeURIComponent(publicAddressOf(visit, request))}">${words.proof.now}</a>`
      : html`<a href="${proofElsewhere(visit)}" target="_blank" rel="opener">${words.proof.now}</a>`
  return html`<p class="note-line">${icon('lock')}<span>${words.proof.text} ${way}</span></p>`
}

// A link to a form, or the same without a way in and with the reason.
export function wayTo(visit: Visit, path: string, label: string, scope: Scope, kind = ''): Html {
  const { home, words } = visit
  return may(visit, scope)
    ? html`<a class="button ${kind}" href="${home}${path}">${label}</a>`
    : html`<span class="button" aria-disabled="true" title="${words.rights[scope]}">${icon('lock')}${label}</span>`
}
