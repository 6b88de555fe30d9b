// The search: one field for whatever is known of something. An id leads straight to what it is of; the rest is shown by kind, with how
// each was found. It works without the script, and its address can be shared with whoever may see the same.

import { type Html, html } from '../../core/html.ts'
import { QUESTION_MAX_LENGTH, type Question, readQuestion } from '../../core/search/question.ts'
import { FOUND_KINDS, type FoundBy, type FoundKind } from '../../core/search/result.ts'
import { type SearchHit, type SearchResult, search } from '../../flows/search/search.ts'
import { amountText, countText } from '../format.ts'
import { icon } from '../icons.ts'
import type { ListView } from '../lists/definition.ts'
import { LIST_WORDS } from '../lists/words.ts'
import type { Page, SeeOther } from '../page.ts'
import { eyesOf, seesPeople } from '../people.ts'
import type { PageRoute } from '../route.ts'
import { may, type Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { foundTable, hrefOf, KIND_ICONS } from './rows.ts'
import { SEARCH_WORDS } from './words.ts'

// Of each kind, and of the only one that was asked for.
const SHOWN = 8
const SHOWN_OF_ONE = 50

export const searchRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/search', scope: null, show: searchPage },
]

async function searchPage(visit: Visit): Promise<Page | SeeOther> {
  const words = SEARCH_WORDS[visit.language]
  const { q, kind: asked } = visit.request.query as { q?: unknown; kind?: unknown }
  const question = typeof q === 'string' ? readQuestion(q) : undefined
  const page = (content: Html, title = words.title): Page => ({ title, section: null, content })
  if (question === undefined) return page(html`${field(visit, '', null)}${teaching(visit)}`)
  const kind = FOUND_KINDS.find((one) => one === asked) ?? null
  const result = await search(
    visit.ctx,
    {
      organizationId: visit.organization.organizationId,
      scopes: visit.caller.scopes,
      seesPeople: seesPeople(visit),
      kinds: kind === null ? null : [kind],
    },
    question,
    kind === null ? SHOWN : SHOWN_OF_ONE,
  )
  const exact = result.found.find(({ by }) => by.includes('id'))
  if (exact !== undefined) return { seeOther: `${visit.home}${hrefOf(exact)}` }
  const content =
    result.found.length === 0 ? nothing(visit, question) : await results(visit, question, kind, result)
  return page(html`${field(visit, question.text, kind)}${content}`, `${words.title}: ${question.text}`)
}

function field(visit: Visit, text: string, kind: FoundKind | null): Html {
  const words = SEARCH_WORDS[visit.language]
  const kept = kind !== null && html`<input type="hidden" name="kind" value="${kind}">`
  const focus = text === '' && html` autofocus`
  return html`<div class="head"><h1>${words.title}</h1></div><form class="search-form" role="search" aria-label="${words.label}" action="${visit.home}/search">${kept}<label class="unseen" for="search-text">${words.label}</label>${icon('find')}<input type="search" id="search-text" name="q" value="${text}" placeholder="${words.placeholder}" maxlength="${QUESTION_MAX_LENGTH}" autocomplete="off" spellcheck="false"${focus}><button class="button main">${words.button}</button></form>`
}

async function results(
  visit: Visit,
  question: Question,
  kind: FoundKind | null,
  { found, more, isPartial }: SearchResult,
): Promise<Html> {
  const { language, ctx } = visit
  const words = SEARCH_WORDS[language]
  const view: ListView = {
    visit,
    words: LIST_WORDS[language],
    states: STATES[language],
    eyes: await eyesOf(visit),
    now: ctx.clock.now(),
  }
  const groups = FOUND_KINDS.map((one) => ({ one, rows: found.filter((row) => row.kind === one) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ one, rows }) => group(view, question, one, rows, more.includes(one), kind !== null))
  const shown = countText(found.length, language)
  const count = more.length > 0 ? words.countedMore(shown) : words.counted(shown, found.length === 1)
  const back =
    kind !== null &&
    html`<a class="chip" href="${addressOf(visit, question, null)}">${words.allKinds}${icon('close')}</a>`
  const partial = isPartial && html`<p class="looked">${words.partial}</p>`
  return html`<p class="search-said" role="status"><span>${count}</span>${back}${reading(visit, question)}</p>${groups}${partial}${hiddenHint(visit)}`
}

function group(
  view: ListView,
  question: Question,
  kind: FoundKind,
  rows: readonly SearchHit[],
  hasMore: boolean,
  isOnly: boolean,
): Html {
  const { visit } = view
  const words = SEARCH_WORDS[visit.language]
  const count = countText(rows.length, visit.language)
  const way =
    hasMore &&
    !isOnly &&
    html`<a href="${addressOf(visit, question, kind)}">${words.showMore}<span class="unseen">: ${words.kinds[kind]}</span></a>`
  const most = hasMore && isOnly && html`<p class="looked">${words.onlyMost(count)}</p>`
  return html`<section class="found-group" aria-labelledby="found-${kind}"><div class="found-head"><h2 id="found-${kind}">${icon(KIND_ICONS[kind])}${words.kinds[kind]}</h2><span class="soft">${hasMore ? `${count}+` : count}</span>${way}</div>${foundTable(view, kind, rows)}${most}</section>`
}

function addressOf({ home }: Visit, { text }: Question, kind: FoundKind | null): string {
  return `${home}/search?q=${encodeURIComponent(text)}${kind === null ? '' : `&kind=${kind}`}`
}

// How what was typed was understood. Whoever may not see people does not ask by what they are found by.
function reading(visit: Visit, { readings }: Question): Html | false {
  const words = SEARCH_WORDS[visit.language]
  const traits = readings
    .filter(({ trait }) => seesPeople(visit) || !isOfPeople(trait))
    .map(({ trait, texts }) =>
      trait === 'amount'
        ? `${words.by.amount} ${amountText(BigInt(texts[0] ?? 0), visit.language)}`
        : words.by[trait],
    )
  return (
    traits.length > 0 &&
    html`<span class="soft">${words.readAs}:</span> ${traits.map((trait) => html`<span class="why">${trait}</span>`)}`
  )
}

function isOfPeople(by: FoundBy): boolean {
  return by === 'document' || by === 'email' || by === 'phone' || by === 'name'
}

function hiddenHint(visit: Visit): Html | false {
  return !seesPeople(visit) && html`<p class="looked">${SEARCH_WORDS[visit.language].hidden}</p>`
}

const INSIDE = [
  ['/payins', 'payins:read', 'payin'],
  ['/payouts', 'payouts:read', 'payout'],
  ['/links', 'links:read', 'paymentlink'],
] as const

// What is not found is said with what could be: how it was read, and the lists that look inside references.
function nothing(visit: Visit, question: Question): Html {
  const words = SEARCH_WORDS[visit.language]
  const ways = INSIDE.filter(([, scope]) => may(visit, scope)).map(
    ([path, , kind]) =>
      html`<a class="button" href="${`${visit.home}${path}?period=all&text=${encodeURIComponent(question.text)}`}">${icon(KIND_ICONS[kind])}${words.kinds[kind]}</a>`,
  )
  return html`<section class="empty" role="status"><p class="empty-mark">${icon('find')}</p><h2>${words.none(question.text)}</h2><p class="search-said">${reading(visit, question)}</p><p>${words.noneText}</p>${ways.length > 0 && html`<p>${words.inside}</p><p class="empty-ways">${ways}</p>`}</section>${hiddenHint(visit)}`
}

function teaching(visit: Visit): Html {
  const words = SEARCH_WORDS[visit.language]
  const ways = words.ways.map(({ by, example, hint }) => {
    const isClosed = isOfPeople(by) && !seesPeople(visit)
    return html`<li class="${isClosed ? 'closed' : ''}"><h3>${words.by[by]}${isClosed && icon('lock')}</h3><code>${example}</code><p>${hint}</p></li>`
  })
  return html`<section class="search-teach"><h2>${words.teach.title}</h2><p class="soft">${words.teach.text}</p><ul class="ways">${ways}</ul></section>${hiddenHint(visit)}`
}
