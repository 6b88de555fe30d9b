// The page of a list: what there is by state, the filters, the rows, and the way to the next page.

import { type Html, html } from '../../core/html.ts'
import { instantOfId } from '../../core/ids.ts'
import type { BoundedPage, Totals } from '../../store/bounded-list.ts'
import type { Queryable } from '../../store/db.ts'
import { pipelinedDb } from '../../store/sent-together.ts'
import { curlBlock } from '../curl-block.ts'
import { amountText, countText, dayText, timeText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page, SeeOther } from '../page.ts'
import { eyesOf } from '../people.ts'
import { may, type Visit } from '../visit.ts'
import { STATES, toneOf } from '../words/states.ts'
import type { Column, ListDefinition, ListView } from './definition.ts'
import { filterBar } from './filter-bar.ts'
import { changed, type ListQuery, readQuery, startOf } from './list-query.ts'
import { titleOf } from './list-title.ts'
import { savedViews, type ViewControls } from './saved-views.ts'
import { LIST_WORDS } from './words.ts'

export const PAGE_ROWS = 50

export async function listPage<Row>(visit: Visit, definition: ListDefinition<Row>): Promise<Page | SeeOther> {
  const { ctx, organization, language, request } = visit
  const blind = { visit, words: LIST_WORDS[language], states: STATES[language], now: ctx.clock.now() }
  const asked = new URLSearchParams(request.url.split('?')[1] ?? '')
  const query = readQuery(definition, asked, blind)
  // A form sends its empty fields too. The address that is kept and shared has none.
  if (asked.has('was')) return { seeOther: `${visit.home}${definition.path}${changed(query.address, {})}` }
  const db = pipelinedDb(ctx.db)
  const list = definition.open(db, organization.organizationId, query.filters)
  const [page, totals, views, eyes, above] = await Promise.all([
    list.page(startOf(query), PAGE_ROWS + 1),
    list.totals(),
    viewsOf(visit, db, definition, query),
    eyesOf(visit),
    definition.above?.(visit),
  ])
  const view: ListView = { ...blind, eyes, tab: query.filters.tab }
  const read = pageOf(page, query)
  const isNew = read.rows.length === 0 && (await isEmptyAlways(visit, definition))
  const body = isNew
    ? teaching(visit, definition)
    : html`${tabs(view, definition, query, totals)}${sums(view, definition, query, totals)}${filterBar(view, definition, query, views.saving)}${rowsOrNone(view, definition, query, read)}`
  return {
    title: titleOf(visit, definition),
    section: definition.section,
    // What is written to the audit log moves nothing else.
    ...(definition.name !== 'audit' && { watches: [definition.name] }),
    isRowsOnly:
      !isNew && above === undefined && definition.sums === undefined && definition.section !== 'settings',
    content: html`${heading(view, definition, query, isNew)}${above}${views.shown}${body}`,
  }
}

function viewsOf<Row>(
  visit: Visit,
  db: Queryable,
  { name, path }: ListDefinition<Row>,
  query: ListQuery,
): Promise<ViewControls> | ViewControls {
  // Nobody needs the same look at the audit log every morning.
  return name === 'audit' ? { shown: false, saving: false } : savedViews(visit, db, { name, path }, query)
}

type Read<Row> = {
  readonly rows: readonly Row[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
  readonly readTo: string | null
}

// One row more was read than is shown.
function pageOf<Row>(page: BoundedPage<Row>, { position }: ListQuery): Read<Row> {
  const isBack = position?.side === 'before'
  const rows = page.rows.slice(0, PAGE_ROWS)
  const hasMore = page.rows.length > PAGE_ROWS || (page.readTo !== null && isBack)
  if (isBack) return { rows: rows.reverse(), hasNext: true, hasPrevious: hasMore, readTo: null }
  return { rows, hasNext: hasMore, hasPrevious: position !== null, readTo: page.readTo }
}

async function isEmptyAlways<Row>(visit: Visit, definition: ListDefinition<Row>): Promise<boolean> {
  const all = {
    tab: undefined,
    chosen: {},
    text: undefined,
    minInCents: undefined,
    maxInCents: undefined,
    bounds: {},
  }
  const list = definition.open(visit.ctx.db, visit.organization.organizationId, all)
  const { rows } = await list.page({ direction: 'older', from: null }, 1)
  return rows.length === 0
}

function heading<Row>(
  view: ListView,
  definition: ListDefinition<Row>,
  query: ListQuery,
  isNew: boolean,
): Html {
  const { visit, words } = view
  const { create } = definition
  const isClosed = create !== undefined && !may(visit, create.scope)
  const siblings = definition.siblings?.(visit)
  const files = (['csv', 'xlsx'] as const).map(
    (kind) =>
      html`<li><a href="${visit.home}${definition.path}.${kind}?${query.address.toString()}" download>${words.exportAs[kind]}</a></li>`,
  )
  const exporting = html`<details class="drop"><summary class="button">${icon('download')}${words.export}</summary><div class="drop-panel"><ul>${files}</ul><p class="hint">${words.exportHint}</p></div></details>`
  const creating =
    create &&
    (isClosed
      ? html`<span class="button" aria-disabled="true" title="${visit.words.rights[create.scope]}">${icon('lock')}${create.label(visit)}</span>`
      : html`<a class="button main" href="${visit.home}${create.path}" data-create>${icon('plus')}${create.label(visit)}</a>`)
  return html`<div class="head"><h1>${titleOf(visit, definition)}</h1>${
    siblings &&
    html`<nav class="switch" aria-label="${visit.words.sections[definition.section]}">${siblings.map(
      ({ path, label }) =>
        html`<a href="${visit.home}${path}"${path === definition.path && html` aria-current="page"`}>${label}</a>`,
    )}</nav>`
  }<div class="head-actions">${!isNew && exporting}${creating}</div></div><p class="on-paper">${periodText(view, query)}</p>`
}

// On paper there is no field that says it.
function periodText({ visit, words, now }: ListView, { period }: ListQuery): string {
  const { from, to } = period.days
  if (period.name !== 'days') return `${words.period}: ${words.periods[period.name]}`
  const day = (one: typeof from) => (one === null ? '…' : dayText(one, now, visit.language))
  return `${words.period}: ${day(from)} – ${day(to)}`
}

// What there is by state: each a link to those rows.
function tabs<Row>(view: ListView, definition: ListDefinition<Row>, query: ListQuery, totals: Totals): Html {
  const { visit, words, states } = view
  const { tab } = definition
  const open = query.filters.tab
  const shown = [undefined, ...tab.values].map((value) => {
    const groups = totals.groups.filter(({ group }) => value === undefined || group === value)
    const count = groups.reduce((sum, group) => sum + group.count, 0)
    const sum = groups.reduce((all, group) => all + group.sum, 0n)
    const label = value === undefined ? words.all : tab.label(states, value)
    const href = changed(query.address, { [tab.name]: value ?? null })
    return html`<li><a class="tab" href="${href}"${value === open && html` aria-current="true"`}><span class="tab-name">${value !== undefined && tab.hasSum && html`<i class="dot ${toneOf(value)}"></i>`}${label}</span>${!tab.hasNoCounts && html`<span class="tab-count">${countText(count, visit.language)}${totals.isPartial && value === undefined && '+'}</span>`}${tab.hasSum && html`<span class="tab-sum">${amountText(sum, visit.language)}</span>`}</a></li>`
  })
  const note =
    totals.isPartial &&
    html`<p class="hint">${words.partial(
      countText(
        totals.groups.reduce((all, { count }) => all + count, 0),
        visit.language,
      ),
    )}</p>`
  return html`<nav aria-label="${words.summary}"><ul class="tabs" id="tabs">${shown}</ul></nav>${note}`
}

function sums<Row>(
  view: ListView,
  definition: ListDefinition<Row>,
  query: ListQuery,
  totals: Totals,
): Html | false {
  const found = definition.sums?.(view, query, totals) ?? []
  return (
    found.length > 0 &&
    html`<dl class="figures list-sums">${found.map(([name, cents]) => html`<div><dt>${name}</dt><dd>${amountText(cents, view.visit.language)}</dd></div>`)}</dl>`
  )
}

function rowsOrNone<Row>(
  view: ListView,
  definition: ListDefinition<Row>,
  query: ListQuery,
  read: Read<Row>,
): Html {
  return read.rows.length === 0
    ? html`${nothing(view, query, definition, read)}${lookedUntil(view, query, read)}`
    : html`${table(view, definition, read.rows)}${lookedUntil(view, query, read)}${pager(view, definition, query, read)}`
}

function table<Row>(view: ListView, definition: ListDefinition<Row>, rows: readonly Row[]): Html {
  const { words } = view
  const heads = definition.columns.map(
    ({ name, place }) => html`<th scope="col" class="p-${place} c-${name}">${words.columns[name]}</th>`,
  )
  return html`<div class="table"><table class="list ${definition.name}"><caption class="unseen">${words.list}</caption><thead><tr>${heads}</tr></thead><tbody id="rows" data-grows>${rows.map((row) => rowHtml(view, definition, row))}</tbody></table></div>`
}

function rowHtml<Row>(view: ListView, definition: ListDefinition<Row>, row: Row): Html {
  const href = `${view.visit.home}${definition.hrefOf(row)}`
  return html`<tr id="row-${definition.idOf(row)}">${definition.columns.map((column) => cell(view, column, row, href))}</tr>`
}

function cell<Row>(view: ListView, column: Column<Row>, row: Row, href: string): Html {
  const shown = column.cell(row, view)
  return column.place === 'main'
    ? html`<th scope="row" class="p-main"><a href="${href}">${shown}</a></th>`
    : html`<td class="p-${column.place} c-${column.name}">${shown}</td>`
}

// A filter that no index has is looked for in so many rows at a time.
function lookedUntil<Row>(
  { visit, words, now }: ListView,
  query: ListQuery,
  { readTo }: Read<Row>,
): Html | false {
  if (readTo === null) return false
  const until = timeText(instantOfId(readTo), now, visit.language)
  return html`<p class="looked">${words.lookedUntil(until)} <a href="${changed(query.address, { after: readTo })}">${words.lookOn}</a></p>`
}

function pager<Row>(
  { visit, words }: ListView,
  definition: ListDefinition<Row>,
  query: ListQuery,
  { rows, hasNext, hasPrevious }: Read<Row>,
): Html {
  const [first, last] = [rows[0], rows.at(-1)] as [Row, Row]
  const link = (isThere: boolean, label: string, changes: Record<string, string>, side: 'left' | 'right') => {
    const content = side === 'left' ? html`${icon('left')}${label}` : html`${label}${icon('right')}`
    return isThere
      ? html`<a class="button" rel="${side === 'left' ? 'prev' : 'next'}" href="${changed(query.address, changes)}">${content}</a>`
      : html`<span class="button" aria-disabled="true">${content}</span>`
  }
  const counted = words.counted[definition.name](countText(rows.length, visit.language), rows.length === 1)
  return html`<nav class="pager" aria-label="${words.pages}"><p>${counted}</p>${(hasNext || hasPrevious) && html`${link(hasPrevious, words.previous, { before: definition.idOf(first) }, 'left')}${link(hasNext, words.next, { after: definition.idOf(last) }, 'right')}`}</nav>`
}

function nothing<Row>(
  { words, visit }: ListView,
  { address, period, filters }: ListQuery,
  definition: ListDefinition<Row>,
  { readTo }: Read<Row>,
): Html {
  const isFiltered = [...address.keys()].some((name) => !['period', 'from', 'to', 'order'].includes(name))
  const periodName = words.periods[period.name].toLowerCase()
  const everywhere =
    filters.text !== undefined &&
    html`<a class="button" href="${visit.home}/search?q=${encodeURIComponent(filters.text)}">${icon('find')}${words.empty.searchEverywhere}</a>`
  const allTime =
    period.name !== 'all' &&
    html`<a class="button" href="${changed(address, { period: 'all', from: null, to: null })}">${words.empty.allTime}</a>`
  const [title, text] = isFiltered
    ? [words.empty.filtered, words.empty.filteredText(periodName)]
    : [words.empty.period(periodName), words.empty.periodText]
  const clear =
    isFiltered && html`<a class="button" href="${visit.home}${definition.path}">${words.clear}</a>`
  return html`<section class="empty"><h2>${title}</h2>${readTo === null && html`<p>${text}</p>`}<p class="empty-ways">${clear}${allTime}${everywhere}</p></section>`
}

function teaching<Row>(visit: Visit, definition: ListDefinition<Row>): Html {
  const { title, text, curl } = definition.teach(visit)
  const { create } = definition
  const button =
    create &&
    may(visit, create.scope) &&
    html`<p class="empty-ways"><a class="button main" href="${visit.home}${create.path}">${icon('plus')}${create.label(visit)}</a></p>`
  return html`<section class="empty teach"><p class="empty-mark">${icon(definition.section)}</p><h2>${title}</h2><p>${text}</p>${button}${curl !== undefined && curlBlock(visit, curl)}</section>`
}
