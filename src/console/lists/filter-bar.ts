// The filters of a list, as a form that leads to another address of the same list, and what is filtered by, each to be taken away.

import { type Html, html } from '../../core/html.ts'
import { amountText, dayText } from '../format.ts'
import { icon } from '../icons.ts'
import { centsForField } from '../money-text.ts'
import type { ListDefinition, ListView, Select } from './definition.ts'
import { changed, type ListQuery, ORDERS } from './list-query.ts'
import { PERIODS } from './period.ts'

export function filterBar<Row>(
  view: ListView,
  definition: ListDefinition<Row>,
  query: ListQuery,
  saving: Html | false,
): Html {
  const { visit, words } = view
  const { filters } = query
  const kept = [definition.tab.name, ...definition.ids.map(({ name }) => name)].flatMap((name) => {
    const value = query.address.get(name)
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]
  })
  const text =
    definition.hasText &&
    html`<div class="filter wide"><label class="unseen" for="filter-text">${words.text[definition.name]}</label>${icon('find')}<input type="search" id="filter-text" name="text" value="${filters.text}" placeholder="${words.text[definition.name]}" maxlength="255" autocomplete="off" data-filter></div>`
  const [first, ...others] = definition.selects
  const more = moreFilters(view, definition, query, others)
  return html`<form class="filters" action="${visit.home}${definition.path}" role="search" aria-label="${words.filters}" data-filters>${kept}${text}${periodSelect(view, query)}${first && selectFilter(view, query, first, false)}${more}<button class="button apply">${words.filter}</button></form>${chips(view, definition, query, saving)}`
}

function periodSelect({ words }: ListView, { period }: ListQuery): Html {
  const options = PERIODS.map(
    (name) =>
      html`<option value="${name}"${name === period.name && html` selected`}>${words.periods[name]}</option>`,
  )
  return html`<div class="filter"><label class="unseen" for="filter-period">${words.period}</label><select id="filter-period" name="period">${options}</select><input type="hidden" name="was" value="${period.name}"></div>`
}

function selectFilter(view: ListView, query: ListQuery, select: Select, hasLabel: boolean): Html {
  const { words } = view
  const id = `filter-${select.name}`
  const chosen = query.filters.chosen[select.name]
  const options = select
    .options(view)
    .map(
      ([value, label]) =>
        html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
    )
  return html`<div class="filter"><label for="${id}"${!hasLabel && html` class="unseen"`}>${select.label(words)}</label><select id="${id}" name="${select.name}"><option value="">${select.any(words)}</option>${options}</select></div>`
}

function moreFilters<Row>(
  view: ListView,
  { hasAmount }: ListDefinition<Row>,
  query: ListQuery,
  selects: readonly Select[],
): Html {
  const { words, visit } = view
  const { filters, period, order } = query
  const amount = (name: 'min' | 'max', value: bigint | undefined) =>
    html`<div class="filter"><label for="filter-${name}">${words[name]}</label><span class="money-field"><span aria-hidden="true">$</span><input id="filter-${name}" name="${name}" inputmode="decimal" autocomplete="off" value="${value === undefined ? '' : centsForField(value, visit.language)}"></span></div>`
  const day = (name: 'from' | 'to') =>
    html`<div class="filter"><label for="filter-${name}">${words[name]}</label><input type="date" id="filter-${name}" name="${name}" value="${period.days[name]}" data-day></div>`
  const orders = ORDERS.map(
    (one) => html`<option value="${one}"${one === order && html` selected`}>${words.orders[one]}</option>`,
  )
  return html`<details class="drop more"><summary class="button">${icon('filter')}${words.moreFilters}</summary><div class="drop-panel filter-grid">${day('from')}${day('to')}${hasAmount && html`${amount('min', filters.minInCents)}${amount('max', filters.maxInCents)}`}${selects.map((select) => selectFilter(view, query, select, true))}<div class="filter"><label for="filter-order">${words.order}</label><select id="filter-order" name="order">${orders}</select></div><button class="button main">${words.filter}</button></div></details>`
}

// What the list is filtered by. Each leads to the list without it.
function chips<Row>(
  view: ListView,
  definition: ListDefinition<Row>,
  query: ListQuery,
  saving: Html | false,
): Html | false {
  const { words, visit, now } = view
  const { filters, period, order, address } = query
  const { language } = visit
  const chip = (label: string, changes: Record<string, null>) =>
    html`<li><a class="chip" href="${changed(address, changes)}" aria-label="${words.remove(label)}">${label}${icon('close')}</a></li>`
  const chosen = definition.selects.flatMap((select) => {
    const value = filters.chosen[select.name]
    if (value === undefined) return []
    const label = select.options(view).find(([one]) => one === value)?.[1] ?? value
    return [chip(label, { [select.name]: null })]
  })
  const ids = definition.ids.flatMap(({ name, label }) => {
    const id = filters.chosen[name]
    return id === undefined ? [] : [chip(`${label(words)} …${id.slice(-6)}`, { [name]: null })]
  })
  const { days } = period
  const shown = [
    ...ids,
    ...chosen,
    ...(filters.text === undefined ? [] : [chip(`“${filters.text}”`, { text: null })]),
    ...(filters.minInCents === undefined
      ? []
      : [chip(`≥ ${amountText(filters.minInCents, language)}`, { min: null })]),
    ...(filters.maxInCents === undefined
      ? []
      : [chip(`≤ ${amountText(filters.maxInCents, language)}`, { max: null })]),
    ...(period.name !== 'days'
      ? []
      : [
          chip(
            `${days.from === null ? '…' : dayText(days.from, now, language)} – ${days.to === null ? '…' : dayText(days.to, now, language)}`,
            { from: null, to: null },
          ),
        ]),
    ...(order === 'newest' ? [] : [chip(words.orders[order], { order: null })]),
  ]
  if (shown.length === 0 && saving === false) return false
  const clear =
    shown.length > 0 && html`<li><a href="${visit.home}${definition.path}">${words.clear}</a></li>`
  return html`<ul class="chips">${shown}${clear}${saving}</ul>`
}
