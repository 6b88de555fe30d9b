// The beneficiary book: whose key is which, and since when we know it.

import { writeBeneficiaryOperation } from '../../api/beneficiaries/operations.ts'
import type { Beneficiary } from '../../core/beneficiaries/beneficiary.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import { QUESTION_MAX_LENGTH, readQuestion } from '../../core/search/question.ts'
import { findInBook } from '../../flows/beneficiaries/find.ts'
import { beneficiaryList } from '../../store/beneficiaries/beneficiaries.ts'
import { curlOf } from '../curl.ts'
import { curlBlock } from '../curl-block.ts'
import { timeText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import { queryOf } from '../params.ts'
import { BOOK_PATH, payoutSwitch } from '../payout-batches/places.ts'
import { eyesOf, type PeopleEyes, receiverSeen, seesPeople } from '../people.ts'
import type { PageRoute } from '../route.ts'
import { may, type Visit } from '../visit.ts'
import { STATES, statusMark } from '../words/states.ts'
import { BENEFICIARY_WORDS } from './words.ts'

const PAGE_ROWS = 25

type Shown = { readonly entries: readonly Beneficiary[]; readonly readTo: string | null }

async function bookPage(visit: Visit): Promise<Page> {
  const { language, home } = visit
  const words = BENEFICIARY_WORDS[language]
  const query = queryOf(visit)
  const typed = seesPeople(visit) ? (query.get('q') ?? '') : ''
  const after = query.get('after') ?? ''
  const from = isUuid(after) ? after.toLowerCase() : null
  const { entries, readTo } = await entriesOf(visit, typed, from)
  const isNew = entries.length === 0 && typed.trim() === '' && from === null
  const create = may(visit, 'payouts:write')
    ? html`<a class="button main" href="${home}${BOOK_PATH}/new" data-create>${icon('plus')}${words.create}</a>`
    : html`<span class="button" aria-disabled="true" title="${visit.words.rights['payouts:write']}">${icon('lock')}${words.create}</span>`
  const eyes = await eyesOf(visit)
  const content = html`<div class="head"><h1>${words.title}</h1>${payoutSwitch(visit, BOOK_PATH)}<div class="head-actions">${create}</div></div>
<p class="page-hint">${words.lead}</p>
${isNew ? teaching(visit) : html`${searchForm(visit, typed)}${rows(visit, eyes, entries, readTo, typed)}${pager(visit, typed, from, readTo)}`}`
  return { title: words.title, section: 'payouts', content }
}

async function entriesOf(visit: Visit, typed: string, from: string | null): Promise<Shown> {
  const { ctx, organization } = visit
  const { organizationId } = organization
  const question = readQuestion(typed)
  if (question !== undefined) {
    const { found, readTo } = await findInBook(ctx, organizationId, question, from, PAGE_ROWS)
    return { entries: found, readTo }
  }
  const list = beneficiaryList(ctx.db, organizationId, {})
  const found = await list.seek({ direction: 'older', from }, PAGE_ROWS + 1)
  const entries = found.slice(0, PAGE_ROWS)
  return { entries, readTo: found.length > PAGE_ROWS ? (entries.at(-1)?.beneficiaryId ?? null) : null }
}

function searchForm(visit: Visit, typed: string): Html {
  const words = BENEFICIARY_WORDS[visit.language]
  if (!seesPeople(visit)) return html`<p class="looked">${words.hidden}</p>`
  return html`<form class="filters is-plain" role="search" aria-label="${words.search}" action="${visit.home}${BOOK_PATH}"><div class="filter wide"><label class="unseen" for="filter-text">${words.search}</label>${icon('find')}<input type="search" id="filter-text" name="q" value="${typed}" placeholder="${words.search}" maxlength="${QUESTION_MAX_LENGTH}" autocomplete="off" spellcheck="false" data-filter></div><button class="button">${words.find}</button></form>`
}

function rows(
  visit: Visit,
  eyes: PeopleEyes,
  entries: readonly Beneficiary[],
  readTo: string | null,
  typed: string,
): Html {
  const words = BENEFICIARY_WORDS[visit.language]
  if (entries.length > 0)
    return html`<ul class="row-list card">${entries.map((entry) => row(visit, eyes, entry))}</ul>`
  if (readTo !== null) return html`<p class="looked">${words.lookedUntil}</p>`
  return html`<section class="empty"><h2>${words.notFound}</h2><p>${words.notFoundText}</p>${typed !== '' && html`<p class="empty-ways"><a class="button" href="${visit.home}${BOOK_PATH}">${words.clear}</a></p>`}</section>`
}

function row({ home, language, ctx }: Visit, eyes: PeopleEyes, entry: Beneficiary): Html {
  const words = BENEFICIARY_WORDS[language]
  const { beneficiaryId, person, verifiedAt } = entry
  const seen = receiverSeen(eyes, beneficiaryId, person)
  const idTypes: Readonly<Record<string, string>> = STATES[language].idTypes
  const when = verifiedAt !== null && html`<small>${timeText(verifiedAt, ctx.clock.now(), language)}</small>`
  const [main, key] =
    typeof seen === 'string'
      ? [html`<b>${seen}</b>`, html``]
      : [
          html`<b>${seen.customer.name}</b><span class="soft">${idTypes[seen.customer.idType] ?? seen.customer.idType} ${seen.customer.idNumber}</span>`,
          html`<code>${seen.keyString}</code>${when}`,
        ]
  return html`<li class="row-item" id="beneficiary-${beneficiaryId}"><a href="${home}${BOOK_PATH}/${beneficiaryId}"><span class="row-main">${main}</span><span class="row-text">${key}</span>${verifiedMark(entry, words)}${icon('right')}</a></li>`
}

export function verifiedMark(
  { verifiedAt }: Beneficiary,
  words: { readonly verified: string; readonly unverified: string },
): Html {
  return verifiedAt === null
    ? statusMark('', words.unverified, 'quiet')
    : statusMark('', words.verified, 'good')
}

function pager({ home, language }: Visit, typed: string, from: string | null, readTo: string | null): Html {
  const words = BENEFICIARY_WORDS[language]
  const address = (changes: Record<string, string>) =>
    `${home}${BOOK_PATH}?${new URLSearchParams({ ...(typed !== '' && { q: typed }), ...changes })}`
  return html`<p class="after-list">${from !== null && html`<a class="button" href="${address({})}">${words.first}</a> `}${readTo !== null && html`<a class="button" rel="next" href="${address({ after: readTo })}">${typed === '' ? words.next : words.lookOn}</a>`}</p>`
}

function teaching(visit: Visit): Html {
  const { language, home, options } = visit
  const words = BENEFICIARY_WORDS[language]
  const [example] = Object.values(writeBeneficiaryOperation.body?.examples ?? {})
  const button =
    may(visit, 'payouts:write') &&
    html`<p class="empty-ways"><a class="button main" href="${home}${BOOK_PATH}/new">${icon('plus')}${words.create}</a></p>`
  return html`<section class="empty teach"><p class="empty-mark">${icon('book')}</p><h2>${words.empty.title}</h2><p>${words.empty.text}</p>${button}${curlBlock(visit, curlOf(writeBeneficiaryOperation, { body: example?.value }, options.publicUrl))}</section>`
}

export const bookListRoutes: readonly PageRoute[] = [
  { method: 'GET', path: BOOK_PATH, scope: 'payouts:read', show: bookPage },
]
