// Somebody at their account, which belongs to no organization, and the frame of its pages.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../../core/html.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { type IconName, icon } from '../icons.ts'
import { documentOf, renderBare, ribbon } from '../layout.ts'
import { isSeeOther, type SeeOther, saidOf } from '../page.ts'
import { PRIVATE_HEADERS, seeOther, sendHtml } from '../send.ts'
import type { ConsoleOptions } from '../setting.ts'
import { askToSignIn } from '../sign-in/ask-to-sign-in.ts'
import { homeOf, type PersonVisit, personVisit, returnAddress } from '../visit.ts'
import { en } from './words-en.ts'
import { type AccountWords, es } from './words-es.ts'

export type Visitor = PersonVisit & {
  readonly typed: URLSearchParams
  readonly said: AccountWords
  // Where they go on after something that they were asked to do first. Always a page of ours.
  readonly to: string
}

export const ACCOUNT_SECTIONS = ['profile', 'access', 'sessions'] as const
export type AccountSection = (typeof ACCOUNT_SECTIONS)[number]

// Without a section: a page by itself, with one thing to do.
export type AccountPage = {
  readonly title: string
  readonly section: AccountSection | null
  readonly content: Html
  readonly status?: number
}
// `json` is for the script.
export type AccountAnswer = AccountPage | SeeOther | { readonly json: object }

const PLACES: Readonly<Record<AccountSection, { path: string; icon: IconName }>> = {
  profile: { path: '/account', icon: 'user' },
  access: { path: '/account/access', icon: 'key' },
  sessions: { path: '/account/sessions', icon: 'clock' },
}
const WORDS: Readonly<Record<UserLanguage, AccountWords>> = { es, en }

export function accountRoute(
  options: ConsoleOptions,
  answer: (visitor: Visitor) => AccountAnswer | Promise<AccountAnswer>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const person = await personVisit(options, request, reply)
    if (person === undefined) return askToSignIn(options, request, reply)
    const visitor = visitorOf(person)
    const answered = await answer(visitor)
    if ('json' in answered) return reply.headers(PRIVATE_HEADERS).send(answered.json)
    if (isSeeOther(answered)) return seeOther(reply, answered.seeOther)
    return sendHtml(request, reply, answered.status ?? 200, render(visitor, answered))
  }
}

function visitorOf(person: PersonVisit): Visitor {
  const { request, language } = person
  const typed = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  const { to } = request.query as { to?: unknown }
  return {
    ...person,
    typed,
    said: WORDS[language],
    to: returnAddress(person, typeof to === 'string' ? to : typed.get('to')),
  }
}

// Where something was done: the page says so once.
export function doneAt({ base }: Visitor, section: AccountSection, done: string): SeeOther {
  return { seeOther: `${base}${PLACES[section].path}?done=${done}` }
}

// The person shows again that it is them, and comes back to a page of the account.
export function proveFirst({ base }: Visitor, path = PLACES.access.path): SeeOther {
  return { seeOther: `${base}/prove?to=${encodeURIComponent(base + path)}` }
}

function render(visitor: Visitor, page: AccountPage): string {
  const { words, said, request } = visitor
  const { done } = request.query as { done?: unknown }
  const told = typeof done === 'string' && request.method === 'GET' ? saidOf(said.done, done) : undefined
  if (page.section === null) return renderBare(visitor, { ...page, said: told })
  const body = html`<body class="console">
<a class="skip" href="#content">${words.skip}</a>
${ribbon(visitor)}
<div class="shell account">
<header class="side">
<div class="side-top">${backLink(visitor)}</div>
<nav class="sections" aria-label="${said.account}"><ul>${sectionLinks(visitor, page.section)}</ul></nav>
${organizationLinks(visitor)}
<div class="side-end"><form method="post" action="${visitor.base}/sign-out"><button class="person">${icon('close')}<span class="person-name">${words.signOut}<small>${visitor.signedIn.user.email}</small></span></button></form></div>
</header>
<main id="content" tabindex="-1">
<p class="said" role="status">${told}</p>
${page.content}
</main>
<nav class="bottom" aria-label="${words.menu}">${sectionLinks(visitor, page.section, false)}</nav>
</div>
</body>`
  return documentOf(visitor, page, body, said.account)
}

function backLink({ base, said, words, signedIn }: Visitor): Html {
  const [first] = signedIn.memberships
  if (first === undefined)
    return html`<span class="organization"><span class="organization-name">${words.product}</span></span>`
  return html`<a class="organization" href="${homeOf(base, first.organization)}" title="${said.back}">${icon('left')}<span class="organization-name">${said.back}</span></a>`
}

function sectionLinks({ base, said }: Visitor, current: AccountSection, inList = true): Html[] {
  return ACCOUNT_SECTIONS.map((section) => {
    const { path, icon: drawing } = PLACES[section]
    const label = said.sections[section]
    const link = html`<a href="${base}${path}"${section === current && html` aria-current="page"`} title="${label}">${icon(drawing)}<span>${label}</span></a>`
    return inList ? html`<li>${link}</li>` : link
  })
}

function organizationLinks({ base, said, signedIn }: Visitor): Html | false {
  const { memberships } = signedIn
  if (memberships.length < 2) return false
  const links = memberships.map(
    ({ organization }) =>
      html`<li><a href="${homeOf(base, organization)}" title="${organization.name}"><span class="mark small" aria-hidden="true">${organization.name.trim().slice(0, 1).toUpperCase()}</span><span>${organization.name}</span></a></li>`,
  )
  return html`<nav class="sections account-organizations" aria-label="${said.organizations}"><ul>${links}</ul></nav>`
}
