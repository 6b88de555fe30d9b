// The frame of every page. Signed in: ribbon, search, navigation, the person, and the page's content. Otherwise: the content
// alone in the middle. All of it works without the script.

import { type Html, html } from '../core/html.ts'
import { ASSETS } from './assets.ts'
import { dialogs } from './dialogs.ts'
import { timeText } from './format.ts'
import { icon, namedIcon } from './icons.ts'
import type { Page } from './page.ts'
import { PLACES, type Section, sectionsIn } from './sections.ts'
import { publicAddressOf, type Setting, THEMES } from './setting.ts'
import { homeOf, may, type Visit } from './visit.ts'

export function renderPage(visit: Visit, page: Page): string {
  const { words, home, signedIn } = visit
  const live = liveOf(visit, page)
  const sections = navigation(visit, page.section)
  const keys = signedIn.user.singleKeys && html` data-keys="${keysOf(visit)}"`
  const body = html`<body class="console"${live}${keys} data-search="${home}/search">
<a class="skip" href="#content">${words.skip}</a>
${ribbon(visit)}
<div class="shell">
<header class="side">
<div class="side-top">${organizationMenu(visit)}</div>
<form class="find" role="search" action="${home}/search"><label class="unseen" for="find">${words.find}</label>${icon('find')}<input id="find" type="search" name="q" placeholder="${words.find}" autocomplete="off" maxlength="200"><kbd>⌘K</kbd></form>
<nav class="sections" aria-label="${words.navigation}">${sections}</nav>
<div class="side-end">${personMenu(visit)}</div>
</header>
<main id="content" tabindex="-1">
<p class="said" role="status">${page.said}</p>
<p class="on-paper">${visit.organization.name} · ${words.product} · ${timeText(visit.ctx.clock.now(), visit.ctx.clock.now(), visit.language)} (${words.bogotaTime})</p>
${page.content}
</main>
<nav class="bottom" aria-label="${words.menu}">${bottomBar(visit, page.section, sections)}</nav>
</div>
${dialogs(visit)}
</body>`
  return documentOf(visit, page, body, visit.organization.name)
}

// What the page watches, and when it was made. The answer to a form has an address that cannot be asked for again.
function liveOf(
  { home, request, ctx }: Visit,
  { watches, freshInMs = 0, status = 200 }: Page,
): Html | undefined {
  if (watches === undefined || request.method !== 'GET' || status !== 200) return undefined
  const madeAt = ctx.clock.wallClock() - Math.ceil(performance.now() - request.startedAtMs)
  return html` data-live="${home}/live" data-watches="${watches.join(' ')}" data-at="${madeAt}" data-fresh-in="${freshInMs}"`
}

// For sign-in and for problems of whoever has not signed in.
export function renderBare(setting: Setting, page: Pick<Page, 'title' | 'content' | 'said'>): string {
  const { words, base } = setting
  const body = html`<body class="bare">
<a class="skip" href="#content">${words.skip}</a>
${ribbon(setting)}
<main id="content" tabindex="-1">
<p class="brand"><img src="${base}/assets/${markOf(setting)}" alt="" width="28" height="28"> ${words.product}</p>
<p class="said" role="status">${page.said}</p>
${page.content}
</main>
</body>`
  return documentOf(setting, page, body)
}

export function ribbon({ environment, words }: Setting): Html | false {
  return environment === 'staging' && html`<aside class="ribbon">${words.ribbon}</aside>`
}

export function documentOf(
  setting: Setting,
  { title, isRowsOnly = false }: Pick<Page, 'title' | 'isRowsOnly'>,
  body: Html,
  merchant?: string,
): string {
  const { base, language, theme, words, environment } = setting
  const asset = (name: string) => `${base}/assets/${name}`
  const name = [title, merchant, words.product].filter((part) => part !== undefined).join(' · ')
  return html`<!doctype html>
<html lang="${language === 'es' ? 'es-CO' : 'en'}" data-theme="${theme}" data-environment="${environment}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<title>${name}</title>
<link rel="icon" href="${asset(markOf(setting))}" type="image/svg+xml">
<link rel="stylesheet" href="${asset(ASSETS.style)}">${!isRowsOnly && html`<link rel="stylesheet" href="${asset(ASSETS.moreStyle)}">`}
<script type="module" src="${asset(ASSETS.script)}"></script>
</head>
${body}
</html>
`.html
}

function markOf({ environment }: Setting): string {
  return environment === 'staging' ? ASSETS.testMark : ASSETS.mark
}

function navigation(visit: Visit, current: Section | null): Html {
  const sections = sectionsIn(visit.environment)
  const groups = [...new Set(sections.map((section) => PLACES[section].group))]
  return html`${groups.map(
    (group) =>
      html`<ul>${sections
        .filter((section) => PLACES[section].group === group)
        .map((section) => html`<li>${sectionLink(visit, section, current)}</li>`)}</ul>`,
  )}`
}

// What one may not see is shown too: its page says which right is missing, and who could give it.
function sectionLink(visit: Visit, section: Section, current: Section | null): Html {
  const { path, scope } = PLACES[section]
  const label = visit.words.sections[section]
  const isClosed = scope !== null && !may(visit, scope)
  return html`<a href="${visit.home}${path}"${section === current && html` aria-current="page"`}${isClosed && html` class="closed"`} title="${label}">${icon(section)}<span>${label}</span>${isClosed && icon('lock')}</a>`
}

const IN_BOTTOM_BAR: readonly Section[] = ['home', 'payins', 'payouts']

function bottomBar(visit: Visit, current: Section | null, sections: Html): Html {
  const { words } = visit
  const isElsewhere = current !== null && !IN_BOTTOM_BAR.includes(current)
  return html`${IN_BOTTOM_BAR.map((section) => sectionLink(visit, section, current))}<button type="button" popovertarget="more"${isElsewhere && html` class="here"`}>${icon('more')}<span>${words.more}</span></button>
<div id="more" class="sheet" popover><div class="sections">${sections}</div><div class="side-end">${personLinks(visit)}</div><button type="button" class="button" popovertarget="more" popovertargetaction="hide">${words.close}</button></div>`
}

function organizationMenu(visit: Visit): Html {
  const { words, organization, signedIn, base, home } = visit
  const mark = html`<span class="mark" aria-hidden="true">${organization.name.trim().slice(0, 1).toUpperCase()}</span>`
  const name = html`${mark}<span class="organization-name">${organization.name}</span>`
  if (signedIn.memberships.length < 2)
    return html`<a class="organization" href="${home}" title="${organization.name}">${name}</a>`
  const others = signedIn.memberships.map((membership) => {
    const isThis = membership.organization.organizationId === organization.organizationId
    return html`<li><a href="${homeOf(base, membership.organization)}"${isThis && html` aria-current="true"`}>${membership.organization.name}<small>${words.roles[membership.role]}</small></a></li>`
  })
  return html`<button type="button" class="organization" popovertarget="organizations" title="${words.changeOrganization}">${name}${icon('chevron')}</button>
<div id="organizations" class="menu" popover><p class="menu-title">${words.changeOrganization}</p><ul>${others}</ul></div>`
}

function personMenu(visit: Visit): Html {
  const { signedIn, words, role } = visit
  const { name } = signedIn.user
  return html`<button type="button" class="person" popovertarget="person" title="${name}">${icon('user')}<span class="person-name">${name}<small>${words.roles[role]}</small></span>${icon('chevron')}</button>
<div id="person" class="menu" popover>${personLinks(visit)}</div>`
}

function personLinks(visit: Visit): Html {
  const { words, base, theme, request } = visit
  const themes = THEMES.map(
    (one) =>
      html`<button name="theme" value="${one}"${one === theme && html` aria-pressed="true"`}>${words.themes[one]}</button>`,
  )
  return html`<ul><li><a href="${base}/account">${icon('user')}${words.account}</a></li><li><button type="button" class="link" data-open="keys">${icon('key')}${words.keyboard}</button></li></ul>
<form method="post" action="${base}/theme" class="themes"><p class="menu-title">${words.theme}</p><input type="hidden" name="to" value="${publicAddressOf(visit, request)}"><div class="choice">${themes}</div></form>
<form method="post" action="${base}/sign-out"><button class="link">${namedIcon('close', '')}${words.signOut}</button></form>`
}

// What `g` and then a key leads to.
function keysOf({ environment, home }: Visit): string {
  return sectionsIn(environment)
    .map((section) => `${PLACES[section].key}=${home}${PLACES[section].path}`)
    .join(' ')
}
